# LibTorch as imported targets from the folder of a torch wheel: firstbad::torch.
#
# Never find_package(Torch): it mixes in a system LibTorch and asks for the whole CUDA toolkit.
# The folder is FIRSTBAD_TORCH (option, then environment), else .deps/torch that bootstrap.sh fills;
# it holds torch/ and nvidia/, so that any site-packages folder with torch 2.7 or later will do.
set(firstbad_torch_folder "${FIRSTBAD_TORCH}")
if(NOT firstbad_torch_folder)
    set(firstbad_torch_folder "$ENV{FIRSTBAD_TORCH}")
endif()
if(NOT firstbad_torch_folder)
    set(firstbad_torch_folder "${PROJECT_SOURCE_DIR}/.deps/torch")
endif()

set(firstbad_torch_lib "${firstbad_torch_folder}/torch/lib")
if(NOT EXISTS "${firstbad_torch_lib}/libtorch_cpu.so")
    message(FATAL_ERROR
        "No LibTorch in ${firstbad_torch_folder}. Run packaging/bootstrap.sh build, which fetches the wheel, "
        "or set FIRSTBAD_TORCH to the site-packages folder of a Python that has torch, "
        "or configure with -DFIRSTBAD_REPLAY=OFF to build without the replay process.")
endif()

file(STRINGS "${firstbad_torch_folder}/torch/version.py" firstbad_torch_line REGEX "^__version__ *=")
string(REGEX MATCH "[0-9]+\\.[0-9]+\\.[0-9]+" firstbad_torch_version "${firstbad_torch_line}")
if(firstbad_torch_version VERSION_LESS 2.7)
    message(FATAL_ERROR "LibTorch ${firstbad_torch_version} in ${firstbad_torch_folder} is too old: "
        "wheels before 2.7 have the old C++ ABI")
endif()
message(STATUS "LibTorch ${firstbad_torch_version} in ${firstbad_torch_folder}")

add_library(firstbad_torch_c10 SHARED IMPORTED)
set_target_properties(firstbad_torch_c10 PROPERTIES IMPORTED_LOCATION "${firstbad_torch_lib}/libc10.so")
add_library(firstbad_torch_cpu SHARED IMPORTED)
set_target_properties(firstbad_torch_cpu PROPERTIES IMPORTED_LOCATION "${firstbad_torch_lib}/libtorch_cpu.so")

# The CUDA runtime of the wheel is needed by libtorch_cpu.so itself; newer torch 2.x call the folder
# cu13, older ones cuda_runtime and cuda_cupti.
set(firstbad_torch_rpath "${firstbad_torch_lib}")
foreach(part IN ITEMS cu13 cuda_runtime cuda_cupti)
    if(IS_DIRECTORY "${firstbad_torch_folder}/nvidia/${part}/lib")
        list(APPEND firstbad_torch_rpath "${firstbad_torch_folder}/nvidia/${part}/lib")
    endif()
endforeach()

add_library(firstbad_torch INTERFACE)
add_library(firstbad::torch ALIAS firstbad_torch)
target_include_directories(firstbad_torch SYSTEM INTERFACE "${firstbad_torch_folder}/torch/include"
    "${firstbad_torch_folder}/torch/include/torch/csrc/api/include")
# Newer wheels bring their own fmt headers, found before the system's, and export no symbols of them.
target_compile_definitions(firstbad_torch INTERFACE FMT_HEADER_ONLY)
target_link_libraries(firstbad_torch INTERFACE firstbad_torch_cpu firstbad_torch_c10)

# firstbad_torch_program(TARGET): finds LibTorch at run time, beside the installation first.
function(firstbad_torch_program target)
    set_target_properties(${target} PROPERTIES
        BUILD_RPATH "${firstbad_torch_rpath}"
        INSTALL_RPATH "$ORIGIN/../lib/firstbad/torch/lib;$ORIGIN/../lib/firstbad/nvidia/cu13/lib;${firstbad_torch_rpath}")
    foreach(folder IN LISTS firstbad_torch_rpath)
        target_link_options(${target} PRIVATE "LINKER:-rpath-link,${folder}")
    endforeach()
endfunction()
