# SPDX-License-Identifier: @licence@
# tactusConfigVersion.cmake - another minor version is another API.
set(PACKAGE_VERSION @version@)
if("${PACKAGE_FIND_VERSION_MAJOR}.${PACKAGE_FIND_VERSION_MINOR}" VERSION_EQUAL @minor@ AND NOT PACKAGE_FIND_VERSION VERSION_GREATER @version@)
    set(PACKAGE_VERSION_COMPATIBLE TRUE)
endif()
if(PACKAGE_FIND_VERSION STREQUAL @version@)
    set(PACKAGE_VERSION_EXACT TRUE)
endif()
