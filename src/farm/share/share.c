/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which worker visits which site of a shared phase. A worker owns a range of sites, and some DRAM channels. Channels
 * are spread one by one over the workers, because they are neighbours and have much work. A worker's share is the part
 * of its sites that the phase visits. Any worker can list any share from the order and the borders.
 *
 * The owner takes sites from the front of its share, and other workers steal from the back. Borders move slowly
 * towards shares that take equally long. Then nothing is stolen, and a site stays in one core's cache.
 * The result of a phase does not depend on which worker visits a site.
 *
 * Bench rows that pay for shares, steals and borders: those with several threads, `cb` and `allreduce-66k` most.
 */
#include <string.h>

#include "farm/chip/chip.h"
#include "farm/share/phase.h"
#include "host/hostile.h"

/* A test build can share every phase that has two sites; then it steals in odd epochs only. */
#ifndef TF_ALWAYS_SHARE
#define TF_ALWAYS_SHARE TF_UNLESS_HOSTILE(false, true)
#endif

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

#define BACK (1u << 16) /* a site taken from the back, in tf_worker.taken */

void tf_owners_follow(struct tf_chip *chip)
{
    struct tf_sharing *sharing = &chip->sharing;
    if (!sharing->owners_stale)
        return;
    sharing->owners_stale = false;
    memset(sharing->owned, 0xFF, sizeof sharing->owned);
    for (unsigned node = 0; node < chip->fabric->nodes; node++) {
        unsigned site = tf_site_of(chip->fabric, node), owner = 0;
        while (site >= sharing->border[owner + 1])
            owner++;
        if (tf_sites_has(&sharing->channels, site))
            owner = sharing->home[site] % chip->workers.present;
        sharing->owner[node] = tf_sites_has(&sharing->callers, site) ? TF_NO_OWNER : (uint16_t)owner;
        if (sharing->owner[node] != TF_NO_OWNER && sharing->owned[owner] == TF_NO_OWNER)
            sharing->owned[owner] = (uint16_t)site;
    }
}

