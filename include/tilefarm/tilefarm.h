/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file tilefarm.h
 * The public interface of libtilefarm: a whole Tenstorrent chip in software.
 *
 * Return values of all functions: a function that can fail returns 0 (TF_OK) or a negative TF_E* code. Each function
 * names the codes that it may return. Nothing here prints, and nothing ends the process.
 *
 * Threads: a chip belongs to one thread at a time. Different chips may be used from different threads at the same
 * moment. Only tf_stop() may be called from a signal handler, or while another thread runs the chip. Functions that
 * take no chip may be called from any thread.
 *
 * Families: a struct tf_arch says what a chip is: its grid, tiles and memories. A function that takes one takes NULL
 * for Blackhole, the default. These tables are constant.
 *
 * Places: raw NOC 0 coordinates name a node of the NOC, as on the page NoC/Coordinates.md of the public ISA
 * documentation. Tensix tiles also have an index. It counts from 0, row by row (Blackhole: 0..139, from (1,2) to
 * (16,11)).
 */
#ifndef TILEFARM_TILEFARM_H
#define TILEFARM_TILEFARM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define TF_API __attribute__((visibility("default")))
#else
#define TF_API
#endif

#define TF_TILE_CORES 5u          /**< Number of enum tf_core; a tile may have fewer cores. */
#define TF_TENSIX_TILES_MAX 140u  /**< Of any family: sizes arrays. */
#define TF_L1_BYTES_MAX 0x180000u /**< Of any tile of any family. */

/** Error codes; tf_strerror() gives a sentence for each. */
enum tf_error {
    TF_OK = 0,
    TF_EINVAL = -1,  /**< An argument is out of its stated range. */
    TF_ENOMEM = -2,  /**< The host has too little memory, or address space. */
    TF_EIO = -3,     /**< A file could not be read or written. */
    TF_EFORMAT = -4, /**< A file's content breaks a rule of its format. */
    TF_ERANGE = -5,  /**< An address range leaves the memory it names. */
    TF_ENODEV = -6,  /**< No tile, core or channel has that name. */
    TF_EACCESS = -7, /**< The chip refuses the access (alignment, size, an unmapped register). */
    TF_ESYS = -8,    /**< The host refused a thread or another resource. */
};

/** The RISC-V cores of a Tensix tile, in the order in which they take turns. */
enum tf_core {
    TF_CORE_B = 0,  /**< Data movement 0 ("BRISC"). */
    TF_CORE_NC = 1, /**< Data movement 1 ("NCRISC"). */
    TF_CORE_T0 = 2, /**< Unpack ("TRISC0"). */
    TF_CORE_T1 = 3, /**< Math ("TRISC1"). */
    TF_CORE_T2 = 4, /**< Pack ("TRISC2"). */
};

/** A node of the NOC, in raw NOC 0 coordinates. */
struct tf_coord {
    uint8_t x; /**< Below tf_shape.grid_x. */
    uint8_t y; /**< Below tf_shape.grid_y. */
};

/** A chip family. */
struct tf_arch;

/** How large the chips of a family are. */
struct tf_shape {
    const char *name;        /**< As tf_arch_find() takes it: "blackhole". */
    const char *title;       /**< As reports write it: "Blackhole". */
    unsigned grid_x, grid_y; /**< Nodes of the NOC. */
    unsigned tensix_tiles;   /**< At most TF_TENSIX_TILES_MAX. */
    unsigned eth_tiles;
    unsigned cores;    /**< RISC-V cores of a Tensix tile, at most TF_TILE_CORES. */
    uint32_t l1_bytes; /**< L1 of a Tensix tile, at most TF_L1_BYTES_MAX. */
    unsigned dram_channels;
    uint64_t dram_channel_bytes;
};

/** What a node is (BlackholeA0/NoC/README.md; NOC_ENDPOINT_ID in MemoryMap.md). */
enum tf_node_kind {
    TF_NODE_EMPTY,
    TF_NODE_TENSIX,
    TF_NODE_ETH,
    TF_NODE_DRAM,
    TF_NODE_PCIE,
    TF_NODE_ARC,
    TF_NODE_L2CPU,
    TF_NODE_SECURITY,
};

/** How time and order work; see README.md, "Modes". */
enum tf_mode {
    TF_MODE_DETERMINISTIC, /**< The same outcome on any number of threads. */
    TF_MODE_RELAXED,       /**< No barrier; order is what the host makes it. */
};

/** Which meaning NOC atomics have where sources differ. */
enum tf_atomics {
    TF_ATOMICS_ISA,      /**< The public ISA documentation. */
    TF_ATOMICS_EMU_SPEC, /**< The Blackhole emulator specification. */
};

/** The vector instructions of the host that coprocessors compute with. Results are equal with all of them. */
enum tf_vectors {
    TF_VECTORS_BEST,     /**< The widest that the host has. */
    TF_VECTORS_PORTABLE, /**< What every host has. */
    TF_VECTORS_AVX2,
    TF_VECTORS_AVX512,
};

