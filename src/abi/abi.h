/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Chips as PCIe devices with the libttsim interface. The interface has no handle, so libttsim.c keeps one struct abi;
 * all other functions take it, or a device of it, as an argument.
 *
 * Sources: tenstorrent/ttsim docs/libttsim_api.md and src/libttsim.cpp for the device as the host sees it;
 * BlackholeA0/PCIExpressTile/ for windows and address spaces.
 */
#ifndef ABI_ABI_H
#define ABI_ABI_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "debug/gdb/gdb.h"
#include "debug/printed.h"
#include "farm/chip/chip.h"
#include "tilefarm/libttsim.h"
#include "tilefarm/tilefarm_system_run.h"

#define BAR0_FIRST 0x100000000ull
#define BAR0_BYTES 0x20000000ull
#define BAR2_FIRST 0x120000000ull
#define BAR2_BYTES 0x100000ull
#define BAR4_FIRST 0x800000000ull
#define DEVICE_STRIDE (1ull << 36)        /* from the BARs of a device to those of the next one, as in ttsim */
#define WINDOW_CONFIG_FIRST 0x1FC00000ull /* in BAR 0 */

#define WINDOWS_SMALL 202u /* windows of 2 MiB in BAR 0 */
#define WINDOWS 210u       /* windows of 4 GiB in BAR 4 */
#define WINDOW_WORDS 3u
#define STRIDED 32u
#define WINDOW_SMALL_BYTES 0x200000ull
#define WINDOW_LARGE_BYTES (1ull << 32)

/* PCI configuration space: the registers that can be written. */
struct abi_pci {
    uint32_t command, cache_line, interrupt;
    uint32_t bar[6];
};

/* Registers of DMA engines, from offset 0 of BAR 2 on. */
#define DMA_WORDS 0x480u

/* How often the host has repeated its accesses with the same results, and the cycle the chip should reach (clock.c). */
struct abi_pace {
    uint64_t round, round_before; /* hashes of the accesses since the last clock() call, and of those before it */
    uint32_t accesses;
    bool wrote;   /* the host has written something that the chip can see */
    bool differs; /* the host has written, or has read more than is compared */
    bool shares;  /* the chip has accessed memory of the host */
    bool reset;   /* it has written a reset register of a tile */
    uint32_t factor;
    uint32_t least; /* cycles that a call runs */
    uint64_t asked; /* cycle until which the host has asked the chip to run */
    uint64_t rests; /* that cycle when the host last accessed something */
    uint32_t lead;  /* a clock() call for up to so many cycles changes nothing but `asked`; other calls make it 0 */
};

/* The last fault, as the host can read it. */
struct abi_last {
    uint32_t count;
    uint32_t chip;
    struct tf_fault fault;
};

/* The owner of SIGUSR1 (hang.c). Outlives the chip if another copy of the library took the signal later. */
struct abi_signal {
    void (*handler)(int number); /* this library's, since it took the signal; NULL: it has given it back */
    struct sigaction before;     /* the action before that */
};

/* When to say who waits for what (hang.c). */
struct abi_hang {
    bool on;                     /* TILEFARM_HANG is set */
    bool signal;                 /* the library has SIGUSR1 */
    bool said;                   /* reported since a core last did something */
    volatile sig_atomic_t asked; /* SIGUSR1 has come; set by the handler */
    double seconds;              /* report after so long without work, */
    uint64_t cycles;             /* or after the host has asked for so many cycles, if not 0 */
    uint64_t clocks;             /* that the host has asked for: calls of one that polls run more than they ask for */
    uint64_t work;               /* done so far; this number was first seen */
    uint64_t since_cycle;        /* in this cycle */
    uint64_t since_clock;        /* after so many that the host had asked for */
    double since_s;              /* and at this time */
};

struct abi;
struct tf_lead;
struct tf_transport;

/* A chip, and what the host sees of it. The number of a PCI device is that of its chip in the cluster, as in tt-umd
   (TTSimCommunicator::pci_config_read32). */
struct abi_device {
    struct abi *abi;
    struct tf_chip *chip;
    uint32_t number;
    bool absent; /* the chip has no PCIe: no device has this number */
    struct abi_pci pci;
    uint32_t window[WINDOWS * WINDOW_WORDS];
    uint32_t strided[STRIDED];
    uint32_t dma[DMA_WORDS];
    struct tf_printed *printed; /* NULL: no memory */
};

