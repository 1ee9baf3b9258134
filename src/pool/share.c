/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which worker visits which site of a shared phase. A worker owns a range of sites, and some of those that
 * are spread one by one over the workers, because they have much work. A worker's share is the part of its sites that
 * the phase visits. Any worker can list any share from the phase and the borders.
 *
 * The owner takes sites from the front of its share, and other workers steal from the back. Borders move slowly
 * towards shares that take equally long. Then nothing is stolen, and a site stays in one core's cache.
 * The result of a phase does not depend on which worker visits a site.
 *
 * Bench rows that pay for shares, steals and borders: those with several threads, `cb` and `allreduce-66k` most.
 */
#include "pool/share.h"

#include <stdlib.h>
#include <string.h>

#include "host/hostile.h"
#include "pool/cpus.h"
#include "pool/order.h"

/* Cost of moving a site's state to another core's cache and back: least, most, and the phases that are averaged. */
#define MOVE_S 2e-6
#define MOVE_MOST_S 20e-6
#define AVERAGED_MOVES 16
#define FORGETTING_PHASES 4096

/* Shared phases that the drift of a border averages. A long phase weighs at most WEIGHT_MOST average ones. */
#define AVERAGED_PHASES 64
#define WEIGHT_MOST 2

/* With fewer sites for each worker, one long visit would mislead the averages. */
#define REPRESENTATIVE_SITES 4u

/* A worker takes half of its share in one chunk when the share takes less than this. */
#define SHORT_SHARE_S 12e-6

#define BACK (1u << 16) /* a site taken from the back, in tf_taken */

void tf_owners_follow(struct tf_sharing *sharing)
{
    const struct tf_share_plan *plan = &sharing->plan;
    if (!sharing->owners_stale)
        return;
    sharing->owners_stale = false;
    memset(sharing->owned, 0xFF, sizeof sharing->owned);
    for (unsigned node = 0; node < plan->nodes; node++) {
        unsigned site = plan->site_of[node], owner = 0;
        while (site >= sharing->border[owner + 1])
            owner++;
        if (tf_sites_has(&plan->spread, site))
            owner = plan->home[site] % sharing->team->present;
        sharing->owner[node] = tf_sites_has(&plan->callers, site) ? TF_NO_OWNER : (uint16_t)owner;
        if (sharing->owner[node] != TF_NO_OWNER && sharing->owned[owner] == TF_NO_OWNER)
            sharing->owned[owner] = (uint16_t)site;
    }
}

/* Begin with the borders of the plan, or with fewer of them: then a worker takes over those next to it. */
static void set_borders(struct tf_sharing *sharing)
{
    unsigned count = sharing->team->count, present = sharing->team->present;
    for (unsigned i = 0; i <= count; i++)
        sharing->border[i] = i < present ? sharing->plan.border[i * count / present] : (uint16_t)sharing->plan.sites;
    memset(sharing->drift, 0, sizeof sharing->drift);
    sharing->present = present;
    sharing->owners_stale = true;
}

/* If other workers are present than before, give each the same part of the sites. */
static void fit(struct tf_sharing *sharing)
{
    if (sharing->present == sharing->team->present)
        return;
    set_borders(sharing);
    for (unsigned i = 0; i < sharing->team->count; i++)
        for (unsigned parity = 0; parity < 2; parity++)
            atomic_store_explicit(&sharing->taken[i].by[parity], 0, memory_order_relaxed);
}

static float distance_of(const struct tf_share_plan *plan, unsigned a, unsigned b)
{
    int node_a = plan->topology->worker[a].numa_node, node_b = plan->topology->worker[b].numa_node;
    return plan->cpus != NULL ? tf_cpus_distance(plan->cpus, node_a, node_b) : node_a == node_b ? 0 : 1;
}

/* List the others of a worker: nearest nodes first, and within a node those that follow it. */
static void list_victims(const struct tf_share_plan *plan, unsigned worker, unsigned count, uint16_t *victim)
{
    float distance[TF_WORKERS_MAX];
    for (unsigned i = 1; i < count; i++) {
        unsigned other = (worker + i) % count, at = i - 1;
        distance[other] = distance_of(plan, worker, other);
        for (; at > 0 && distance[victim[at - 1]] > distance[other]; at--)
            victim[at] = victim[at - 1];
        victim[at] = (uint16_t)other;
    }
}