/** Whose fault a fault is. */
enum tf_fault_category {
    TF_FAULT_UNDEFINED,     /**< The guest did what the documentation leaves undefined. */
    TF_FAULT_UNPREDICTABLE, /**< The guest used a value that the documentation leaves unpredictable. */
    TF_FAULT_UNIMPLEMENTED, /**< The hardware defines it and tilefarm lacks it. */
    TF_FAULT_UNSUPPORTED,   /**< Outside what tilefarm sets out to do. */
    TF_FAULT_CONFIG,        /**< The chip was configured in a way that cannot work. */
    TF_FAULT_HOST,          /**< The host ran out of something. */
    TF_FAULT_INTERNAL,      /**< A defect of tilefarm. */
};

/** Cores that a fault can name beside enum tf_core. */
#define TF_CORE_NONE 255

/** A violation. It stopped the hart or coprocessor thread that made it, and nothing else. */
struct tf_fault {
    enum tf_fault_category category;
    struct tf_coord tile; /**< Where the initiator is. */
    uint8_t core;         /**< enum tf_core (of an Ethernet tile E0 0, E1 1), or TF_CORE_NONE. */
    uint32_t pc;          /**< Program counter of the initiator. */
    uint32_t instruction; /**< The instruction word at pc, or the Tensix word; 0 when there is none. */
    uint64_t address;     /**< The address or register concerned; 0 when there is none. */
    uint64_t cycle;
    bool hazard;    /**< Only noted: the chip went on as hardware does. */
    char text[160]; /**< One sentence, without the fields above. */
};

/** One instruction that a RISC-V core has retired. */
struct tf_riscv_event {
    struct tf_coord tile;
    uint8_t core;  /**< enum tf_core */
    uint8_t bytes; /**< Of the access to memory or registers; 0: none. */
    bool loads, stores;
    uint8_t rd; /**< 1..31: x register written; 32..63: f register; 0: none. */
    uint32_t pc;
    uint32_t instruction;
    uint32_t value;   /**< Of the register afterwards. */
    uint32_t address; /**< Of the access. */
    uint32_t stored;  /**< What a store or atomic has left there, if in L1 or the core's RAM; else what it stored. */
    uint64_t cycle;
    uint64_t skipped; /**< Instructions of this core since its last event: of a loop that polls. */
};

/** A text or a mark from a device program, by the functions of tilefarm_print.h or by RISC-V semihosting. */
struct tf_print_event {
    struct tf_coord tile;
    uint8_t core; /**< enum tf_core */
    bool mark;    /**< `text` names a moment, for a timeline: tf_mark(). Else it is to be printed. */
    uint32_t pc;
    uint64_t cycle;
    const char *text; /**< Ends with a 0; may end in the middle of a line. Valid until the callback returns. */
    size_t bytes;     /**< Without that 0. */
};

struct tf_chip;
struct tf_explore;
struct tf_message;

/** One NOC atomic as it took effect, for tools that check histories. */
struct tf_atomic_event {
    struct tf_coord initiator, target;
    uint8_t core;        /**< The core that issued it. */
    uint8_t noc;         /**< 0 or 1. */
    uint16_t at_len_be;  /**< Opcode and operands, NOC_AT_LEN_BE. */
    uint32_t at_data;    /**< NOC_AT_DATA. */
    uint64_t address;    /**< Target address. */
    bool answered;       /**< The request asked for a response. */
    uint32_t result;     /**< The word returned; 0 when not answered. */
    uint64_t begin, end; /**< Ticks of one clock of the host, before and after the operation. */
};

/** One instruction that has passed the wait gate of its Tensix thread, to the unit that executes it. MOP and REPLAY
 *  appear as the instructions that they expand to. An atomic that tries again appears once, when it succeeds. */
struct tf_tensix_event {
    struct tf_coord tile;
    uint8_t thread;       /**< 0..2 */
    uint64_t cycle;       /**< Of each thread, no two are equal. */
    uint32_t instruction; /**< The word; tf_tensix_text() says what it is. */
    uint32_t pc;          /**< Of the core, where it (or its MOP or REPLAY) was pushed. */
    const char *unit;     /**< Name of the unit; constant. */
};

/** What a NOC request does. */
enum tf_noc_kind {
    TF_NOC_READ,
    TF_NOC_WRITE,        /**< By length. */
    TF_NOC_WRITE_BE,     /**< By byte mask, up to 64 bytes. */
    TF_NOC_WRITE_INLINE, /**< NOC_AT_DATA: 4 bytes, or a line of 16 bytes under a byte mask. */
    TF_NOC_ATOMIC,
};

/** The steps of a NOC request. */
enum tf_noc_step {
    TF_NOC_LANDED,  /**< An answer is at its node: data first, then counters. */
    TF_NOC_REFUSED, /**< A node refused the request, and the initiator has got a fault in place of an answer. */
    TF_NOC_ISSUED,  /**< The NIU of the initiator has accepted it. */
    TF_NOC_ACTED,   /**< It has acted at a node. */
};