struct abi {
    struct tf_chip *chip;           /* the first one; NULL before libttsim_init() and after libttsim_exit() */
    struct tf_system *system;       /* NULL: there is one chip */
    struct tf_lead *lead;           /* of ranks that run the systems; NULL: none. It outlives them, */
    struct tf_transport *transport; /* and this outlives it, up to the end of the process */
    struct abi_device *device;      /* by number of the chip */
    uint32_t devices;
    bool stopped; /* a fault has stopped the chip */
    bool exit_on_fault;
    bool adopted;                    /* the caller has made the chip, whose configuration has the host's memory */
    const struct abi_family *family; /* of that chip; NULL: the library's own */
    libttsim_dma_read *dma_read;
    libttsim_dma_write *dma_write;
    bool in_callback; /* a callback is running */
    bool running;     /* the chip's workers are running */
    struct abi_pace pace;
    struct abi_last last;
    struct abi_hang hang;
    struct abi_signal signal;
    struct tf_gdb *gdb;                   /* NULL: no debugger */
    struct tf_symbols *symbols;           /* NULL: none are known */
    struct tf_suppressions *suppressions; /* of TILEFARM_SUPPRESS; NULL: none */
    struct abi_past *past;                /* NULL: no reverse execution */
    struct abi_record *record;            /* NULL: calls are not recorded */
    void (*end_record)(struct abi *abi);  /* before the process ends by TILEFARM_ON_FAULT=exit; NULL: no record */
    unsigned recordings;                  /* begun since the library was loaded */
    uint32_t reports;                     /* lines written to stderr */
    uint64_t errors;                      /* faults and refused calls since the library was loaded */
    char error[400];                      /* the last one */
    const char *call;                     /* the function being called, for reports */
};

static inline uint64_t abi_cycles(const struct abi *abi)
{
    return abi->system != NULL ? tf_system_cycles(abi->system) : tf_chip_cycles(abi->chip);
}

static inline bool abi_has_several(const struct abi *abi)
{
    return abi->devices > 1;
}

/* The target of a window. */
struct abi_target {
    uint64_t address;
    uint8_t x, y, x_start, y_start;
    uint8_t noc;
    bool multicast;
};

struct abi_access;

/* A DMA engine: where its registers, and the registers of its channel 0, are in BAR 2. */
struct abi_dma {
    bool to_host;
    uint16_t doorbell, ring; /* a write of `ring` plus a channel's number starts a transfer */
    uint16_t size, source_low, source_high, target_low, target_high;
    /* Where a transfer writes a word at its end, and the words of two channels. 0: the size becomes 0 instead. */
    uint16_t done_low, done_high, done_data;
    /* Of channels that may follow a linked list, and of interrupts; 0: there are none. */
    uint16_t control, list_low, list_high;
    uint16_t status, mask, clear;
};

/*
 * The windows of 2 MiB by which a client reaches a node. Their configuration begins at bit 0 with the page. Then come x
 * and y of a node, or of a rectangle's last node, and x and y of its first node.
 */
struct abi_small_windows {
    uint16_t window;       /* number of the first */
    uint32_t first;        /* where it begins in BAR 0 */
    uint8_t config_bytes;  /* of the configuration of a window */
    uint8_t access_bytes;  /* of it at once, as libraries take it */
    uint8_t page_bits;     /* bits of the page */
    uint8_t multicast_bit; /* set: to a rectangle */
};

/* The device of a family, abi_family_NAME in family_NAME.c. A library has one; the command has all (families.c). */
struct abi_family {
    const char *arch; /* as tf_arch_find() takes it */
    uint32_t vendor_device, class_revision;
    uint64_t bar4_bytes;
    uint64_t config_bytes; /* of the windows' configuration */
    struct {
        uint64_t first, stride, bytes;
    } niu; /* of the PCIe tile, in BAR 0 */
    struct abi_small_windows small;
    bool reset_pcs_in_config; /* of cores: in the configuration of the coprocessor, which hosts do not reach */
    /*
     * Libraries know DRAM by the chip's translated coordinates, by which programs reach it too (Coordinates.md); else
     * by raw ones. In ttsim they lead to another channel, since it names the banks of a chip without bank 2.
     */
    bool dram_is_translated;
    struct abi_dma dma[2];
    const uint16_t *dma_register; /* offsets of existing registers, up to a 0; of the channels, only channel 0 */
    uint32_t dma_channels;        /* of each engine, */
    uint16_t dma_first;           /* from this offset on, */
    uint16_t dma_stride;          /* so far apart */
    /* Access an offset in the space that DMA engines see as BAR 0. */
    const char *(*dma_space)(struct abi_device *device, uint64_t offset, const struct abi_access *access);
    /* Access an offset in a BAR. */
    const char *(*bar0)(struct abi_device *device, uint64_t offset, const struct abi_access *access);
    const char *(*bar2)(struct abi_device *device, uint64_t offset, const struct abi_access *access);
    const char *(*bar4)(struct abi_device *device, uint64_t offset, const struct abi_access *access);
};

/* families.c: the families that are linked, the library's own first. The last entry is NULL. */
extern const struct abi_family *const abi_families[];

/* An access of the host: a read when `into` is not NULL, else a write. */
struct abi_access {
    uint64_t address;
    void *into;
    const void *from;
    uint32_t bytes;
};

/* Has the time already passed that a call of abi_clock() asks for? If so, this function counts the call, and nothing
   else is to be done. Clients call libttsim_clock(1) in loops, so this test is all that most calls cost. */
static inline bool abi_clock_passed(struct abi_pace *pace, uint32_t cycles)
{
    if (cycles - 1 >= pace->lead) /* also where cycles is 0 */
        return false;
    pace->lead -= cycles;
    pace->asked += cycles;
    return true;
}

#endif
