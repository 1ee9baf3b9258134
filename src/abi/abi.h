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

#include "debug/gdb.h"
#include "debug/printed.h"
#include "farm/chip/chip.h"
#include "tilefarm/libttsim.h"
#include "tilefarm/tilefarm_system.h"

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
    uint64_t cycles;             /* or after so many cycles, if not 0 */
    uint64_t work;               /* done so far; this number was first seen */
    uint64_t since_cycle;        /* in this cycle */
    double since_s;              /* and at this time */
};

struct abi;

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
    struct tf_chip *chip;      /* the first one; NULL before libttsim_init() and after libttsim_exit() */
    struct tf_system *system;  /* NULL: there is one chip */
    struct abi_device *device; /* by number of the chip */
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
    unsigned recordings;                  /* begun since the library was loaded */
    uint32_t reports;                     /* lines written to stderr */
    uint64_t errors;                      /* faults and refused calls since the library was loaded */
    char error[400];                      /* the last one */
    const char *call;                     /* the function being called, for reports */
};

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

/* Find the device of a family. Returns NULL if none is linked. */
const struct abi_family *abi_family_of(const struct tf_arch *arch);

/* The family of the adopted chip; without one, the library's own. */
const struct abi_family *abi_family(void);

/* An access of the host: a read when `into` is not NULL, else a write. */
struct abi_access {
    uint64_t address;
    void *into;
    const void *from;
    uint32_t bytes;
};

/* settings.c: environment variables. The first two parameters are filled. cluster: NULL, or of several chips. */
void abi_settings(struct abi *abi, struct tf_config *config, const struct tf_cluster *cluster);
void abi_on_fault_setting(struct abi *abi, struct tf_config *config); /* config may be NULL */

int abi_board_setting(struct tf_board *board, struct tf_message *message);

/* report.c: each prints a line on stderr, and ends the process when TILEFARM_ON_FAULT=exit. */
void abi_refuse(struct abi *abi, const char *format, ...) __attribute__((format(printf, 2, 3)));
void abi_refuse_access(struct abi *abi, const struct abi_access *access, const char *why);
void abi_on_fault(void *user, const struct tf_fault *fault); /* user: the struct abi_device */

/* Where there are several chips: "chip", its number, and a text. Else "". `text` gets it. */
#define ABI_OF_CHIP_BYTES 24u
const char *abi_of_chip(const struct abi_device *device, const char *between, const char *after,
                        char text[ABI_OF_CHIP_BYTES]);

#define STATUS_FIRST 0x1FE00000u /* in BAR 0; reserved on hardware */
#define STATUS_BYTES 0x1000u

/* Words of the page that shows the last fault (docs/libttsim.md). */
uint32_t abi_status_word(const struct abi *abi, uint32_t offset);

/* Print no more lines. */
void abi_say_nothing(struct abi *abi);

/* record.c: TILEFARM_RECORD. Begin and end with the chip. Record a call before it is served (an enum recorded_kind),
   the data that a read returned, and the data of a callback. */
void abi_record_begin(struct abi *abi);
void abi_record_end(struct abi *abi);
void abi_record_call(struct abi *abi, uint32_t kind, uint32_t x, uint32_t y, const struct abi_access *access);
void abi_record_result(struct abi *abi, const void *data, uint32_t bytes);
void abi_record_host(struct abi *abi, bool writes, uint64_t address, const void *data, uint32_t bytes);

/* past.c: with a debugger. In order: begin and end with the chip; keep bytes of a record. Read host memory as it was;
   false: the caller must. Is this process the past? The end of a call; in the past it does not return. */
void abi_past_begin(struct abi *abi);
void abi_past_end(struct abi *abi);
void abi_past_put(struct abi *abi, const void *data, size_t bytes);
bool abi_past_host_read(struct abi *abi, uint64_t address, void *data, uint32_t bytes);
bool abi_past_plays(const struct abi *abi);
void abi_past_go_on(struct abi *abi);

struct recorded;

/* Make a call of a client. data: what it wrote, or room for what it reads. word: what a read of the configuration space
   gave. Returns false if the record is no call. */
bool abi_play(const struct recorded *call, void *data, uint32_t *word);

/* pci.c */
void abi_pci_reset(struct abi_pci *pci, uint32_t number); /* of the device */
bool abi_pci_read(const struct abi_pci *pci, uint32_t offset, uint32_t *value);
bool abi_pci_write(struct abi_pci *pci, uint32_t offset, uint32_t value);

