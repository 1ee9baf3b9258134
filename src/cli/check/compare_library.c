/* SPDX-License-Identifier: Apache-2.0 */
/* A library with the libttsim interface runs an image, through windows of BAR 0, which every such library has. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/check/compare.h"
#include "cli/check/compare_image.h"
#include "cli/check/compare_library.h"
#include "cli/peer/client.h"
#include "host/zeroed.h"
#include "host/zeros.h"
#include "tile/arch.h"
#include "tile/node_text.h"
#include "tilefarm/tilefarm_chip.h"
#include "tilefarm_layout.h"

#define CLOCK_CYCLES_FIRST 1000u /* cycles of the first call of clock() */
#define CLOCK_CYCLES_MAX 16000u
#define CYCLES_MAX 100000000ull /* limit if there is no --limit-cycles */
#define JUMP_BYTES 0x100000u    /* distance that a jump reaches */

struct library {
    struct tf_client client;
    struct tf_library_result *result;
};

__attribute__((format(printf, 3, 4))) static bool end_library(struct library *library, enum tf_library_end end,
                                                              const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vsnprintf(library->result->text, sizeof library->result->text, format, list);
    va_end(list);
    library->result->end = end;
    return false;
}

static uint32_t get_word(const struct library *library, struct tf_coord node, uint64_t address)
{
    uint32_t value = 0;
    tf_client_read(&library->client, node, address, &value, sizeof value);
    return value;
}

/* Can a core be made to start its program? If it has no reset PC, it needs a jump, which goes into a word that is 0. */
static bool can_lead(struct library *library, const struct tf_start *start, unsigned core)
{
    uint32_t pc = start->pc[core], from = tf_client_fixed_pc(core);
    char at[TF_NODE_TEXT_BYTES];
    if (tf_client_has_reset_pc(&library->client, core) || pc == from)
        return true;
    return (pc < JUMP_BYTES && get_word(library, start->node, from) == 0) ||
           end_library(library, TF_LIBRARY_CANNOT, "%s: %s starts at address 0x%x, not at 0x%x",
                       tf_node_text(library->client.arch, start->node, at), tf_tensix_core_name(core), from, pc);
}

static unsigned cores_of(const struct library *library)
{
    return library->client.arch->tile[TF_TILE_TENSIX].cores;
}

static bool start_tile(struct library *library, const struct tf_start *start)
{
    const struct tf_client_target target = {.node = start->node};
    for (unsigned core = 0; core < cores_of(library); core++)
        if ((start->cores >> core & 1) && !can_lead(library, start, core))
            return false;
    tf_client_set_pcs(&library->client, target, start->cores, start->pc);
    tf_client_start(&library->client, target, start->cores);
    return true;
}

static bool fill(struct library *library, const struct tf_image *image)
{
    for (size_t i = 0; i < image->befores; i++)
        tf_client_write(&library->client, (struct tf_client_target){.node = image->before[i].node},
                        image->before[i].address, image->before[i].data, (uint32_t)image->before[i].bytes);
    for (size_t i = 0; i < image->starts; i++)
        if (!start_tile(library, &image->start[i]))
            return false;
    return true;
}

static bool tile_done(const struct library *library, const struct tf_start *start)
{
    uint32_t word[TF_TILE_CORES];
    tf_client_read(&library->client, start->node, TF_K_DONE, word, sizeof word);
    for (unsigned core = 0; core < cores_of(library); core++)
        if ((start->cores >> core & 1) && word[core] >> 16 != TF_K_DONE_MAGIC >> 16)
            return false;
    return true;
}

