/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of times.def whose value the code knows, for speed. They are equal in all families: times.c. */
#ifndef TILE_TIMES_KNOWN_H
#define TILE_TIMES_KNOWN_H

#define TF_TIMED_LINE 16u /* RV_FETCH_LINE */
#define TF_TIMED_WAYS 2u  /* RV_CACHE_WAYS */
#define TF_TIMED_LOADS 4u /* RV_LOADS */

#endif
