/* SPDX-License-Identifier: Apache-2.0 */
/* Collects the figures of the HTML report. */
#include <stdarg.h>

#include "host/text.h"
#include "look/page.h"

static void __attribute__((format(printf, 4, 5)))
add(struct tf_page_figure *figure, unsigned *count, const char *name, const char *format, ...)
{
    va_list args;
    if (*count == TF_PAGE_FIGURES_MAX)
        return;
    figure[*count].name = name;
    va_start(args, format);
    vsnprintf(figure[*count].value, sizeof figure[*count].value, format, args);
    va_end(args);
    ++*count;
}

static void add_run(struct tf_page_facts *facts, struct tf_chip *chip, const struct tf_stats *stats)
{
    char text[TF_GROUPED_BYTES];
#define ADD(name, value) add(facts->figure, &facts->figures, name, "%s", tf_text_grouped(value, text))
    ADD("cycles", stats->cycles);
    ADD("epochs", stats->epochs);
    ADD("instructions retired", stats->instructions);
    ADD("instructions executed", stats->instructions_executed);
    ADD("NOC requests", stats->noc_requests);
    ADD("NOC bytes", stats->noc_bytes);
    ADD("NOC atomics", stats->noc_atomics);
    ADD("faults", stats->faults);
    ADD("hazards", stats->hazards);
#undef ADD
    add(facts->figure, &facts->figures, "state hash", "%016llx", (unsigned long long)tf_state_hash(chip));
}

static void add_host(struct tf_page_facts *facts, struct tf_chip *chip, const struct tf_stats *stats)
{
    struct tf_topology topology;
    tf_topology_get(chip, &topology);
#define ADD(name, ...) add(facts->host, &facts->hosts, name, __VA_ARGS__)
    ADD("workers", "%u", stats->workers);
    ADD("CPUs allowed", "%u of %u", topology.cpus_allowed, topology.cpus_online);
    ADD("time", "%.2f s", stats->wall_s);
    ADD("CPU time", "%.2f s", stats->cpu_s);
    ADD("speed", "%.0f MIPS", stats->wall_s > 0 ? (double)stats->instructions_executed / stats->wall_s * 1e-6 : 0);
    ADD("running tiles", "%.2f s", stats->run_s);
    ADD("delivering requests", "%.2f s", stats->deliver_s);
    ADD("waiting for other workers", "%.2f s", stats->wait_s);
    ADD("tiles stolen", "%llu", (unsigned long long)stats->steals);
#undef ADD
}

void tf_page_figures(struct tf_page_facts *facts, struct tf_chip *chip)
{
    struct tf_stats stats;
    tf_stats(chip, &stats);
    add_run(facts, chip, &stats);
    add_host(facts, chip, &stats);
}
