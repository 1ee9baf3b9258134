/* SPDX-License-Identifier: Apache-2.0 */
/* The observers of a chip for tilefarm_files.h, beside callbacks of the user's own: first ours, then the user's. */
#ifndef LOOK_FILES_CHIP_H
#define LOOK_FILES_CHIP_H

#include <stdbool.h>

#include "look/look.h"
#include "tilefarm/tilefarm_config.h"

struct tf_files_verdict;

struct tf_files_chip {
    struct tf_config theirs; /* the configuration before the change */
    struct tf_look *look;
    struct tf_chip *chip; /* NULL if not attached */
    struct tf_symbols *symbols;
    bool written; /* files show no later runs */
};

/* Make the observers that a wish needs, and add their callbacks to a configuration, which is one->theirs before. */
int tf_files_chip_begin(struct tf_files_chip *one, const struct tf_look_wish *wish, struct tf_config *config,
                        struct tf_message *message);

/* Attach them to a chip, before it runs. Returns false if the host has no memory. */
bool tf_files_chip_attach(struct tf_files_chip *one, struct tf_chip *chip, struct tf_symbols *symbols);

/* What the report says of the chip; free it with tf_files_facts_free(). verdict: NULL: from its state. Returns NULL if
   the host has no memory. */
struct tf_page_facts *tf_files_chip_facts(struct tf_files_chip *one, const struct tf_files_verdict *verdict);
void tf_files_facts_free(struct tf_page_facts *facts);

#endif
