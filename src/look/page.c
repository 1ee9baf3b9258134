/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the data of the page as JavaScript, which page.js shows. */
#include "look/page.h"

#include <stdlib.h>
#include <string.h>

#include "debug/race_lines.h"
#include "host/saved.h"
#include "look/cores.h"
#include "look/flame.h"
#include "look/profile_text.h"
#include "look/reasons.h"
#include "look/tracks/table.h"
#include "tile/node_text.h"

#define PAIRS_MAX 200u
#define FUNCTIONS_MAX 60u
#define FAULTS_MAX 100u
#define RACES_MAX 100u
#define MIXES_MAX 40u

/* Traffic from one node to another. */
struct pair {
    uint16_t from, to; /* numbers of nodes */
    uint64_t requests, bytes;
};

struct tf_page {
    struct tf_chip *chip;
    struct tf_table table;
    struct pair *pair;
    uint32_t pairs, pair_room;
    bool lost;
    uint64_t in[TF_NODES_MAX], out[TF_NODES_MAX], requests[TF_NODES_MAX], last[TF_NODES_MAX];
    uint64_t waited[TF_NODES_MAX][TF_TILE_CORES][TF_REASONS];
};

struct tf_page *tf_page_create(struct tf_chip *chip)
{
    struct tf_page *page = calloc(1, sizeof *page);
    if (page != NULL)
        page->chip = chip;
    return page;
}

void tf_page_destroy(struct tf_page *page)
{
    if (page == NULL)
        return;
    free(page->table.slot);
    free(page->pair);
    free(page);
}

void tf_page_noc(struct tf_page *page, const struct tf_noc_event *event)
{
    unsigned from = tf_node_number(page->chip->arch, event->initiator),
             to = tf_node_number(page->chip->arch, event->target);
    bool made;
    if (event->step == TF_NOC_ISSUED) {
        page->requests[from]++;
        page->last[from] = event->cycle;
    }
    if (event->step != TF_NOC_ACTED)
        return;
    uint32_t at = tf_table_take(&page->table, from, to, page->pairs, &made);
    if (at == UINT32_MAX ||
        (made && !tf_array_room((void **)&page->pair, page->pairs, &page->pair_room, sizeof *page->pair))) {
        page->lost = true;
        return;
    }
    if (made)
        page->pair[page->pairs++] = (struct pair){.from = (uint16_t)from, .to = (uint16_t)to};
    page->pair[at].requests++;
    page->pair[at].bytes += event->bytes;
    page->out[event->kind == TF_NOC_READ ? to : from] += event->bytes; /* the data of a read come back */
    page->in[event->kind == TF_NOC_READ ? from : to] += event->bytes;
}

void tf_page_waited(struct tf_page *page, unsigned tile, unsigned core, const struct tf_core_of *of, uint64_t cycles)
{
    if (!of->wait.idle && tile < TF_NODES_MAX)
        page->waited[tile][core][tf_reason_of(tf_chip_tile(page->chip, tile), core, of->wait.address)] += cycles;
}

void tf_page_state(struct tf_saved *saved, struct tf_page *page)
{
    const uint32_t pairs = (uint32_t)tf_saved_count(saved, page->pairs, TF_NODES_MAX * TF_NODES_MAX);
    if (saved->reads) {
        page->pair = tf_saved_room(saved, pairs, sizeof *page->pair);
        page->pairs = page->pair_room = page->pair != NULL ? pairs : 0;
    }
    tf_saved_bytes(saved, page->pair, page->pairs * sizeof *page->pair);
    TF_SAVED(saved, page->lost);
    TF_SAVED_FROM(saved, page, in);
}

/* Write a text in JavaScript's form. It must not end the script, either. */
static void put_text(FILE *file, const char *text)
{
    fputc('"', file);
    for (; *text != '\0'; text++)
        if (*text == '"' || *text == '\\')
            fprintf(file, "\\%c", *text);
        else if ((unsigned char)*text < 32 || *text == '<')
            fprintf(file, "\\u%04x", (unsigned char)*text);
        else
            fputc(*text, file);
    fputc('"', file);
}

