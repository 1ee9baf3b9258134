/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include "farm/chip/chip.h"
#include "farm/chip/config.h"
#include "farm/chip/config_room.h"
#include "farm/chip/defaults.h"
#include "host/extremes.h"
#include "host/vectors.h"
#include "host/zeros.h"
#include "tilefarm/tilefarm_config.h"

_Static_assert(sizeof(struct tf_config) <= TF_CONFIG_ROOM_BYTES && _Alignof(struct tf_config) <= 16,
               "a configuration fits");

const char *tf_strerror(int error)
{
    switch (error) {
    case TF_OK: return "no error";
    case TF_EINVAL: return "an argument is out of range";
    case TF_ENOMEM: return "too little memory or address space";
    case TF_EIO: return "a file cannot be read or written";
    case TF_EFORMAT: return "a file has the wrong format or is damaged";
    case TF_ERANGE: return "an address range runs past the end of its memory";
    case TF_ENODEV: return "no such tile, core or channel";
    case TF_EACCESS: return "the chip refuses the access";
    case TF_ESYS: return "the host refuses a thread or another resource";
    default: return "unknown error";
    }
}

const char *tf_fault_category_name(enum tf_fault_category category)
{
    static const char *const name[] = {
        [TF_FAULT_UNDEFINED] = "undefined behaviour", [TF_FAULT_UNPREDICTABLE] = "unpredictable value",
        [TF_FAULT_UNIMPLEMENTED] = "unimplemented",   [TF_FAULT_UNSUPPORTED] = "unsupported",
        [TF_FAULT_CONFIG] = "bad configuration",      [TF_FAULT_HOST] = "host error",
        [TF_FAULT_INTERNAL] = "internal error",
    };
    return (unsigned)category < sizeof name / sizeof name[0] ? name[category] : "unknown";
}

/* Every release has the fields before `explore`: a program that says it knows less has not set struct_bytes. */
#define LEAST_BYTES offsetof(struct tf_config, explore)

static void fill(struct tf_config *config)
{
    memset(config, 0, sizeof *config);
    config->struct_bytes = sizeof *config;
#define TF_CONFIG_NUMBER(field_, default_, least_, most_) config->field_ = (default_);
#include "farm/chip/config.def"
    memset(config->tensix_traced, true, sizeof config->tensix_traced);
}

void tf_config_init_sized(struct tf_config *config, size_t bytes)
{
    struct tf_config whole;
    fill(&whole);
    memset(config, 0, bytes);
    memcpy(config, &whole, tf_min(bytes, sizeof whole));
    config->struct_bytes = bytes;
}

static bool within(uint64_t value, uint64_t least, uint64_t most)
{
    return value >= least && value <= most;
}

#define CHECK(condition, ...)                                               \
    do {                                                                    \
        if (!(condition)) {                                                 \
            if (message != NULL)                                            \
                snprintf(message->text, sizeof message->text, __VA_ARGS__); \
            return TF_EINVAL;                                               \
        }                                                                   \
    } while (0)

int tf_config_take(const struct tf_config *theirs, struct tf_config *whole, struct tf_message *message)
{
    fill(whole);
    if (theirs == NULL)
        return TF_OK;
    const size_t bytes = theirs->struct_bytes;
    CHECK(bytes >= LEAST_BYTES && bytes % _Alignof(struct tf_config) == 0 && bytes < 16 * sizeof *whole,
          "the configuration was not initialised by tf_config_init()");
    CHECK(bytes <= sizeof *whole, "the program was built with a later version of tilefarm than this library: install "
                                  "that version");
    memcpy(whole, theirs, bytes);
    whole->struct_bytes = sizeof *whole;
    CHECK(tf_zeros(whole->reserved, sizeof whole->reserved) &&
              tf_zeros(whole->reserved_more, sizeof whole->reserved_more),
          "the program sets an option that only a later version of tilefarm has");
    return TF_OK;
}

bool tf_config_give(const struct tf_config *whole, struct tf_config *theirs)
{
    struct tf_config defaults;
    const size_t bytes = theirs->struct_bytes, rest = sizeof defaults - bytes;
    fill(&defaults);
    if (memcmp((const char *)whole + bytes, (const char *)&defaults + bytes, rest) != 0)
        return false;
    memcpy(theirs, whole, bytes);
    theirs->struct_bytes = bytes;
    return true;
}

