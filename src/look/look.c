/* SPDX-License-Identifier: Apache-2.0 */
#include "look/coverage.h"
#include "look/look.h"

#include <stdlib.h>
#include <string.h>

#include "look/cores.h"
#include "look/noc_trace.h"
#include "look/profile_text.h"
#include "look/timeline.h"

struct tf_look {
    struct tf_look_wish wish;
    struct tf_noc_trace *noc_trace;
    struct tf_symbols *symbols;
    struct tf_cores *cores;
    struct tf_timeline *timeline;
    struct tf_page *page;
};

/* The option whose file needs the order of deterministic mode, or NULL. */
static const char *needs_order(const struct tf_look_wish *wish)
{
    return wish->noc_trace != NULL  ? "--noc-trace"
           : wish->timeline != NULL ? "--timeline"
           : wish->page != NULL     ? "--report"
                                    : NULL;
}

static bool names_cores(const uint8_t cores[TF_NODES_MAX])
{
    for (unsigned tile = 0; tile < TF_NODES_MAX; tile++)
        if (cores[tile] != 0)
            return true;
    return false;
}

/* Does the chip have a part in the timeline? */
static bool wants_timeline(const struct tf_look_wish *wish)
{
    return wish->timeline != NULL && names_cores(wish->timeline_cores);
}

static bool wants_profile(const struct tf_look_wish *wish)
{
    return wish->profile != NULL || wish->coverage != NULL || wish->page != NULL;
}

int tf_look_create(const struct tf_look_wish *wish, const struct tf_arch *arch, bool relaxed, struct tf_look **out,
                   struct tf_message *message)
{
    *out = NULL;
    if (wish->noc_trace == NULL && wish->timeline == NULL && !wants_profile(wish))
        return TF_OK;
    if (relaxed && needs_order(wish) != NULL) {
        snprintf(message->text, sizeof message->text, "%s cannot be combined with --relaxed, which has no epochs",
                 needs_order(wish));
        return TF_EINVAL;
    }
    if (!TF_HOOKS) {
        snprintf(message->text, sizeof message->text, TF_HOOKS_MISSING);
        return TF_EINVAL;
    }
    struct tf_look *look = calloc(1, sizeof *look);
    if (look == NULL)
        return TF_ENOMEM;
    look->wish = *wish;
    look->noc_trace = wish->noc_trace == NULL ? NULL : tf_noc_trace_create(arch);
    if (wish->noc_trace != NULL && look->noc_trace == NULL) {
        tf_look_destroy(look);
        return TF_ENOMEM;
    }
    *out = look;
    return TF_OK;
}

/* Loops call inlined functions each few cycles; with all of them a file is fourteen times as large. */
#define INLINED_CYCLES 32u

static bool open_timeline(struct tf_look *look, struct tf_chip *chip)
{
    const struct tf_look_wish *wish = &look->wish;
    const struct tf_timeline_wish timeline = {
        .packets = wish->timeline_packets,
        .chip = wish->chip,
        .file = wish->timeline,
        .compressed = wish->timeline_compressed,
        .cores = look->wish.timeline_cores,
        .from = wish->timeline_from,
        .to = wish->timeline_to == 0 ? UINT64_MAX : wish->timeline_to,
        .inlined_cycles = INLINED_CYCLES,
    };
    look->timeline = tf_timeline_create(&timeline, chip, look->symbols);
    return look->timeline != NULL;
}

static void waited(void *user, unsigned tile, unsigned core, const struct tf_core_of *of, uint64_t begin, uint64_t end)
{
    struct tf_look *look = user;
    if (look->page != NULL)
        tf_page_waited(look->page, tile, core, of, end - begin);
    if (look->timeline != NULL)
        tf_timeline_waited(look->timeline, tile, core, of, begin, end);
}

static void called(void *user, unsigned tile, unsigned core, const struct tf_core_of *of, uint64_t cycle)
{
    struct tf_look *look = user;
    if (look->timeline != NULL) /* the file has not been closed yet */
        tf_timeline_called(look->timeline, tile, core, of, cycle);
}

static void returned(void *user, unsigned tile, unsigned core, unsigned ended, uint64_t cycle)
{
    struct tf_look *look = user;
    if (look->timeline != NULL)
        tf_timeline_returned(look->timeline, tile, core, ended, cycle);
}

