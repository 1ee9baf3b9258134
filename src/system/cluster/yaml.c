/* SPDX-License-Identifier: Apache-2.0 */
/* libyaml's events become a tree. The text may be hostile: its length, depth and number of nodes are limited. */
#include "system/cluster/yaml.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

struct builder {
    struct tf_yaml *yaml;
    struct tf_message *message;
    struct {
        uint32_t node, last, children;
    } open[TF_YAML_DEPTH_MAX];
    unsigned depth;
    unsigned documents;
};

static int bad_line(const struct builder *builder, size_t line, const char *why)
{
    snprintf(builder->message->text, sizeof builder->message->text, "line %zu: %s", line, why);
    return TF_EFORMAT;
}

static int too_little_memory(struct tf_message *message)
{
    snprintf(message->text, sizeof message->text, "too little memory for the text");
    return TF_ENOMEM;
}

/* Have room for more elements of a list. Returns false if there is no memory. */
static bool make_room(void **list, uint32_t *room, size_t needed, size_t size)
{
    if (needed <= *room)
        return true;
    size_t more = *room == 0 ? 256 : *room;
    while (more < needed)
        more *= 2;
    void *grown = realloc(*list, more * size);
    if (grown == NULL)
        return false;
    *list = grown;
    *room = (uint32_t)more;
    return true;
}

static int add_word(const struct builder *builder, struct tf_yaml_node *node, const yaml_event_t *event)
{
    struct tf_yaml *yaml = builder->yaml;
    size_t bytes = event->data.scalar.length;
    if (memchr(event->data.scalar.value, '\0', bytes) != NULL)
        return bad_line(builder, node->line, "a word with a NUL");
    void *words = yaml->words;
    bool done = make_room(&words, &yaml->words_room, yaml->bytes + bytes + 1, 1);
    yaml->words = words;
    if (!done)
        return too_little_memory(builder->message);
    node->word = yaml->bytes;
    memcpy(yaml->words + yaml->bytes, event->data.scalar.value, bytes);
    yaml->words[yaml->bytes + bytes] = '\0';
    yaml->bytes += (uint32_t)bytes + 1;
    return TF_OK;
}

/* Is the next child of the innermost map a key? */
static bool is_key(const struct builder *builder)
{
    return builder->depth != 0 && builder->yaml->node[builder->open[builder->depth - 1].node].kind == TF_YAML_MAP &&
           builder->open[builder->depth - 1].children % 2 == 0;
}

static bool is_known_key(const struct builder *builder, const char *key)
{
    return tf_yaml_find(builder->yaml, builder->open[builder->depth - 1].node, key) != 0;
}

static int add_node(struct builder *builder, const yaml_event_t *event, enum tf_yaml_kind kind)
{
    struct tf_yaml *yaml = builder->yaml;
    struct tf_yaml_node node = {.kind = kind, .line = (uint32_t)event->start_mark.line + 1};
    if (yaml->nodes == TF_YAML_NODES_MAX)
        return bad_line(builder, node.line, "the text has too many words");
    int error = kind == TF_YAML_WORD ? add_word(builder, &node, event) : TF_OK;
    if (error != TF_OK)
        return error;
    if (is_key(builder) && kind != TF_YAML_WORD)
        return bad_line(builder, node.line, "a key that is not a word");
    if (is_key(builder) && is_known_key(builder, yaml->words + node.word))
        return bad_line(builder, node.line, "a map has this key twice");
    if (is_key(builder) && builder->open[builder->depth - 1].children / 2 == TF_YAML_KEYS_MAX)
        return bad_line(builder, node.line, "a map has too many keys");
    void *nodes = yaml->node;
    bool done = make_room(&nodes, &yaml->room, yaml->nodes + 1u, sizeof node);
    yaml->node = nodes;
    if (!done)
        return too_little_memory(builder->message);
    uint32_t number = yaml->nodes++;
    yaml->node[number] = node;
    if (builder->depth != 0) {
        unsigned top = builder->depth - 1;
        uint32_t last = builder->open[top].last;
        *(last == 0 ? &yaml->node[builder->open[top].node].first : &yaml->node[last].next) = number;
        builder->open[top].last = number;
        builder->open[top].children++;
    }
    if (kind == TF_YAML_WORD)
        return TF_OK;
    if (builder->depth == TF_YAML_DEPTH_MAX)
        return bad_line(builder, node.line, "lists and maps are nested too deeply");
    builder->open[builder->depth].node = number;
    builder->open[builder->depth].last = builder->open[builder->depth].children = 0;
    builder->depth++;
    return TF_OK;
}

