/* SPDX-License-Identifier: Apache-2.0 */
/* A small YAML text as a tree: words, lists and maps. No anchors and aliases, one document, keys are words. */
#ifndef SYSTEM_CLUSTER_YAML_H
#define SYSTEM_CLUSTER_YAML_H

#include "tilefarm/tilefarm_base.h"

#define TF_YAML_BYTES_MAX (1u << 20)
#define TF_YAML_NODES_MAX (1u << 16)
#define TF_YAML_DEPTH_MAX 16u
#define TF_YAML_KEYS_MAX 256u /* of a map */

enum tf_yaml_kind { TF_YAML_WORD, TF_YAML_LIST, TF_YAML_MAP };

struct tf_yaml_node {
    enum tf_yaml_kind kind;
    uint32_t line;  /* from 1 on */
    uint32_t first; /* the first child; 0: none. A map has key, value, key, value */
    uint32_t next;  /* the next child of the parent; 0: none */
    uint32_t word;  /* of a word: where it begins in `words` */
};

struct tf_yaml {
    struct tf_yaml_node *node; /* the first is the root */
    uint32_t nodes, room;
    char *words; /* each ends with a 0 */
    uint32_t bytes, words_room;
};

/* Read a text. Returns TF_OK; TF_EFORMAT or TF_ENOMEM with a message, and nothing to free. */
int tf_yaml_read(const char *text, size_t bytes, struct tf_yaml *yaml, struct tf_message *message);
void tf_yaml_free(struct tf_yaml *yaml);

/* The value of a key. 0: the map has no such key. */
uint32_t tf_yaml_find(const struct tf_yaml *yaml, uint32_t map, const char *key);

static inline const char *tf_yaml_word(const struct tf_yaml *yaml, uint32_t node)
{
    return yaml->words + yaml->node[node].word;
}

/* Let `child` be each child of a list, or each key of a map. */
#define TF_YAML_EACH(yaml_, child_, of_) \
    for (uint32_t child_ = (yaml_)->node[of_].first; child_ != 0; child_ = tf_yaml_after(yaml_, of_, child_))

static inline uint32_t tf_yaml_after(const struct tf_yaml *yaml, uint32_t of, uint32_t child)
{
    uint32_t next = yaml->node[child].next;
    return yaml->node[of].kind == TF_YAML_MAP ? yaml->node[next].next : next;
}

#endif
