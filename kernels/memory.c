/* SPDX-License-Identifier: Apache-2.0 */
/* The compiler calls these functions in freestanding programs. `tilefarm cc` links them as an object. */
#include <stddef.h>
#include <stdint.h>

void *memcpy(void *__restrict to, const void *__restrict from, size_t bytes);
void *memset(void *to, int value, size_t bytes);

#ifndef __riscv_zbb
int __popcountsi2(uint32_t value);
int __clzsi2(uint32_t value);
int __ctzsi2(uint32_t value);

int __popcountsi2(uint32_t value)
{
    int count = 0;
    for (; value != 0; value &= value - 1)
        count++;
    return count;
}

int __clzsi2(uint32_t value)
{
    int count = 0;
    for (; (int32_t)value > 0; value <<= 1)
        count++;
    return value == 0 ? 32 : count;
}

int __ctzsi2(uint32_t value)
{
    return value == 0 ? 32 : 31 - __clzsi2(value & -value);
}
#endif

void *memcpy(void *__restrict to, const void *__restrict from, size_t bytes)
{
    uint8_t *t = (uint8_t *)to;
    const uint8_t *f = (const uint8_t *)from;
    if ((((uintptr_t)t | (uintptr_t)f) & 3) == 0) {
        for (; bytes >= 4; bytes -= 4, t += 4, f += 4)
            *(uint32_t *)(void *)t = *(const uint32_t *)(const void *)f;
    }
    while (bytes--)
        *t++ = *f++;
    return to;
}

void *memset(void *to, int value, size_t bytes)
{
    uint8_t *t = (uint8_t *)to;
    uint32_t word = (uint8_t)value * 0x01010101u;
    if (((uintptr_t)t & 3) == 0) {
        for (; bytes >= 4; bytes -= 4, t += 4)
            *(uint32_t *)(void *)t = word;
    }
    while (bytes--)
        *t++ = (uint8_t)value;
    return to;
}
