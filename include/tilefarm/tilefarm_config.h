/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file tilefarm_config.h
 * The configuration of a chip. tilefarm.h includes it.
 */
#ifndef TILEFARM_CONFIG_H
#define TILEFARM_CONFIG_H

#include "tilefarm/tilefarm_base.h"
#include "tilefarm/tilefarm_events.h"

#ifdef __cplusplus
extern "C" {
#endif

struct tf_explore;

/** The configuration of a chip: what it computes, and how the host computes it. */
struct tf_config {
    /** Size of this structure where the program was compiled, set by tf_config_init(). Later versions append fields;
     *  a library of such a version gives them their defaults. */
    size_t struct_bytes;
    const struct tf_arch *arch; /**< The chip's family; NULL (default): Blackhole. */
    struct tf_board board;      /**< Default: the family's, all zero. */
    enum tf_mode mode;
    enum tf_atomics atomics;
    uint32_t slice_cycles;     /**< Length of a slice: 16..65536, default 1024. */
    uint32_t epoch_cycles_min; /**< Shortest epoch: slice_cycles..2^20, default 1024. Rounded down to whole slices. */
    uint32_t epoch_cycles_max; /**< Longest epoch: epoch_cycles_min..2^24, default 16384. Rounded likewise. */
    uint32_t niu_requests_max; /**< Requests that a NIU accepts in an epoch: 1..65536, default 64. */
    bool go_on_after_fault;    /**< Continue the run when a core or thread stops on a fault. */
    bool inline_l1_faults;     /**< An inline write to L1 is a fault. False: a hazard. */
    /** Undefined behaviour whose outcome on silicon is known has that outcome, and is a hazard. False: it is a fault.
     *  All other undefined behaviour is a fault in any case. */
    bool undefined_as_silicon;
    /** Cycles, 0..65536, for which a unit of the coprocessor counts as busy after an instruction has acted. STALLWAIT
     *  and other waits for units take that much longer. 0 (default): units complete with their instruction. */
    uint32_t late_cycles;
    /** Loads and stores of cores to L1, local RAM and registers of NIUs take place in the order of their cycles. Those
     *  to other registers always do. Then no outcome within a tile depends on slice_cycles, except where a core stores
     *  code that another one executes. Deterministic mode only; such a chip runs many times slower. False: a core
     *  sees there all that earlier cores have done in its slice. */
    bool ordered_memory;
    /* The fields below change no result. */
    unsigned threads;     /**< Workers of a run, 1..TF_WORKERS_MAX; 0: one for each idle core that no other chip has. */
    bool pin;             /**< Pin workers to CPUs that no other thread wants (default true). */
    bool serial_delivery; /**< Deliver requests one by one in delivery order, on one thread: a slow reference. */
    bool parking;         /**< Skip waiting cores (default true). */
    bool check;           /**< Check for races, in deterministic mode: tf_races(). Slower. */
    enum tf_vectors vectors; /**< Default: the widest. TF_EINVAL if the host lacks it. */
    /** Called for every fault and hazard, from the thread in tf_run(), in a fixed order. May be NULL. */
    void (*on_fault)(void *user, const struct tf_fault *fault);
    /** Called at most ten times a second from the thread in tf_run(). May be NULL. */
    void (*on_progress)(void *user, uint64_t cycle, uint64_t instructions);
    /** Relaxed mode only: called by the worker that performed a NOC atomic. May be NULL. */
    void (*on_atomic)(void *user, const struct tf_atomic_event *event);
    /** Called for every instruction that passes a wait gate in the tiles chosen below. Within a tile the order is
     *  that of cycles; within a cycle T0 comes before T1, and T1 before T2. In deterministic mode the thread in
     *  tf_run() calls it at the end of each epoch, tile by tile in the order of their indices. In relaxed mode the
     *  worker of the tile calls it after each slice, and calls for several tiles overlap. An instruction takes at
     *  least 16 bytes of memory until it is reported. If an access of the host between runs lets an instruction pass,
     *  the next run reports it. May be NULL. */
    void (*on_tensix)(void *user, const struct tf_tensix_event *event);
    bool tensix_traced[TF_TENSIX_TILES_MAX]; /**< By index: report this tile to on_tensix (default: all). */
    /** Called for every instruction that the cores chosen below retire. The rules of on_tensix apply, with cores
     *  instead of threads. Polling loops are skipped unless `parking` is false. Cores that are reported run
     *  slower. May be NULL. */
    void (*on_riscv)(void *user, const struct tf_riscv_event *event);
    uint8_t riscv_traced[TF_TENSIX_TILES_MAX]; /**< By index: cores to report to on_riscv, as bits (default: none). */
    /** Called for every text that a program prints, and for its marks, on Tensix and Ethernet tiles. The rules of
     *  on_tensix apply, with cores instead of threads. May be NULL, which changes nothing for the program. */
    void (*on_print)(void *user, const struct tf_print_event *event);
    /** Deterministic mode only: called for every step of every NOC request, from the thread in tf_run(), at the end of
     *  each epoch. First come the answers that landed at the start of the epoch. Then on_tensix and on_riscv are
     *  called. Then come the requests issued, and then those that acted. Each of these three lists is in delivery
     *  order. Numbers of requests and their order do not depend on the number of threads. May be NULL. */
    void (*on_noc)(void *user, const struct tf_noc_event *event);
    /** Deterministic mode only: called by the thread in tf_run() at the end of each epoch, after the callbacks above.
     *  cycle: the end of the epoch. May be NULL. */
    void (*on_epoch)(void *user, uint64_t cycle);
    /** Called when the chip reads or writes memory of the host, through its PCIe tile. Set both or none. They run on
     *  the thread in tf_run(), tf_read() or tf_write(). `bytes` is at most 2^30. */
    void (*on_host_read)(void *user, uint64_t address, void *data, uint32_t bytes);
    void (*on_host_write)(void *user, uint64_t address, const void *data, uint32_t bytes);
    void *user; /**< Passed to the callbacks. */
    /** Deterministic mode only: run under another order, see tilefarm_explore.h. Such a chip cannot be saved, restored,
     *  forked, or traced by on_noc. NULL (default): the usual order. */
    const struct tf_explore *explore;
    /** Timing mode: cores and units take the cycles that tables of the family say (`isa --timing`), and not one for
     *  each instruction. Memory is ordered as with ordered_memory. docs/timing.md says what is modelled. Deterministic
     *  mode only; such a chip runs many times slower. */
    bool timing;
    uint8_t reserved[7]; /**< 0, else TF_EINVAL: room for later versions. */
    /** Since 1.1. With `timing`: cores of a tile see each other's accesses to memory late, by up to an epoch, and
     *  epochs grow while no request is under way. Faster; docs/timing.md has the error. */
    bool timing_coarse;
    uint8_t reserved_more[7]; /**< 0, else TF_EINVAL: room for later versions. */
};

/**
 * Set all fields of a configuration to their defaults. Any thread.
 * @param config  not NULL.
 * @param bytes   sizeof(struct tf_config) of the caller: the fields that a later version has beyond it do not exist.
 */
TF_API void tf_config_init_sized(struct tf_config *config, size_t bytes);

/** Set all fields of a configuration to their defaults. Any thread. @param config  not NULL. */
static inline void tf_config_init(struct tf_config *config)
{
    tf_config_init_sized(config, sizeof *config);
}

#ifdef __cplusplus
}
#endif
#endif