int tf_sharing_init(struct tf_sharing *sharing, struct tf_team *team, const struct tf_share_plan *plan)
{
    unsigned count = team->count;
    *sharing = (struct tf_sharing){.team = team, .plan = *plan, .move_s = MOVE_S};
    sharing->taken = aligned_alloc(_Alignof(struct tf_taken), count * sizeof *sharing->taken);
    sharing->victim = malloc((size_t)count * count * sizeof *sharing->victim);
    if (sharing->taken == NULL || sharing->victim == NULL) {
        tf_sharing_fini(sharing);
        return TF_ENOMEM;
    }
    memset(sharing->taken, 0, count * sizeof *sharing->taken);
    for (unsigned i = 0; i < count; i++)
        list_victims(plan, i, count, sharing->victim + (size_t)i * (count - 1));
    set_borders(sharing);
    tf_owners_follow(sharing);
    return TF_OK;
}

void tf_sharing_fini(struct tf_sharing *sharing)
{
    free(sharing->taken);
    free(sharing->victim);
    sharing->taken = NULL;
    sharing->victim = NULL;
}

static uint64_t bits_below(unsigned word, unsigned site)
{
    return word * 64 + 64 <= site ? ~0ull : word * 64 >= site ? 0 : (1ull << site % 64) - 1;
}

static unsigned list_range(const struct tf_sites *sites, unsigned begin, unsigned end, uint16_t *list, unsigned count)
{
    for (unsigned w = begin / 64; w * 64 < end; w++) {
        if (sites->word[w] == 0)
            continue;
        for (uint64_t bits = sites->word[w] & bits_below(w, end) & ~bits_below(w, begin); bits != 0; bits &= bits - 1)
            list[count++] = (uint16_t)(w * 64 + (unsigned)__builtin_ctzll(bits));
    }
    return count;
}

/* List the sites of [begin, end): first those from `first` on, then those before it. */
static unsigned list_from(const struct tf_sites *sites, unsigned first, unsigned begin, unsigned end, uint16_t *list)
{
    unsigned middle = first < begin ? begin : first > end ? end : first;
    unsigned count = list_range(sites, middle, end, list, 0);
    return list_range(sites, begin, middle, list, count);
}

unsigned tf_list_sites(const struct tf_sharing *sharing, const struct tf_sites *sites, uint16_t *list)
{
    return list_from(sites, tf_first_site(*sharing->plan.turn, sharing->plan.sites), 0, sharing->plan.sites, list);
}

/* Are the averages updated by a phase with this number of sites? */
static bool is_representative(const struct tf_team *team, unsigned count)
{
    return count >= REPRESENTATIVE_SITES * team->present;
}

static uint8_t clamp_sites(double sites)
{
    return sites < 0 ? 0 : sites < TF_SITES_MAX ? (uint8_t)sites : TF_SITES_MAX;
}

static void deal(struct tf_sharing *sharing, const struct tf_sites *sites, unsigned count)
{
    struct tf_shared_phase *phase = &sharing->phase;
    unsigned open = phase->reserved < count ? sharing->team->present : 0;
    fit(sharing);
    atomic_store_explicit(&sharing->open, open, memory_order_relaxed);
    phase->sites = *sites;
    phase->sequence++;
    phase->first = (uint8_t)(TF_HOSTILE ? tf_hostile_order(*sharing->plan.turn, 64) % sharing->plan.sites
                                        : tf_first_site(*sharing->plan.turn, sharing->plan.sites));
}

void tf_deal(struct tf_sharing *sharing, const struct tf_sites *sites, double visit_s)
{
    struct tf_shared_phase *phase = &sharing->phase;
    unsigned count = tf_sites_count(sites), share = count / sharing->team->present;
    bool representative = is_representative(sharing->team, count);
    phase->reserved = representative ? clamp_sites(sharing->move_s / visit_s) : 0;
    phase->chunk = representative && share * visit_s < SHORT_SHARE_S ? (uint8_t)((share + 1) / 2) : 1;
    if (phase->chunk < phase->reserved)
        phase->chunk = phase->reserved;
    deal(sharing, sites, count);
}

void tf_deal_one_each(struct tf_sharing *sharing, const struct tf_sites *sites)
{
    sharing->phase.chunk = 1;
    sharing->phase.reserved = UINT8_MAX;
    deal(sharing, sites, tf_sites_count(sites));
}

void tf_walk_begin(struct tf_walk *walk, const struct tf_shared_phase *phase)
{
    walk->phase = phase;
    walk->reserved = phase->reserved;
    walk->victim = walk->looked = walk->dealt = walk->taken = walk->stolen = walk->at = walk->end = 0;
    walk->listed = walk->closed = false;
}

