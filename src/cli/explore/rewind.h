/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A process that goes back to an earlier moment: each page that it has written since gets its contents of then. A seed
 * of a short program writes some 40 pages. To copy those back takes a tenth of the time of a process for each seed
 * (row `explore`).
 *
 * Linux tells which pages were written: userfaultfd(2) with UFFD_FEATURE_WP_ASYNC, and the ioctl PAGEMAP_SCAN
 * (admin-guide/mm/pagemap.rst), both from Linux 6.7 on. Memory that is shared with other processes, and the stack of
 * the calling thread, keep their contents. So do files.
 */
#ifndef CLI_EXPLORE_REWIND_H
#define CLI_EXPLORE_REWIND_H

#include <stdbool.h>

struct tf_rewind;

/* Remember this moment. The process may have one thread. Returns NULL if the host cannot do it, or if a copy of the
   process's memory would take too much. */
struct tf_rewind *tf_rewind_begin(void);

/* Go back to it. Returns false, with memory in any state, if that is not possible: the process must end then. Nothing
   that was allocated since may be used afterwards. NULL is allowed, and is not possible. */
bool tf_rewind(struct tf_rewind *rewind);

#endif
