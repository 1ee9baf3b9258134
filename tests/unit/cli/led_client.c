/* SPDX-License-Identifier: Apache-2.0 */
/* A client of a system of two chips with PCIe, which ranks may run: cores of both chips count. It prints the counts.
   Usage: led_client LIBRARY ROUNDS */
#include <stdio.h>
#include <stdlib.h>

#include "addresses.h"
#include "driver.h"

#define STRIDE (1ull << 36)
#define TENSIX_X 1u
#define TENSIX_Y 2u
#define COUNT 0x400u

static struct api lib;
static unsigned selected;

static void device_reads(uint64_t address, void *data, uint32_t bytes)
{
    lib.read(address + selected * STRIDE, data, bytes);
}

static void device_writes(uint64_t address, const void *data, uint32_t bytes)
{
    lib.write(address + selected * STRIDE, data, bytes);
}

/* The same library, but a device of it. */
static const struct api *on(unsigned number)
{
    static struct api device;
    device = lib;
    device.read = device_reads;
    device.write = device_writes;
    selected = number;
    return &device;
}

int main(int argc, char **argv)
{
    /* addi t0, t0, step; sw t0, COUNT(x0); j -8 */
    static const uint32_t code[2][3] = {{0x00128293, 0x40502023, 0xFF9FF06F}, {0x00728293, 0x40502023, 0xFF9FF06F}};
    if (argc != 3 || api_load(&lib, argv[1]) != 0)
        return 2;
    const long rounds = strtol(argv[2], NULL, 10);
    bool fine = true;
    lib.init();
    for (unsigned i = 0; i < 2; i++) {
        put(on(i), TENSIX_X, TENSIX_Y, 0, code[i], sizeof code[i]);
        put32(on(i), TENSIX_X, TENSIX_Y, DEBUG_AT(SOFT_RESET_0), 0x47000);
    }
    for (long round = 0; round < rounds && fine; round++) {
        lib.clock(5000);
        const uint32_t count[] = {get32(on(0), TENSIX_X, TENSIX_Y, COUNT), get32(on(1), TENSIX_X, TENSIX_Y, COUNT)};
        fine = count[1] != UINT32_MAX;
        printf("%ld: %u %u\n", round, count[0], count[1]);
        fflush(stdout);
    }
    lib.exit();
    return fine ? 0 : 1;
}
