/* SPDX-License-Identifier: Apache-2.0 */
/* A program on T0 pushes words one by one and waits for the coprocessor after each; then it copies what T0 can read. */
#include <string.h>

#include "record/peer.h"
#include "record/record.h"
#include "addresses.h"

#define GPR_COUNT 64u
#define SEMAPHORES_COUNT 8u
#define LINE_COLUMNS 120

#define PUSH TF_INSTRN_BUF_BASE
#define IDLE TF_DONE_CHECK /* PCBuf: a load from it waits for the thread's instructions */
#define MOP_CONFIG TF_MOP_CFG_BASE
#define GPR_BASE TF_GPR_BASE
#define SEMAPHORE_BASE TF_SEMAPHORE_BASE
#define STREAM_3 STREAM_AT(3, 0)
#define FOUND 0x100000u

struct config_case {
    uint32_t word[600], gpr[GPR_COUNT], stream[2];
};

struct frontend_case {
    struct {
        uint8_t kind;
        uint32_t word;
    } step[260];
    uint32_t gpr[GPR_COUNT];
    uint8_t semaphore[SEMAPHORES_COUNT];
};

/* clang-format off */
#define WORDS(...) {__VA_ARGS__}
#define STEPS(...) {__VA_ARGS__}
/* clang-format on */

static const struct config_case config_cases[] = {
#define CASE(words, gprs, stream) {words, gprs, stream},
/* clang-format off */
#define GPRS(...) {__VA_ARGS__}
#define STREAM(acked, received) {acked, received}
/* clang-format on */
#include "conformance/tensix/config_vectors.inc"
#undef CASE
#undef STREAM
};

static const struct frontend_case frontend_cases[] = {
#define CASE(steps, gprs, semaphores) {steps, gprs, semaphores},
/* clang-format off */
#define SEMAPHORES(...) {__VA_ARGS__}
/* clang-format on */
#include "conformance/tensix/frontend_vectors.inc"
#undef CASE
#undef SEMAPHORES
#undef GPRS
};

/* Items as the tables have them: as many as fit into a line. */
struct list {
    FILE *out;
    int column, indent;
    bool more;
};

static struct list list_begin(FILE *out, const char *name)
{
    struct list list = {.out = out};
    list.indent = list.column = fprintf(out, "    %s(", name);
    return list;
}

static void list_item(struct list *list, const char *item)
{
    int length = (int)strlen(item);
    if (list->more) {
        /* a space before it, a comma after it */
        bool fits = list->column + 1 + length + 1 + 1 <= LINE_COLUMNS - 1;
        list->column += fprintf(list->out, ",");
        if (fits) {
            list->column += fprintf(list->out, " ");
        } else {
            fprintf(list->out, "\n%*s", list->indent, "");
            list->column = list->indent;
        }
    }
    list->column += fprintf(list->out, "%s", item);
    list->more = true;
}

static void list_words(FILE *out, const char *name, const uint32_t *words, unsigned count, const char *end)
{
    struct list list = list_begin(out, name);
    for (unsigned i = 0; i < count; i++) {
        char item[16];
        snprintf(item, sizeof item, "0x%08x", words[i]);
        list_item(&list, item);
    }
    fprintf(out, ")%s", end);
}

static void push(struct peer_code *code, uint32_t word)
{
    peer_store(code, PUSH, word);
    peer_wait(code, IDLE);
}

static void copy_words(struct peer_code *code, uint32_t to, uint32_t from, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        peer_copy(code, to + 4 * i, from + 4 * i);
}

static bool run_config(const struct api *api, const void *job, void *result)
{
    static struct peer_code code;
    const struct config_case *one = job;
    uint32_t *values = result;
    for (unsigned i = 0; one->word[i] != 0; i++)
        push(&code, one->word[i]);
    copy_words(&code, FOUND, GPR_BASE, 64);
    copy_words(&code, FOUND + 256, STREAM_3 + 8 * 4, 1);
    copy_words(&code, FOUND + 260, STREAM_3 + 10 * 4, 1);
    if (!peer_run(api, PEER_T0, &code))
        return false;
    get(api, PEER_X, PEER_Y, FOUND, values, 66 * 4);
    return true;
}

bool record_config(const char *library, FILE *out)
{
    for (unsigned n = 0; n < sizeof config_cases / sizeof config_cases[0]; n++) {
        const struct config_case *one = &config_cases[n];
        uint32_t values[66];
        unsigned words = 0;
        if (!peer_call(library, run_config, one, values, sizeof values))
            return false;
        while (one->word[words] != 0)
            words++;
        fprintf(out, "CASE(\n");
        list_words(out, "WORDS", one->word, words, ",\n");
        list_words(out, "GPRS", values, 64, ",\n");
        fprintf(out, "    STREAM(0x%08x, 0x%08x))\n", values[64], values[65]);
    }
    return true;
}

static bool run_frontend(const struct api *api, const void *job, void *result)
{
    static struct peer_code code;
    const struct frontend_case *one = job;
    for (unsigned i = 0; one->step[i].word != 0 || one->step[i].kind != 0; i++)
        if (one->step[i].kind == 9)
            push(&code, one->step[i].word);
        else
            peer_store(&code, MOP_CONFIG + 4u * one->step[i].kind, one->step[i].word);
    copy_words(&code, FOUND, GPR_BASE, 64);
    copy_words(&code, FOUND + 256, SEMAPHORE_BASE, SEMAPHORES_COUNT);
    if (!peer_run(api, PEER_T0, &code))
        return false;
    get(api, PEER_X, PEER_Y, FOUND, result, (64 + SEMAPHORES_COUNT) * 4);
    return true;
}

static void print_steps(FILE *out, const struct frontend_case *one)
{
    struct list list = list_begin(out, "STEPS");
    for (unsigned i = 0; one->step[i].word != 0 || one->step[i].kind != 0; i++) {
        char item[24];
        snprintf(item, sizeof item, "{%u, 0x%08x}", one->step[i].kind, one->step[i].word);
        list_item(&list, item);
    }
    fprintf(out, "),\n");
}

bool record_frontend(const char *library, FILE *out)
{
    for (unsigned n = 0; n < sizeof frontend_cases / sizeof frontend_cases[0]; n++) {
        uint32_t values[64 + SEMAPHORES_COUNT];
        if (!peer_call(library, run_frontend, &frontend_cases[n], values, sizeof values))
            return false;
        fprintf(out, "CASE(\n");
        print_steps(out, &frontend_cases[n]);
        list_words(out, "GPRS", values, 64, ",\n");
        fprintf(out, "    SEMAPHORES(");
        for (unsigned i = 0; i < SEMAPHORES_COUNT; i++)
            fprintf(out, "%s%u", i == 0 ? "" : ", ", values[64 + i]);
        fprintf(out, "))\n");
    }
    return true;
}
