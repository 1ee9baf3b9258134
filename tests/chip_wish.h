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
#define WISH_FIELDS(FIELD)              \
    FIELD(const struct tf_arch *, arch) \
    FIELD(struct tf_board, board)       \
    FIELD(enum tf_mode, mode)           \
    FIELD(enum tf_atomics, atomics)     \
    FIELD(enum tf_vectors, vectors)     \
    FIELD(uint32_t, slice_cycles)       \
    FIELD(uint32_t, epoch_cycles_min)   \
    FIELD(uint32_t, epoch_cycles_max)   \
    FIELD(uint32_t, niu_requests_max)   \
    FIELD(uint32_t, late_cycles)        \
    FIELD(unsigned, threads)            \
    FIELD(bool, pin)                    \
    FIELD(bool, go_on_after_fault)      \
    FIELD(bool, ordered_memory)         \
    FIELD(bool, serial_delivery)        \
    FIELD(bool, parking)                \
    FIELD(bool, check)                  \
    FIELD(bool, timing)                 \
    FIELD(bool, timing_coarse)          \
    FIELD(const struct tf_explore *, explore)

#define WISH_FIELD(type_, name_) type_ name_;
struct chip_wish {
    WISH_FIELDS(WISH_FIELD)
};
#undef WISH_FIELD

/* The defaults of tf_config_init(). */
void chip_wish_init(struct chip_wish *wish);

/* A configuration with these fields, and defaults elsewhere. */
void chip_wish_configure(const struct chip_wish *wish, struct tf_config *config);

/* As tf_chip_create() and tf_chip_fork(). */
int chip_wish_create(const struct chip_wish *wish, struct tf_chip **chip, struct tf_message *message);
int chip_wish_fork(struct tf_chip *chip, const struct chip_wish *wish, struct tf_chip **fork,
                   struct tf_message *message);

#endif
