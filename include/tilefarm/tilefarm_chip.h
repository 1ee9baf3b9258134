/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file tilefarm_chip.h
 * The functions of a chip, and what they report. tilefarm.h includes it.
 */
#ifndef TILEFARM_CHIP_H
#define TILEFARM_CHIP_H

#include "tilefarm/tilefarm_base.h"
#include "tilefarm/tilefarm_events.h"

#ifdef __cplusplus
extern "C" {
#endif

struct tf_chip;
struct tf_config;

/**
 * Version of the library: "1.2.3" of a release. Between releases it is "1.2.4.dev56+g0123456789ab", with the number of
 * commits since the last release, and the commit. Any thread.
 */
TF_API const char *tf_version(void);

/** The commit of the library's sources, as "0123456789ab"; "unknown" if they had no repository. Any thread. */
TF_API const char *tf_commit(void);

/** A sentence for an error code; never NULL. Any thread. */
TF_API const char *tf_strerror(int error);

/** A name for a fault category, as in reports; never NULL. Any thread. */
TF_API const char *tf_fault_category_name(enum tf_fault_category category);

/**
 * Find a family by its name.
 * @param name  as in tf_shape.name; NULL for Blackhole.
 * @return the family, or NULL if no family has that name.
 */
TF_API const struct tf_arch *tf_arch_find(const char *name);

/** The table of a chip: its family without the parts that are fused off; never NULL. It lives as long as the chip. */
TF_API const struct tf_arch *tf_chip_arch(const struct tf_chip *chip);

/** A board as text. Any field may be NULL. A list has numbers with commas between them, or is "none". */
struct tf_board_text {
    const char *name;    /**< One of tf_board_name(). */
    const char *columns; /**< Lists of fused-off parts; each replaces the list of the named board. */
    const char *rows, *banks, *eth, *cpus;
};

/**
 * Make a board from its description in texts. Any thread.
 * @param arch  the family; NULL: Blackhole.
 * @param[out] board  untouched on error.
 * @param[out] message  what is wrong, or NULL.
 * @return TF_OK, TF_EINVAL.
 */
TF_API int tf_board_parse(const struct tf_arch *arch, const struct tf_board_text *text, struct tf_board *board,
                          struct tf_message *message);

/** Name of the board number `index`, from 0 on; the first is the default. NULL: there are no more. Any thread. */
TF_API const char *tf_board_name(const struct tf_arch *arch, unsigned index);

/**
 * Describe the whole die in the YAML that tt-umd reads as soc_descriptor.yaml. Any thread.
 * @param arch  NULL: Blackhole.
 * @return the length of the whole text; at most bytes - 1 characters and a NUL are written.
 */
TF_API size_t tf_describe_soc(const struct tf_arch *arch, char *text, size_t bytes);

/** Describe the board in the YAML that tt-umd reads as cluster_descriptor.yaml: its identifier and its fused-off parts.
 *  The rules of tf_describe_soc() apply. @param arch  tf_chip_arch() of a chip on the board. */
TF_API size_t tf_describe_cluster(const struct tf_arch *arch, char *text, size_t bytes);

/** The board of a chip. Any thread. */
TF_API void tf_chip_board(const struct tf_chip *chip, struct tf_board *board);

/** Get the sizes of a family's chips. @param[out] shape  not NULL. */
TF_API void tf_arch_shape(const struct tf_arch *arch, struct tf_shape *shape);

/**
 * Disassemble a Tensix instruction that a chip reports: "SEMPOST sem_sel=1", or ".word 0x..." if there is no such
 * opcode. The fields of the configuration that it writes or reads follow: "SETC16 setc16_value=5 setc16_reg=0xb #
 * FIDELITY_BASE_Phase=1". Any thread.
 * @param arch         the chip's family, which names the fields; NULL: Blackhole. Fields that it lacks are left out.
 * @param instruction  the word, in Blackhole's form for every family.
 * @return the length of the whole text; at most bytes - 1 characters and a NUL are written.
 */
TF_API size_t tf_tensix_text(const struct tf_arch *arch, uint32_t instruction, char *text, size_t bytes);

/**
 * Disassemble a word of a core's program: "addi a0,a0,1". Any thread.
 * @param arch         the family of the program, which has its own form of Tensix instructions; NULL: Blackhole. A note
 *                     after # names what the family lacks.
 * @param instruction  the word as it lies in memory, RV32 or Tensix (.ttinsn).
 * @param pc           its address.
 * @return as tf_tensix_text().
 */
TF_API size_t tf_riscv_text(const struct tf_arch *arch, uint32_t instruction, uint32_t pc, char *text, size_t bytes);

/**
 * Name of a core of a kind of node.
 * @param arch  the chip's family; NULL: Blackhole.
 * @param kind  tf_node_kind() of the core's node.
 * @param core  of a Tensix tile: enum tf_core.
 * @return "B", "NC", "T0", "T1" or "T2" on a Tensix tile, "E0" or "E1" on an Ethernet tile of Blackhole; "-" for any
 *         other number or kind.
 */
TF_API const char *tf_core_name(const struct tf_arch *arch, enum tf_node_kind kind, unsigned core);

/**
 * Create a chip: all cores in reset, all memory zero.
 * @param config  NULL for the defaults.
 * @param[out] chip  the new chip; untouched on error.
 * @param[out] message  what is wrong, or NULL.
 * @return TF_OK, TF_EINVAL (a field of config), TF_ENOMEM, TF_ESYS.
 */
TF_API int tf_chip_create(const struct tf_config *config, struct tf_chip **chip, struct tf_message *message);

/** Stop the workers and free everything. NULL is allowed. */
TF_API void tf_chip_destroy(struct tf_chip *chip);

/** The kind of a node; TF_NODE_EMPTY for coordinates off the grid. */
TF_API enum tf_node_kind tf_node_kind(const struct tf_arch *arch, struct tf_coord coord);

/** Coordinates of a Tensix tile. @return TF_OK, TF_ENODEV. */
TF_API int tf_tile_coord(const struct tf_arch *arch, unsigned tile, struct tf_coord *coord);

/** Coordinates of the Ethernet tile of a port. Ports are those that the chip has, from 0, in the order of the die.
 *  @return TF_OK; TF_ENODEV: there is no such port, or its tile has no cores. */
TF_API int tf_port_coord(const struct tf_arch *arch, unsigned port, struct tf_coord *coord);

/**
 * Index of the Ethernet tile of a port, for the functions that load, start, stop and view cores: E0 is core 0, and E1
 * core 1. A core that such a function starts has the stack that its tile's firmware gives programs, if it gives one.
 * Source: EthernetTile/SoftReset.md.
 * @return the index, or TF_ENODEV.
 */
TF_API int tf_port_tile(const struct tf_chip *chip, unsigned port);

/** Index of the Tensix tile at a node. @return the index, or TF_ENODEV. */
TF_API int tf_tile_index(const struct tf_arch *arch, struct tf_coord coord);

/**
 * Write to a node's address space, as a NOC request does. L1 and DRAM allow any range; an access to a register must be
 * 4 bytes, aligned. After an error nothing is written.
 * @return TF_OK, TF_EINVAL, TF_ENODEV, TF_ERANGE, TF_EACCESS, TF_ENOMEM (a DRAM page).
 */
TF_API int tf_write(struct tf_chip *chip, struct tf_coord node, uint64_t address, const void *data, size_t bytes);

/** Read from a node's address space. The rules of tf_write() apply. A read of a register has its side effects. */
TF_API int tf_read(struct tf_chip *chip, struct tf_coord node, uint64_t address, void *data, size_t bytes);

/** Write to a DRAM channel. @return TF_OK, TF_EINVAL, TF_ENODEV, TF_ERANGE, TF_ENOMEM. */
TF_API int tf_dram_write(struct tf_chip *chip, unsigned channel, uint64_t address, const void *data, size_t bytes);

/** Read from a DRAM channel. @return TF_OK, TF_EINVAL, TF_ENODEV, TF_ERANGE. */
TF_API int tf_dram_read(struct tf_chip *chip, unsigned channel, uint64_t address, void *data, size_t bytes);

/**
 * Load an ELF32 RISC-V executable for one core: file data go to L1, at the segments' physical addresses. Segments in
 * the core's local RAM (0xFFB00000) may only be zeroed data, since the RAM is cleared when the core comes out of reset.
 * After an error nothing is loaded. The entry point becomes the core's reset PC; the core does not start before
 * tf_core_start().
 * @param path  the file to read; if `image` is not NULL, only its name in messages.
 * @param[out] message  what is wrong, or NULL. After TF_OK a warning, or "": the program was compiled for another core.
 *                 Programs that `tilefarm cc` makes name their core.
 * @return TF_OK, TF_EINVAL, TF_ENODEV, TF_EIO, TF_EFORMAT (also: compiled for another family), TF_ERANGE, TF_ENOMEM.
 */
TF_API int tf_load_elf(struct tf_chip *chip, unsigned tile, enum tf_core core, const char *path, const void *image,
                       size_t image_bytes, struct tf_message *message);

/** Take a core out of reset, at the entry point that was set last; without one, at the PC in its tile's registers.
 *  @return TF_OK, TF_ENODEV. */
TF_API int tf_core_start(struct tf_chip *chip, unsigned tile, enum tf_core core);

/** Put a core into reset. @return TF_OK, TF_ENODEV. */
TF_API int tf_core_stop(struct tf_chip *chip, unsigned tile, enum tf_core core);

/** Set the PC from which a core starts at its next tf_core_start(). @return TF_OK, TF_ENODEV, TF_EINVAL. */
TF_API int tf_core_set_pc(struct tf_chip *chip, unsigned tile, enum tf_core core, uint32_t pc);

/** The state of a core. */
enum tf_core_state {
    TF_CORE_RESET,
    TF_CORE_RUNNING,
    TF_CORE_PARKED,  /**< It repeats a loop without effect until one of its inputs changes. */
    TF_CORE_BLOCKED, /**< A load or store waits (mailbox, PCBuf, FIFO). */
    TF_CORE_PAUSED,  /**< Debug pause, by ebreak. */
    TF_CORE_FAULTED,
};

struct tf_core_view {
    enum tf_core_state state;
    uint32_t pc;
    uint32_t x[32];
    uint64_t cycle, instret;
    uint32_t wait_address; /**< When parked or blocked: the address of the access that it waits in; else 0. */
    bool thread_waits;     /**< T0, T1 and T2: an instruction of the core's coprocessor thread is stalled. */
    uint64_t reserved[4];  /**< 0: room for later versions. */
};

/** Get the state of a core, without side effects. @return TF_OK, TF_ENODEV. */
TF_API int tf_core_view(struct tf_chip *chip, unsigned tile, enum tf_core core, struct tf_core_view *view);

/** Why a run ended. */
enum tf_end {
    TF_END_QUIET,   /**< Every core is in reset, parked, blocked, paused or faulted, and nothing is in flight. */
    TF_END_VALUE,   /**< The word of tf_run_options.until has its value. */
    TF_END_CYCLES,  /**< The limit of cycles_max or pause_cycle is reached. */
    TF_END_FAULT,   /**< A core or thread stopped on a fault, and go_on_after_fault is false. */
    TF_END_STOPPED, /**< tf_stop() was called. */
    TF_END_TIME,    /**< The limit of wall_s_max is reached. */
};

struct tf_run_options {
    uint64_t cycles_max; /**< Limit of the run in cycles, from its start; 0: no limit. */
    bool until;          /**< End when a word has a value; tested at the end of each epoch. */
    struct tf_coord until_node;
    uint64_t until_address; /**< In L1 or DRAM, a multiple of 4. */
    uint32_t until_value;
    /** End the run with the first epoch that ends at or after this cycle of the chip's time; 0: do not. The end is
     *  TF_END_CYCLES. Unlike cycles_max this cuts no epoch short, so a run that is continued equals one without the
     *  pause. Not in relaxed mode. */
    uint64_t pause_cycle;
    /** Limit of the run in seconds of the host's time, tested at the end of each epoch; 0: no limit. It cuts no epoch
     *  short either. */
    double wall_s_max;
    uint64_t reserved[4]; /**< 0, else TF_EINVAL: room for later versions. */
};

/**
 * Run until one of the reasons in enum tf_end applies. If the host refuses helper threads, the calling thread does all
 * the work.
 * @param options  NULL: run until quiet.
 * @param[out] end  the reason; may be NULL.
 * @return TF_OK, TF_EINVAL (options), TF_ENODEV; of a fork TF_ENOMEM, if the host has no memory for its copy.
 */
TF_API int tf_run(struct tf_chip *chip, const struct tf_run_options *options, enum tf_end *end);

/** End the run in progress at the end of its epoch. Any thread, and signal handlers. */
TF_API void tf_stop(struct tf_chip *chip);

/** Statistics. Simulated numbers are equal for equal inputs; numbers of the host are not. */
struct tf_stats {
    uint64_t epochs, cycles;
    uint64_t instructions;          /**< Retired by all cores, parked ones included. */
    uint64_t instructions_executed; /**< Without those that parked cores skipped. Nor does it count jumps to
                                         themselves, if nobody looks at each instruction. A number of the host. */
    uint64_t noc_requests, noc_bytes, noc_atomics;
    uint64_t faults, hazards;
    /* Numbers of the host. */
    unsigned workers;                /**< Fewer than planned if the host has refused threads. */
    double wall_s, cpu_s;            /**< Seconds in tf_run(). */
    uint64_t steals, spins, blocks;  /**< Tiles stolen, rounds of spinning, sleeps at the barrier. */
    double run_s, deliver_s, wait_s; /**< Seconds, summed over workers. */
    uint64_t reserved[8];            /**< 0: room for later versions. */
};

/** Get the statistics of all runs of a chip so far. Between runs only. @param[out] stats  not NULL. */
TF_API void tf_stats(struct tf_chip *chip, struct tf_stats *stats);

/** The work of one worker: numbers of the host. */
struct tf_worker_stats {
    uint64_t instructions;          /**< Executed by cores of tiles that it ran. */
    uint64_t slices;                /**< Slices of tiles that it ran. */
    uint64_t pages;                 /**< Pages of code that it decoded; tiles with equal code share them. */
    uint64_t requests;              /**< NOC requests issued by tiles that it ran. */
    uint64_t deliveries;            /**< Requests that it delivered to their targets; deterministic mode. */
    uint64_t steals, spins, blocks; /**< Tiles stolen, rounds of spinning, sleeps. */
    double run_s, deliver_s;        /**< Seconds. */
    double wait_s;                  /**< Seconds at the barrier, spinning or asleep. */
    uint64_t reserved[4];           /**< 0: room for later versions. */
};

/** Get the statistics of one worker. Between runs only. @param worker  below tf_stats.workers. @return TF_OK,
 * TF_ERANGE. */
TF_API int tf_worker_stats(struct tf_chip *chip, unsigned worker, struct tf_worker_stats *stats);

/** The share of one tile in the statistics of a chip. */
struct tf_tile_stats {
    uint64_t instructions;                         /**< Retired by its cores. */
    uint64_t noc_requests, noc_bytes, noc_atomics; /**< Issued by the tile. */
    uint64_t noc_bytes_in;                         /**< Written to the tile by others. */
    unsigned worker;                               /**< Home worker. A number of the host. */
    uint64_t reserved[8];                          /**< 0: room for later versions. */
};

/** Get the statistics of one tile. @param tile  index of a Tensix tile. @return TF_OK, TF_ENODEV. */
TF_API int tf_tile_stats(struct tf_chip *chip, unsigned tile, struct tf_tile_stats *stats);

/** Number of faults and hazards so far. The first 1024 of them are kept. */
TF_API size_t tf_fault_count(struct tf_chip *chip);

/** Get a recorded fault or hazard. @param index  below tf_fault_count() and 1024. @return TF_OK, TF_ERANGE. */
TF_API int tf_fault_get(struct tf_chip *chip, size_t index, struct tf_fault *fault);

/** Hash of the whole simulated state: docs/design.md, "What always holds", invariant 1. */
TF_API uint64_t tf_state_hash(struct tf_chip *chip);

/**
 * Save the whole state of a chip to a file: cores, memory, registers, coprocessors, requests in flight, and the time. A
 * chip that is restored from it continues as this one does, to the bit. The file has the family, the board, and all
 * fields of the configuration that change results. Memory that is zero takes no room in it.
 *
 * The file is written beside `path`, and replaces it when it is complete and on the disk. Until then, and after any
 * failure, an earlier file of that name is unchanged. A path that is not a regular file, such as a pipe, is written
 * directly.
 *
 * Between runs only, so not from a callback. The chip does not change.
 * @param[out] message  what is wrong, or NULL.
 * @return TF_OK; TF_EINVAL (NULL, or a chip in relaxed mode); TF_EIO (a full disk, no such folder), TF_ENOMEM.
 */
TF_API int tf_chip_save(struct tf_chip *chip, const char *path, struct tf_message *message);

/**
 * Give a chip the state that tf_chip_save() has saved. The family, the board and the configuration must be equal: all
 * fields of struct tf_config that change results, and `parking`. Threads, vectors, delivery and callbacks may differ.
 * The state before the call is lost, recorded faults included. Numbers of the host in tf_stats() stay.
 *
 * After an error the chip is unchanged. Checksums find damage. They do not protect against a file that was made to do
 * harm.
 *
 * Between runs only. @param[out] message  what is wrong, or NULL.
 * @return TF_OK; TF_EINVAL (NULL, relaxed mode, another configuration, or `check`: the checker does not know accesses
 *         before the saved state); TF_EIO (no such file, an error of the disk); TF_EFORMAT (no saved chip, of another
 *         version of the library, truncated, or damaged); TF_ENOMEM.
 */
TF_API int tf_chip_restore(struct tf_chip *chip, const char *path, struct tf_message *message);

/**
 * Read the configuration of a saved chip, to create one that tf_chip_restore() accepts. Any thread.
 * @param config  set up by tf_config_init(). Fields that change results, `arch`, `board` and `parking` become those of
 *                the saved chip; the others stay. Untouched on error.
 * @param[out] message  what is wrong, or NULL.
 * @return TF_OK; TF_EINVAL (NULL, or a family or board that this library does not know); TF_EIO, TF_EFORMAT, TF_ENOMEM.
 */
TF_API int tf_saved_config(const char *path, struct tf_config *config, struct tf_message *message);

/**
 * Make a chip with the state of another one. Both continue independently, each as the chip alone would, to the bit. The
 * cost of the call does not depend on the memory that the chip uses. A tile or a DRAM channel is copied when the chip
 * or the fork first reads or changes it. Forks of a chip that has not changed in between share that copy.
 *
 * The two may be destroyed in any order, and used on different threads. If the host has too little memory for a copy,
 * tf_run() of the fork returns TF_ENOMEM, and the fork can only be destroyed.
 *
 * Between runs only, so not from a callback. Thread: the chip's.
 * @param config  of the fork. Family, board, all fields that change results, and `parking` must equal the chip's. NULL:
 *                the chip's configuration with its callbacks for memory of the host, without its other callbacks and
 *                `check`.
 * @param[out] fork  the new chip.
 * @param[out] message  what is wrong, or NULL.
 * @return TF_OK; TF_EINVAL (NULL, relaxed mode, another order, or another configuration); TF_ENOMEM.
 */
TF_API int tf_chip_fork(struct tf_chip *chip, const struct tf_config *config, struct tf_chip **fork,
                        struct tf_message *message);

#define TF_WAITING_TILE_WORDS 4u
#define TF_WAITING_TEXT_BYTES 800u

/** A group of equal cores, or of equal coprocessor threads, that wait or have ended. */
struct tf_waiting {
    bool stuck;           /**< They wait. False: they have ended, by ebreak or in the endless loop after main(). */
    bool thread;          /**< Coprocessor threads of `core`, not cores. */
    bool returned;        /**< main() has returned `status`. Known for programs with the C start file. */
    uint8_t core;         /**< enum tf_core; on an Ethernet tile 0 for E0, 1 for E1. */
    struct tf_coord node; /**< The first tile. */
    int32_t status;       /**< The value that main() returned. Any value but 0 is a failure. */
    uint32_t pc;          /**< Of cores; 0 for threads. */
    uint32_t address;     /**< The address that a core waits for; 0: none. */
    unsigned tiles;       /**< Number of tiles. */
    /** The tiles, as bits: Tensix tiles by index, then Ethernet tiles. */
    uint64_t tile[TF_WAITING_TILE_WORDS];
    char what[400]; /**< What they wait for, and who can end the wait, as far as the state of their tiles shows. */
    uint64_t reserved[4]; /**< 0: room for later versions. */
};

/** Kinds of races. */
enum tf_race_kind {
    TF_RACE_DATA,       /**< Two accesses to one byte, one of them a write, that nothing orders. */
    TF_RACE_STALE_LINE, /**< A load that may hit a line of the L0 data cache from before another actor's write. */
    TF_RACE_OVERTAKEN,  /**< A pushed instruction that may overtake the core's store to a register that it reads. */
    TF_RACE_UNWRITTEN,  /**< A read of memory before it is written. One side. */
    TF_RACE_COUNTER,    /**< A store that pops more from a circular buffer than is in it. One side. */
    TF_RACE_UNFINISHED, /**< A request whose response its core does not wait for before it ends. One side. */
    TF_RACE_WRAPPED,    /**< A wait for a counter of requests that may have wrapped around. One side. */
    TF_RACE_REGISTER,   /**< A read of a coprocessor register before it is written. One side. */
    TF_RACE_SCHEDULE,   /**< An instruction that clashes with the schedule of SFPLOADMACRO. One side, or two. */
    TF_RACE_NULL,       /**< An access of a core to address 0, probably through a null pointer. One side. */
    TF_RACE_SEMAPHORE,  /**< A post of a semaphore that may be at 15, or a get at 0: it changes nothing. One side. */
};

/** One side of a race. */
struct tf_race_side {
    struct tf_coord tile;    /**< Of the core; of a request, of its initiator. */
    enum tf_core core;       /**< TF_CORE_NONE: not a core. */
    uint32_t pc;             /**< Of the access; of a request, of the store to NOC_CMD_CTRL. */
    uint32_t caller;         /**< Register ra at the access: often the return address; 0: unknown. */
    uint64_t cycle;          /**< Of the access; of a request, of its issue. */
    int8_t noc;              /**< Of a request: 0 or 1; -1: not a request. */
    uint8_t tid;             /**< Of a request: its transaction id. */
    const char *what;        /**< "store", "NOC write", ...: a constant string; NULL: there is no second side. */
    const char *waited;      /**< What its core or thread last waited for: a constant string; NULL: nothing. */
    uint32_t waited_address; /**< Of the word or register waited for; 0: the wait was a coprocessor instruction. */
    uint32_t waited_pc;
    uint64_t waited_cycle;
};

/** A race between two places in programs. All fields but `count` are those of its first occurrence. */
struct tf_race {
    enum tf_race_kind kind;
    struct tf_coord node;        /**< The node that has the memory. */
    uint64_t address;            /**< Of the word; or the number of the register. */
    struct tf_race_side side[2]; /**< In the order of the run. With one side only, the second has no `what`. */
    const char *advice;          /**< How to fix it: a constant string. */
    uint64_t count;              /**< Number of occurrences. */
    uint64_t reserved[4];        /**< 0: room for later versions. */
};

/**
 * Get the races that a chip with tf_config.check has found so far: one for each pair of code places, of all tiles.
 * Their order does not depend on the number of threads. Changes no state.
 * @param[out] races  an array of `room` races; may be NULL if `room` is 0.
 * @return the number of races; if there are more than `room`, a number above `room`. 0 without tf_config.check.
 */
TF_API size_t tf_races(struct tf_chip *chip, struct tf_race *races, size_t room);

/**
 * The number of accesses of NOC requests that a chip with tf_config.check has dropped. A tile remembers its last
 * 16,384. A dropped access counts as ordered, so its races are not found.
 */
TF_API uint64_t tf_races_dropped(struct tf_chip *chip);

/**
 * Get the cores and threads that wait or have ended, in groups. Groups that are stuck come first; then the order is
 * that of their first tiles. Changes no state.
 * @param[out] waits  an array of `room` groups; may be NULL if `room` is 0.
 * @return the number of groups; if there are more than `room`, a number above it: an array of that size holds them all.
 */
TF_API size_t tf_waits(struct tf_chip *chip, struct tf_waiting *waits, size_t room);

/**
 * Write a line about a group, without a newline.
 * @param place  a name for the pc, such as "main+8"; NULL: none.
 * @return the length of the whole text; at most bytes - 1 characters and a NUL are written. Most texts fit into
 *         TF_WAITING_TEXT_BYTES.
 */
TF_API size_t tf_waiting_text(const struct tf_arch *arch, const struct tf_waiting *wait, const char *place, char *text,
                              size_t bytes);

/**
 * Write the lines of tf_waiting_text() for all groups that are stuck.
 * @return the length of the whole text; at most bytes - 1 characters and a NUL are written.
 */
TF_API size_t tf_describe_waits(struct tf_chip *chip, char *text, size_t bytes);

/** One worker of the farm, as `tilefarm topo` shows it. */
struct tf_worker_place {
    int cpu;                         /**< OS index of the CPU that it is pinned to; -1: not pinned. */
    int numa_node;                   /**< OS index; -1: unknown. */
    bool smt_sibling;                /**< It shares a core with an earlier worker. */
    unsigned tile_first, tile_count; /**< Tiles whose home worker it is. */
};

struct tf_topology {
    unsigned cpus_online, cpus_allowed, cores, numa_nodes;
    double cpu_quota; /**< CPUs that the control group grants; 0: no limit. */
    unsigned others;  /**< Other threads that wanted a CPU when the chip was made; 0 for a chip with one worker. */
    unsigned workers; /**< As planned; tf_stats() has the number that exists. */
    struct tf_worker_place worker[TF_WORKERS_MAX];
    bool pinned;          /**< False: the host refused it, `pin` is false, or others want the CPUs, too. */
    char warning[160];    /**< Empty: no warning. */
    uint64_t reserved[4]; /**< 0: room for later versions. */
};

/** Get the placement of a chip's workers. @param[out] topology  not NULL. */
TF_API void tf_topology_get(struct tf_chip *chip, struct tf_topology *topology);

#ifdef __cplusplus
}
#endif
#endif
