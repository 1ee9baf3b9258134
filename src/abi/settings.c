/* SPDX-License-Identifier: Apache-2.0 */
/* Environment variables: docs/libttsim.md. A bad value is reported, and the default is used. */
#include "abi/settings.h"

#include <stdlib.h>
#include <string.h>

#include "abi/abi.h"
#include "abi/families.h"
#include "abi/report.h"
#include "host/extremes.h"
#include "host/vectors.h"
#include "tilefarm/tilefarm_config.h"

bool abi_number(const char **rest, uint32_t least, uint32_t most, uint32_t *value)
{
    char *end;
    unsigned long long read = strtoull(*rest, &end, 0);
    if (end == *rest || **rest == '-' || read < least || read > most)
        return false;
    *rest = end;
    *value = (uint32_t)read;
    return true;
}

static void read_threads(struct abi *abi, struct tf_config *config)
{
    const char *text = getenv("TILEFARM_THREADS");
    uint32_t threads = 0;
    if (text == NULL || strcmp(text, "auto") == 0)
        return;
    if (abi_number(&text, 1, TF_WORKERS_MAX, &threads) && *text == '\0')
        config->threads = threads;
    else
        abi_refuse(abi, "TILEFARM_THREADS is neither auto nor 1..%u; auto is used", TF_WORKERS_MAX);
}

/* Read SHORTEST or SHORTEST:LONGEST. A link takes no less than the shortest epoch, and at most 2^16 cycles. */
static void read_epoch(struct abi *abi, struct tf_config *config)
{
    const char *text = getenv("TILEFARM_EPOCH");
    uint32_t shortest, longest, most = abi_has_several(abi) ? 16 : 20;
    if (text == NULL)
        return;
    bool good = abi_number(&text, 16, 1u << most, &shortest);
    if (good) {
        longest = tf_max(shortest, config->epoch_cycles_max);
        if (*text == ':') {
            text++;
            good = abi_number(&text, shortest, 1u << 24, &longest);
        }
    }
    if (!good || *text != '\0') {
        abi_refuse(abi, "TILEFARM_EPOCH is not SHORTEST[:LONGEST] in cycles (16..2^%u, ..2^24); the default is used",
                   most);
        return;
    }
    config->slice_cycles = tf_min(shortest, config->slice_cycles);
    config->epoch_cycles_min = shortest;
    config->epoch_cycles_max = longest;
}

static void read_clock(struct abi *abi)
{
    const char *text = getenv("TILEFARM_CLOCK");
    if (text != NULL && (!abi_number(&text, 1, 1u << 20, &abi->pace.least) || *text != '\0')) {
        abi->pace.least = 1;
        abi_refuse(abi, "TILEFARM_CLOCK is not a number of cycles (1..2^20); 1 is used");
    }
}

static void read_vectors(struct abi *abi, struct tf_config *config)
{
    const char *text = getenv("TILEFARM_VECTORS");
    enum tf_vectors vectors = TF_VECTORS_BEST;
    if (text != NULL && (!tf_vectors_parse(text, &vectors) || !tf_vectors_exist(vectors)))
        abi_refuse(abi, "TILEFARM_VECTORS is not auto, portable, avx2 or avx512, or this host lacks it; auto is used");
    else
        config->vectors = vectors;
}

static void read_undefined(struct abi *abi, struct tf_config *config)
{
    const char *text = getenv("TILEFARM_UNDEFINED");
    config->undefined_as_silicon = text != NULL && strcmp(text, "silicon") == 0;
    if (text != NULL && !config->undefined_as_silicon && strcmp(text, "fault") != 0)
        abi_refuse(abi, "TILEFARM_UNDEFINED is neither fault nor silicon; fault is used");
}

static void read_atomics(struct abi *abi, struct tf_config *config)
{
    const char *text = getenv("TILEFARM_ATOMICS");
    if (text != NULL && strcmp(text, "emu-spec") == 0)
        config->atomics = TF_ATOMICS_EMU_SPEC;
    else if (text != NULL && strcmp(text, "isa") != 0)
        abi_refuse(abi, "TILEFARM_ATOMICS is neither isa nor emu-spec; isa is used");
}

/* Read a setting of 0 or 1. */
static bool is_on(struct abi *abi, const char *name)
{
    const char *text = getenv(name);
    bool on = text != NULL && strcmp(text, "1") == 0;
    if (text != NULL && !on && strcmp(text, "0") != 0)
        abi_refuse(abi, "%s is neither 0 nor 1; 0 is used", name);
    return on;
}

