// SPDX-License-Identifier: GPL-3.0-or-later
#include "replay/device/devices.h"

#include "replay/device/accelerator.h"

#include <array>
#include <ATen/ATen.h>
#include <fmt/format.h>
#include <fstream>
#include <torch/version.h>
#include <unistd.h>
#include <utility>

namespace firstbad::replay {

namespace {

constexpr std::array<std::pair<at::ScalarType, const char*>, 6> kTypes{{
    {at::kFloat, "fp32"},
    {at::kHalf, "fp16"},
    {at::kBFloat16, "bf16"},
    {at::kDouble, "fp64"},
    {at::kFloat8_e4m3fn, "fp8-e4m3"},
    {at::kFloat8_e5m2, "fp8-e5m2"},
}};

/// LibTorch says "not implemented" by throwing; nothing else can be asked.
bool multiplies(const at::Device& device, at::ScalarType type)
{
    try {
        const auto ones = at::ones({2, 2}, at::TensorOptions().device(device)).to(type);
        return at::matmul(ones, ones).to(at::kFloat).sum().item<float>() == 8.0F;
    } catch (const std::exception&) {
        return false;
    }
}

std::vector<std::string> typesOf(const at::Device& device)
{
    std::vector<std::string> names;
    for (const auto& [type, name] : kTypes) {
        if (multiplies(device, type))
            names.emplace_back(name);
    }
    return names;
}

std::string processorName()
{
    std::ifstream cpuinfo("/proc/cpuinfo");
    for (std::string line; std::getline(cpuinfo, line);) {
        const auto colon = line.find(": ");
        if (line.starts_with("model name") && colon != std::string::npos)
            return line.substr(colon + 2);
    }
    return "CPU";
}

std::uint64_t machineMemory()
{
    const long pages = sysconf(_SC_PHYS_PAGES);
    const long pageBytes = sysconf(_SC_PAGESIZE);
    if (pages <= 0 || pageBytes <= 0)
        return 0;
    return static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(pageBytes);
}

}  // namespace

core::WorkerHello describeThisWorker(std::string& log)
{
    core::WorkerHello hello;
    hello.version = FIRSTBAD_VERSION;
    hello.libtorch = TORCH_VERSION;
    hello.devices.push_back(
        {"cpu", processorName(), machineMemory(), typesOf(at::Device(at::kCPU))});

    const auto report = findAccelerators();
    log = report.whyNone;
    if (report.accelerators.empty())
        return hello;
    hello.cuda = core::WorkerCuda{report.driverVersion};
    for (const auto& found : report.accelerators) {
        const at::Device device(at::kCUDA, static_cast<c10::DeviceIndex>(found.ordinal));
        hello.devices.push_back({fmt::format("cuda:{}", found.ordinal), found.name,
            found.memoryBytes, typesOf(device)});
    }
    return hello;
}

}  // namespace firstbad::replay
