/* SPDX-License-Identifier: Apache-2.0 */
/* The figures of the HTML report. */
#ifndef LOOK_FACTS_H
#define LOOK_FACTS_H

#include <stdint.h>

struct tf_chip;
struct tf_cluster;
struct tf_page_facts;
struct tf_stats;
struct tf_symbols;
struct tf_system;

/* Fill in the tables of figures and the shares, at the end of a run. */
void tf_page_figures(struct tf_page_facts *facts, struct tf_chip *chip);

/* Add what a chip has done to the sums of a system. */
void tf_page_add_stats(struct tf_stats *sum, const struct tf_stats *chip);

/* The same for all chips of a system. stats: of all of them; wall_s of 0: the time is not known. */
void tf_page_system_figures(struct tf_page_facts *facts, const struct tf_cluster *cluster, const struct tf_stats *stats,
                            uint64_t hash);

/* Add the critical path of a system, if it is recorded. symbols: by chip. */
void tf_page_system_path(struct tf_page_facts *facts, struct tf_system *system, struct tf_symbols *const *symbols);

#endif
