/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The saved state of what is in flight between epochs: responses that have not landed, and answers that requests keep.
 * Both are saved as responses in delivery order, and become responses in the mail of worker 0.
 */
#ifndef FARM_ORDER_SAVED_H
#define FARM_ORDER_SAVED_H

struct tf_saved;
struct tf_site;
struct tf_worker;
struct tf_workers;

/* Forget everything that is in flight. */
void tf_deliver_clear(struct tf_workers *workers, struct tf_site *sites, unsigned count);

/* The saved state (host/saved.h) of requests and responses in flight. It follows the state of the chip's time. */
void tf_deliver_state(struct tf_saved *saved, struct tf_worker *worker_0);

#endif