static void put_figures(FILE *file, const char *name, const struct tf_page_figure *figure, unsigned count)
{
    fprintf(file, "%s:[", name);
    for (unsigned i = 0; i < count; i++) {
        fputs(i == 0 ? "[" : ",[", file);
        put_text(file, figure[i].name);
        fputc(',', file);
        put_text(file, figure[i].value);
        fputc(']', file);
    }
    fputs("],\n", file);
}

/* The number of instructions that a core has executed. */
static uint64_t executed_by(const struct tf_paths *paths)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < paths->count; i++)
        for (uint32_t n = 0; n < paths->path[i].spot_room; n++) {
            const struct tf_spot *spot = &paths->path[i].spot[n];
            if (spot->end != 0)
                sum += spot->count * ((spot->end - spot->first) / 4);
        }
    return sum;
}

static void put_cores(const struct tf_page *page, const struct tf_cores *cores, unsigned tile, FILE *file)
{
    fputs(",c:[", file);
    for (unsigned core = 0; core < tf_chip_tile_arch(page->chip, tile)->cores; core++) {
        const struct tf_core_of *of = &cores->tile[tile].core[core];
        fprintf(file, "%s[%llu", core == 0 ? "" : ",", (unsigned long long)executed_by(&of->paths));
        for (unsigned reason = 0; reason < TF_REASONS; reason++)
            fprintf(file, ",%llu", (unsigned long long)page->waited[tile][core][reason]);
        fputc(']', file);
    }
    fputc(']', file);
}

/* Names of the cores of a tile, by kind of node. */
static void put_core_names(const struct tf_arch *arch, FILE *file)
{
    fputs("cores:{", file);
    for (unsigned kind = 0; kind < TF_TILE_KINDS; kind++) {
        fprintf(file, "%u:[", arch->tile[kind].node);
        for (unsigned core = 0; core < arch->tile[kind].cores; core++)
            fprintf(file, "\"%s\",", arch->tile[kind].core_name[core]);
        fputs("],", file);
    }
    if (arch->dram.core != NULL)
        fprintf(file, "%u:[\"%s\"],", TF_NODE_DRAM, arch->dram.core->core_name[0]);
    fputs("},\n", file);
}

static void put_nodes(const struct tf_page *page, const struct tf_cores *cores, FILE *file)
{
    const struct tf_arch *arch = page->chip->arch;
    fprintf(file, "grid:[%u,%u],\nnodes:[", arch->grid_x, arch->grid_y);
    for (unsigned i = 0; i < page->chip->fabric->nodes; i++) {
        const struct tf_node *node = &page->chip->fabric->node[i];
        fprintf(file, "%s{x:%u,y:%u,k:%u,n:%u,i:%llu,o:%llu,r:%llu,l:%llu", i == 0 ? "" : ",\n", node->coord.x,
                node->coord.y, node->kind, node->index, (unsigned long long)page->in[i],
                (unsigned long long)page->out[i], (unsigned long long)page->requests[i],
                (unsigned long long)page->last[i]);
        if (node->tile != NULL)
            put_cores(page, cores, node->tile->index, file);
        fputc('}', file);
    }
    fputs("],\n", file);
}

static int by_bytes(const void *a, const void *b)
{
    const struct pair *x = a, *y = b;
    if (x->bytes != y->bytes)
        return x->bytes > y->bytes ? -1 : 1;
    return x->from != y->from ? (int)x->from - (int)y->from : (int)x->to - (int)y->to;
}

static void put_pairs(struct tf_page *page, FILE *file)
{
    if (page->pairs != 0)
        qsort(page->pair, page->pairs, sizeof *page->pair, by_bytes);
    fprintf(file, "pairsAll:%u,pairs:[", page->pairs);
    for (uint32_t i = 0; i < page->pairs && i < 20 * PAIRS_MAX; i++)
        fprintf(file, "%s[%u,%u,%llu,%llu]", i == 0 ? "" : ",", page->pair[i].from, page->pair[i].to,
                (unsigned long long)page->pair[i].requests, (unsigned long long)page->pair[i].bytes);
    fputs("],\n", file);
}