/* List a worker's sites among those that are spread. Returns the phase's other sites. */
static struct tf_sites list_spread(const struct tf_sharing *sharing, struct tf_walk *walk, unsigned owner)
{
    struct tf_sites others = walk->phase->sites;
    for (unsigned w = 0; w < TF_SET_WORDS; w++) {
        uint64_t bits = others.word[w] & sharing->plan.spread.word[w];
        others.word[w] &= ~bits;
        for (; bits != 0; bits &= bits - 1) {
            unsigned site = w * 64 + (unsigned)__builtin_ctzll(bits);
            if (sharing->plan.home[site] % sharing->team->present == owner)
                walk->list[walk->count++] = (uint16_t)site;
        }
    }
    return others;
}

static void list_share(const struct tf_sharing *sharing, struct tf_walk *walk, unsigned owner)
{
    if (walk->listed && walk->owner == owner)
        return;
    walk->listed = true;
    walk->owner = owner;
    walk->count = 0;
    struct tf_sites others = list_spread(sharing, walk, owner);
    walk->count += list_from(&others, walk->phase->first, sharing->border[owner], sharing->border[owner + 1],
                             walk->list + walk->count);
}

static atomic_uint *taken_of(struct tf_sharing *sharing, const struct tf_walk *walk, unsigned owner)
{
    return &sharing->taken[owner].by[walk->phase->sequence % 2];
}

/* The owner's share holds nothing for others any more. */
static void close_share(struct tf_sharing *sharing, struct tf_walk *walk)
{
    if (!walk->closed && atomic_load_explicit(&sharing->open, memory_order_relaxed) != 0)
        atomic_fetch_sub_explicit(&sharing->open, 1, memory_order_relaxed);
    walk->closed = true;
}

/*
 * Take sites from the front of the worker's own share. Where visits are short it takes a chunk: an atomic operation
 * waits for all earlier stores of the core. Bench row: `cb`.
 */
static bool take_from_share(struct tf_sharing *sharing, unsigned worker, struct tf_walk *walk)
{
    list_share(sharing, walk, worker);
    if (walk->end == walk->count)
        return false;
    unsigned chunk = walk->phase->chunk;
    unsigned taken = atomic_fetch_add_explicit(taken_of(sharing, walk, worker), chunk, memory_order_relaxed);
    unsigned front = taken % BACK, back = taken / BACK;
    if (front + back >= walk->count)
        return false;
    if (front + chunk + back + walk->reserved >= walk->count)
        close_share(sharing, walk);
    walk->at = front;
    walk->end = front + chunk + back < walk->count ? front + chunk : walk->count - back;
    return true;
}

/* Take a site from the back of another worker's share. The last sites are reserved: their owner gets to them before
   their state could move here. */
static bool steal(struct tf_sharing *sharing, unsigned owner, struct tf_walk *walk)
{
    list_share(sharing, walk, owner);
    if (walk->count <= walk->reserved)
        return false;
    walk->looked++;
    atomic_uint *taken = taken_of(sharing, walk, owner);
    unsigned before = atomic_load_explicit(taken, memory_order_relaxed);
    if (before % BACK + before / BACK + walk->reserved >= walk->count)
        return false;
    before = atomic_fetch_add_explicit(taken, BACK, memory_order_relaxed);
    if (before % BACK + before / BACK >= walk->count)
        return false;
    walk->end = walk->count - before / BACK;
    walk->at = walk->end - 1;
    walk->stolen++;
    return true;
}

bool tf_may_steal(const struct tf_sharing *sharing)
{
    return !TF_SHARE_ALL || (*sharing->plan.turn & 1) != 0 || sharing->team->present != sharing->team->count;
}

/* May a share of another worker hold a site for this walk? The second walk of the calling thread takes reserved sites,
   too: it looks at every share. */
static bool may_hold_sites(const struct tf_sharing *sharing, const struct tf_walk *walk)
{
    return walk->reserved != walk->phase->reserved || atomic_load_explicit(&sharing->open, memory_order_relaxed) != 0;
}

bool tf_take_sites(struct tf_sharing *sharing, unsigned worker, struct tf_walk *walk)
{
    unsigned others = sharing->team->count - 1;
    const uint16_t *victim = sharing->victim + (size_t)worker * others;
    if (walk->victim == 0 && take_from_share(sharing, worker, walk)) {
        walk->taken += walk->end - walk->at;
        return true;
    }
    if (walk->victim == 0) {
        close_share(sharing, walk);
        walk->dealt = walk->count;
        walk->victim = tf_may_steal(sharing) ? 1 : others + 1;
    }
    unsigned shift = TF_HOSTILE && others != 0 ? tf_hostile_order(*sharing->plan.turn, worker) % others : 0;
    for (; walk->victim <= others && may_hold_sites(sharing, walk); walk->victim++) {
        unsigned other = victim[(walk->victim - 1 + shift) % others];
        if (other < sharing->team->present && steal(sharing, other, walk)) {
            walk->taken++;
            return true;
        }
    }
    atomic_store_explicit(&sharing->taken[worker].by[(walk->phase->sequence + 1) % 2], 0, memory_order_relaxed);
    return false;
}

