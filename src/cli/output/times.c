/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/output/times.h"

#include <stdio.h>

#include "look/units.h"
#include "tile/node_text.h"

/* --- JSON --- */

static json_t *core_object(const struct tf_core_times *times)
{
    json_t *object = json_pack("{s:I, s:I, s:I}", "cycles", (json_int_t)times->cycles, "ended",
                               (json_int_t)times->ended, "uncertain", (json_int_t)times->uncertain);
    for (unsigned i = 0; i < TF_SPENTS; i++)
        json_object_set_new(object, tf_path_kind_name(i), json_integer((json_int_t)times->spent[i]));
    return object;
}

/* A tile whose cores have run; NULL: another one. */
static json_t *tile_object(struct tf_chip *chip, unsigned tile)
{
    struct tf_tile_times times;
    struct tf_core_times core;
    uint64_t unit[TF_UNIT_TIMES];
    json_t *cores = json_object(), *units = json_object();
    const struct tf_arch *arch = tf_chip_arch(chip);
    for (unsigned i = 0; tf_core_times(chip, tile, (enum tf_core)i, &core) == TF_OK; i++)
        if (core.cycles != 0)
            json_object_set_new(cores, tf_core_name(arch, TF_NODE_TENSIX, i), core_object(&core));
    if (json_object_size(cores) == 0 || tf_tile_times(chip, tile, &times) != TF_OK) {
        json_decref(cores);
        json_decref(units);
        return NULL;
    }
    tf_unit_times(&times, unit);
    for (unsigned i = 0; i < TF_UNIT_TIMES; i++)
        json_object_set_new(units, tf_unit_time_name(i), json_integer((json_int_t)unit[i]));
    return json_pack("{s:i, s:o, s:o, s:I, s:[I, I], s:[I, I]}", "index", (int)tile, "cores", cores, "units", units,
                     "mvmul", (json_int_t)times.mvmul, "noc_out", (json_int_t)times.noc_out[0],
                     (json_int_t)times.noc_out[1], "noc_in", (json_int_t)times.noc_in[0], (json_int_t)times.noc_in[1]);
}

json_t *tf_json_times(struct tf_chip *chip)
{
    json_t *tiles = json_array(), *dram = json_array();
    struct tf_coord at;
    uint64_t busy;
    for (unsigned i = 0; tf_tile_coord(tf_chip_arch(chip), i, &at) == TF_OK; i++) {
        json_t *tile = tile_object(chip, i);
        if (tile != NULL)
            json_array_append_new(tiles, tile);
    }
    for (unsigned i = 0; tf_dram_times(chip, i, &busy) == TF_OK; i++)
        json_array_append_new(dram, json_integer((json_int_t)busy));
    return json_pack("{s:o, s:o}", "tiles", tiles, "dram", dram);
}

/* --- text --- */

/* What all tiles have spent. */
struct sums {
    struct tf_core_times core;
    uint64_t unit[TF_UNIT_TIMES], link, most, mvmul;
    unsigned tiles, busiest, noc; /* tiles that ran; the tile and the NOC of the link that was busy for longest */
};

static void add_tile(struct tf_chip *chip, unsigned tile, struct sums *sums)
{
    struct tf_tile_times times;
    struct tf_core_times core;
    uint64_t unit[TF_UNIT_TIMES], cycles = 0;
    for (unsigned i = 0; tf_core_times(chip, tile, (enum tf_core)i, &core) == TF_OK; i++) {
        cycles += core.cycles;
        sums->core.uncertain += core.uncertain;
        for (unsigned s = 0; s < TF_SPENTS; s++)
            sums->core.spent[s] += core.spent[s];
    }
    sums->core.cycles += cycles;
    if (tf_tile_times(chip, tile, &times) != TF_OK)
        return;
    sums->tiles += cycles != 0;
    sums->mvmul += times.mvmul;
    tf_unit_times(&times, unit);
    for (unsigned i = 0; i < TF_UNIT_TIMES; i++)
        sums->unit[i] += unit[i];
    for (unsigned noc = 0; noc < 2; noc++) {
        const uint64_t out = times.noc_out[noc], in = times.noc_in[noc], more = out > in ? out : in;
        sums->link += out + in;
        if (more > sums->most) {
            sums->most = more;
            sums->busiest = tile;
            sums->noc = noc;
        }
    }
}