void tf_sharing_init(struct tf_chip *chip)
{
    unsigned workers = chip->topology.workers;
    for (unsigned i = 1; i < workers; i++)
        chip->sharing.border[i] = (uint16_t)tf_node_number(chip->arch,
                                                           chip->tiles.tile[chip->topology.worker[i].tile_first].coord);
    chip->sharing.border[0] = 0;
    chip->sharing.border[workers] = (uint16_t)chip->fabric->nodes;
    chip->sharing.move_s = MOVE_S;
    chip->sharing.owners_stale = true;
    tf_owners_follow(chip);
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

unsigned tf_first_site(const struct tf_chip *chip)
{
    return (unsigned)((chip->fabric->nodes - chip->epochs.number % chip->fabric->nodes) % chip->fabric->nodes);
}

unsigned tf_list_sites(const struct tf_chip *chip, const struct tf_sites *sites, uint16_t *list)
{
    return list_from(sites, tf_first_site(chip), 0, chip->fabric->nodes, list);
}

/* Are the averages updated by a phase with this number of sites? */
static bool is_representative(const struct tf_workers *workers, unsigned count)
{
    return count >= REPRESENTATIVE_SITES * workers->present;
}

static uint8_t clamp_sites(double sites)
{
    return sites < 0 ? 0 : sites < TF_NODES_MAX ? (uint8_t)sites : TF_NODES_MAX;
}

void tf_deal(struct tf_chip *chip, const struct tf_sites *sites, double visit_s)
{
    struct tf_order *order = &chip->sharing.order;
    unsigned count = tf_sites_count(sites), share = count / chip->workers.present;
    bool representative = is_representative(&chip->workers, count);
    order->reserved = representative ? clamp_sites(chip->sharing.move_s / visit_s) : 0;
    order->chunk = representative && share * visit_s < SHORT_SHARE_S ? (uint8_t)((share + 1) / 2) : 1;
    if (order->chunk < order->reserved)
        order->chunk = order->reserved;
    order->sites = *sites;
    order->sequence++;
    order->first = (uint8_t)(TF_HOSTILE ? tf_hostile_order(chip->epochs.number, 64) % chip->fabric->nodes
                                        : tf_first_site(chip));
    for (unsigned i = chip->workers.present; i < chip->workers.count; i++) { /* the host has refused these */
        chip->sharing.owners_stale |= chip->sharing.border[i] != chip->fabric->nodes;
        chip->sharing.border[i] = (uint16_t)chip->fabric->nodes;
        atomic_store_explicit(&chip->workers.worker[i].taken[0], 0, memory_order_relaxed);
        atomic_store_explicit(&chip->workers.worker[i].taken[1], 0, memory_order_relaxed);
    }
}

void tf_hunt_begin(struct tf_hunt *hunt, const struct tf_order *order)
{
    hunt->order = order;
    hunt->reserved = order->reserved;
    hunt->victim = hunt->looked = hunt->dealt = hunt->taken = hunt->stolen = hunt->at = hunt->end = 0;
    hunt->listed = false;
}

/* List a worker's DRAM channels. Returns the phase's sites that are no channels. */
static struct tf_sites list_channels(const struct tf_chip *chip, struct tf_hunt *hunt, unsigned owner)
{
    struct tf_sites others = hunt->order->sites;
    for (unsigned w = 0; w < TF_SET_WORDS; w++) {
        uint64_t bits = others.word[w] & chip->sharing.channels.word[w];
        others.word[w] &= ~bits;
        for (; bits != 0; bits &= bits - 1) {
            unsigned site = w * 64 + (unsigned)__builtin_ctzll(bits);
            if (chip->sharing.home[site] % chip->workers.present == owner)
                hunt->list[hunt->count++] = (uint16_t)site;
        }
    }
    return others;
}

static void list_share(const struct tf_chip *chip, struct tf_hunt *hunt, unsigned owner)
{
    if (hunt->listed && hunt->owner == owner)
        return;
    hunt->listed = true;
    hunt->owner = owner;
    hunt->count = 0;
    struct tf_sites others = list_channels(chip, hunt, owner);
    hunt->count += list_from(&others, hunt->order->first, chip->sharing.border[owner], chip->sharing.border[owner + 1],
                             hunt->list + hunt->count);
}

static atomic_uint *taken_of(struct tf_chip *chip, const struct tf_hunt *hunt, unsigned owner)
{
    return &chip->workers.worker[owner].taken[hunt->order->sequence % 2];
}

/*
 * Take sites from the front of the worker's own share. Where visits are short it takes a chunk: an atomic operation
 * waits for all earlier stores of the core. Bench row: `cb`.
 */
static bool take_from_share(struct tf_chip *chip, unsigned worker, struct tf_hunt *hunt, unsigned *site)
{
    list_share(chip, hunt, worker);
    if (hunt->at == hunt->end) {
        if (hunt->end == hunt->count)
            return false;
        unsigned chunk = hunt->order->chunk;
        unsigned taken = atomic_fetch_add_explicit(taken_of(chip, hunt, worker), chunk, memory_order_relaxed);
        unsigned front = taken % BACK, back = taken / BACK;
        if (front + back >= hunt->count)
            return false;
        hunt->at = front;
        hunt->end = front + chunk + back < hunt->count ? front + chunk : hunt->count - back;
    }
    *site = hunt->list[hunt->at++];
    return true;
}

/* Take a site from the back of another worker's share. The last sites are reserved: their owner gets to them before
   their state could move here. */
static bool steal(struct tf_chip *chip, unsigned owner, struct tf_hunt *hunt, unsigned *site)
{
    list_share(chip, hunt, owner);
    if (hunt->count <= hunt->reserved)
        return false;
    hunt->looked++;
    atomic_uint *taken = taken_of(chip, hunt, owner);
    unsigned before = atomic_load_explicit(taken, memory_order_relaxed);
    if (before % BACK + before / BACK + hunt->reserved >= hunt->count)
        return false;
    before = atomic_fetch_add_explicit(taken, BACK, memory_order_relaxed);
    if (before % BACK + before / BACK >= hunt->count)
        return false;
    *site = hunt->list[hunt->count - 1 - before / BACK];
    return true;
}

static bool same_node(const struct tf_topology *topology, unsigned a, unsigned b)
{
    return topology->worker[a].numa_node == topology->worker[b].numa_node;
}

bool tf_may_steal(const struct tf_chip *chip)
{
    return !TF_ALWAYS_SHARE || (chip->epochs.number & 1) != 0 || chip->workers.present != chip->workers.count;
}

/* Take a site: from the own share, then from workers of the same NUMA node, then from those of other nodes. */
static bool find_site(struct tf_chip *chip, unsigned worker, struct tf_hunt *hunt, unsigned *site)
{
    unsigned others = chip->workers.present - 1;
    if (hunt->victim == 0 && take_from_share(chip, worker, hunt, site)) {
        hunt->taken++;
        return true;
    }
    if (hunt->victim == 0) {
        hunt->dealt = hunt->count;
        hunt->victim = tf_may_steal(chip) ? 1 : 2 * others + 1;
    }
    for (; hunt->victim <= 2 * others; hunt->victim++) {
        unsigned shift = TF_HOSTILE ? tf_hostile_order(chip->epochs.number, worker) % others : 0;
        unsigned other = (worker + 1 + (hunt->victim - 1 + shift) % others) % chip->workers.present;
        if (same_node(&chip->topology, worker, other) != (hunt->victim <= others) || !steal(chip, other, hunt, site))
            continue;
        hunt->taken++;
        hunt->stolen++;
        return true;
    }
    return false;
}

bool tf_next_site(struct tf_chip *chip, unsigned number, struct tf_hunt *hunt, unsigned *site)
{
    struct tf_worker *worker = &chip->workers.worker[number];
    if (find_site(chip, number, hunt, site)) {
        tf_take_part(worker);
        return true;
    }
    worker->figures.steals += hunt->stolen;
    atomic_store_explicit(&worker->taken[(hunt->order->sequence + 1) % 2], 0, memory_order_relaxed);
    return false;
}

void tf_share_absent(struct tf_chip *chip)
{
    unsigned next = (chip->sharing.order.sequence + 1) % 2;
    chip->sharing.absent = false;
    for (unsigned i = 1; i < chip->workers.present; i++)
        if (tf_part_of(&chip->workers, i)->absent) {
            chip->sharing.absent = true;
            atomic_store_explicit(&chip->workers.worker[i].taken[next], 0, memory_order_relaxed);
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
static void move_borders_in_node(struct tf_chip *chip, unsigned first, unsigned end, double visit_s, double weight)
{
    double dealt = 0, rates = 0, excess = 0;
    for (unsigned i = first; i < end; i++) {
        const struct tf_part *part = tf_part_of(&chip->workers, i);
        dealt += part->dealt;
        rates += rate_of(&chip->sharing, part, 1 / visit_s);
    }
    for (unsigned i = first; i + 1 < end; i++) {
        const struct tf_part *part = tf_part_of(&chip->workers, i);
        excess += dealt * rate_of(&chip->sharing, part, 1 / visit_s) / rates - part->dealt;
        drift_border(&chip->sharing, i + 1, excess, weight);
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

void tf_borders_move(struct tf_chip *chip, unsigned count, double visit_s)
{
    unsigned present = chip->workers.present, end;
    if (!is_representative(&chip->workers, count) || visit_s <= 0)
        return;
    double weight = weigh(&chip->sharing, visit_s * count);
    for (unsigned first = 0; first < present; first = end) {
        for (end = first + 1; end < present && same_node(&chip->topology, first, end); end++)
            continue;
        move_borders_in_node(chip, first, end, visit_s, weight);
    }
}

/* A stolen visit pays to move the site here; moving it back costs as much again. Without steals the estimate returns
   slowly to its least value, because the host may have changed. */
void tf_move_cost_update(struct tf_chip *chip, double visit_s)
{
    double stolen_s = 0;
    unsigned stolen = 0;
    for (unsigned i = 0; i < chip->workers.present; i++) {
        stolen_s += tf_part_of(&chip->workers, i)->stolen_s;
        stolen += tf_part_of(&chip->workers, i)->stolen;
    }
    if (stolen == 0) {
        chip->sharing.move_s += (MOVE_S - chip->sharing.move_s) / FORGETTING_PHASES;
        return;
    }
    double move_s = 2 * (stolen_s / stolen - visit_s);
    move_s = move_s < MOVE_S ? MOVE_S : move_s > MOVE_MOST_S ? MOVE_MOST_S : move_s;
    chip->sharing.move_s += (move_s - chip->sharing.move_s) / AVERAGED_MOVES;
}