/* Function and line of a core's pc, or "". */
static void find_place(const struct tf_page *page, const struct tf_page_facts *facts, struct tf_coord node,
                       unsigned core, uint32_t pc, char *place)
{
    int tile = tf_symbols_tile(page->chip->arch, node);
    place[0] = '\0';
    if (tile >= 0 && core < TF_TILE_CORES && facts->symbols != NULL)
        tf_symbols_place(facts->symbols, (unsigned)tile, core, pc, place, TF_PLACE_BYTES);
}

static void put_waits(const struct tf_page *page, const struct tf_page_facts *facts, FILE *file)
{
    fputs("stuck:[", file);
    for (size_t i = 0; i < facts->waits_count; i++) {
        const struct tf_waiting *wait = &facts->waits[i];
        char text[TF_WAITING_TEXT_BYTES + TF_PLACE_BYTES], place[TF_PLACE_BYTES] = "";
        if (!wait->stuck)
            continue;
        if (!wait->thread)
            find_place(page, facts, wait->node, wait->core, wait->pc, place);
        tf_waiting_text(page->chip->arch, wait, place[0] != '\0' ? place : NULL, text, sizeof text);
        put_text(file, text);
        fputc(',', file);
    }
    fputs("],\nreasons:[", file);
    for (unsigned i = 0; i < TF_REASONS; i++) {
        put_text(file, tf_reason_name((enum tf_reason)i));
        fputc(',', file);
    }
    fputs("],\n", file);
}

static void put_faults(const struct tf_page *page, const struct tf_page_facts *facts, FILE *file)
{
    size_t count = tf_fault_count(page->chip);
    fprintf(file, "faultsAll:%zu,faults:[", count);
    for (size_t i = 0; i < count && i < FAULTS_MAX; i++) {
        struct tf_fault fault;
        char where[64], node[TF_NODE_TEXT_BYTES], place[TF_PLACE_BYTES];
        tf_fault_get(page->chip, i, &fault);
        snprintf(where, sizeof where, "%s %s", tf_node_text(page->chip->arch, fault.tile, node),
                 tf_core_name(page->chip->arch, tf_node_kind(page->chip->arch, fault.tile), fault.core));
        fprintf(file, "[%d,", fault.hazard);
        put_text(file, where);
        fprintf(file, ",\"0x%x\",%llu,", fault.pc, (unsigned long long)fault.cycle);
        put_text(file, fault.text);
        fputc(',', file);
        find_place(page, facts, fault.tile, fault.core, fault.pc, place);
        put_text(file, place);
        fputs("],", file);
    }
    fputs("],\n", file);
}

/* [line, races, times, [indices]] */
static void put_race_lines(const struct tf_page *page, const struct tf_page_facts *facts, FILE *file)
{
    struct tf_race_line *lines;
    const size_t count = tf_race_lines(page->chip->arch, facts->symbols, facts->races, facts->races_count, &lines);
    fputs("raceLines:[", file);
    for (size_t i = 0; i < count && i < RACES_MAX; i++) {
        fputc('[', file);
        put_text(file, lines[i].place);
        fprintf(file, ",%zu,%llu,[", lines[i].races, (unsigned long long)lines[i].times);
        for (size_t race = 0; race < lines[i].races && lines[i].race[race] < RACES_MAX; race++)
            fprintf(file, "%zu,", lines[i].race[race]);
        fputs("]],", file);
    }
    fputs("],\n", file);
    tf_race_lines_free(lines, count);
}

