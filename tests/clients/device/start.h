/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The first instructions of firmware and kernels. Firmware sets its stack pointer. A kernel is a function that firmware
 * calls. In Wormhole's instruction RAM it begins when its core leaves reset: the core takes back the registers that
 * halt() has put on the stack, and returns to the caller of halt().
 */
#include "context.h"

#define HALT_STACK (CLIENT_MAILBOXES + 4) /* ncrisc_halt[1] */

#if defined(CLIENT_FIRMWARE_PROGRAM)
#define START                                                                       \
    __attribute__((naked, used, section(".text.start"))) void _start(void)          \
    {                                                                               \
        __asm__ volatile("li sp, %0\n\tj main" ::"i"(TF_LOCAL_BASE + LOCAL_BYTES)); \
    }
#elif defined(CLIENT_IN_IRAM)
#define REGISTERS_BACK                                                                      \
    "lw ra, 0(sp)\n\tlw s0, 4(sp)\n\tlw s1, 8(sp)\n\tlw s2, 12(sp)\n\tlw s3, 16(sp)\n\t"    \
    "lw s4, 20(sp)\n\tlw s5, 24(sp)\n\tlw s6, 28(sp)\n\tlw s7, 32(sp)\n\tlw s8, 36(sp)\n\t" \
    "lw s9, 40(sp)\n\tlw s10, 44(sp)\n\tlw s11, 48(sp)\n\taddi sp, sp, 64\n\t"
#define START                                                                              \
    __attribute__((naked, used, section(".text.start"))) void _start(void)                 \
    {                                                                                      \
        __asm__ volatile("lw sp, %0(zero)\n\t" REGISTERS_BACK "j main" ::"i"(HALT_STACK)); \
    }
#else
#define START                                                              \
    __attribute__((naked, used, section(".text.start"))) void _start(void) \
    {                                                                      \
        __asm__ volatile("j main");                                        \
    }
#endif

/* NC on Wormhole: keep the registers that functions keep, tell B, and wait to be reset. Returns when the kernel in
   instruction RAM does, with the kernel's value. */
#if TF_CORE == 1 && defined(CLIENT_FIRMWARE_PROGRAM) && defined(TF_K_RESET_CONFIG)
__attribute__((naked, noinline)) static uint32_t halt(void)
{
    __asm__ volatile("addi sp, sp, -64\n\t"
                     "sw ra, 0(sp)\n\tsw s0, 4(sp)\n\tsw s1, 8(sp)\n\tsw s2, 12(sp)\n\tsw s3, 16(sp)\n\t"
                     "sw s4, 20(sp)\n\tsw s5, 24(sp)\n\tsw s6, 28(sp)\n\tsw s7, 32(sp)\n\tsw s8, 36(sp)\n\t"
                     "sw s9, 40(sp)\n\tsw s10, 44(sp)\n\tsw s11, 48(sp)\n\t"
                     "sw sp, %0(zero)\n\tli t0, %2\n\tsb t0, %1(zero)\n"
                     "1:\tj 1b" ::"i"(HALT_STACK),
                     "i"(CLIENT_MAILBOXES + 8), "i"(CLIENT_SYNC_HALTED));
}
#endif
