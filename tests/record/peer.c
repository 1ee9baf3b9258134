/* SPDX-License-Identifier: Apache-2.0 */
#include "record/peer.h"

#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "addresses.h"

#define SOFT_RESET_0 DEBUG_AT(SOFT_RESET_0)
#define ALL_HELD 0x47800u
#define HELD_B 0x800u
#define HELD_T0 0x1000u
#define RESET_PC_T0 DEBUG_AT(TRISC0_RESET_PC)
#define RESET_PC_OVERRIDE_T DEBUG_AT(TRISC_RESET_PC_OVERRIDE)

#define DONE 0x0FF0u
#define DONE_WORD 0x600Du
#define TURN_CYCLES 1000u
#define TURNS_MAX 10000u

void peer_emit(struct peer_code *code, uint32_t word)
{
    if (code->count < PEER_CODE_WORDS)
        code->word[code->count++] = word;
}

void peer_li(struct peer_code *code, unsigned rd, uint32_t value)
{
    peer_emit(code, ((value + 0x800) & 0xFFFFF000u) | rd << 7 | 0x37);
    peer_emit(code, (value & 0xFFF) << 20 | rd << 15 | rd << 7 | 0x13);
}

void peer_store(struct peer_code *code, uint32_t address, uint32_t value)
{
    peer_li(code, X_ADDRESS, address);
    peer_li(code, X_VALUE, value);
    peer_emit(code, X_VALUE << 20 | X_ADDRESS << 15 | 2 << 12 | 0x23);
}

void peer_wait(struct peer_code *code, uint32_t address)
{
    peer_li(code, X_ADDRESS, address);
    peer_emit(code, X_ADDRESS << 15 | 2 << 12 | X_VALUE << 7 | 0x03);
    peer_emit(code, X_VALUE << 20 | X_VALUE << 15 | X_VALUE << 7 | 0x33); /* use it */
}

void peer_copy(struct peer_code *code, uint32_t to, uint32_t from)
{
    peer_li(code, X_ADDRESS, from);
    peer_emit(code, X_ADDRESS << 15 | 2 << 12 | X_VALUE << 7 | 0x03);
    peer_li(code, X_ADDRESS, to);
    peer_emit(code, X_VALUE << 20 | X_ADDRESS << 15 | 2 << 12 | 0x23);
}

/* B begins at address 0, T0 where its register says or where its family does. */
static void start(const struct api *api, unsigned x, unsigned y, enum peer_core core)
{
    if (core == PEER_B) {
        put32(api, x, y, 0, 0x6F | PEER_CODE); /* jal x0, 0x1000 */
    } else if (PEER_RESET_PC) {
        put32(api, x, y, RESET_PC_T0, PEER_T0_CODE);
        put32(api, x, y, RESET_PC_OVERRIDE_T, 7);
    }
    put32(api, x, y, SOFT_RESET_0, ALL_HELD & ~(core == PEER_B ? HELD_B : HELD_T0));
}

bool peer_run(const struct api *api, enum peer_core core, struct peer_code *code)
{
    unsigned x = PEER_TILE_X(code->tile), y = PEER_TILE_Y(code->tile);
    uint32_t code_first = core == PEER_B ? PEER_CODE : PEER_T0_CODE;
    peer_store(code, DONE, DONE_WORD);
    peer_emit(code, 0x6F); /* jal x0, . */
    put32(api, x, y, DONE, 0);
    for (unsigned at = 0; at < code->count; at += 1024) {
        unsigned some = code->count - at < 1024 ? code->count - at : 1024;
        put(api, x, y, code_first + 4 * at, &code->word[at], 4 * some);
    }
    start(api, x, y, core);
    unsigned turns = 0;
    while (turns++ < TURNS_MAX && get32(api, x, y, DONE) != DONE_WORD)
        api->clock(TURN_CYCLES);
    put32(api, x, y, SOFT_RESET_0, ALL_HELD);
    return turns < TURNS_MAX;
}

static void child(const char *library, bool (*act)(const struct api *api, const void *job, void *result),
                  const void *job, void *result)
{
    struct api api;
    if (api_load(&api, library) != 0)
        _exit(1);
    api_begin(&api);
    _exit(act(&api, job, result) ? 0 : 1);
}

bool peer_call(const char *library, bool (*act)(const struct api *api, const void *job, void *result), const void *job,
               void *result, size_t bytes)
{
    void *shared = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    int status = 1;
    if (shared == MAP_FAILED)
        return false;
    pid_t process = fork();
    if (process == 0)
        child(library, act, job, shared);
    if (process > 0)
        waitpid(process, &status, 0);
    memcpy(result, shared, bytes);
    munmap(shared, bytes);
    return process > 0 && status == 0;
}
