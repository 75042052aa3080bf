# Translations of the workbench: .ts files become .qm files inside the program when Qt's linguist tools
# are there; without them the workbench speaks English.
find_package(Qt6 QUIET COMPONENTS LinguistTools)
if(NOT Qt6LinguistTools_FOUND)
    message(STATUS "Qt6 LinguistTools not found: the workbench speaks English only")
    return()
endif()
set(FIRSTBAD_TS
    "${PROJECT_SOURCE_DIR}/resources/translations/firstbad_en.ts"
    "${PROJECT_SOURCE_DIR}/resources/translations/firstbad_zh_CN.ts"
)
qt_add_lrelease(firstbad_ui TS_FILES ${FIRSTBAD_TS} QM_FILES_OUTPUT_VARIABLE FIRSTBAD_QM)
qt_add_resources(firstbad_ui firstbad_i18n PREFIX /i18n
    BASE "${CMAKE_CURRENT_BINARY_DIR}" FILES ${FIRSTBAD_QM})
add_custom_target(firstbad_lupdate
    COMMAND Qt6::lupdate -no-obsolete "${PROJECT_SOURCE_DIR}/ui" "${PROJECT_SOURCE_DIR}/views" -ts ${FIRSTBAD_TS}
    COMMENT "Collecting texts into resources/translations")