/* [where, how often, what, side, caller, waited, side, caller, waited, advice] */
static void put_races(const struct tf_page *page, const struct tf_page_facts *facts, FILE *file)
{
    const struct tf_arch *arch = page->chip->arch;
    fprintf(file, "checked:%s,racesAll:%zu,races:[", facts->checked ? "true" : "false", facts->races_count);
    for (size_t i = 0; i < facts->races_count && i < RACES_MAX; i++) {
        const struct tf_race *race = &facts->races[i];
        struct tf_raced names;
        char text[TF_PLACE_BYTES + 200], node[TF_NODE_TEXT_BYTES];
        tf_raced_name(arch, facts->symbols, race, &names);
        snprintf(text, sizeof text, "%s 0x%llx", tf_node_text(arch, race->node, node),
                 (unsigned long long)race->address);
        fputc('[', file);
        put_text(file, text);
        fprintf(file, ",%llu,", (unsigned long long)race->count);
        put_text(file, tf_raced_kind(race->kind));
        for (unsigned side = 0; side < 2; side++) {
            tf_raced_side_text(arch, &race->side[side], &names.side[side], text, sizeof text);
            fputc(',', file);
            put_text(file, text);
            fputc(',', file);
            put_text(file, names.side[side].caller);
            if (!tf_raced_waited_text(arch, &race->side[side], &names.side[side], text, sizeof text))
                text[0] = '\0';
            fputc(',', file);
            put_text(file, text + strspn(text, " "));
        }
        fputc(',', file);
        put_text(file, race->advice);
        fputs("],", file);
    }
    fputs("],\n", file);
    put_race_lines(page, facts, file);
}

static void put_functions(const struct tf_profile *profile, FILE *file)
{
    uint32_t *order, count = tf_profile_functions(profile, &order);
    fputs("functions:[", file);
    for (uint32_t i = 0; i < count && i < FUNCTIONS_MAX; i++) {
        const struct tf_function *function = &profile->function[order[i]];
        if (function->executed + function->waited == 0)
            break;
        fputc('[', file);
        put_text(file, function->name);
        fputc(',', file);
        put_text(file, function->file == NULL ? "" : function->file);
        fprintf(file, ",%u,%llu,%llu],", function->line, (unsigned long long)function->executed,
                (unsigned long long)function->waited);
    }
    free(order);
    fputs("],\nmix:[", file);
    for (uint32_t i = 0; i < profile->mixes && i < MIXES_MAX; i++) {
        fputc('[', file);
        put_text(file, profile->mix[i].name);
        fprintf(file, ",%llu],", (unsigned long long)profile->mix[i].executed);
    }
    fputs("]\n", file);
}

/* What the head of the page says. */
static void put_head(const struct tf_page_facts *facts, FILE *file)
{
    fputs("{title:", file);
    put_text(file, facts->title);
    fputs(",verdict:", file);
    put_text(file, facts->verdict);
    fputs(",message:", file);
    put_text(file, facts->message);
    fprintf(file, ",good:%s,\n", facts->good ? "true" : "false");
    fputs("command:", file);
    put_text(file, facts->command != NULL ? facts->command : "");
    fputs(",\n", file);
    put_figures(file, "about", facts->about, facts->abouts);
    put_figures(file, "figures", facts->figure, facts->figures);
    put_figures(file, "host", facts->host, facts->hosts);
}

static void put_shares(const char *name, const struct tf_page_shares *shares, FILE *file)
{
    fprintf(file, "%s:[%llu", name, (unsigned long long)shares->whole);
    for (unsigned i = 0; i < shares->parts; i++) {
        fputs(",[", file);
        put_text(file, shares->part[i].name);
        fprintf(file, ",%llu]", (unsigned long long)shares->part[i].cycles);
    }
    fputs("],\n", file);
}

static void put_path(const struct tf_page_facts *facts, FILE *file)
{
    put_shares("pathByKind", &facts->by_kind, file);
    put_shares("pathByLine", &facts->by_line, file);
}

/* What timing mode tells: [name, mean, most]; and [whole, [name, cycles], ...]. */
static void put_times(const struct tf_page_facts *facts, FILE *file)
{
    fputs("uses:[", file);
    for (unsigned i = 0; facts->timed && i < TF_PAGE_USES; i++)
        fprintf(file, "[\"%s\",%.4f,%.4f],", facts->use[i].name, facts->use[i].mean, facts->use[i].most);
    fputs("],\n", file);
    put_shares("spent", &facts->spent, file);
    put_path(facts, file);
}

static void put_chip(const struct tf_page_chip *chip, FILE *file)
{
    const struct tf_page_facts *facts = chip->facts;
    struct tf_page *page = chip->page;
    put_head(facts, file);
    put_times(facts, file);
    put_core_names(page->chip->arch, file);
    put_nodes(page, chip->cores, file);
    put_pairs(page, file);
    put_waits(page, facts, file);
    put_faults(page, facts, file);
    put_races(page, facts, file);
    put_functions(chip->profile, file);
    fputs("}", file);
}

