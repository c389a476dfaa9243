# SPDX-License-Identifier: MIT
# target.mk - Arm MPS2 with AN500: Cortex-M7 with double FPU. Read by targets/board.mk.
# Unaligned access traps (port/cortex_m/startup.c), so the compiler must not make any.
BOARD_PREFIX := arm-none-eabi-
BOARD_CC := $(BOARD_PREFIX)gcc
BOARD_CFLAGS := -mcpu=cortex-m7 -mfpu=fpv5-d16 -mfloat-abi=hard -mthumb -mno-unaligned-access
BOARD_SOURCES := port/cortex_m/startup.c $(addprefix port/bare/,start.c port.c clock.c channel.c semihost.c memory.c)
BOARD_FREERTOS := ARM_CM7/r0p1
BOARD_QEMU := qemu-system-arm -M mps2-an500 -display none -monitor none -semihosting-config enable=on,target=native