static int add_event(struct builder *builder, const yaml_event_t *event)
{
    switch (event->type) {
    case YAML_DOCUMENT_START_EVENT:
        return builder->documents++ == 0 ? TF_OK
                                         : bad_line(builder, event->start_mark.line + 1, "a second document begins");
    case YAML_ALIAS_EVENT: return bad_line(builder, event->start_mark.line + 1, "an alias: write its value here");
    case YAML_SCALAR_EVENT: return add_node(builder, event, TF_YAML_WORD);
    case YAML_SEQUENCE_START_EVENT: return add_node(builder, event, TF_YAML_LIST);
    case YAML_MAPPING_START_EVENT: return add_node(builder, event, TF_YAML_MAP);
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT: builder->depth--; return TF_OK;
    default: return TF_OK;
    }
}

/* libyaml's own error. */
static int say_error(const struct builder *builder, const yaml_parser_t *parser)
{
    if (parser->error == YAML_MEMORY_ERROR)
        return too_little_memory(builder->message);
    const char *problem = parser->problem != NULL ? parser->problem : "it is not YAML";
    if (parser->error != YAML_READER_ERROR)
        return bad_line(builder, parser->problem_mark.line + 1, problem);
    snprintf(builder->message->text, sizeof builder->message->text, "byte %zu: %s", parser->problem_offset, problem);
    return TF_EFORMAT;
}

static int build(struct builder *builder, yaml_parser_t *parser)
{
    for (bool ended = false; !ended;) {
        yaml_event_t event;
        if (!yaml_parser_parse(parser, &event))
            return say_error(builder, parser);
        ended = event.type == YAML_STREAM_END_EVENT;
        int error = add_event(builder, &event);
        yaml_event_delete(&event);
        if (error != TF_OK)
            return error;
    }
    if (builder->yaml->nodes != 0)
        return TF_OK;
    snprintf(builder->message->text, sizeof builder->message->text, "the text is empty");
    return TF_EFORMAT;
}

int tf_yaml_read(const char *text, size_t bytes, struct tf_yaml *yaml, struct tf_message *message)
{
    struct builder builder = {.yaml = yaml, .message = message};
    yaml_parser_t parser;
    *yaml = (struct tf_yaml){.node = NULL};
    if (bytes > TF_YAML_BYTES_MAX) {
        snprintf(message->text, sizeof message->text, "the text has %zu bytes; at most %u are read", bytes,
                 TF_YAML_BYTES_MAX);
        return TF_EFORMAT;
    }
    if (!yaml_parser_initialize(&parser))
        return too_little_memory(message);
    yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, bytes);
    int error = build(&builder, &parser);
    yaml_parser_delete(&parser);
    if (error != TF_OK)
        tf_yaml_free(yaml);
    return error;
}

void tf_yaml_free(struct tf_yaml *yaml)
{
    free(yaml->node);
    free(yaml->words);
    *yaml = (struct tf_yaml){.node = NULL};
}

uint32_t tf_yaml_find(const struct tf_yaml *yaml, uint32_t map, const char *key)
{
    TF_YAML_EACH(yaml, child, map)
    if (strcmp(tf_yaml_word(yaml, child), key) == 0)
        return yaml->node[child].next;
    return 0;
}
