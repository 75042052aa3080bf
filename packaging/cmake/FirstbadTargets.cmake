# Options and warnings that every target of ours links, and the functions that declare targets.

# NaN is the product's subject: a compiler that may assume it away is refused.
foreach(flags IN ITEMS "${CMAKE_CXX_FLAGS}" "${CMAKE_CXX_FLAGS_RELEASE}" "${CMAKE_CXX_FLAGS_DEBUG}"
                       "${CMAKE_CXX_FLAGS_RELWITHDEBINFO}" "${CMAKE_CUDA_FLAGS}" "$ENV{CXXFLAGS}")
    if(flags MATCHES "-ffast-math|-Ofast|-ffinite-math-only|-funsafe-math|--use_fast_math|-use_fast_math")
        message(FATAL_ERROR "Fast-math flags are refused: they remove NaN checks (found in: ${flags})")
    endif()
endforeach()

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    set(CMAKE_BUILD_TYPE RelWithDebInfo CACHE STRING "" FORCE)
endif()

add_library(firstbad_options INTERFACE)
target_compile_features(firstbad_options INTERFACE cxx_std_20)
set_property(TARGET firstbad_options PROPERTY INTERFACE_POSITION_INDEPENDENT_CODE ON)
target_include_directories(firstbad_options INTERFACE "${PROJECT_SOURCE_DIR}")
target_compile_definitions(firstbad_options INTERFACE FIRSTBAD_VERSION="${PROJECT_VERSION}")
if(FIRSTBAD_SANITIZE)
    target_compile_options(firstbad_options INTERFACE
        -fsanitize=${FIRSTBAD_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
    target_link_options(firstbad_options INTERFACE -fsanitize=${FIRSTBAD_SANITIZE})
    if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
        target_compile_options(firstbad_options INTERFACE
            "-fsanitize-ignorelist=${PROJECT_SOURCE_DIR}/packaging/cmake/ubsan_ignore.txt")
    endif()
endif()
if(FIRSTBAD_FUZZ)
    if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
        message(FATAL_ERROR "FIRSTBAD_FUZZ needs clang (libFuzzer); use the preset fuzz")
    endif()
    target_compile_options(firstbad_options INTERFACE -fsanitize=fuzzer-no-link)
endif()

add_library(firstbad_warnings INTERFACE)
target_compile_options(firstbad_warnings INTERFACE
    -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wdouble-promotion
    -Wnon-virtual-dtor -Woverloaded-virtual $<$<BOOL:${FIRSTBAD_WERROR}>:-Werror>)

# firstbad_house(TARGET): our own options and warnings, C++20 without extensions.
function(firstbad_house target)
    target_link_libraries(${target} PRIVATE firstbad_options firstbad_warnings)
    set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF)
endfunction()

# firstbad_library(TARGET): firstbad_house for a library of the product, which also gets the function
# that tests/arch asks whether its flags keep NaN.
function(firstbad_library target)
    firstbad_house(${target})
    set(probe "${CMAKE_CURRENT_BINARY_DIR}/${target}_nan_probe.cpp")
    configure_file("${PROJECT_SOURCE_DIR}/packaging/cmake/nan_probe.cpp.in" "${probe}" @ONLY)
    target_sources(${target} PRIVATE "${probe}")
    set_source_files_properties("${probe}" PROPERTIES SKIP_AUTOMOC ON)
    set_property(GLOBAL APPEND PROPERTY FIRSTBAD_NAN_PROBES ${target})
endfunction()

# firstbad_test(NAME LABELS a b SOURCES x.cpp LIBRARIES lib): one Catch2 executable, one ctest entry.
function(firstbad_test name)
    cmake_parse_arguments(ARG "" "" "LABELS;SOURCES;LIBRARIES" ${ARGN})
    add_executable(${name} ${ARG_SOURCES})
    firstbad_house(${name})
    target_link_libraries(${name} PRIVATE ${ARG_LIBRARIES} firstbad_test_support)
    add_test(NAME ${name} COMMAND ${name})
    set_tests_properties(${name} PROPERTIES LABELS "${ARG_LABELS}" SKIP_RETURN_CODE 77 TIMEOUT 600)
endfunction()