static void name_waiting(struct library *library, const struct tf_start *start)
{
    uint32_t word[TF_TILE_CORES];
    char waiting[32] = "", at[TF_NODE_TEXT_BYTES];
    tf_client_read(&library->client, start->node, TF_K_DONE, word, sizeof word);
    for (unsigned core = 0; core < cores_of(library); core++)
        if ((start->cores >> core & 1) && word[core] >> 16 != TF_K_DONE_MAGIC >> 16)
            snprintf(waiting + strlen(waiting), sizeof waiting - strlen(waiting), " %s", tf_tensix_core_name(core));
    end_library(library, TF_LIBRARY_STOPPED, "not done after %llu cycles: %s,%s",
                (unsigned long long)library->result->cycles, tf_node_text(library->client.arch, start->node, at),
                waiting);
}

/* Has the run ended? Tiles before *done were done earlier. */
static bool ended(const struct library *library, const struct tf_library_job *job, size_t *done)
{
    const struct tf_run_options *run = job->run;
    if (run->until)
        return get_word(library, run->until_node, run->until_address) == run->until_value;
    while (job->workload && *done < job->image->starts && tile_done(library, &job->image->start[*done]))
        ++*done;
    return job->workload && *done == job->image->starts;
}

static void work(struct library *library, const struct tf_library_job *job)
{
    uint64_t limit = job->run->cycles_max != 0 ? job->run->cycles_max : CYCLES_MAX, longest = CLOCK_CYCLES_FIRST;
    size_t done = 0;
    bool end = ended(library, job, &done);
    if (end) {
        end_library(library, TF_LIBRARY_STOPPED,
                    "nothing ran: the word of --until has its value before the first cycle");
        return;
    }
    while (!end && library->result->cycles < limit) {
        uint64_t left = limit - library->result->cycles, cycles = longest < left ? longest : left;
        library->client.library.clock((uint32_t)cycles);
        library->result->cycles += cycles;
        if (longest < CLOCK_CYCLES_MAX)
            longest *= 2;
        end = ended(library, job, &done);
    }
    library->result->end = TF_LIBRARY_DONE;
    if (!end && job->workload)
        name_waiting(library, &job->image->start[done]);
    else if (!end && job->run->until)
        end_library(library, TF_LIBRARY_STOPPED, "the word of --until is 0x%x after %llu cycles",
                    get_word(library, job->run->until_node, job->run->until_address), (unsigned long long)limit);
}

static void collect(const struct library *library, const struct tf_image *image)
{
    uint8_t data[TF_ZEROED_PAGE_BYTES];
    for (struct tf_piece piece = {.number = 0}; tf_image_next(image, &piece);) {
        tf_client_read(&library->client, image->after[piece.span].node, piece.address, data, (uint32_t)piece.bytes);
        if (tf_zeros(data, piece.bytes))
            continue;
        memcpy(library->result->memory + piece.at, data, piece.bytes);
        *tf_image_used(image, library->result, &piece) = true;
    }
}

void tf_library_run(const struct tf_library_job *job, struct tf_library_result *result)
{
    struct library library = {.result = result};
    setenv("TILEFARM_ON_FAULT", "exit", 0); /* a fault ends the whole process */
    const struct tf_client_library *calls = &library.client.library;
    const char *why = tf_client_load(&library.client.library, job->path);
    if (why != NULL) {
        end_library(&library, TF_LIBRARY_UNUSABLE, "%s", why);
        return;
    }
    if (!tf_client_set_arch(&library.client, job->arch)) {
        end_library(&library, TF_LIBRARY_UNUSABLE, "the windows of its device are unknown: %s", job->arch->title);
        return;
    }
    calls->init();
    if (!tf_client_fits(&library.client)) {
        end_library(&library, TF_LIBRARY_UNUSABLE, "its chip is not a %s; --arch after '--' names the family",
                    job->arch->title);
        calls->exit();
        return;
    }
    result->started = true;
    if (fill(&library, job->image)) {
        work(&library, job);
        enum tf_library_end end = result->end;
        result->end = TF_LIBRARY_DIED; /* this is true until all memory is collected */
        collect(&library, job->image);
        result->end = end;
    }
    calls->exit();
}
