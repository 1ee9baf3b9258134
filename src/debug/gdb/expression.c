/* SPDX-License-Identifier: Apache-2.0 */
/* Compiles conditions of watchpoints from C's form to GDB's agent expressions. GDB's protocol has no conditions of
   watchpoints. */
#include <stdlib.h>
#include <string.h>

#include "debug/gdb/condition.h"
#include "debug/gdb/expression.h"
#include "debug/gdb/target.h"
#include "debug/gdb/parts.h"

#define DEPTH_MAX 16u /* depth of parentheses and signs */

struct source {
    const char *at;
    uint32_t address; /* of the watchpoint */
    uint8_t *code;
    unsigned bytes, depth;
    bool bad;
};

static void put(struct source *source, unsigned byte)
{
    source->bad |= source->bytes >= CONDITION_BYTES;
    if (!source->bad)
        source->code[source->bytes++] = (uint8_t)byte;
}

static void put_number(struct source *source, uint32_t number)
{
    put(source, TF_AGENT_CONST32);
    for (int shift = 24; shift >= 0; shift -= 8)
        put(source, number >> shift & 0xFF);
}

/* Numbers are unsigned and have 32 bits. */
static void cut(struct source *source)
{
    put(source, TF_AGENT_ZERO_EXT);
    put(source, 32);
}

static void put_register(struct source *source, unsigned number)
{
    put(source, TF_AGENT_REG);
    put(source, number >> 8);
    put(source, number & 0xFF);
    cut(source);
}

static bool takes(struct source *source, const char *token)
{
    source->at += strspn(source->at, " ");
    size_t length = strlen(token);
    if (strncmp(source->at, token, length) != 0)
        return false;
    source->at += length;
    return true;
}

static size_t word_length(const char *text)
{
    return strspn(text, "abcdefghijklmnopqrstuvwxyz_0123456789");
}

static bool takes_word(struct source *source, const char *word)
{
    source->at += strspn(source->at, " ");
    if (word_length(source->at) != strlen(word))
        return false;
    return takes(source, word);
}

static void expression(struct source *source, unsigned level);

static void operand(struct source *source)
{
    source->bad |= ++source->depth > DEPTH_MAX;
    if (source->bad)
        return;
    char *end;
    if (takes(source, "(")) {
        expression(source, 0);
        source->bad |= !takes(source, ")");
    } else if (takes(source, "*")) {
        operand(source);
        put(source, TF_AGENT_REF32);
    } else if (takes(source, "!")) {
        operand(source);
        put(source, TF_AGENT_LOG_NOT);
    } else if (takes(source, "~")) {
        operand(source);
        put(source, TF_AGENT_NOT);
        cut(source);
    } else if (takes(source, "-")) {
        put_number(source, 0);
        operand(source);
        put(source, TF_AGENT_SUB);
        cut(source);
    } else if (takes_word(source, "value")) {
        put_number(source, source->address);
        put(source, TF_AGENT_REF32);
    } else if (takes_word(source, "writer")) {
        put_register(source, TF_AGENT_WRITER);
    } else if (takes(source, "$")) {
        size_t length = word_length(source->at);
        int number = tf_gdb_register_number(source->at, length);
        source->bad |= number < 0;
        source->at += number < 0 ? 0 : length;
        put_register(source, (unsigned)number);
    } else {
        unsigned long long value = strtoull(source->at, &end, 0);
        put_number(source, (uint32_t)value);
        source->bad |= end == source->at || word_length(end) != 0 || value > UINT32_MAX;
        source->at = end;
    }
    source->depth--;
}

/* Ordered by level, weakest first. A token stands before the tokens that are its beginning. */
static const struct {
    uint8_t level;
    char token[3];
    uint8_t code[4]; /* a 0 ends the list */
    bool logical, cut;
} operators[] = {
    {0, "||", {TF_AGENT_OR}, true, false},
    {1, "&&", {TF_AGENT_AND}, true, false},
    {2, "|", {TF_AGENT_OR}, false, false},
    {3, "^", {TF_AGENT_XOR}, false, false},
    {4, "&", {TF_AGENT_AND}, false, false},
    {5, "==", {TF_AGENT_EQUAL}, false, false},
    {5, "!=", {TF_AGENT_EQUAL, TF_AGENT_LOG_NOT}, false, false},
    {7, "<<", {TF_AGENT_LSH}, false, true},
    {7, ">>", {TF_AGENT_RSH_U}, false, false},
    {6, "<=", {TF_AGENT_SWAP, TF_AGENT_LESS_U, TF_AGENT_LOG_NOT}, false, false},
    {6, ">=", {TF_AGENT_LESS_U, TF_AGENT_LOG_NOT}, false, false},
    {6, "<", {TF_AGENT_LESS_U}, false, false},
    {6, ">", {TF_AGENT_SWAP, TF_AGENT_LESS_U}, false, false},
    {8, "+", {TF_AGENT_ADD}, false, true},
    {8, "-", {TF_AGENT_SUB}, false, true},
    {9, "*", {TF_AGENT_MUL}, false, true},
    {9, "/", {TF_AGENT_DIV_U}, false, false},
    {9, "%", {TF_AGENT_REM_U}, false, false},
};
#define OPERATORS (sizeof operators / sizeof operators[0])
#define LEVELS 10u

/* The index of the operator that comes next; OPERATORS if there is none. */
static unsigned next_operator(struct source *source)
{
    source->at += strspn(source->at, " ");
    for (unsigned i = 0; i < OPERATORS; i++)
        if (strncmp(source->at, operators[i].token, strlen(operators[i].token)) == 0)
            return i;
    return OPERATORS;
}

static void to_truth(struct source *source, bool wanted)
{
    if (!wanted)
        return;
    put(source, TF_AGENT_LOG_NOT);
    put(source, TF_AGENT_LOG_NOT);
}

/* Compile operands that are joined by operators of at least this level. */
static void expression(struct source *source, unsigned level)
{
    if (level == LEVELS) {
        operand(source);
        return;
    }
    expression(source, level + 1);
    for (unsigned i; !source->bad && (i = next_operator(source)) < OPERATORS && operators[i].level == level;) {
        source->at += strlen(operators[i].token);
        to_truth(source, operators[i].logical);
        expression(source, level + 1);
        to_truth(source, operators[i].logical);
        for (const uint8_t *code = operators[i].code; *code != 0; code++)
            put(source, *code);
        if (operators[i].cut)
            cut(source);
    }
}

const char *tf_gdb_compile(const char *text, uint32_t address, uint8_t *code, unsigned *bytes)
{
    struct source source = {.at = text, .address = address, .code = code};
    expression(&source, 0);
    put(&source, TF_AGENT_END);
    source.at += strspn(source.at, " ");
    *bytes = source.bytes;
    return source.bad || *source.at != '\0' ? source.at : NULL;
}
