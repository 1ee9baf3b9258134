/* SPDX-License-Identifier: Apache-2.0 */
/* The figures of the HTML report. */
#ifndef LOOK_FACTS_H
#define LOOK_FACTS_H

struct tf_chip;
struct tf_page_facts;

/* Fill in the tables of figures and the shares, at the end of a run. */
void tf_page_figures(struct tf_page_facts *facts, struct tf_chip *chip);

#endif