static void ran(void *user, unsigned tile, unsigned core, const struct tf_core_of *of, uint32_t first, uint32_t end,
                uint64_t cycle)
{
    struct tf_look *look = user;
    if (look->timeline != NULL)
        tf_timeline_ran(look->timeline, tile, core, of, first, end, cycle);
}

bool tf_look_attach(struct tf_look *look, struct tf_chip *chip, struct tf_symbols *symbols)
{
    struct tf_follower follower = {.user = look, .waited = waited};
    uint8_t counts[TF_NODES_MAX] = {0}, follows[TF_NODES_MAX] = {0};
    const struct tf_look_wish *wish = look == NULL ? NULL : &look->wish;
    if (wish == NULL || (!wants_profile(wish) && !wants_timeline(wish)))
        return true;
    if (wish->profile != NULL)
        memcpy(counts, wish->profiled, sizeof counts);
    if (wish->coverage != NULL || wish->page != NULL)
        memset(counts, 0xFF, sizeof counts);
    look->symbols = symbols;
    if (wants_timeline(wish))
        memcpy(follows, wish->timeline_cores, sizeof follows);
    if (wish->page != NULL) {
        look->page = tf_page_create(chip);
        memset(follows, 0xFF, sizeof follows);
    }
    if ((wish->page != NULL && look->page == NULL) || (wants_timeline(wish) && !open_timeline(look, chip)))
        return false;
    if (look->timeline != NULL) {
        follower.called = called;
        follower.returned = returned;
        follower.ran = ran;
    }
    look->cores = tf_cores_attach(chip, counts, follows, &follower);
    return look->cores != NULL;
}

void tf_look_destroy(struct tf_look *look)
{
    if (look == NULL)
        return;
    tf_noc_trace_destroy(look->noc_trace);
    tf_timeline_close(look->timeline);
    tf_page_destroy(look->page);
    tf_cores_free(look->cores);
    free(look);
}

bool tf_look_wants_noc(const struct tf_look *look)
{
    return look != NULL && (look->wish.noc_trace != NULL || wants_timeline(&look->wish) || look->wish.page != NULL);
}

bool tf_look_wants_tensix(const struct tf_look *look, unsigned tile)
{
    const unsigned threads = 1u << TF_CORE_T0 | 1u << TF_CORE_T1 | 1u << TF_CORE_T2;
    return look != NULL && look->wish.timeline != NULL && (look->wish.timeline_cores[tile] & threads) != 0;
}

bool tf_look_wants_epochs(const struct tf_look *look)
{
    return look != NULL && wants_timeline(&look->wish);
}

void tf_look_noc(struct tf_look *look, const struct tf_noc_event *event)
{
    if (look->noc_trace != NULL)
        tf_noc_trace_add(look->noc_trace, event);
    if (look->timeline != NULL)
        tf_timeline_noc(look->timeline, event);
    if (look->page != NULL)
        tf_page_noc(look->page, event);
}

void tf_look_tensix(struct tf_look *look, const struct tf_tensix_event *event)
{
    if (look != NULL && look->timeline != NULL)
        tf_timeline_tensix(look->timeline, event);
}

void tf_look_mark(struct tf_look *look, const struct tf_print_event *event)
{
    if (look != NULL && look->timeline != NULL)
        tf_timeline_mark(look->timeline, event);
}

void tf_look_epoch(struct tf_look *look, uint64_t cycle)
{
    if (look->timeline != NULL)
        tf_timeline_epoch(look->timeline, cycle);
}

void tf_look_packet(struct tf_look *look, const struct tf_packet_event *event, bool sent)
{
    if (look != NULL && look->timeline != NULL)
        tf_timeline_packet(look->timeline, event, sent);
}

/* Gather the profile of one chip, or of all. Returns NULL if the host has no memory. */
static struct tf_profile *gather(const struct tf_look *look, const struct tf_profile_part *part, unsigned parts)
{
    struct tf_profile *profile = tf_profile_gather(part, parts);
    if (profile != NULL)
        profile->title = look->wish.title;
    return profile;
}

