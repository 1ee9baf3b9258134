/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is built by hand beside the structure of Concurrency Kit that comes nearest:
 *
 *     bench_queues [PART...]
 *
 * Prints nanoseconds, and with callgrind the instructions of a part can be counted: bench_queues mail-own, for example.
 * docs/conflicts.md ("Concurrency Kit") has the figures, and says what they decided.
 */
#include <ck_barrier.h>
#include <ck_fifo.h>
#include <ck_queue.h>
#include <ck_ring.h>
#include <ck_stack.h>
#include <pthread.h>

#include "farm/order/mail.h"
#include "host/clock.h"
#include "parts.h"
#include "pool/form.h"
#include "pool/share.h"

enum { SITES = 140, ENTRIES = 8, PER_ROUND = SITES * ENTRIES, ROUNDS = 2000, MEETINGS = 200, RING = 16 };

/* ---- Mail: one thread appends entries for each site, another one takes them in order after a barrier ---- */

struct item {
    union {
        struct tf_noc_entry entry;
        CK_STAILQ_ENTRY(item) link;
        ck_stack_entry_t stacked;
    };
    ck_fifo_spsc_entry_t queued;
};

static struct item item[PER_ROUND];
static uint64_t sum; /* so that nothing is left out */

static void mail_own(void)
{
    static struct tf_mail mail[SITES];
    for (unsigned i = 0; i < PER_ROUND; i++)
        tf_mail_put(&mail[i % SITES], &item[i].entry);
    for (unsigned site = 0; site < SITES; site++)
        for (struct tf_noc_entry *entry = tf_mail_take(&mail[site]); entry != NULL; entry = entry->next)
            sum += entry->key;
}

static void mail_stailq(void)
{
    static CK_STAILQ_HEAD(list, item) mail[SITES];
    static bool disordered[SITES];
    static bool made;
    for (unsigned site = 0; !made && site < SITES; site++)
        CK_STAILQ_INIT(&mail[site]);
    made = true;
    for (unsigned i = 0; i < PER_ROUND; i++) {
        struct list *into = &mail[i % SITES];
        if (!CK_STAILQ_EMPTY(into) && tf_mail_precedes(&item[i].entry, (struct tf_noc_entry *)into->cstqh_last))
            disordered[i % SITES] = true;
        CK_STAILQ_INSERT_TAIL(into, &item[i], link);
    }
    for (unsigned site = 0; site < SITES; site++) {
        struct item *first = CK_STAILQ_FIRST(&mail[site]);
        if (first == NULL || disordered[site])
            continue;
        CK_STAILQ_INIT(&mail[site]);
        for (; first != NULL; first = CK_STAILQ_NEXT(first, link))
            sum += first->entry.key;
    }
}

static void mail_stack(void)
{
    static ck_stack_t mail[SITES];
    for (unsigned i = 0; i < PER_ROUND; i++)
        ck_stack_push_spnc(&mail[i % SITES], &item[i].stacked);
    for (unsigned site = 0; site < SITES; site++) {
        ck_stack_entry_t *oldest = NULL;
        for (ck_stack_entry_t *entry = ck_stack_batch_pop_npsc(&mail[site]), *next; entry != NULL; entry = next) {
            next = entry->next;
            entry->next = oldest;
            oldest = entry;
        }
        for (; oldest != NULL; oldest = oldest->next)
            sum += ((struct item *)oldest)->entry.key;
    }
}

static void mail_fifo(void)
{
    static ck_fifo_spsc_t mail[SITES];
    static ck_fifo_spsc_entry_t stub[SITES];
    struct item *taken;
    static bool made;
    for (unsigned site = 0; !made && site < SITES; site++)
        ck_fifo_spsc_init(&mail[site], &stub[site]);
    made = true;
    for (unsigned i = 0; i < PER_ROUND; i++) {
        ck_fifo_spsc_entry_t *spare = ck_fifo_spsc_recycle(&mail[i % SITES]);
        ck_fifo_spsc_enqueue(&mail[i % SITES], spare != NULL ? spare : &item[i].queued, &item[i]);
    }
    for (unsigned site = 0; site < SITES; site++)
        while (ck_fifo_spsc_dequeue(&mail[site], &taken))
            sum += taken->entry.key;
}

static void mail_ring(void)
{
    static ck_ring_t mail[SITES];
    static ck_ring_buffer_t buffer[SITES][RING];
    void *taken;
    static bool made;
    for (unsigned site = 0; !made && site < SITES; site++)
        ck_ring_init(&mail[site], RING);
    made = true;
    for (unsigned i = 0; i < PER_ROUND; i++)
        ck_ring_enqueue_spsc(&mail[i % SITES], buffer[i % SITES], &item[i]);
    for (unsigned site = 0; site < SITES; site++)
        while (ck_ring_dequeue_spsc(&mail[site], buffer[site], &taken))
            sum += ((struct item *)taken)->entry.key;
}

/* ---- Shares: two workers take the sites of a phase. One thread plays both ---- */

static struct tf_topology topology = {.workers = 2};
static uint64_t turn;

