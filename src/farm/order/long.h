/* SPDX-License-Identifier: Apache-2.0 */
/* Long writes of a site: where their data lie until they act, and when they count as captured. */
#ifndef FARM_LONG_H
#define FARM_LONG_H

struct tf_node;
struct tf_site;
struct tf_noc_request;
struct tf_worker;

/* Copy the data of a long write, which still lie in the source's L1, to the worker's arena. */
void tf_stage_long_write(struct tf_worker *worker, struct tf_noc_request *request);

/* Stage all long writes of a site. */
void tf_stage_long_writes(struct tf_worker *worker, unsigned site);

/* Count the long writes that a site sent in the last epoch as captured, once its tile has reached that epoch's end.
   Later calls do nothing. By the worker that visits the site. */
void tf_capture_long_writes(struct tf_site *site, struct tf_node *node);

#endif