/** A step of a packet. A long request consists of several packets; each one is a request of its own here. */
struct tf_noc_event {
    uint64_t request; /**< Its number, from 1 on, in delivery order. */
    enum tf_noc_step step;
    enum tf_noc_kind kind;
    uint64_t epoch; /**< Of the step, from 0 on. A request acts in the epoch in which it is issued. */
    /** ISSUED: of the store to NOC_CMD_CTRL, by the initiator's tile. ACTED: the end of the epoch. LANDED and REFUSED:
     *  the begin of the epoch. */
    uint64_t cycle;
    struct tf_coord initiator;   /**< The node whose NIU issues it. */
    struct tf_coord target;      /**< The node that acts. A multicast's ISSUED: the first corner of its rectangle. */
    struct tf_coord target_last; /**< Of a multicast: the last corner. The rectangle may wrap. Else the target. */
    struct tf_coord answer;      /**< The node where answers land; the initiator if there are none. */
    unsigned recipients;         /**< Nodes that it is for, those included whose NIUs have opted out. */
    uint8_t noc;                 /**< 0 or 1 */
    uint8_t request_initiator;   /**< ISSUED: 0..3, of the NIU. */
    uint8_t core;                /**< Whose store it was: enum tf_core; TF_CORE_NONE: one through the NOC. */
    uint8_t tid;                 /**< Transaction identifier, 0..15. */
    uint8_t vc;                  /**< ISSUED: the virtual channel, if `vc_static`. */
    bool vc_static, vc_linked;   /**< ISSUED */
    bool answered;               /**< There is an answer: a read, or a write or atomic that is not posted. */
    bool multicast, source_include, major_y;
    bool captured;           /**< ISSUED, writes: the data left at once. False: at the end of the epoch. */
    uint32_t exclude;        /**< Of a multicast: NOC_BRCST_EXCLUDE. */
    uint32_t pc;             /**< Of the store to NOC_CMD_CTRL. */
    uint64_t address;        /**< At the target. */
    uint64_t source_address; /**< Of a write's data, at the initiator. */
    uint64_t return_address; /**< Of a read's data or an atomic's result, at `answer`. */
    uint32_t bytes;          /**< From `address` on; of an atomic 4. */
    uint64_t byte_mask;      /**< Of a write with a mask: bit 0 belongs to `address`. Else 0. */
    uint32_t at_len_be;      /**< Of an atomic: opcode and operands, NOC_AT_LEN_BE. */
    uint32_t at_data;        /**< Of an atomic, or of an inline write: NOC_AT_DATA. */
    uint32_t result;         /**< LANDED, atomics: the word. */
};

/**
 * The board that a chip is on, and what of the chip is fused off, as bits. What is fused off keeps its NIUs, and has
 * nothing else. Telemetry, the translation tables of the NIUs, and tf_chip_arch() follow.
 */
struct tf_board {
    char name[12];        /**< As tf_board_name() has it: "p100a". Empty, and all else 0: the family's first board. */
    uint32_t product;     /**< Bits 55:36 of the board's identifier. */
    uint32_t columns_off; /**< Columns of Tensix tiles, by raw NOC 0 x. */
    uint32_t rows_off;    /**< Rows of Tensix tiles, by raw NOC 0 y. */
    uint32_t banks_off;   /**< DRAM channels; at most one. */
    uint32_t eth_off;     /**< Ethernet tiles, by number. */
    uint32_t cpus_off;    /**< L2CPU tiles, by number. */
};

