/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include "farm/chip/chip.h"
#include "farm/chip/defaults.h"
#include "host/vectors.h"

const char *tf_version(void)
{
    return TF_VERSION;
}

const char *tf_strerror(int error)
{
    switch (error) {
    case TF_OK: return "no error";
    case TF_EINVAL: return "an argument is out of range";
    case TF_ENOMEM: return "too little memory or address space";
    case TF_EIO: return "a file cannot be read or written";
    case TF_EFORMAT: return "a file breaks a rule of its format";
    case TF_ERANGE: return "an address range leaves the memory that it names";
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

const char *tf_core_name(unsigned core)
{
    static const char *const name[TF_TILE_CORES] = {"B", "NC", "T0", "T1", "T2"};
    return core < TF_TILE_CORES ? name[core] : "-";
}

void tf_config_init(struct tf_config *config)
{
    memset(config, 0, sizeof *config);
    config->struct_bytes = sizeof *config;
    config->mode = TF_MODE_DETERMINISTIC;
    config->atomics = TF_ATOMICS_ISA;
    config->slice_cycles = TF_DEFAULT_SLICE_CYCLES;
    config->epoch_cycles_min = TF_DEFAULT_EPOCH_CYCLES_MIN;
    config->epoch_cycles_max = TF_DEFAULT_EPOCH_CYCLES_MAX;
    config->niu_requests_max = 64;
    config->pin = true;
    config->parking = true;
    memset(config->tensix_traced, true, sizeof config->tensix_traced);
}

#define CHECK(condition, ...)                                               \
    do {                                                                    \
        if (!(condition)) {                                                 \
            if (message != NULL)                                            \
                snprintf(message->text, sizeof message->text, __VA_ARGS__); \
            return TF_EINVAL;                                               \
        }                                                                   \
    } while (0)

int tf_config_check(const struct tf_config *config, struct tf_message *message)
{
    CHECK(config->struct_bytes == sizeof *config, "the configuration was not set up by tf_config_init()");
    const char *why = config->arch != NULL ? tf_arch_why_bad(config->arch) : NULL;
    CHECK(why == NULL, "the family %s cannot be: %s", config->arch->name, why);
    why = tf_board_why_bad(config->arch != NULL ? config->arch : tf_arch_find(NULL), &config->board);
    CHECK(why == NULL, "the board %.12s: %s", config->board.name, why);
    CHECK(config->mode == TF_MODE_DETERMINISTIC || config->mode == TF_MODE_RELAXED, "unknown mode %d",
          (int)config->mode);
    CHECK(config->atomics == TF_ATOMICS_ISA || config->atomics == TF_ATOMICS_EMU_SPEC, "unknown atomics profile %d",
          (int)config->atomics);
    CHECK(config->atomics == TF_ATOMICS_ISA || config->arch == NULL || config->arch->noc.atomics == 0xFFFF,
          "the atomics profile emu-spec has atomics that %s lacks", config->arch->title);
    CHECK(config->slice_cycles >= 16 && config->slice_cycles <= 65536, "slice_cycles is %u, not 16..65536",
          config->slice_cycles);
    CHECK(config->epoch_cycles_min >= config->slice_cycles && config->epoch_cycles_min <= 1u << 20,
          "epoch_cycles_min is %u, not slice_cycles (%u)..1048576", config->epoch_cycles_min, config->slice_cycles);
    CHECK(config->epoch_cycles_max >= config->epoch_cycles_min && config->epoch_cycles_max <= 1u << 24,
          "epoch_cycles_max is %u, not epoch_cycles_min (%u)..16777216", config->epoch_cycles_max,
          config->epoch_cycles_min);
    CHECK(config->niu_requests_max >= 1 && config->niu_requests_max <= 65536, "niu_requests_max is %u, not 1..65536",
          config->niu_requests_max);
    CHECK(config->late_cycles <= 65536, "late_cycles is %u, not 0..65536", config->late_cycles);
    CHECK((config->on_host_read == NULL) == (config->on_host_write == NULL),
          "on_host_read and on_host_write belong together");
    CHECK((unsigned)config->vectors <= TF_VECTORS_AVX512, "unknown vectors %d", (int)config->vectors);
    CHECK(tf_vectors_exist(config->vectors), "vectors: this host has no %s",
          config->vectors == TF_VECTORS_AVX512 ? "AVX-512" : "AVX2");
    CHECK(config->threads <= TF_WORKERS_MAX, "threads is %u, not 0..%u", config->threads, TF_WORKERS_MAX);
    return TF_OK;
}
