/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a test wants of a chip: the fields of struct tf_config that tests vary, under their names. A test that needs no
 * other field is not compiled anew when the configuration of a chip grows.
 */
#ifndef TESTS_CHIP_WISH_H
#define TESTS_CHIP_WISH_H

#include "tilefarm/tilefarm_chip.h"

struct tf_config;
struct tf_explore;

/* FIELD(type, name), for struct chip_wish and for chip_wish.c. */
#define WISH_FIELDS(FIELD)                    \
    FIELD(const struct tf_arch *, arch)       \
    FIELD(struct tf_board, board)             \
    FIELD(enum tf_mode, mode)                 \
    FIELD(enum tf_atomics, atomics)           \
    FIELD(enum tf_vectors, vectors)           \
    FIELD(uint32_t, slice_cycles)             \
    FIELD(uint32_t, epoch_cycles_min)         \
    FIELD(uint32_t, epoch_cycles_max)         \
    FIELD(uint32_t, niu_requests_max)         \
    FIELD(uint32_t, late_cycles)              \
    FIELD(unsigned, threads)                  \
    FIELD(bool, pin)                          \
    FIELD(bool, go_on_after_fault)            \
    FIELD(bool, inline_l1_faults)             \
    FIELD(bool, undefined_as_silicon)         \
    FIELD(bool, ordered_memory)               \
    FIELD(bool, serial_delivery)              \
    FIELD(bool, parking)                      \
    FIELD(bool, check)                        \
    FIELD(bool, timing)                       \
    FIELD(bool, timing_coarse)                \
    FIELD(const struct tf_explore *, explore) \
    FIELD(void *, user)

/* FIELD(type, name), of the callbacks: they have `user` before this last parameter. */
#define WISH_CALLBACKS(FIELD)                        \
    FIELD(const struct tf_fault *, on_fault)         \
    FIELD(const struct tf_atomic_event *, on_atomic) \
    FIELD(const struct tf_tensix_event *, on_tensix) \
    FIELD(const struct tf_riscv_event *, on_riscv)   \
    FIELD(const struct tf_print_event *, on_print)   \
    FIELD(const struct tf_noc_event *, on_noc)       \
    FIELD(uint64_t, on_epoch)

#define WISH_FIELD(type_, name_) type_ name_;
#define WISH_CALLBACK(type_, name_) void (*name_)(void *user, type_);
struct chip_wish {
    WISH_FIELDS(WISH_FIELD)
    WISH_CALLBACKS(WISH_CALLBACK)
    void (*on_progress)(void *user, uint64_t cycle, uint64_t instructions);
    void (*on_host_read)(void *user, uint64_t address, void *data, uint32_t bytes);
    void (*on_host_write)(void *user, uint64_t address, const void *data, uint32_t bytes);
    bool tensix_traced[TF_TENSIX_TILES_MAX];
    uint8_t riscv_traced[TF_TENSIX_TILES_MAX];
};
#undef WISH_FIELD
#undef WISH_CALLBACK

/* The defaults of tf_config_init(). */
void chip_wish_init(struct chip_wish *wish);

/* The fields of a configuration; and a configuration with these fields, whose other fields stay. */
void chip_wish_take(struct chip_wish *wish, const struct tf_config *config);
void chip_wish_give(const struct chip_wish *wish, struct tf_config *config);

/* A configuration with these fields, and defaults elsewhere. */
void chip_wish_configure(const struct chip_wish *wish, struct tf_config *config);

/* Let a function of the library change the fields. */
void chip_wish_change(struct chip_wish *wish, void (*change)(struct tf_config *config));

/* As tf_chip_create(), tf_chip_fork() and tf_saved_config(). wish: may be NULL where they take NULL. */
int chip_wish_create(const struct chip_wish *wish, struct tf_chip **chip, struct tf_message *message);
int chip_wish_fork(struct tf_chip *chip, const struct chip_wish *wish, struct tf_chip **fork,
                   struct tf_message *message);
int chip_wish_saved(const char *path, struct chip_wish *wish, struct tf_message *message);

#endif