/** Everything that decides what a chip computes, and how the host computes it. */
struct tf_config {
    size_t struct_bytes;        /**< sizeof(struct tf_config), set by tf_config_init(). */
    const struct tf_arch *arch; /**< The chip's family; NULL (default): Blackhole. */
    struct tf_board board;      /**< Default: the family's, all zero. */
    enum tf_mode mode;
    enum tf_atomics atomics;
    uint32_t slice_cycles;     /**< Length of a slice: 16..65536, default 1024. */
    uint32_t epoch_cycles_min; /**< Shortest epoch, in whole slices: slice_cycles..2^20. */
    uint32_t epoch_cycles_max; /**< Longest epoch, at least the shortest. */
    uint32_t niu_requests_max; /**< Requests that a NIU takes in an epoch: 1..65536, default 64. */
    bool go_on_after_fault;    /**< Run on when a hart or thread stops on a fault. */
    bool inline_l1_faults;     /**< An inline write to L1 faults instead of being noted as a hazard. */
    /** Where behaviour is undefined, but that of silicon is known: do as silicon does, and note a hazard instead of a
     *  fault. All other undefined behaviour stays a fault. */
    bool undefined_as_silicon;
    /** Cycles, 0..65536, for which an instruction counts as under way in its unit of the coprocessor after it has
     *  acted. STALLWAIT and other waits for units take that much longer. 0 (default): units complete at once. */
    uint32_t late_cycles;
    /* Below: nothing that shows in a result. */
    unsigned threads;        /**< Worker threads, 1..256; 0: one per core that is allowed, granted, and not busy. */
    bool pin;                /**< Pin workers to cores (default true). */
    bool serial_delivery;    /**< Deliver by the literal meaning of the order, on one thread. */
    bool parking;            /**< Skip waiting harts (default true). */
    bool check;              /**< Look for races, in deterministic mode: tf_races(). Slower. */
    enum tf_vectors vectors; /**< Default: the best. One that the host lacks is TF_EINVAL. */
    /** Called for every fault and hazard, from the thread in tf_run(), in a fixed order. May be NULL. */
    void (*on_fault)(void *user, const struct tf_fault *fault);
    /** Called at most ten times a second from the thread in tf_run(). May be NULL. */
    void (*on_progress)(void *user, uint64_t cycle, uint64_t instructions);
    /** Relaxed mode only: called by the worker that performed a NOC atomic. May be NULL. */
    void (*on_atomic)(void *user, const struct tf_atomic_event *event);
    /** Called for every instruction that passes a wait gate in the tiles chosen below. Within a tile the order is
     *  that of cycles; within a cycle T0 comes before T1, and T1 before T2. In deterministic mode the thread in
     *  tf_run() calls it at the end of each epoch, tile by tile in the order of their indices. In relaxed mode the
     *  worker of the tile calls it after each slice, and calls for several tiles overlap. Until then an instruction
     *  takes at least 16 bytes of memory. Instructions that accesses of the host have released outside tf_run() appear
     *  in the next run. May be NULL. */
    void (*on_tensix)(void *user, const struct tf_tensix_event *event);
    bool tensix_traced[TF_TENSIX_TILES_MAX]; /**< By index: report this tile to on_tensix (default: all). */
    /** Called for every instruction that the cores chosen below retire. The rules of on_tensix apply, with cores
     *  instead of threads. Loops that poll are skipped unless `parking` is false. Such cores run slower. May be
     *  NULL. */
    void (*on_riscv)(void *user, const struct tf_riscv_event *event);
    uint8_t riscv_traced[TF_TENSIX_TILES_MAX]; /**< By index: cores to report to on_riscv, as bits (default: none). */
    /** Called for every text that a program prints, and for its marks, on Tensix and Ethernet tiles. The rules of
     *  on_tensix apply, with cores instead of threads. A program runs the same whether this is NULL or not. May be
     *  NULL. */
    void (*on_print)(void *user, const struct tf_print_event *event);
    /** Deterministic mode only: called for every step of every NOC request, from the thread in tf_run(), at the end of
     *  each epoch. First come the answers that landed at the begin of the epoch. Then on_tensix and on_riscv are
     *  called. Then come the requests issued, and then those that acted. Each of these three lists is in delivery
     *  order. Numbers of requests and their order do not depend on the number of threads. May be NULL. */
    void (*on_noc)(void *user, const struct tf_noc_event *event);
    /** Deterministic mode only: called by the thread in tf_run() at the end of each epoch, after the callbacks above.
     *  cycle: where the epoch has ended. May be NULL. */
    void (*on_epoch)(void *user, uint64_t cycle);
    /** Memory of the host, as the NOC reaches it through its PCIe tile; both or none. Called on the thread
     *  in tf_run(), tf_read() or tf_write(). `bytes` is at most 2^30. */
    void (*on_host_read)(void *user, uint64_t address, void *data, uint32_t bytes);
    void (*on_host_write)(void *user, uint64_t address, const void *data, uint32_t bytes);
    void *user; /**< Handed to the callbacks. */
    /** Deterministic mode only: run under another order, see tilefarm_explore.h. Such a chip cannot be saved, restored,
     *  forked, or traced by on_noc. NULL (default): the usual order. */
    const struct tf_explore *explore;
};

/** What a creation or a load found wrong: one line, without a newline. */
struct tf_message {
    char text[256];
};

/** Version of the library, "MAJOR.MINOR.PATCH". Any thread. */
TF_API const char *tf_version(void);

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

/** The family of a chip, without what is fused off; never NULL. It lives as long as the chip. */
TF_API const struct tf_arch *tf_chip_arch(const struct tf_chip *chip);

/** What a user may say of a board, as text; NULL: nothing. A list is numbers with commas between them, or "none". */
struct tf_board_text {
    const char *name;    /**< One of tf_board_name(). */
    const char *columns; /**< Lists of what is fused off, in place of what the board of that name lacks. */
    const char *rows, *banks, *eth, *cpus;
};

/**
 * The board that texts describe. Any thread.
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

/** Describe the board in the YAML that tt-umd reads as cluster_descriptor.yaml: its identifier, and what is fused off.
 *  The rules of tf_describe_soc(). @param arch  tf_chip_arch() of a chip on the board. */
TF_API size_t tf_describe_cluster(const struct tf_arch *arch, char *text, size_t bytes);

/** The board of a chip. Any thread. */
TF_API void tf_chip_board(const struct tf_chip *chip, struct tf_board *board);

