// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/hdf5/hdf5_window.h"

#include "core/base/hdf5_handle.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <hdf5.h>
#include <new>
#include <unistd.h>

namespace firstbad::core {
namespace {

constexpr haddr_t kMaxAddress = (haddr_t{1} << 62U) - 1;

struct Window {
    std::uint64_t offset = 0;
    std::uint64_t length = 0;
};

/// What the library holds of an open file; its own part must come first.
struct WindowFile {
    H5FD_t base{};
    int descriptor = -1;
    Window window;
    haddr_t end = 0;  // as the library set it
};

WindowFile* cast(H5FD_t* file)
{
    return reinterpret_cast<WindowFile*>(file);
}
const WindowFile* cast(const H5FD_t* file)
{
    return reinterpret_cast<const WindowFile*>(file);
}

H5FD_t* openWindow(const char* name, unsigned flags, hid_t plan, haddr_t)
{
    const auto* window = static_cast<const Window*>(H5Pget_driver_info(plan));
    if (window == nullptr || (flags & H5F_ACC_RDWR) != 0)
        return nullptr;
    auto* file = new (std::nothrow) WindowFile;
    if (file == nullptr)
        return nullptr;
    file->descriptor = ::open(name, O_RDONLY | O_CLOEXEC);
    if (file->descriptor < 0) {
        delete file;
        return nullptr;
    }
    file->window = *window;
    return &file->base;
}

herr_t closeWindow(H5FD_t* file)
{
    ::close(cast(file)->descriptor);
    delete cast(file);
    return 0;
}

herr_t queryWindow(const H5FD_t*, unsigned long* flags)
{
    if (flags != nullptr)
        *flags = H5FD_FEAT_DATA_SIEVE;
    return 0;
}

haddr_t endOfAddresses(const H5FD_t* file, H5FD_mem_t)
{
    return cast(file)->end;
}

herr_t setEndOfAddresses(H5FD_t* file, H5FD_mem_t, haddr_t address)
{
    cast(file)->end = address;
    return 0;
}

haddr_t endOfFile(const H5FD_t* file, H5FD_mem_t)
{
    return cast(file)->window.length;
}

/// Past the end there are zeros, as in the library's own drivers.
herr_t readWindow(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t address, std::size_t size, void* buffer)
{
    const WindowFile& self = *cast(file);
    auto* out = static_cast<char*>(buffer);
    while (size > 0 && address < self.window.length) {
        const std::size_t most = size < self.window.length - address
            ? size
            : static_cast<std::size_t>(self.window.length - address);
        const ssize_t got
            = ::pread(self.descriptor, out, most, static_cast<off_t>(self.window.offset + address));
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return -1;
        if (got == 0)
            break;
        out += got;
        address += static_cast<haddr_t>(got);
        size -= static_cast<std::size_t>(got);
    }
    std::memset(out, 0, size);
    return 0;
}

herr_t refuseWrite(H5FD_t*, H5FD_mem_t, hid_t, haddr_t, std::size_t, const void*)
{
    return -1;
}

H5FD_class_t windowDriver()
{
    H5FD_class_t driver{};
#if H5_VERSION_GE(1, 14, 0)
    driver.version = H5FD_CLASS_VERSION;
    driver.value = static_cast<H5FD_class_value_t>(1001);
#endif
    driver.name = "firstbad_window";
    driver.maxaddr = kMaxAddress;
    driver.fc_degree = H5F_CLOSE_WEAK;
    driver.fapl_size = sizeof(Window);
    driver.open = openWindow;
    driver.close = closeWindow;
    driver.query = queryWindow;
    driver.get_eoa = endOfAddresses;
    driver.set_eoa = setEndOfAddresses;
    driver.get_eof = endOfFile;
    driver.read = readWindow;
    driver.write = refuseWrite;
    for (auto& use : driver.fl_map)
        use = H5FD_MEM_SUPER;
    return driver;
}

}  // namespace

std::int64_t openHdf5Window(const Hdf5Window& window, std::string& reason)
{
    static const H5FD_class_t driver = windowDriver();
    const hid_t id = H5FDregister(&driver);
    const Hdf5Handle plan(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
    const Window part{window.offset, window.length};
    if (id < 0 || !plan || H5Pset_driver(plan.get(), id, &part) < 0)
        return -1;
    const hid_t file = H5Fopen(window.path.c_str(), H5F_ACC_RDONLY, plan.get());
    if (file < 0)
        reason = hdf5Reason();  // now: the next call of the library forgets it
    return file;
}

}  // namespace firstbad::core
