/* SPDX-License-Identifier: Apache-2.0 */
/* What files a configuration allows. */
#ifndef LOOK_FILES_WISH_H
#define LOOK_FILES_WISH_H

struct tf_config;
struct tf_files_wish;

/* Why does a configuration not permit the files that were asked for? Returns NULL if it does. */
const char *tf_files_why_not(const struct tf_files_wish *wish, const struct tf_config *config);

#endif