/** Say how large the chips of a family are. @param[out] shape  not NULL. */
TF_API void tf_arch_shape(const struct tf_arch *arch, struct tf_shape *shape);

/**
 * Disassemble a Tensix instruction that a chip reports: "SEMPOST sem_sel=1", or ".word 0x..." where there is no such
 * opcode. Fields of the configuration that it writes or reads follow: "SETC16 setc16_value=5 setc16_reg=0xb #
 * FIDELITY_BASE_Phase=1". Any thread.
 * @param arch         the chip's family, whose names fields have; NULL: Blackhole. Fields that it lacks are left out.
 * @param instruction  the word, with Blackhole's places of fields in any case.
 * @return the length of the whole text; at most bytes - 1 characters and a NUL are written.
 */
TF_API size_t tf_tensix_text(const struct tf_arch *arch, uint32_t instruction, char *text, size_t bytes);

/** Disassemble an instruction of a core at an address, RV32 or Tensix: "addi a0,a0,1". As tf_tensix_text(). */
TF_API size_t tf_riscv_text(uint32_t instruction, uint32_t pc, char *text, size_t bytes);

/**
 * Name of a core of a kind of node.
 * @param arch  the chip's family; NULL: Blackhole.
 * @param kind  tf_node_kind() of the core's node.
 * @param core  of a Tensix tile: enum tf_core.
 * @return "B", "NC", "T0", "T1" or "T2" on a Tensix tile, "E0" or "E1" on an Ethernet tile of Blackhole; "-" for any
 *         other number or kind.
 */
TF_API const char *tf_core_name(const struct tf_arch *arch, enum tf_node_kind kind, unsigned core);

/** Fill a configuration with the defaults. @param config not NULL. */
TF_API void tf_config_init(struct tf_config *config);

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

/** What a node is; TF_NODE_EMPTY for coordinates off the grid. */
TF_API enum tf_node_kind tf_node_kind(const struct tf_arch *arch, struct tf_coord coord);

/** Coordinates of a Tensix tile. @return TF_OK, TF_ENODEV. */
TF_API int tf_tile_coord(const struct tf_arch *arch, unsigned tile, struct tf_coord *coord);

/** Index of the Tensix tile at a node. @return the index, or TF_ENODEV. */
TF_API int tf_tile_index(const struct tf_arch *arch, struct tf_coord coord);

/**
 * Write to a node's address space as the NOC would: L1 and DRAM take any range; registers take 4 aligned
 * bytes. All or nothing.
 * @return TF_OK, TF_EINVAL, TF_ENODEV, TF_ERANGE, TF_EACCESS, TF_ENOMEM (a DRAM page).
 */
TF_API int tf_write(struct tf_chip *chip, struct tf_coord node, uint64_t address, const void *data, size_t bytes);

/** Read from a node's address space; the rules of tf_write(). Reading a register has its side effects. */
TF_API int tf_read(struct tf_chip *chip, struct tf_coord node, uint64_t address, void *data, size_t bytes);

/** Write to a DRAM channel. @return TF_OK, TF_EINVAL, TF_ENODEV, TF_ERANGE, TF_ENOMEM. */
TF_API int tf_dram_write(struct tf_chip *chip, unsigned channel, uint64_t address, const void *data, size_t bytes);

/** Read from a DRAM channel. @return TF_OK, TF_EINVAL, TF_ENODEV, TF_ERANGE. */
TF_API int tf_dram_read(struct tf_chip *chip, unsigned channel, uint64_t address, void *data, size_t bytes);

/**
 * Load an ELF32 RISC-V executable for one core: file data go to L1, at the segments' physical addresses. Segments in
 * the core's local RAM (0xFFB00000) may only be zeroed data, since the RAM is cleared when the core comes out of reset.
 * All or nothing. The entry point becomes the core's reset PC; the core stays as it is until tf_core_start().
 * @param path  names the file in messages; when image is NULL it is read from there.
 * @return TF_OK, TF_EINVAL, TF_ENODEV, TF_EIO, TF_EFORMAT (also: it was made for another family), TF_ERANGE,
 *         TF_ENOMEM.
 */
TF_API int tf_load_elf(struct tf_chip *chip, unsigned tile, enum tf_core core, const char *path, const void *image,
                       size_t image_bytes, struct tf_message *message);

/** Take a core out of reset, at its last entry point; where there is none, at the PC that its tile's registers give.
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
    TF_CORE_PARKED,  /**< Repeats a loop without effect until one of its inputs changes. */
    TF_CORE_BLOCKED, /**< A load or store waits (mailbox, PCBuf, FIFO). */
    TF_CORE_PAUSED,  /**< Debug pause, by ebreak. */
    TF_CORE_FAULTED,
};

struct tf_core_view {
    enum tf_core_state state;
    uint32_t pc;
    uint32_t x[32];
    uint64_t cycle, instret;
    uint32_t wait_address; /**< Address that it waits for, when parked or blocked; else 0. */
    bool thread_waits;     /**< T0, T1 and T2: an instruction of the coprocessor's thread is stalled. */
};

