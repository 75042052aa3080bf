// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/pickle/dangerous_globals.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace firstbad::core {

namespace {

using namespace std::string_view_literals;

// Whole modules, with what lies below them. A checkpoint has no reason to call any of these.
constexpr std::array kModules{"_aix_support"sv, "_bootsubprocess"sv, "_osx_support"sv,
    "_posixsubprocess"sv, "_thread"sv, "_xxsubinterpreters"sv, "asyncio"sv, "bdb"sv, "cProfile"sv,
    "code"sv, "codeop"sv, "commands"sv, "ctypes"sv, "distutils"sv, "doctest"sv, "ensurepip"sv,
    "fileinput"sv, "ftplib"sv, "glob"sv, "http"sv, "httplib"sv, "idlelib"sv, "imaplib"sv, "imp"sv,
    "importlib"sv, "lib2to3"sv, "marshal"sv, "mmap"sv, "multiprocessing"sv, "nt"sv, "ntpath"sv,
    "os"sv, "pdb"sv, "pip"sv, "pkgutil"sv, "poplib"sv, "popen2"sv, "posix"sv, "posixpath"sv,
    "profile"sv, "pty"sv, "pydoc"sv, "requests"sv, "resource"sv, "runpy"sv, "shelve"sv, "shutil"sv,
    "signal"sv, "site"sv, "smtplib"sv, "socket"sv, "socketserver"sv, "sqlite3"sv, "ssl"sv,
    "subprocess"sv, "sys"sv, "telnetlib"sv, "tempfile"sv, "test"sv, "threading"sv, "timeit"sv,
    "torch.hub"sv, "trace"sv, "urllib"sv, "urllib2"sv, "venv"sv, "webbrowser"sv, "winreg"sv,
    "xmlrpc"sv, "zipimport"sv};

struct Name {
    std::string_view module;
    std::string_view name;
};

// Single names in modules that are harmless otherwise.
constexpr std::array kNames{Name{"_io", "FileIO"}, Name{"_io", "open"}, Name{"_io", "open_code"},
    Name{"_pickle", "load"}, Name{"_pickle", "loads"}, Name{"builtins", "__import__"},
    Name{"builtins", "apply"}, Name{"builtins", "breakpoint"}, Name{"builtins", "compile"},
    Name{"builtins", "delattr"}, Name{"builtins", "eval"}, Name{"builtins", "exec"},
    Name{"builtins", "execfile"}, Name{"builtins", "file"}, Name{"builtins", "globals"},
    Name{"builtins", "input"}, Name{"builtins", "locals"}, Name{"builtins", "open"},
    Name{"builtins", "setattr"}, Name{"builtins", "vars"}, Name{"cPickle", "load"},
    Name{"cPickle", "loads"}, Name{"cloudpickle", "load"}, Name{"cloudpickle", "loads"},
    Name{"dill", "load"}, Name{"dill", "loads"}, Name{"dill._dill", "load"},
    Name{"dill._dill", "loads"}, Name{"functools", "reduce"}, Name{"io", "FileIO"},
    Name{"io", "open"}, Name{"io", "open_code"}, Name{"joblib", "load"}, Name{"numpy", "load"},
    Name{"numpy.f2py.crackfortran", "getlincoef"},
    Name{"numpy.testing._private.utils", "runstring"}, Name{"operator", "attrgetter"},
    Name{"operator", "itemgetter"}, Name{"operator", "methodcaller"}, Name{"pathlib", "open"},
    Name{"pickle", "load"}, Name{"pickle", "loads"}, Name{"pickle", "Unpickler"},
    Name{"torch", "load"}, Name{"torch.jit", "load"}, Name{"torch.serialization", "load"},
    Name{"torch.storage", "UntypedStorage.from_file"}, Name{"types", "CodeType"},
    Name{"types", "FunctionType"}, Name{"types", "LambdaType"},
    Name{"torch._dynamo.guards", "GuardBuilder.get"},
    Name{"torch._inductor.codecache", "compile_file"},
    Name{"torch.utils._config_module", "ConfigModule.load_config"},
    Name{"torch.utils.bottleneck.__main__", "run_cprofile"},
    Name{"torch.utils.cpp_extension", "load"}};

bool isInModule(std::string_view module, std::string_view parent)
{
    return module.starts_with(parent)
        && (module.size() == parent.size() || module[parent.size()] == '.');
}

}  // namespace

bool isDangerousGlobal(const PickleGlobal& global)
{
    // STACK_GLOBAL resolves dots in the name too: ("torch", "os.system") is os.system.
    for (const std::string_view part : {"os."sv, "sys."sv, "subprocess."sv, "builtins."sv}) {
        if (std::string_view(global.name).starts_with(part)
            || global.name.find(std::string(".") + std::string(part)) != std::string::npos)
            return true;
    }
    return std::any_of(kModules.begin(), kModules.end(), [&](std::string_view module) {
        return isInModule(global.module, module);
    }) || std::any_of(kNames.begin(), kNames.end(), [&](const Name& bad) {
        return bad.module == global.module && bad.name == global.name;
    });
}

}  // namespace firstbad::core