int tf_config_check(const struct tf_config *config, struct tf_message *message)
{
    const char *why = config->arch != NULL ? tf_arch_why_bad(config->arch) : NULL;
    CHECK(why == NULL, "the table of family %s is invalid: %s", config->arch->name, why);
    why = tf_board_why_bad(tf_arch_or_default(config->arch), &config->board);
    CHECK(why == NULL, "the board %.12s: %s", config->board.name, why);
    CHECK(config->mode == TF_MODE_DETERMINISTIC || config->mode == TF_MODE_RELAXED, "unknown mode %d",
          (int)config->mode);
    CHECK(config->atomics == TF_ATOMICS_ISA || config->atomics == TF_ATOMICS_EMU_SPEC, "unknown atomics profile %d",
          (int)config->atomics);
    const struct tf_arch *arch = tf_arch_or_default(config->arch);
    CHECK(config->atomics == TF_ATOMICS_ISA || arch->noc.emu_spec_atomics,
          "the atomics profile emu-spec has atomics that %s lacks", arch->title);
#define TF_CONFIG_NUMBER(field_, default_, least_, most_)                                                    \
    CHECK(within(config->field_, (least_), (most_)), #field_ " is %u, not %u..%u", (unsigned)config->field_, \
          (unsigned)(least_), (unsigned)(most_));
#include "farm/chip/config.def"
    CHECK(config->epoch_cycles_min >= config->slice_cycles, "epoch_cycles_min (%u) is less than slice_cycles (%u)",
          config->epoch_cycles_min, config->slice_cycles);
    CHECK(config->epoch_cycles_max >= config->epoch_cycles_min,
          "epoch_cycles_max (%u) is less than epoch_cycles_min (%u)", config->epoch_cycles_max,
          config->epoch_cycles_min);
    CHECK(config->on_epoch == NULL || config->mode == TF_MODE_DETERMINISTIC, "on_epoch must be NULL: relaxed mode has "
                                                                             "no epochs");
    CHECK(config->on_noc == NULL || config->mode == TF_MODE_DETERMINISTIC,
          "on_noc must be NULL: relaxed mode has no order of requests to report");
    CHECK(config->explore == NULL || config->mode == TF_MODE_DETERMINISTIC, "explore needs deterministic mode");
    CHECK(config->explore == NULL || config->on_noc == NULL, "on_noc must be NULL with explore: requests are not "
                                                             "reported");
    CHECK(config->explore == NULL || config->parking, "explore needs parking");
    CHECK(!config->check || config->mode == TF_MODE_DETERMINISTIC, "check needs deterministic mode: relaxed mode has "
                                                                   "no order to check");
    CHECK(!config->ordered_memory || config->mode == TF_MODE_DETERMINISTIC,
          "ordered_memory needs deterministic mode: relaxed mode has no order of memory");
    CHECK(!config->ordered_memory || config->explore == NULL,
          "ordered_memory and explore exclude each other: explore delays accesses to memory");
    CHECK(!config->timing || config->mode == TF_MODE_DETERMINISTIC,
          "timing needs deterministic mode: relaxed mode has no cycles that all tiles share");
    CHECK(!config->timing || config->explore == NULL,
          "timing and explore exclude each other: explore chooses when accesses act");
    CHECK(!config->timing || config->late_cycles == 0,
          "timing and late_cycles exclude each other: tables say how long a unit is busy");
    CHECK(!config->timing || config->parking, "timing needs parking: the polls of a parked core are not timed");
    CHECK(!config->timing || (config->epoch_cycles_min == TF_DEFAULT_EPOCH_CYCLES_MIN &&
                              config->epoch_cycles_max == TF_DEFAULT_EPOCH_CYCLES_MAX),
          "timing needs the default epochs: tables say when an answer arrives");
    CHECK(!config->timing_coarse || config->timing, "timing_coarse needs timing");
    CHECK(!config->timing || arch->tile[TF_TILE_TENSIX].times != NULL, "timing: family %s has no table of durations",
          arch->name);
    CHECK(TF_HOOKS || (config->on_noc == NULL && config->on_tensix == NULL && config->on_riscv == NULL &&
                       config->on_atomic == NULL && config->explore == NULL && !config->check &&
                       !config->ordered_memory && !config->timing),
          TF_HOOKS_MISSING);
    CHECK((config->on_host_read == NULL) == (config->on_host_write == NULL),
          "on_host_read and on_host_write must both be set or both be NULL");
    CHECK((unsigned)config->vectors <= TF_VECTORS_AVX512, "unknown vectors %d", (int)config->vectors);
    CHECK(tf_vectors_exist(config->vectors), "vectors: this host has no %s",
          config->vectors == TF_VECTORS_AVX512 ? "AVX-512" : "AVX2");
    return TF_OK;
}
