/* SPDX-License-Identifier: Apache-2.0 */
/* Long requests, whose data move straight from source L1 to target L1. bulk.c says when their data are staged. */
#ifndef FARM_BULK_H
#define FARM_BULK_H

struct tf_chip;
struct tf_worker;

/* Before requests act: stage the long requests of a site that another request could disturb. A tf_visit. */
void tf_prepare_site(struct tf_worker *worker, unsigned site);

/* After all requests have acted: land the staged data of long reads at a site. A tf_visit. */
void tf_land_long_reads(struct tf_worker *worker, unsigned site);

#endif
