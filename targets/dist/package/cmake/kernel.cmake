# SPDX-License-Identifier: @licence@
# kernel.cmake - the knobs of the kernel, and the flags that keep its bits the same. A knob that is empty keeps the
# default of tactus.h.
set(TACTUS_KNOBS "")
macro(tactus_knob name about)
    list(APPEND TACTUS_KNOBS ${name})
    set(TACTUS_ABOUT_${name} "${about}")
endmacro()
@knobs_cmake@

function(tactus_bits target)
    target_compile_options(${target} PRIVATE
        $<$<C_COMPILER_ID:GNU,Clang,AppleClang,ARMClang>:@flags_cmake@>
        $<$<C_COMPILER_ID:MSVC>:/fp:precise>)
endfunction()

# Knobs from the cache: kernel and user are compiled with the same.
function(tactus_from_cache target definitions)
    set(given "")
    foreach(knob IN LISTS TACTUS_KNOBS)
        set(${knob} "" CACHE STRING "${TACTUS_ABOUT_${knob}}")
        if(NOT "${${knob}}" STREQUAL "")
            list(APPEND given ${knob}=${${knob}})
        endif()
    endforeach()
    target_compile_definitions(${target} PUBLIC ${given})
    set(${definitions} "${given}" PARENT_SCOPE)
endfunction()

# Knobs from Kconfig: CONFIG_TACTUS_MAX_BODIES is TAC_MAX_BODIES; 0 of one that follows from others leaves it to them.
function(tactus_kconfig_definitions definitions)
    set(given "")
    foreach(knob IN LISTS TACTUS_KNOBS)
        string(REPLACE TAC_ CONFIG_TACTUS_ config ${knob})
        if(DEFINED ${config} AND NOT ("${${config}}" STREQUAL "0" AND "${TACTUS_ABOUT_${knob}}" MATCHES "follows from others$"))
            list(APPEND given ${knob}=${${config}})
        endif()
    endforeach()
    set(${definitions} "${given}" PARENT_SCOPE)
endfunction()
function(tactus_from_kconfig target)
    tactus_kconfig_definitions(given)
    target_compile_definitions(${target} PUBLIC ${given})
endfunction()