static double percent(uint64_t part, double whole)
{
    return whole == 0 ? 0 : 100 * (double)part / whole;
}

/* Print the parts that are at least half a percent. */
static void print_parts(const char *const *name, const uint64_t *part, unsigned parts, double whole)
{
    const char *separator = "";
    for (unsigned i = 0; i < parts; i++) {
        if (percent(part[i], whole) < 0.5)
            continue;
        printf("%s%s %.0f %%", separator, name[i], percent(part[i], whole));
        separator = ", ";
    }
    printf("%s\n", separator[0] == '\0' ? "none" : "");
}

/* What DRAM channels were busy for. */
struct dram {
    uint64_t busy, most;
    unsigned channels;
};

static struct dram add_dram(struct tf_chip *chip)
{
    struct dram dram = {0, 0, 0};
    uint64_t busy;
    for (; tf_dram_times(chip, dram.channels, &busy) == TF_OK; dram.channels++) {
        dram.busy += busy;
        dram.most = busy > dram.most ? busy : dram.most;
    }
    return dram;
}

/* How near the run is to what limits it at best: products of the matrix unit, DRAM, links of NIUs. */
static void print_roofline(const struct sums *sums, const struct dram *dram, uint64_t cycles)
{
    static const char *const roof[] = {"products of matrices", "DRAM", "a link of a NIU"};
    const double share[] = {percent(sums->mvmul, (double)cycles * sums->tiles),
                            percent(dram->busy, (double)cycles * dram->channels), percent(sums->most, (double)cycles)};
    unsigned nearest = 0;
    for (unsigned i = 1; i < 3; i++)
        nearest = share[i] > share[nearest] ? i : nearest;
    if (share[nearest] < 0.5)
        return;
    printf(
        "  roofline      MVMUL %.0f %% of its peak, DRAM %.0f %% of its bandwidth, a NIU's link %.0f %%; nearest: %s\n",
        share[0], share[1], share[2], roof[nearest]);
}

void tf_times_print(struct tf_chip *chip, uint64_t cycles)
{
    struct sums sums = {.tiles = 0};
    struct tf_coord at;
    const struct tf_arch *arch = tf_chip_arch(chip);
    for (unsigned i = 0; tf_tile_coord(arch, i, &at) == TF_OK; i++)
        add_tile(chip, i, &sums);
    char node[TF_NODE_TEXT_BYTES];
    printf("  cores         ");
    const char *spent_text[TF_SPENTS], *unit_name[TF_UNIT_TIMES];
    for (unsigned i = 0; i < TF_SPENTS; i++)
        spent_text[i] = tf_spent_text(i);
    print_parts(spent_text, sums.core.spent, TF_SPENTS, (double)sums.core.cycles);
    for (unsigned i = 0; i < TF_UNIT_TIMES; i++)
        unit_name[i] = tf_unit_time_name(i);
    printf("  units busy    ");
    print_parts(unit_name, sums.unit, TF_UNIT_TIMES, (double)cycles * sums.tiles);
    if (sums.most != 0 && tf_tile_coord(arch, sums.busiest, &at) == TF_OK)
        printf("  NIU links     busy %.0f %%, at most %.0f %%: NOC %u of %s\n",
               percent(sums.link, (double)cycles * sums.tiles * 4), percent(sums.most, (double)cycles), sums.noc,
               tf_node_text(arch, at, node));
    const struct dram dram = add_dram(chip);
    if (dram.most != 0)
        printf("  DRAM          busy %.0f %%, a channel at most %.0f %%\n",
               percent(dram.busy, (double)cycles * dram.channels), percent(dram.most, (double)cycles));
    print_roofline(&sums, &dram, cycles);
    printf("  durations     %.0f %% of the cores' cycles rest on derived or unknown ones ('tilefarm isa --timing')\n",
           percent(sums.core.uncertain, (double)sums.core.cycles));
}