/** Look at a core without disturbing it. @return TF_OK, TF_ENODEV. */
TF_API int tf_core_view(struct tf_chip *chip, unsigned tile, enum tf_core core, struct tf_core_view *view);

/** Why a run ended. */
enum tf_end {
    TF_END_QUIET,   /**< Every core is in reset, parked, blocked, paused or faulted, and nothing is under way. */
    TF_END_VALUE,   /**< The awaited word has its value. */
    TF_END_CYCLES,  /**< The limit is reached. */
    TF_END_FAULT,   /**< A fault, and the configuration does not say to go on. */
    TF_END_STOPPED, /**< tf_stop(). */
};

struct tf_run_options {
    uint64_t cycles_max; /**< Cycles to run at most from now on; 0 for no limit. */
    bool until;          /**< End when a word has a value; tested at each epoch's end. */
    struct tf_coord until_node;
    uint64_t until_address; /**< 4-aligned, L1 or DRAM. */
    uint32_t until_value;
    /** End with the first epoch that ends at or after this cycle of the chip's time; 0: none. That is TF_END_CYCLES.
     *  Unlike cycles_max it cuts no epoch short: a run that is continued then equals one that did not end. Not in
     *  relaxed mode. */
    uint64_t pause_cycle;
};

/**
 * Run until something of enum tf_end happens. Where the host refuses helper threads, the calling thread does all.
 * @param options  NULL to run until quiet.
 * @param[out] end  why it ended; may be NULL.
 * @return TF_OK, TF_EINVAL (options), TF_ENODEV; of a fork TF_ENOMEM, if there was too little memory for its copy.
 */
TF_API int tf_run(struct tf_chip *chip, const struct tf_run_options *options, enum tf_end *end);

/** Make a run in progress end at the next epoch. Any thread, and signal handlers. */
TF_API void tf_stop(struct tf_chip *chip);

/** Simulated figures are equal for equal inputs; host figures are not. */
struct tf_stats {
    uint64_t epochs, cycles;
    uint64_t instructions;          /**< Retired by all cores, parked ones included. */
    uint64_t instructions_executed; /**< Without those that were only credited to parked cores (host figure). */
    uint64_t noc_requests, noc_bytes, noc_atomics;
    uint64_t faults, hazards;
    /* Host figures. */
    unsigned workers;                /**< Fewer than planned once the host has refused threads. */
    double wall_s, cpu_s;            /**< Time in tf_run(). */
    uint64_t steals, spins, blocks;  /**< Tiles stolen, rounds of spinning, sleeps at the barrier. */
    double run_s, deliver_s, wait_s; /**< Per worker, summed. */
};

/** Figures of all runs of a chip so far. @param[out] stats  not NULL. */
TF_API void tf_stats(struct tf_chip *chip, struct tf_stats *stats);

/** What one worker did: host figures. */
struct tf_worker_stats {
    uint64_t instructions;          /**< Executed by cores of tiles that it ran. */
    uint64_t slices;                /**< Of tiles. */
    uint64_t pages;                 /**< Pages of code decoded; tiles with the same code share them. */
    uint64_t requests;              /**< NOC requests issued by tiles that it ran. */
    uint64_t deliveries;            /**< Requests that it delivered to their targets; deterministic mode. */
    uint64_t steals, spins, blocks; /**< Tiles stolen, rounds of spinning, sleeps. */
    double run_s, deliver_s;
    double wait_s; /**< At the barrier, spinning or asleep. */
};

/** Figures of one worker. @param worker  below tf_stats.workers. @return TF_OK, TF_ERANGE. */
TF_API int tf_worker_stats(struct tf_chip *chip, unsigned worker, struct tf_worker_stats *stats);

/** The share of one tile in the figures of a chip. */
struct tf_tile_stats {
    uint64_t instructions;                         /**< Retired by its cores. */
    uint64_t noc_requests, noc_bytes, noc_atomics; /**< Issued by the tile. */
    uint64_t noc_bytes_in;                         /**< Written to the tile by others. */
    unsigned worker;                               /**< Home worker (host figure). */
};

/** Figures of one tile. @param tile  index of a Tensix tile. @return TF_OK, TF_ENODEV. */
TF_API int tf_tile_stats(struct tf_chip *chip, unsigned tile, struct tf_tile_stats *stats);

/** Number of faults and hazards recorded; the first 1024 are kept. */
TF_API size_t tf_fault_count(struct tf_chip *chip);

/** A recorded fault or hazard. @param index  below tf_fault_count() and 1024. @return TF_OK, TF_ERANGE. */
TF_API int tf_fault_get(struct tf_chip *chip, size_t index, struct tf_fault *fault);

/** Hash of the whole simulated state: docs/design.md, "What always holds", invariant 1. */
TF_API uint64_t tf_state_hash(struct tf_chip *chip);

