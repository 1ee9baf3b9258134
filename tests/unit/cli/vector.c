/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A device program for T2, as a compiler makes it with -march=..._zve32x: vector loops over arrays of any length beside
 * the scalar ones, in C. 0x20000 becomes 1 when all results are equal, else 2; then the next word is the number of the
 * loop.
 */
#include <stdint.h>

#define LENGTH 333u

static uint32_t in[LENGTH], other[LENGTH], by_vector[LENGTH], by_scalar[LENGTH];
static uint8_t bytes[LENGTH];
static uint32_t wide[LENGTH];
static volatile uint32_t *const result = (volatile uint32_t *)0x20000;

/* out[i] += factor * in[i] */
static void multiply_add(uint32_t *out, const uint32_t *from, uint32_t factor, uint32_t n)
{
    for (uint32_t vl; n != 0; n -= vl, from += vl, out += vl)
        __asm__ volatile("vsetvli %0, %1, e32, m4, ta, ma\n"
                         "vle32.v v8, (%2)\n"
                         "vle32.v v16, (%3)\n"
                         "vmacc.vx v16, %4, v8\n"
                         "vse32.v v16, (%3)\n"
                         : "=&r"(vl)
                         : "r"(n), "r"(from), "r"(out), "r"(factor)
                         : "memory");
}

/* How many are below a bound; they are packed into out. */
static uint32_t select_below(uint32_t *out, const uint32_t *from, uint32_t bound, uint32_t n)
{
    uint32_t total = 0, count;
    for (uint32_t vl; n != 0; n -= vl, from += vl, out += count, total += count)
        __asm__ volatile("vsetvli %0, %2, e32, m2, ta, ma\n"
                         "vle32.v v8, (%3)\n"
                         "vmsltu.vx v0, v8, %5\n"
                         "vcpop.m %1, v0\n"
                         "vcompress.vm v16, v8, v0\n"
                         "vsetvli zero, %1, e32, m2, ta, ma\n"
                         "vse32.v v16, (%4)\n"
                         : "=&r"(vl), "=&r"(count)
                         : "r"(n), "r"(from), "r"(out), "r"(bound)
                         : "memory");
    return total;
}

/* Squares of bytes, widened twice. */
static void squares(uint32_t *out, const uint8_t *from, uint32_t n)
{
    for (uint32_t vl; n != 0; n -= vl, from += vl, out += vl)
        __asm__ volatile("vsetvli %0, %1, e8, m1, ta, ma\n"
                         "vle8.v v4, (%2)\n"
                         "vwmulu.vv v8, v4, v4\n"
                         "vsetvli zero, zero, e32, m4, ta, ma\n"
                         "vzext.vf2 v16, v8\n"
                         "vse32.v v16, (%3)\n"
                         : "=&r"(vl)
                         : "r"(n), "r"(from), "r"(out)
                         : "memory");
}

static uint32_t sum(const uint32_t *from, uint32_t n)
{
    uint32_t total = 0;
    for (uint32_t vl; n != 0; n -= vl, from += vl)
        __asm__ volatile("vsetvli %0, %2, e32, m8, ta, ma\n"
                         "vle32.v v8, (%3)\n"
                         "vmv.s.x v16, %1\n"
                         "vredsum.vs v16, v8, v16\n"
                         "vmv.x.s %1, v16\n"
                         : "=&r"(vl), "+r"(total)
                         : "r"(n), "r"(from)
                         : "memory");
    return total;
}

static uint32_t failing_loop(void)
{
    uint32_t random = 1, total = 0, count = 0;
    for (uint32_t i = 0; i < LENGTH; i++) {
        random = random * 1664525 + 1013904223;
        in[i] = random;
        other[i] = random >> 7;
        bytes[i] = (uint8_t)(random >> 24);
        by_vector[i] = by_scalar[i] = other[i];
        by_scalar[i] += 77 * in[i];
    }
    multiply_add(by_vector, in, 77, LENGTH);
    for (uint32_t i = 0; i < LENGTH; i++)
        if (by_vector[i] != by_scalar[i])
            return 1;
    for (uint32_t i = 0; i < LENGTH; i++) {
        total += in[i];
        if (in[i] < 0x50000000)
            by_scalar[count++] = in[i];
    }
    if (select_below(by_vector, in, 0x50000000, LENGTH) != count)
        return 2;
    for (uint32_t i = 0; i < count; i++)
        if (by_vector[i] != by_scalar[i])
            return 3;
    squares(wide, bytes, LENGTH);
    for (uint32_t i = 0; i < LENGTH; i++)
        if (wide[i] != (uint32_t)bytes[i] * bytes[i])
            return 4;
    return sum(in, LENGTH) != total ? 5 : 0;
}

__attribute__((noreturn, used)) void start(void)
{
    uint32_t loop = failing_loop();
    result[1] = loop;
    result[0] = loop == 0 ? 1 : 2;
    for (;;)
        ;
}

__asm__(".globl _start\n_start: li sp, 0x1F000\nj start\n");
