# Qt 6 for the workbench, and the function that declares a library or program of it.
find_package(Qt6 6.4 REQUIRED COMPONENTS Core Gui Widgets Charts Svg)

# firstbad_qt(TARGET): our options, moc, and no implicit text conversions.
function(firstbad_qt target)
    get_target_property(type ${target} TYPE)
    if(type STREQUAL "STATIC_LIBRARY")
        firstbad_library(${target})
    else()
        firstbad_house(${target})
    endif()
    set_target_properties(${target} PROPERTIES AUTOMOC ON)
    target_compile_definitions(${target} PRIVATE
        QT_NO_CAST_FROM_ASCII QT_NO_CAST_TO_ASCII QT_NO_FOREACH)
endfunction()
