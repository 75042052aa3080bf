# How an installation and the packages are put together.
set(CPACK_PACKAGE_NAME firstbad)
set(CPACK_PACKAGE_VENDOR firstbad)
set(CPACK_PACKAGE_CONTACT "the firstbad developers")
set(CPACK_GENERATOR TGZ)
set(CPACK_STRIP_FILES ON)
include(CPack)
