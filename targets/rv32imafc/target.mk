# SPDX-License-Identifier: MIT
# target.mk - QEMU's RISC-V machine `virt`, RV32IMAFC. Read by targets/board.mk.
BOARD_PREFIX := riscv64-unknown-elf-
BOARD_CC := $(BOARD_PREFIX)gcc
BOARD_CFLAGS := -march=rv32imafc -mabi=ilp32f -mcmodel=medany
BOARD_LDFLAGS := -Wl,--no-warn-rwx-segments
BOARD_SOURCES := port/riscv/start.S port/riscv/trap.c $(addprefix port/bare/,start.c port.c clock.c channel.c semihost.c memory.c)
BOARD_QEMU := qemu-system-riscv32 -M virt -bios none -display none -monitor none \
	-semihosting-config enable=on,target=native
