/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Start of a device program: set registers, zero data, call main(). Then the core parks in an empty endless loop, with
 * the value that main() has returned in a0, and RETURNED_MAGIC in t0. `tilefarm run` reports the value.
 *
 * Code of core B starts at address 0, so a call through a null pointer leads here, from any core. The first start stores
 * a mark in a word of local RAM, which a reset clears; at power-on it may have any value. If it has the mark already,
 * the core executes an invalid instruction, and `ra` has the return address.
 *
 * TF_CONSTRUCTORS: a program with C++. Its constructors run before main(). Nothing runs its destructors, since programs
 * do not end. A call of a pure virtual function is an ebreak. So is one of operator delete, which virtual destructors
 * name: there is no heap, and a program may define its own.
 *
 * TF_WORKLOAD: a program in the layout of the workloads. It keeps DONE_MAGIC and the low 16 bits of that value in a0,
 * and stores this word in L1. Then TF_CORE is the core (0 B, 1 NC, 2..4 T0..T2).
 */
#define RETURNED_MAGIC 0x600D1000
#define DONE_MAGIC 0x600D0000

/* Wormhole's cores have no atomics, and their fence orders nothing. */
#ifdef __riscv_atomic
#define FENCE fence
#else
#define FENCE
#endif

    /* Without a name the linker takes that of the compiler's temporary file, and no two builds are equal. */
    .file "crt0.S"

#include "tilefarm_family.h"
#ifdef TF_WORKLOAD
#include "tilefarm_layout.h"
#endif

    /* The section is not loaded. A chip of another family refuses the program by it. */
    .section .tilefarm.family, "", @progbits
    .asciz TF_K_FAMILY

#ifdef TF_CORE
    /* Nor is this one. The loader warns when it loads the program for another core. TF_CORE_ON_ETH: a core of an
       Ethernet tile. TF_CORE_ON_DRAM: that of a DRAM tile. */
#if defined TF_CORE_ON_DRAM
#define CORE_NAME "DRISC"
#elif defined TF_CORE_ON_ETH && TF_CORE == 0
#define CORE_NAME "E0"
#elif defined TF_CORE_ON_ETH
#define CORE_NAME "E1"
#elif TF_CORE == 0
#define CORE_NAME "B"
#elif TF_CORE == 1
#define CORE_NAME "NC"
#elif TF_CORE == 2
#define CORE_NAME "T0"
#elif TF_CORE == 3
#define CORE_NAME "T1"
#else
#define CORE_NAME "T2"
#endif
    .section .tilefarm.core, "", @progbits
    .asciz CORE_NAME
#endif

    .section .text.start, "ax", @progbits
    .globl _start
    .type _start, @function
_start:
#ifndef TF_WORKLOAD
    lui t0, %hi(__local_begun)
    lw t1, %lo(__local_begun)(t0)
    bne t1, t0, 1f
    .word -1
1:  sw t0, %lo(__local_begun)(t0)
#endif
    .option push
    .option norelax
    la gp, __global_pointer$
    .option pop
    la sp, __stack_top
    la a0, __local_start
    la a1, __local_end
    call clear
    la a0, __bss_start
    la a1, __bss_end
    call clear
#ifdef TF_CONSTRUCTORS
    la s0, __init_array_start
    la s1, __init_array_end
1:  bgeu s0, s1, 2f
    lw t0, 0(s0)
    jalr t0
    addi s0, s0, 4
    j 1b
2:
#endif
    call main
#ifdef TF_WORKLOAD
    slli a0, a0, 16
    srli a0, a0, 16
    li t0, DONE_MAGIC
    or a0, a0, t0
    li t0, TF_K_DONE + 4 * TF_CORE
    FENCE
    sw a0, 0(t0)
#else
    li t0, RETURNED_MAGIC
#endif
    FENCE
1:  j 1b
    .size _start, . - _start

/* Zero the words from a0 up to a1, not included. */
clear:
    bgeu a0, a1, 2f
1:  sw zero, 0(a0)
    addi a0, a0, 4
    bltu a0, a1, 1b
2:  ret

#ifdef TF_CONSTRUCTORS
    .weak __cxa_pure_virtual, _ZdlPv, _ZdlPvj, _ZdlPvSt11align_val_t, _ZdlPvjSt11align_val_t
__cxa_pure_virtual:
_ZdlPv:
_ZdlPvj:
_ZdlPvSt11align_val_t:
_ZdlPvjSt11align_val_t:
    ebreak
    .weak atexit
atexit:
    li a0, 0
    ret
#endif

#ifndef TF_WORKLOAD
    .section .local.begun, "aw", @nobits
__local_begun:
    .zero 4
#endif