/* The number of a port's node in the list of nodes. */
static unsigned node_of(const struct tf_page_chip *chip, struct tf_cluster_end end)
{
    const struct tf_arch *arch = chip[end.chip].page->chip->arch;
    struct tf_coord coord = {0, 0};
    tf_port_coord(arch, end.port, &coord);
    return tf_node_number(arch, coord);
}

/* A link is [chip, port, node, chip, port, node, packets, bytes, cycles, under way, lost, [cycles of each span]]. */
static void put_link(const struct tf_page_link *link, const struct tf_page_chip *chip, FILE *file)
{
    const struct tf_link_stats *stats = &link->stats;
    fprintf(file, "\n[%u,%u,%u,%u,%u,%u,%llu,%llu,%llu,%llu,%llu,[", stats->from.chip, stats->from.port,
            node_of(chip, stats->from), stats->to.chip, stats->to.port, node_of(chip, stats->to),
            (unsigned long long)stats->packets, (unsigned long long)stats->bytes, (unsigned long long)link->busy,
            (unsigned long long)stats->waiting, (unsigned long long)stats->lost);
    for (unsigned i = 0; i < TF_PAGE_SPANS && link->busy != 0; i++)
        fprintf(file, "%llu,", (unsigned long long)link->span[i]);
    fputs("]],", file);
}

/* Chips are [x, y, rack, shelf]. */
static void put_system(const struct tf_page_system *system, const struct tf_page_chip *chip, FILE *file)
{
    put_head(system->facts, file);
    put_path(system->facts, file);
    fputs("chips:[", file);
    for (unsigned i = 0; i < system->cluster->chips; i++)
        fprintf(file, "[%u,%u,%u,%u],", system->cluster->chip[i].x, system->cluster->chip[i].y,
                system->cluster->chip[i].rack, system->cluster->chip[i].shelf);
    fprintf(file, "],\nspan:%llu,\nlinks:[", (unsigned long long)system->links->span_cycles);
    for (unsigned i = 0; i < system->links->links; i++)
        put_link(&system->links->link[i], chip, file);
    fputs("]}", file);
}

static void put_data(const struct tf_page_chip *chip, unsigned chips, const struct tf_page_system *system, FILE *file)
{
    fputs("const S=", file);
    if (system != NULL)
        put_system(system, chip, file);
    else
        fputs("null", file);
    fputs(";\nconst C=[", file);
    for (unsigned i = 0; i < chips; i++) {
        fputs(i == 0 ? "" : ",\n", file);
        put_chip(&chip[i], file);
    }
    fputs("];\n", file);
}

/* Find the file of the page with that name, of `bytes` characters. Returns NULL if there is none. */
static const char *text_of(const char *name, size_t bytes)
{
    for (unsigned i = 0; i < TF_PAGE_FILES; i++)
        if (strlen(tf_page_file[i].name) == bytes && memcmp(tf_page_file[i].name, name, bytes) == 0)
            return tf_page_file[i].text;
    return NULL;
}

bool tf_page_write(const struct tf_page_chip *chip, unsigned chips, const struct tf_page_system *system,
                   const struct tf_profile *all, FILE *file)
{
    const char *at = tf_page_file[0].text, *name, *end;
    bool fine = true;
    for (unsigned i = 0; i < chips; i++)
        fine &= !chip[i].page->lost;
    /* Replace a line @NAME@ of page.html by the file NAME, by the data of the run, or by the flame graph. */
    while ((name = strstr(at, "\n@")) != NULL && (end = strchr(name + 2, '@')) != NULL) {
        const char *text = text_of(name + 2, (size_t)(end - name - 2));
        fwrite(at, 1, (size_t)(name + 1 - at), file);
        if (text != NULL)
            fputs(text, file);
        else if (name[2] == 'd')
            put_data(chip, chips, system, file);
        else
            fine &= tf_profile_write_flame(all, file);
        at = end + 1;
    }
    fputs(at, file);
    return fine;
}
