/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The ELF loader against files that no tool would make on purpose. With clang's libFuzzer this is its target; as a
 * program (TF_FUZZ_MAIN) it changes good files at random: fuzz_elf RUNS FILE..., seed in TF_SEED.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "farm/chip/loader.h"
#include "random.h"
#include "tile/arch.h"
#include "tilefarm_address.h"

#define DEMAND(condition)                                        \
    do {                                                         \
        if (!(condition)) {                                      \
            fprintf(stderr, "broken promise: %s\n", #condition); \
            abort();                                             \
        }                                                        \
    } while (0)

/* The promises of the header file about a result. */
static void check_result(const struct tf_elf *elf, size_t bytes)
{
    bool entered = false;
    uint64_t end = 0;
    DEMAND(elf->segments <= TF_ELF_SEGMENTS_MAX);
    DEMAND(elf->entry % 4 == 0);
    DEMAND(elf->local_bytes <= TF_LOCAL_BYTES);
    for (unsigned i = 0; i < elf->segments; i++) {
        const struct tf_elf_segment *segment = &elf->segment[i];
        DEMAND(segment->memory_bytes > 0);
        DEMAND(segment->file_bytes <= segment->memory_bytes);
        DEMAND((uint64_t)segment->file_offset + segment->file_bytes <= bytes);
        DEMAND(segment->address >= end);
        end = (uint64_t)segment->address + segment->memory_bytes;
        DEMAND(end <= TF_L1_BYTES);
        entered |= elf->entry >= segment->address && (uint64_t)elf->entry + 4 <= end;
    }
    DEMAND(entered);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    struct tf_elf elf;
    struct tf_message message;
    memset(&message, '\n', sizeof message);
    int result = tf_elf_parse(data, bytes, "fuzz", &tf_arch_blackhole.tile[TF_TILE_TENSIX], &elf, &message);
    if (result == TF_OK) {
        check_result(&elf, bytes);
        return 0;
    }
    DEMAND(result == TF_EFORMAT || result == TF_ERANGE || result == TF_ENOMEM);
    DEMAND(memchr(message.text, '\0', sizeof message.text) != NULL);
    DEMAND(strncmp(message.text, "fuzz: offset 0x", 15) == 0);
    DEMAND(strchr(message.text, '\n') == NULL);
    return 0;
}

#ifdef TF_FUZZ_MAIN
#define FILES_MAX 64
#define HEADERS 0x200u /* most of the bytes that decide lie here */

struct file {
    uint8_t *data;
    size_t bytes;
};

static uint32_t draw(uint64_t *state, uint32_t below)
{
    return test_random_below(state, below);
}

static void mutate(uint8_t *data, size_t *bytes, uint64_t *state)
{
    static const uint32_t telling[] = {0,          1,          0x7FFFFFFF, 0x80000000,    0xFFFFFFFF,
                                       0xFFFFFFFC, 0x00180000, 0x0017FFFC, TF_LOCAL_BASE, 0xFFB02000};
    if (draw(state, 8) == 0)
        *bytes = draw(state, (uint32_t)*bytes + 1);
    for (uint32_t left = 1 + draw(state, 4); left > 0 && *bytes >= 4; left--) {
        uint32_t reach = draw(state, 4) != 0 && *bytes > HEADERS ? HEADERS : (uint32_t)*bytes;
        uint32_t at = draw(state, reach - 3) & ~3u, word;
        switch (draw(state, 4)) {
        case 0: data[at + draw(state, 4)] ^= (uint8_t)(1u << draw(state, 8)); break;
        case 1: data[at + draw(state, 4)] = (uint8_t)draw(state, 256); break;
        case 2:
            word = telling[draw(state, sizeof telling / sizeof telling[0])];
            memcpy(data + at, &word, 4);
            break;
        default:
            memcpy(&word, data + at, 4);
            word += draw(state, 65) - 32;
            memcpy(data + at, &word, 4);
        }
    }
}

static bool read_file(const char *path, struct file *file)
{
    FILE *in = fopen(path, "rb");
    if (in == NULL)
        return false;
    file->data = malloc(1u << 20);
    file->bytes = file->data == NULL ? 0 : fread(file->data, 1, 1u << 20, in);
    fclose(in);
    return file->bytes > 0;
}

static int fuzz(const struct file *file, unsigned files, unsigned long runs, uint64_t seed)
{
    for (unsigned i = 0; i < files; i++) {
        struct tf_elf elf;
        struct tf_message message;
        if (tf_elf_parse(file[i].data, file[i].bytes, "seed", &tf_arch_blackhole.tile[TF_TILE_TENSIX], &elf,
                         &message) != TF_OK) {
            fprintf(stderr, "a file to begin with is no good: %s\n", message.text);
            return 1;
        }
    }
    for (unsigned long run = 0; run < runs; run++) {
        uint64_t state = seed + run * 0x9E3779B97F4A7C15ull;
        const struct file *from = &file[draw(&state, files)];
        size_t bytes = from->bytes;
        uint8_t *copy = malloc(bytes);
        if (copy == NULL)
            return 1;
        memcpy(copy, from->data, bytes);
        mutate(copy, &bytes, &state);
        uint8_t *exact = realloc(copy, bytes == 0 ? 1 : bytes);
        LLVMFuzzerTestOneInput(exact != NULL ? exact : copy, bytes);
        free(exact != NULL ? exact : copy);
    }
    return 0;
}

int main(int argc, char **argv)
{
    struct file file[FILES_MAX];
    unsigned files = 0;
    if (argc < 3) {
        fprintf(stderr, "usage: fuzz_elf RUNS FILE...\n");
        return 2;
    }
    for (int i = 2; i < argc && files < FILES_MAX; i++)
        if (read_file(argv[i], &file[files]))
            files++;
    uint64_t seed = test_seed(1);
    printf("%u files\n", files);
    int result = files == 0 ? 1 : fuzz(file, files, strtoul(argv[1], NULL, 0), seed);
    while (files > 0)
        free(file[--files].data);
    return result;
}
#endif