/* window.c: access at an offset from a target, within one of Blackhole's windows, or at coordinates. `strided`: word of
   a multicast, or 0. Returns NULL, or why it is refused. */
const char *abi_through(struct abi_device *device, const struct abi_target *to, uint32_t strided, uint64_t offset,
                        const struct abi_access *access);
const char *abi_window(struct abi_device *device, unsigned window, uint64_t offset, const struct abi_access *access);
const char *abi_at(struct abi_device *device, unsigned x, unsigned y, uint64_t address,
                   const struct abi_access *access);

/* As a request of the PCIe tile through one of the NOCs to a node, by its number. */
const char *abi_at_node(struct abi_device *device, unsigned node, unsigned noc, uint64_t address,
                        const struct abi_access *access);

/* bar.c: Is an address in the configuration of the windows? The chip does not see writes there. */
bool abi_is_window_config(uint64_t address);

/* dma.c: host memory; user is the struct abi_device. */
void abi_host_read(void *user, uint64_t address, void *data, uint32_t bytes);
void abi_host_write(void *user, uint64_t address, const void *data, uint32_t bytes);

/* bar.c: the common parts of the BARs of all families. A word of memory; a register of the PCIe controller in BAR 2. */
const char *abi_access_word(uint32_t *word, const struct abi_access *access);
const char *abi_access_pcie(struct abi_device *device, uint64_t offset, const struct abi_access *access);

/* A word in BAR 0 outside of windows and of a family's registers. It is in a page of the library's own, or is a
   register of the PCIe tile's NIUs. All else is reserved. */
const char *abi_access_rest(struct abi_device *device, uint64_t offset, const struct abi_access *access);
extern const char *const abi_misaligned;

/* A register of the DMA engines in BAR 2; 4 bytes. A doorbell starts a transfer. */
const char *abi_access_dma(struct abi_device *device, uint64_t offset, const struct abi_access *access);

/* clock.c: the time; what follows an access; a call of libttsim_clock(). */
uint64_t abi_cycles(const struct abi *abi);
void abi_note(struct abi *abi, const struct abi_access *access);
void abi_clock(struct abi *abi, uint32_t cycles);

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

void abi_reset_written(struct abi *abi); /* at the end of each write */

/* debug.c: before and after the chip is made, and at its end; further lines about a fault. */
void abi_debug_configure(struct abi *abi, struct tf_config *config);
void abi_debug_begin(struct abi *abi);
void abi_debug_end(struct abi *abi);
void abi_debug_fault(const struct abi_device *device, const struct tf_fault *fault);
void abi_debug_stopped(struct abi *abi); /* a fault has stopped the chip: back traces of the others */

/* Print a line of a stack or of a race on stderr. user: the struct abi_device that the line is about, or NULL. */
void abi_print_line(void *user, const char *line);

/* hang.c. Begin: read the environment, and take SIGUSR1 if it asks for that (on_signal sets hang.asked). Then test, and
   report. At the end report, and give the signal back. */
void abi_hang_begin(struct abi *abi, void (*on_signal)(int number));
void abi_hang_check(struct abi *abi);
void abi_hang_progress(void *user, uint64_t cycle, uint64_t instructions);
void abi_hang_end(struct abi *abi);

/* Give SIGUSR1 back if it is still this library's; else nothing happens, and it is to be tried again. */
void abi_signal_end(struct abi_signal *given);

/* --- races.c --- */

/* debug.c: read a file of the user's. Returns NULL if it cannot be read, or is empty. */
void *abi_read_file(const char *path, size_t *bytes);

/* Read the file of TILEFARM_SUPPRESS. checks: TILEFARM_CHECK is 1. */
void abi_races_begin(struct abi *abi, bool checks);

/* The chip ends, or there is none: print the races that TILEFARM_CHECK has found, and forget the file. */
void abi_races_end(struct abi *abi);

/* The host has written to an address within a tile. */
void abi_written(struct abi *abi, uint64_t address, const struct abi_access *access);

/* --- libttsim.c --- */

/* The first chip of the interface, for programs that link it; NULL: none. */
struct tf_chip *abi_chip(void);

const struct abi *abi_state(void);

/* Serve calls with a chip that the caller has made. Nothing is printed. Callbacks of the chip's configuration access
   host memory. NULL, or a chip of a family without a device: serve no calls. */
void abi_adopt(struct tf_chip *chip, uint32_t clock_least);

/* The tf_config.on_fault of such a chip. */
void abi_adopted_fault(void *user, const struct tf_fault *fault);

/* Such a chip accesses host memory: on_host_read and on_host_write call this. */
void abi_adopted_host(void);

#endif
