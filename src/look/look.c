/* SPDX-License-Identifier: Apache-2.0 */
#include "look/coverage.h"
#include "look/look.h"

#include <stdlib.h>
#include <string.h>

#include "look/cores.h"
#include "look/noc_trace.h"
#include "look/profile_text.h"
#include "look/timeline.h"
#include "tilefarm/tilefarm_config.h"

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

static bool wants_profile(const struct tf_look_wish *wish)
{
    return wish->profile != NULL || wish->coverage != NULL || wish->page != NULL;
}

int tf_look_create(const struct tf_look_wish *wish, const struct tf_config *config, struct tf_look **out,
                   struct tf_message *message)
{
    *out = NULL;
    if (wish->noc_trace == NULL && wish->timeline == NULL && !wants_profile(wish))
        return TF_OK;
    if (config->mode == TF_MODE_RELAXED && needs_order(wish) != NULL) {
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
    look->noc_trace = wish->noc_trace == NULL ? NULL : tf_noc_trace_create(config->arch);
    if (wish->noc_trace != NULL && look->noc_trace == NULL) {
        tf_look_destroy(look);
        return TF_ENOMEM;
    }
    *out = look;
    return TF_OK;
}

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

bool tf_look_attach(struct tf_look *look, struct tf_chip *chip, struct tf_symbols *symbols)
{
    struct tf_follower follower = {.user = look, .waited = waited};
    uint8_t counts[TF_TENSIX_TILES_MAX] = {0}, follows[TF_TENSIX_TILES_MAX];
    const struct tf_look_wish *wish = look == NULL ? NULL : &look->wish;
    if (wish == NULL || (!wants_profile(wish) && wish->timeline == NULL))
        return true;
    if (wish->profile != NULL)
        memcpy(counts, wish->profiled, sizeof counts);
    if (wish->coverage != NULL || wish->page != NULL)
        memset(counts, 0xFF, sizeof counts);
    look->symbols = symbols;
    memcpy(follows, wish->timeline_cores, sizeof follows);
    if (wish->page != NULL) {
        look->page = tf_page_create(chip);
        memset(follows, 0xFF, sizeof follows);
    }
    if ((wish->page != NULL && look->page == NULL) || (wish->timeline != NULL && !open_timeline(look, chip)))
        return false;
    if (look->timeline != NULL) {
        follower.called = called;
        follower.returned = returned;
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
    return look != NULL && (look->wish.noc_trace != NULL || look->wish.timeline != NULL || look->wish.page != NULL);
}

bool tf_look_wants_tensix(const struct tf_look *look, unsigned tile)
{
    const unsigned threads = 1u << TF_CORE_T0 | 1u << TF_CORE_T1 | 1u << TF_CORE_T2;
    return look != NULL && look->wish.timeline != NULL && (look->wish.timeline_cores[tile] & threads) != 0;
}

bool tf_look_wants_epochs(const struct tf_look *look)
{
    return look != NULL && look->wish.timeline != NULL;
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

static bool write_profile(struct tf_look *look, const struct tf_page_facts *facts)
{
    struct tf_profile *profile = tf_profile_gather(look->cores, look->symbols);
    bool fine = profile != NULL && !profile->lost;
    if (profile != NULL)
        profile->title = look->wish.title;
    if (profile != NULL && look->wish.profile != NULL)
        fine &= tf_profile_write(profile, look->wish.profile_form, look->wish.profile);
    if (profile != NULL && look->wish.coverage != NULL)
        fine &= tf_profile_coverage(profile, look->wish.coverage);
    if (profile != NULL && look->page != NULL && facts != NULL)
        fine &= tf_page_write(look->page, facts, look->cores, profile, look->wish.page);
    tf_profile_free(profile);
    return fine;
}

bool tf_look_write(struct tf_look *look, const struct tf_page_facts *facts)
{
    bool fine = look->noc_trace == NULL || tf_noc_trace_write(look->noc_trace, look->wish.noc_trace);
    if (look->cores != NULL)
        tf_cores_settle(look->cores);
    if (wants_profile(&look->wish))
        fine &= write_profile(look, facts);
    fine &= tf_timeline_close(look->timeline);
    look->timeline = NULL;
    return fine;
}
