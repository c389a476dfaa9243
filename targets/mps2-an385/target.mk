# SPDX-License-Identifier: MIT
# target.mk - Arm MPS2 with AN385: Cortex-M3, soft float. Read by targets/board.mk.
# Unaligned access traps (port/cortex_m/startup.c), so the compiler must not make any.
BOARD_PREFIX := arm-none-eabi-
BOARD_CC := $(BOARD_PREFIX)gcc
BOARD_CFLAGS := -mcpu=cortex-m3 -mthumb -mno-unaligned-access
BOARD_SOURCES := port/cortex_m/startup.c $(addprefix port/bare/,start.c port.c clock.c channel.c semihost.c memory.c)
BOARD_QEMU := qemu-system-arm -M mps2-an385 -display none -monitor none -semihosting-config enable=on,target=native
