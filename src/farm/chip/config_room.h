/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Room for a struct tf_config, in a structure that more files know than read a field of the configuration. Only files
 * that include tilefarm_config.h are compiled anew for a new field.
 */
#ifndef FARM_CONFIG_ROOM_H
#define FARM_CONFIG_ROOM_H

#include <stdint.h>

struct tf_config;

#define TF_CONFIG_ROOM_BYTES 1024u /* config.c asserts that a configuration fits */

struct tf_config_room {
    _Alignas(16) unsigned char bytes[TF_CONFIG_ROOM_BYTES];
};

/* The configuration in a room: constant if the room is. */
static inline struct tf_config *tf_config_in(const struct tf_config_room *room)
{
    return (struct tf_config *)(uintptr_t)room->bytes;
}

#endif