static struct tf_sharing *sharing_of(struct tf_team *team)
{
    static struct tf_sharing sharing;
    struct tf_share_plan plan = {.topology = &topology, .turn = &turn, .sites = SITES, .nodes = SITES};
    for (unsigned i = 0; i < SITES; i++)
        plan.site_of[i] = (uint16_t)i;
    plan.border[1] = SITES / 2;
    if (tf_team_init(team, NULL, &(struct tf_team_request){.count = 2}) != TF_OK ||
        tf_sharing_init(&sharing, team, &plan) != TF_OK)
        must(NULL);
    return &sharing;
}

static void share_own(void)
{
    static struct tf_team team;
    static struct tf_sharing *sharing;
    struct tf_sites sites = {{0}};
    if (sharing == NULL)
        sharing = sharing_of(&team);
    for (unsigned site = 0; site < SITES; site++)
        tf_sites_add(&sites, site);
    tf_deal(sharing, &sites, 1e-6);
    for (unsigned worker = 0; worker < 2; worker++) {
        struct tf_walk walk;
        unsigned site;
        tf_walk_begin(&walk, &sharing->phase);
        while (tf_next_site(sharing, worker, &walk, &site))
            sum += site;
    }
    turn++;
}

static void share_ring(void)
{
    static ck_ring_t share[2];
    static ck_ring_buffer_t buffer[2][256];
    void *site;
    static bool made;
    for (unsigned worker = 0; !made && worker < 2; worker++)
        ck_ring_init(&share[worker], 256);
    made = true;
    for (unsigned i = 0; i < SITES; i++)
        ck_ring_enqueue_spmc(&share[i / (SITES / 2)], buffer[i / (SITES / 2)], (void *)(uintptr_t)(i + 1));
    for (unsigned worker = 0; worker < 2; worker++)
        for (unsigned owner = 0; owner < 2; owner++)
            while (ck_ring_dequeue_spmc(&share[worker ^ owner], buffer[worker ^ owner], &site))
                sum += (uintptr_t)site;
}

/* ---- A meeting of two threads ---- */

static struct tf_part nothing(void *context, unsigned worker, double began_s)
{
    (void)context;
    (void)worker;
    return (struct tf_part){.ended_s = began_s};
}

static void meet_own(void)
{
    static struct tf_team team;
    static const struct tf_task task = {.run = nothing};
    if (team.count == 0 && (tf_team_init(&team, NULL, &(struct tf_team_request){.count = 2, .spin = true}) != TF_OK ||
                            tf_team_form(&team) != TF_OK))
        must(NULL);
    for (unsigned i = 0; i < 10; i++)
        tf_team_share(&team, &task, NULL);
}

static ck_barrier_centralized_t barrier = CK_BARRIER_CENTRALIZED_INITIALIZER;

static void *meet_always(void *argument)
{
    ck_barrier_centralized_state_t state = CK_BARRIER_CENTRALIZED_STATE_INITIALIZER;
    (void)argument;
    for (;;)
        ck_barrier_centralized(&barrier, &state, 2);
    return NULL;
}

static void meet_barrier(void)
{
    static ck_barrier_centralized_state_t state = CK_BARRIER_CENTRALIZED_STATE_INITIALIZER;
    static pthread_t thread;
    if (thread == 0 && pthread_create(&thread, NULL, meet_always, NULL) != 0)
        must(NULL);
    for (unsigned i = 0; i < 10; i++) {
        ck_barrier_centralized(&barrier, &state, 2); /* a task begins, and ends */
        ck_barrier_centralized(&barrier, &state, 2);
    }
}

static const struct part {
    const char *name;
    void (*run)(void);
    unsigned each, rounds; /* each: what one run counts for */
} parts[] = {
    {"mail-own", mail_own, PER_ROUND, ROUNDS},        {"mail-ck_stailq", mail_stailq, PER_ROUND, ROUNDS},
    {"mail-ck_stack", mail_stack, PER_ROUND, ROUNDS}, {"mail-ck_fifo", mail_fifo, PER_ROUND, ROUNDS},
    {"mail-ck_ring", mail_ring, PER_ROUND, ROUNDS},   {"share-own", share_own, SITES, ROUNDS},
    {"share-ck_ring", share_ring, SITES, ROUNDS},     {"meet-own", meet_own, 10, MEETINGS},
    {"meet-ck_barrier", meet_barrier, 10, MEETINGS},
};

static bool is_asked(const char *name, int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], name) == 0)
            return true;
    return argc == 1;
}

int main(int argc, char **argv)
{
    for (unsigned i = 0; i < PER_ROUND; i++)
        item[i].entry.key = i;
    for (unsigned i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        if (!is_asked(parts[i].name, argc, argv))
            continue;
        double best_s = 1;
        for (unsigned round = 0; round < parts[i].rounds; round++) {
            double began_s = tf_seconds();
            parts[i].run();
            double passed_s = tf_seconds() - began_s;
            best_s = passed_s < best_s ? passed_s : best_s;
        }
        printf("%-16s %8.1f ns\n", parts[i].name, best_s * 1e9 / parts[i].each);
    }
    return 0;
}
