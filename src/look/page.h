/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A report as one HTML page without other files. It has the verdict, a map of the chip with links, traffic between
 * tiles, waits, and a profile. That of a system has a map of chips and links, too.
 */
#ifndef LOOK_PAGE_H
#define LOOK_PAGE_H

#include <stdio.h>

#include "look/links.h"
#include "look/profile.h"
#include "look/units.h"
#include "tilefarm/tilefarm_system_run.h"

struct tf_cores;
struct tf_core_of;

struct tf_page;
struct tf_saved;

/* A row of a table: a name and a value. */
struct tf_page_figure {
    const char *name;
    char value[64];
};

#define TF_PAGE_FIGURES_MAX 24u

/* For which share of the time something was busy: on average, and at most in one tile or channel. */
struct tf_page_use {
    const char *name;
    double mean, most;
};

/* A part of a sum. */
struct tf_page_share {
    char name[96];
    uint64_t cycles;
};

#define TF_PAGE_USES (TF_UNIT_TIMES + 3u) /* units of the coprocessor, products, links, DRAM */
#define TF_PAGE_SHARES_MAX 12u

/* The largest parts of a sum of cycles. */
struct tf_page_shares {
    struct tf_page_share part[TF_PAGE_SHARES_MAX];
    unsigned parts;
    uint64_t whole;
};

/* Facts about the run, from the caller. */
struct tf_page_facts {
    const char *title; /* of the run */
    const char *verdict;
    bool good;
    const char *command; /* the line that ran it; NULL: a program has */
    struct tf_page_figure figure[TF_PAGE_FIGURES_MAX], host[TF_PAGE_FIGURES_MAX], about[TF_PAGE_FIGURES_MAX];
    unsigned figures, hosts, abouts;
    struct tf_page_use use[TF_PAGE_USES];
    struct tf_page_shares spent;            /* by cores, on what */
    struct tf_page_shares by_kind, by_line; /* of the critical path; no parts: it is not known */
    bool timed;                             /* those of time are known: the run was in timing mode */
    struct tf_symbols *symbols;             /* NULL: none are known */
    const struct tf_waiting *waits;
    size_t waits_count;
    bool filled;           /* local RAM did not begin as 0: it does not show how deep stacks were */
    bool checked;          /* the run was checked for races */
    struct tf_race *races; /* NULL: none */
    size_t races_count;
    const char *message; /* of the verdict; "": none */
};

/* Make a page for a chip, before it runs. Returns NULL if the host has no memory. */
struct tf_page *tf_page_create(struct tf_chip *chip);
void tf_page_destroy(struct tf_page *page);

/* The callback for on_noc. */
void tf_page_noc(struct tf_page *page, const struct tf_noc_event *event);

/* A core has waited: for tf_follower. On the worker that visits its tile. */
void tf_page_waited(struct tf_page *page, unsigned tile, unsigned core, const struct tf_core_of *of, uint64_t cycles);

/* Write what was counted, or read it into the page of the same chip in another process, which has counted nothing
   (host/saved.h). */
void tf_page_state(struct tf_saved *saved, struct tf_page *page);

/* What the page says of a chip. */
struct tf_page_chip {
    struct tf_page *page;
    const struct tf_page_facts *facts;
    const struct tf_cores *cores;
    const struct tf_profile *profile; /* of this chip */
};

/* What the page says of a system, beside that of its chips. */
struct tf_page_system {
    const struct tf_page_facts *facts; /* of all chips: title, verdict, message, command, figures, critical path */
    const struct tf_cluster *cluster;
    const struct tf_page_links *links;
};

/* Write the page, while the chips exist. system: NULL for one chip. all: the profile of all chips. Returns false if the
   host has no memory. */
bool tf_page_write(const struct tf_page_chip *chip, unsigned chips, const struct tf_page_system *system,
                   const struct tf_profile *all, FILE *file);

/* The sources of the page: page.html, and the files that it names. embed.cmake makes this array of them in the
   build. */
#define TF_PAGE_FILES 3u
struct tf_page_file {
    const char *name, *text;
};
extern const struct tf_page_file tf_page_file[TF_PAGE_FILES];

#endif