/**
 * Save the whole state of a chip to a file: cores, memory, registers, coprocessors, what is in flight, and the time.
 * A chip that is restored from it goes on as this one does, to the bit. The file names the family, the board, and
 * every field of the configuration that shows in a result. Memory that is zero takes no room in it.
 *
 * The file is written beside `path`, and takes its place when it is complete and on the disk. Until then, and after any
 * failure, an earlier file of that name is as it was. What is no regular file, such as a pipe, is written to directly.
 *
 * Between runs only, so not from a callback. The chip stays as it is.
 * @param[out] message  what is wrong, or NULL.
 * @return TF_OK; TF_EINVAL (NULL, or a chip in relaxed mode); TF_EIO (a full disk, no such folder), TF_ENOMEM.
 */
TF_API int tf_chip_save(struct tf_chip *chip, const char *path, struct tf_message *message);

/**
 * Give a chip the state that tf_chip_save() has saved. The chip must have been created with an equal family, board
 * and configuration: all fields of struct tf_config that show in a result, and `parking`. Threads, vectors, delivery
 * and callbacks may differ. What the chip did before is forgotten, its recorded faults included. Host figures of
 * tf_stats() stay.
 *
 * All or nothing: after an error the chip is as it was. A checksum finds damage. It does not protect against a file
 * made to do harm.
 *
 * Between runs only. @param[out] message  what is wrong, or NULL.
 * @return TF_OK; TF_EINVAL (NULL, relaxed mode, or another configuration); TF_EIO (no such file, an error of the disk);
 *         TF_EFORMAT (no saved chip, of another version of the library, truncated, or damaged); TF_ENOMEM.
 */
TF_API int tf_chip_restore(struct tf_chip *chip, const char *path, struct tf_message *message);

/**
 * Read which configuration a saved chip had, to create one that tf_chip_restore() accepts. Any thread.
 * @param config  set up by tf_config_init(). Fields that show in a result, `arch`, `board` and `parking` become those
 *                of the saved chip; the others stay. Untouched on error.
 * @param[out] message  what is wrong, or NULL.
 * @return TF_OK; TF_EINVAL (NULL, or a family that tf_arch_find() does not know); TF_EIO, TF_EFORMAT, TF_ENOMEM.
 */
TF_API int tf_saved_config(const char *path, struct tf_config *config, struct tf_message *message);

/**
 * Make a chip with the state of another one. Both go on independently: each as the chip would have gone on alone, to
 * the bit. The cost of the call does not depend on the memory that the chip uses. A tile, or a DRAM channel, is copied
 * when the chip or the fork first reads or changes it. Forks of a chip that has not changed meanwhile share that copy.
 *
 * The two are chips of their own: each is destroyed by itself, in any order, and they may be used on different threads.
 * Where the host has too little memory for a copy, tf_run() of the fork returns TF_ENOMEM, and the fork is of no use.
 *
 * Between runs only, so not from a callback. Thread: the chip's.
 * @param config  the fork's: family, board, all fields that show in a result, and `parking` are as the chip has them.
 *                NULL: as the chip's, with the functions for memory of the host, and without the other callbacks and
 *                `check`.
 * @param[out] fork  the new chip.
 * @param[out] message  what is wrong, or NULL.
 * @return TF_OK; TF_EINVAL (NULL, relaxed mode, another order, or another configuration); TF_ENOMEM.
 */
TF_API int tf_chip_fork(struct tf_chip *chip, const struct tf_config *config, struct tf_chip **fork,
                        struct tf_message *message);

#define TF_WAITING_TILE_WORDS 4u
#define TF_WAITING_TEXT_BYTES 800u

/** Equal cores, or equal threads of coprocessors, that wait or are done. */
struct tf_waiting {
    bool stuck;           /**< It waits; false: it is done, by ebreak or the empty endless loop behind main(). */
    bool thread;          /**< The coprocessor's thread of `core`, not the core. */
    bool returned;        /**< The C start file has seen main() return `status`. */
    uint8_t core;         /**< enum tf_core; of an Ethernet tile E0 0, E1 1. */
    uint16_t status;      /**< 16 bits of what main() returned. */
    struct tf_coord node; /**< The first tile. */
    uint32_t pc;          /**< 0 for threads. */
    uint32_t address;     /**< What a core waits for, or 0. */
    unsigned tiles;       /**< How many there are. */
    /** Tiles as bits by number: Tensix tiles by index, Ethernet tiles behind them. */
    uint64_t tile[TF_WAITING_TILE_WORDS];
    char what[400]; /**< What it waits for, and who could end that, as far as the state of its tile tells. */
};