void tf_share_absent(struct tf_sharing *sharing)
{
    unsigned next = (sharing->phase.sequence + 1) % 2;
    sharing->absent = false;
    for (unsigned i = 1; i < sharing->team->present; i++)
        if (tf_part_of(sharing->team, i)->absent) {
            sharing->absent = true;
            atomic_store_explicit(&sharing->taken[i].by[next], 0, memory_order_relaxed);
        }
}

/* Move border i by one site if it has been off by more than one site on average. excess: sites by which the border was
   too low in the last phase. weight: of that phase. */
static void drift_border(struct tf_sharing *sharing, unsigned i, double excess, double weight)
{
    uint16_t *border = &sharing->border[i];
    double *sum = &sharing->drift[i];
    *sum += (excess * weight - *sum) / AVERAGED_PHASES;
    if (*sum >= sharing->drift_weight && border[0] < border[1]) {
        ++*border;
        sharing->owners_stale = true;
        *sum -= sharing->drift_weight;
    } else if (*sum <= -sharing->drift_weight && border[0] > border[-1]) {
        --*border;
        sharing->owners_stale = true;
        *sum += sharing->drift_weight;
    }
}

/* Sites that a worker visited in a second. average: assumed of a worker that visited none. */
static double rate_of(const struct tf_sharing *sharing, const struct tf_part *part, double average)
{
    double passed_s = part->ended_s - sharing->dealt_s;
    return part->got != 0 && passed_s > 0 ? part->got / passed_s : average;
}

/* Divide the sites of a NUMA node among its workers [first, end) by their speed. Borders between nodes stay. */
static void move_borders_in_node(struct tf_sharing *sharing, unsigned first, unsigned end, double visit_s,
                                 double weight)
{
    double dealt = 0, rates = 0, excess = 0;
    for (unsigned i = first; i < end; i++) {
        const struct tf_part *part = tf_part_of(sharing->team, i);
        dealt += part->dealt;
        rates += rate_of(sharing, part, 1 / visit_s);
    }
    for (unsigned i = first; i + 1 < end; i++) {
        const struct tf_part *part = tf_part_of(sharing->team, i);
        excess += dealt * rate_of(sharing, part, 1 / visit_s) / rates - part->dealt;
        drift_border(sharing, i + 1, excess, weight);
    }
}

/* The weight of a phase: its time, limited, because a worker that the host delays makes a single phase long. */
static double weigh(struct tf_sharing *sharing, double phase_s)
{
    if (sharing->drift_weight <= 0)
        sharing->drift_weight = phase_s;
    double most = WEIGHT_MOST * sharing->drift_weight;
    double weight = phase_s < most ? phase_s : most;
    sharing->drift_weight += (weight - sharing->drift_weight) / AVERAGED_PHASES;
    return weight;
}

static bool same_node(const struct tf_topology *topology, unsigned a, unsigned b)
{
    return topology->worker[a].numa_node == topology->worker[b].numa_node;
}

void tf_borders_move(struct tf_sharing *sharing, unsigned count, double visit_s)
{
    unsigned present = sharing->team->present, end;
    if (!is_representative(sharing->team, count) || visit_s <= 0)
        return;
    double weight = weigh(sharing, visit_s * count);
    for (unsigned first = 0; first < present; first = end) {
        for (end = first + 1; end < present && same_node(sharing->plan.topology, first, end); end++)
            continue;
        move_borders_in_node(sharing, first, end, visit_s, weight);
    }
}

/* A stolen visit pays to move the site here; moving it back costs as much again. Without steals the estimate returns
   slowly to its least value, because the host may have changed. */
void tf_move_cost_update(struct tf_sharing *sharing, double visit_s)
{
    double stolen_s = 0;
    unsigned stolen = 0;
    for (unsigned i = 0; i < sharing->team->present; i++) {
        stolen_s += tf_part_of(sharing->team, i)->stolen_s;
        stolen += tf_part_of(sharing->team, i)->stolen;
    }
    if (stolen == 0) {
        sharing->move_s += (MOVE_S - sharing->move_s) / FORGETTING_PHASES;
        return;
    }
    double move_s = 2 * (stolen_s / stolen - visit_s);
    move_s = move_s < MOVE_S ? MOVE_S : move_s > MOVE_MOST_S ? MOVE_MOST_S : move_s;
    sharing->move_s += (move_s - sharing->move_s) / AVERAGED_MOVES;
}
