/* SPDX-License-Identifier: Apache-2.0 */
/* The host as a text: what lies in what, and which CPU a worker has. */
#ifndef POOL_DRAW_H
#define POOL_DRAW_H

/* Draw packages, NUMA nodes, caches, cores and CPUs. worker_of: the number of the worker on a CPU, or -1. Returns text
   that the caller frees; NULL: no memory. Any thread. */
char *tf_host_draw(int (*worker_of)(const void *context, int cpu), const void *context);

#endif