/** Kinds of races. */
enum tf_race_kind {
    TF_RACE_DATA,       /**< Two accesses to one byte, one of them a write, that nothing orders. */
    TF_RACE_STALE_LINE, /**< A load that may hit a stale line of the L0 data cache, from before a write of another
                            actor. */
    TF_RACE_OVERTAKEN,  /**< A pushed instruction that may overtake the core's store to a register that it reads. */
    TF_RACE_UNWRITTEN,  /**< Memory that is read before anything has written it. One side. */
    TF_RACE_COUNTER,    /**< A store that takes more out of a circular buffer than is in it. One side. */
    TF_RACE_UNFINISHED, /**< A request whose answer its core has not waited for when it ends. One side. */
    TF_RACE_WRAPPED,    /**< A load of a counter of requests that may have wrapped around. One side. */
    TF_RACE_REGISTER,   /**< A register of the coprocessor that is read before anything has written it. One side. */
    TF_RACE_SCHEDULE,   /**< An instruction that clashes with what SFPLOADMACRO has scheduled. One side, or two. */
    TF_RACE_NULL,       /**< A core's access to data at address 0, most likely through a null pointer. One side. */
};

/** One side of a race. */
struct tf_race_side {
    struct tf_coord tile;    /**< Of the core; of a request, of its initiator. */
    enum tf_core core;       /**< TF_CORE_NONE: not a core. */
    uint32_t pc;             /**< Of the access; of a request, of the store to NOC_CMD_CTRL. */
    uint32_t caller;         /**< Register ra then: perhaps where the function was called; 0: not known. */
    uint64_t cycle;          /**< When it was made, or the request issued. */
    int8_t noc;              /**< Of a request: 0 or 1; -1: an access of the core itself. */
    uint8_t tid;             /**< Of a request: its transaction id. */
    const char *what;        /**< "store", "NOC write", ...: a constant string; NULL: there is no second side. */
    const char *waited;      /**< The last wait of its core or thread before: a constant string, or NULL. */
    uint32_t waited_address; /**< Of that word or register; 0: an instruction of the coprocessor. */
    uint32_t waited_pc;
    uint64_t waited_cycle;
};

/** A race of a pair of places. */
struct tf_race {
    enum tf_race_kind kind;
    struct tf_coord node;        /**< Where the memory is, the first time. */
    uint64_t address;            /**< Of the word, or the number of the register, the first time. */
    struct tf_race_side side[2]; /**< As they came, the first time. Of a loose end the second has no `what`. */
    const char *advice;          /**< The remedy: a constant string. */
    uint64_t count;              /**< How often these two places met. */
};

/**
 * The races that a chip with tf_config.check has found so far. One entry for each pair of places, on whatever tiles.
 * Their order does not depend on the number of threads. Changes nothing.
 * @param[out] races  `room` of them; may be NULL with a room of 0.
 * @return how many there are; with too little room at least one more than `room`. 0 without tf_config.check.
 */
TF_API size_t tf_races(struct tf_chip *chip, struct tf_race *races, size_t room);

/**
 * How many accesses of NOC requests a chip with tf_config.check has dropped: a tile remembers its last 16,384. A
 * dropped access counts as ordered, so its races are not found.
 */
TF_API uint64_t tf_races_dropped(struct tf_chip *chip);

/**
 * List who waits for what: groups that are stuck come first, and each group stands at its first tile. Changes nothing.
 * @param[out] waits  `room` of them; may be NULL with a room of 0.
 * @return how many groups there are. With too little room it is more than `room`, and at most the number of cores and
 * threads that wait or are done.
 */
TF_API size_t tf_waits(struct tf_chip *chip, struct tf_waiting *waits, size_t room);

/**
 * One line about a group, without a newline.
 * @param place  a name for the pc, such as "main+8"; NULL for none.
 * @return the length of the whole text; at most bytes - 1 characters and a NUL are written. Most texts fit into
 *         TF_WAITING_TEXT_BYTES.
 */
TF_API size_t tf_waiting_text(const struct tf_arch *arch, const struct tf_waiting *wait, const char *place, char *text,
                              size_t bytes);

/**
 * The lines of tf_waiting_text() for all that are stuck.
 * @return the length of the whole text; at most bytes - 1 characters and a NUL are written.
 */
TF_API size_t tf_describe_waits(struct tf_chip *chip, char *text, size_t bytes);

/** One worker of the farm, as `tilefarm topo` shows it. */
struct tf_worker_place {
    int cpu;                         /**< OS index of the core it is pinned to, or -1. */
    int numa_node;                   /**< OS index, or -1. */
    bool smt_sibling;                /**< Shares a core with an earlier worker. */
    unsigned tile_first, tile_count; /**< Tiles whose home it is. */
};

struct tf_topology {
    unsigned cpus_online, cpus_allowed, cores, numa_nodes;
    double cpu_quota; /**< CPUs that the cgroup grants, or 0 for no limit. */
    unsigned others;  /**< Threads of others that wanted a CPU when the number of workers was chosen; else 0. */
    unsigned workers; /**< As planned; tf_stats() knows how many there are. */
    struct tf_worker_place worker[256];
    bool pinned;       /**< False when the host gave no permission. */
    char warning[160]; /**< Empty when all went well. */
};

/** Where the workers of a chip are pinned, and why not if they are not. @param[out] topology  not NULL. */
TF_API void tf_topology_get(struct tf_chip *chip, struct tf_topology *topology);

#ifdef __cplusplus
}
#endif
#endif
