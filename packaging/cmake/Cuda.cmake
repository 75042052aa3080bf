# Enables CUDA when nvcc is there; CMAKE_CUDA_COMPILER says whether it is.
include(CheckLanguage)
check_language(CUDA)
if(CMAKE_CUDA_COMPILER)
    set(CMAKE_CUDA_ARCHITECTURES "80;90" CACHE STRING "GPU generations that the kernels are built for")
    enable_language(CUDA)
else()
    message(STATUS "No nvcc: firstbad_kernels is not built; replay uses LibTorch's own kernels")
endif()
