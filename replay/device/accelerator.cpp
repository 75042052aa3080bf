// SPDX-License-Identifier: GPL-3.0-or-later
#include "replay/device/accelerator.h"

#include <array>
#include <dlfcn.h>
#include <fmt/format.h>

namespace firstbad::replay {

namespace {

/// The five entry points of the CUDA driver that are needed to name its devices.
struct Driver {
    int (*initialise)(unsigned) = nullptr;
    int (*version)(int*) = nullptr;
    int (*count)(int*) = nullptr;
    int (*name)(char*, int, int) = nullptr;
    int (*memory)(std::size_t*, int) = nullptr;

    [[nodiscard]] bool complete() const
    {
        return initialise != nullptr && version != nullptr && count != nullptr && name != nullptr
            && memory != nullptr;
    }
};

template <class Function> void bind(void* library, const char* symbol, Function*& function)
{
    function = reinterpret_cast<Function*>(dlsym(library, symbol));
}

Driver loadDriver()
{
    Driver driver;
    void* library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr)
        return driver;
    bind(library, "cuInit", driver.initialise);
    bind(library, "cuDriverGetVersion", driver.version);
    bind(library, "cuDeviceGetCount", driver.count);
    bind(library, "cuDeviceGetName", driver.name);
    bind(library, "cuDeviceTotalMem_v2", driver.memory);
    return driver;
}

std::vector<Accelerator> listDevices(const Driver& driver)
{
    int count = 0;
    if (driver.count(&count) != 0)
        return {};
    std::vector<Accelerator> found;
    for (int ordinal = 0; ordinal < count; ++ordinal) {
        std::array<char, 256> name{};
        std::size_t bytes = 0;
        if (driver.name(name.data(), static_cast<int>(name.size()) - 1, ordinal) == 0
            && driver.memory(&bytes, ordinal) == 0)
            found.push_back({ordinal, name.data(), bytes});
    }
    return found;
}

}  // namespace

AcceleratorReport findAccelerators()
{
    AcceleratorReport report;
    const Driver driver = loadDriver();
    if (!driver.complete() || driver.initialise(0) != 0
        || driver.version(&report.driverVersion) != 0) {
        report.whyNone = "no CUDA driver on this machine";
        return report;
    }
    auto devices = listDevices(driver);
    if (devices.empty()) {
        report.whyNone = "the CUDA driver lists no device";
        return report;
    }
    if (dlopen("libtorch_cuda.so", RTLD_NOW | RTLD_GLOBAL) == nullptr) {
        report.whyNone = fmt::format("{} CUDA devices, but LibTorch's CUDA half does not load: {}",
            devices.size(), dlerror());
        return report;
    }
    report.accelerators = std::move(devices);
    return report;
}

}  // namespace firstbad::replay
