/* SPDX-License-Identifier: Apache-2.0 */
/*
 * For programs under tilefarm: text to the host, and marks for its timeline. A call takes a few cycles of the core for
 * a text of any length, because the host formats it. `tilefarm run` prints each line with its tile and core.
 *
 * The calls are RISC-V semihosting, an ebreak between two marked instructions. On a chip without a debugger that serves
 * them, ebreak stops the core. Define TF_NO_PRINT before the include to make the functions do nothing.
 */
#ifndef TILEFARM_PRINT_H
#define TILEFARM_PRINT_H

#include <stdarg.h>
#include <stdint.h>

#ifdef TF_NO_PRINT
#define TF_HOST_CALL ""
#else
#define TF_HOST_CALL "slli zero, zero, 0x1f\n\tebreak\n\tsrai zero, zero, 7"
#endif

/* Call the host. block: argument of the operation. Returns 0, or -1 if the host does not know the operation. */
static inline uint32_t tf_host_call(uint32_t operation, const void *block)
{
    register uint32_t a0 __asm__("a0") = operation;
    register const void *a1 __asm__("a1") = block;
    __asm__ volatile(".option push\n\t.option norvc\n\t" TF_HOST_CALL "\n\t.option pop"
                     : "+r"(a0)
                     : "r"(a1)
                     : "memory");
    return a0;
}

/* Print a text, which ends with a zero byte, in L1 or in the core's own RAM. End each line with \n. */
static inline void tf_print(const char *text)
{
    tf_host_call(0x04, text);
}

/*
 * Print as printf() does. Conversions are %d %i %u %o %x %X %c %s %p %% %f %e %g %a, with flags, width, precision, and
 * h, hh, l, ll. A uint32_t is an unsigned long here: %lu or %lx. Texts of %s are in L1 or in the core's own RAM. The
 * output has at most 4096 characters.
 */
static __attribute__((noinline, unused, format(printf, 1, 2))) void tf_printf(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    struct {
        const char *format;
        va_list arguments;
    } block = {format, arguments};
    tf_host_call(0x101, &block);
    va_end(arguments);
}

/* Name this moment. `tilefarm run --timeline` shows the name beside what the core does. */
static inline void tf_mark(const char *name)
{
    tf_host_call(0x100, name);
}

/* The compiler calls this to make a double of a float argument of tf_printf(). Without this function a program would
   need the compiler's library. */
__attribute__((weak)) double __extendsfdf2(float value);
double __extendsfdf2(float value)
{
    union {
        float value;
        uint32_t bits;
    } from = {value};
    union {
        uint64_t bits;
        double value;
    } to = {(uint64_t)(from.bits >> 31) << 63};
    uint32_t exponent = from.bits >> 23 & 255u, mantissa = from.bits & 0x7FFFFFu;
    if (exponent == 255) {
        exponent = 2047;
    } else if (exponent != 0) {
        exponent += 1023 - 127;
    } else if (mantissa != 0) {
        for (exponent = 1023 - 126; (mantissa & 0x800000u) == 0; exponent--)
            mantissa <<= 1;
        mantissa &= 0x7FFFFFu;
    }
    to.bits |= (uint64_t)exponent << 52 | (uint64_t)mantissa << 29;
    return to.value;
}

#endif