/* The data of each chip have a profile of their own. */
static bool write_page(const struct tf_look_result *result, const struct tf_profile_part *part,
                       const struct tf_profile *all)
{
    struct tf_page_chip *chip = calloc(result->chips, sizeof *chip);
    bool fine = chip != NULL;
    for (unsigned i = 0; i < result->chips && fine; i++) {
        const struct tf_look *look = result->look[i];
        chip[i] = (struct tf_page_chip){look->page, result->facts[i], look->cores, all};
        if (result->chips > 1)
            chip[i].profile = gather(look, &part[i], 1);
        fine = chip[i].profile != NULL && !chip[i].profile->lost;
    }
    if (fine)
        fine = tf_page_write(chip, result->chips, result->system, all, result->look[0]->wish.page);
    for (unsigned i = 0; chip != NULL && i < result->chips && result->chips > 1; i++)
        tf_profile_free((struct tf_profile *)(uintptr_t)chip[i].profile);
    free(chip);
    return fine;
}

/* What the observers of all chips have counted. chosen: of cores of --profile alone. Returns NULL if the host has no
   memory. */
static struct tf_profile_part *parts_of(const struct tf_look_result *result, bool chosen)
{
    struct tf_profile_part *part = calloc(result->chips, sizeof *part);
    for (unsigned i = 0; part != NULL && i < result->chips; i++) {
        const struct tf_look *look = result->look[i];
        part[i] = (struct tf_profile_part){.cores = look->cores,
                                           .symbols = look->symbols,
                                           .chip = look->wish.chip,
                                           .chosen = chosen ? look->wish.profiled : NULL};
    }
    return part;
}

static bool write_profile(const struct tf_look_result *result)
{
    const struct tf_look *first = result->look[0];
    struct tf_profile_part *part = parts_of(result, true);
    struct tf_profile *profile = part == NULL ? NULL : gather(first, part, result->chips);
    bool fine = profile != NULL && !profile->lost;
    if (profile != NULL)
        fine &= tf_profile_write(profile, first->wish.profile_form, first->wish.profile);
    tf_profile_free(profile);
    free(part);
    return fine;
}

/* Coverage and the report have all cores. */
static bool write_whole(const struct tf_look_result *result)
{
    const struct tf_look_wish *wish = &result->look[0]->wish;
    struct tf_profile_part *part = parts_of(result, false);
    struct tf_profile *profile = part == NULL ? NULL : gather(result->look[0], part, result->chips);
    bool fine = profile != NULL && !profile->lost;
    if (profile != NULL && wish->coverage != NULL)
        fine &= tf_profile_coverage(profile, wish->coverage);
    if (profile != NULL && wish->page != NULL && result->facts != NULL)
        fine &= write_page(result, part, profile);
    tf_profile_free(profile);
    free(part);
    return fine;
}

static bool write_noc_trace(const struct tf_look_result *result)
{
    struct tf_noc_trace **trace = calloc(result->chips, sizeof(void *));
    for (unsigned i = 0; trace != NULL && i < result->chips; i++)
        trace[i] = result->look[i]->noc_trace;
    const bool fine = trace != NULL && tf_noc_trace_write(trace, result->chips, result->look[0]->wish.noc_trace);
    free(trace);
    return fine;
}

static bool end_timeline(struct tf_look *look)
{
    tf_timeline_end(look->timeline);
    const bool fine = tf_timeline_close(look->timeline);
    look->timeline = NULL;
    return fine;
}

bool tf_look_finish(struct tf_look *look)
{
    if (look != NULL && look->cores != NULL)
        tf_cores_settle(look->cores);
    return look == NULL || end_timeline(look);
}

void tf_look_state(struct tf_saved *saved, struct tf_look *look)
{
    if (look == NULL)
        return;
    if (look->noc_trace != NULL)
        tf_noc_trace_state(saved, look->noc_trace);
    if (look->page != NULL)
        tf_page_state(saved, look->page);
    if (wants_profile(&look->wish))
        tf_cores_state(saved, look->cores);
}

bool tf_look_write(const struct tf_look_result *result)
{
    bool fine = true;
    if (result->look[0] == NULL)
        return true;
    if (result->look[0]->wish.noc_trace != NULL)
        fine &= write_noc_trace(result);
    for (unsigned i = 0; i < result->chips; i++)
        if (result->look[i] != NULL && result->look[i]->cores != NULL)
            tf_cores_settle(result->look[i]->cores);
    if (result->look[0]->wish.profile != NULL)
        fine &= write_profile(result);
    if (result->look[0]->wish.coverage != NULL || result->look[0]->wish.page != NULL)
        fine &= write_whole(result);
    for (unsigned i = 0; i < result->chips; i++)
        if (result->look[i] != NULL) /* another process has the timeline of this chip */
            fine &= end_timeline(result->look[i]);
    return fine;
}