static void read_timing(struct abi *abi, struct tf_config *config)
{
    const char *text = getenv("TILEFARM_TIMING");
    config->timing_coarse = text != NULL && strcmp(text, "coarse") == 0;
    config->timing = config->timing_coarse || (text != NULL && strcmp(text, "1") == 0);
    if (text != NULL && !config->timing && strcmp(text, "0") != 0)
        abi_refuse(abi, "TILEFARM_TIMING is neither 0 nor 1 nor coarse; 0 is used");
}

static struct tf_board_text board_text(void)
{
    return (struct tf_board_text){
        .name = getenv("TILEFARM_BOARD"),
        .columns = getenv("TILEFARM_COLUMNS_OFF"),
        .rows = getenv("TILEFARM_ROWS_OFF"),
        .banks = getenv("TILEFARM_BANKS_OFF"),
        .eth = getenv("TILEFARM_ETH_OFF"),
        .cpus = getenv("TILEFARM_CPUS_OFF"),
    };
}

int abi_board_setting(const struct abi *abi, struct tf_board *board, struct tf_message *message)
{
    const struct tf_board_text text = board_text();
    return tf_board_parse(tf_arch_find(abi_family(abi)->arch), &text, board, message);
}

static bool names_board(void)
{
    const struct tf_board_text text = board_text();
    return text.name != NULL || text.columns != NULL || text.rows != NULL || text.banks != NULL || text.eth != NULL ||
           text.cpus != NULL;
}

static void read_board(struct abi *abi, struct tf_config *config, const struct tf_cluster *cluster)
{
    struct tf_message message;
    if (cluster != NULL && !names_board())
        config->board = cluster->chip[0].board; /* a system takes those of its cluster */
    else if (abi_has_several(abi))
        abi_refuse(abi, "TILEFARM_BOARD and TILEFARM_*_OFF are for one chip; the cluster's %u boards are used",
                   abi->devices);
    else if (abi_board_setting(abi, &config->board, &message) != TF_OK)
        abi_refuse(abi, "TILEFARM_BOARD and TILEFARM_*_OFF: %s; the default board is used", message.text);
}

/* ttsim's variable, for system calls by ecall. Programs that make them need an answer, so the library reports that it
   gives none. */
static void read_semihosting(struct abi *abi)
{
    if (getenv("TTSIM_SEMIHOSTING") != NULL)
        abi_refuse(abi, "TTSIM_SEMIHOSTING has no effect: ecall pauses the core; to print, use tilefarm_print.h");
}

void abi_on_fault_setting(struct abi *abi, struct tf_config *config)
{
    const char *text = getenv("TILEFARM_ON_FAULT");
    bool go = text != NULL && strcmp(text, "go") == 0;
    abi->exit_on_fault = text != NULL && strcmp(text, "exit") == 0;
    if (config == NULL)
        return;
    config->go_on_after_fault = go;
    if (text != NULL && !abi->exit_on_fault && !go && strcmp(text, "stop") != 0)
        abi_refuse(abi, "TILEFARM_ON_FAULT is neither stop nor go nor exit; stop is used");
}

static void read_check(struct abi *abi, struct tf_config *config)
{
    config->check = is_on(abi, "TILEFARM_CHECK");
    if (!config->check || abi->lead == NULL)
        return;
    config->check = false;
    abi_refuse(abi, "TILEFARM_CHECK: races are looked for in one process (TILEFARM_SPREAD); 0 is used");
}

/* abi_create_system() reads those of several chips. */
static void refuse_links(struct abi *abi)
{
    static const char *const names[] = {"TILEFARM_LINK_LATENCY", "TILEFARM_LINK_GBPS", "TILEFARM_LINK_FAULT"};
    for (unsigned i = 0; i < sizeof names / sizeof names[0] && !abi_has_several(abi); i++)
        if (getenv(names[i]) != NULL)
            abi_refuse(abi, "%s is for several chips (TILEFARM_SYSTEM), and there is one; it is ignored", names[i]);
}

void abi_settings(struct abi *abi, struct tf_config *config, const struct tf_cluster *cluster)
{
    abi_on_fault_setting(abi, config);
    read_threads(abi, config);
    read_epoch(abi, config);
    read_clock(abi);
    read_vectors(abi, config);
    read_undefined(abi, config);
    read_atomics(abi, config);
    read_check(abi, config);
    config->ordered_memory = is_on(abi, "TILEFARM_ORDERED_MEMORY");
    read_timing(abi, config);
    read_board(abi, config, cluster);
    refuse_links(abi);
    read_semihosting(abi);
}
