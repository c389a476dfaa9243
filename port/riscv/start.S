// SPDX-License-Identifier: MIT
// start.S - reset, trap vectors, stack guard and semihosting trap of a 32 bit RISC-V core with F.
//   given   the symbols of port/riscv/sections.ld
//   makes   a call of bare_start(); on a fault a call of fault_report() with all registers
//   bound   the guard is 4 KiB of address space below the stack
//   never   returns

    .section .reset, "ax"
    .globl reset
reset:
    .option push
    .option norelax
    la gp, __global_pointer$
    .option pop
    la sp, _stack_top

    // vectored mode: exceptions enter at vectors, interrupt n at vectors + 4 n
    la t0, vectors + 1
    csrw mtvec, t0

    // FPU on, round to nearest, no flags
    li t0, 0x2000
    csrs mstatus, t0
    csrw fcsr, zero

    // PMP entry 0: 4 KiB, naturally aligned, no access, locked so that it binds machine mode too
    la t0, _guard
    srli t0, t0, 2
    ori t0, t0, 0x1ff
    csrw pmpaddr0, t0
    li t0, 0x98
    csrw pmpcfg0, t0

    call bare_start

    .balign 64
    .option push
    .option norvc
vectors:
    j fault_entry
    .rept 10
    j fault_entry
    .endr
    j receive_interrupt     // 11: external, machine mode
    .option pop

// The stack in use may be full, so the handler switches to the fault stack. Slot n of the array is register xn.
fault_entry:
    csrw mscratch, sp
    la sp, _fault_stack_top - 128
    .irp n, 1,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
    sw x\n, 4*\n(sp)
    .endr
    csrr t0, mscratch
    sw t0, 8(sp)
    mv a0, sp
    call fault_report

// uint32_t core_semihost(uint32_t operation, const void *argument)
// The debugger knows the trap by these three instructions, uncompressed and on one page.
    .section .text.core_semihost, "ax"
    .globl core_semihost
    .option push
    .option norelax
    .option norvc
    .balign 16
core_semihost:
    slli zero, zero, 0x1f
    ebreak
    srai zero, zero, 7
    ret
    .option pop
