// SPDX-License-Identifier: @licence@
// tactus_config.h - knobs where no tool hands them to the compiler, such as the Arduino IDE: #define TAC_MAX_JOINTS 12
// here, and both kernel and sketch have it. What is not set here has the default of tactus.h, where all are described.
#ifndef TACTUS_CONFIG_USER_H
#define TACTUS_CONFIG_USER_H

#if defined(__AVR__) // 8 KiB of RAM
@knobs_small@#endif

#endif
