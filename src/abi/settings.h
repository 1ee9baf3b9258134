/* SPDX-License-Identifier: Apache-2.0 */
/* Environment variables. */
#ifndef ABI_SETTINGS_H
#define ABI_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

struct abi;
struct tf_board;
struct tf_cluster;
struct tf_config;
struct tf_message;

/* The first two parameters are filled. cluster: NULL, or of several chips. */
void abi_settings(struct abi *abi, struct tf_config *config, const struct tf_cluster *cluster);
void abi_on_fault_setting(struct abi *abi, struct tf_config *config); /* config may be NULL */

/* Read a number of an environment variable. *rest becomes the text after it. Returns false if it is not a number, or
   out of range. */
bool abi_number(const char **rest, uint32_t least, uint32_t most, uint32_t *value);

int abi_board_setting(const struct abi *abi, struct tf_board *board, struct tf_message *message);

#endif
