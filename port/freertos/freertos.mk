# SPDX-License-Identifier: MIT
# freertos.mk - what board.mk adds for SYSTEM=freertos.
#   given   TACTUS_FREERTOS, the folder of the FreeRTOS kernel; BOARD_FREERTOS (target.mk), its port for the core
#   makes   programs whose clock and sleep are those of port/freertos; the rest of port/bare stays
#   bound   two files of the kernel and its port
#   never   compiles a heap of FreeRTOS in
FREERTOS := $(realpath $(TACTUS_FREERTOS))
FREERTOS_PORT := $(FREERTOS)/portable/GCC/$(BOARD_FREERTOS)

BOARD_SOURCES := $(filter-out port/bare/port.c,$(BOARD_SOURCES)) port/freertos/port.c \
	$(FREERTOS)/tasks.c $(FREERTOS)/list.c $(FREERTOS_PORT)/port.c
override DEFINES += -Iport/freertos -isystem $(FREERTOS)/include -isystem $(FREERTOS_PORT)

# its own warnings are not ours, and of a C library it needs the copying functions alone
build/%$(FREERTOS)/tasks.o build/%$(FREERTOS)/list.o build/%$(FREERTOS_PORT)/port.o: BOARD_FLAGS += -w -Iport/freertos/libc
