/* SPDX-License-Identifier: Apache-2.0 */
/* The main program of targets without libFuzzer. */
#include "driver.h"

#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "random.h"
#include "tilefarm_address.h"

#define SEEDS_MAX 64u
#define INPUT_SECONDS 120u /* for one input, also on a busy host with sanitizers */

struct seed {
    uint8_t *data;
    size_t bytes;
};

static struct seed seeds[SEEDS_MAX];
static unsigned seed_count;
static size_t room = FUZZ_BYTES_MAX;
static uint64_t input_seed; /* of the input under way */

/* AddressSanitizer ends the process without a signal. */
void __sanitizer_set_death_callback(void (*callback)(void)) __attribute__((weak));

static void name_input(void)
{
    dprintf(fuzz_complaints, "to repeat it: TF_SEED=%llu\n", (unsigned long long)input_seed);
}

static void on_signal(int number)
{
    if (number == SIGALRM)
        dprintf(fuzz_complaints, "an input takes more than %u seconds\n", INPUT_SECONDS);
    name_input();
    signal(number, SIG_DFL);
    raise(number);
}

static uint32_t draw(uint64_t *state, uint32_t below)
{
    return test_random_below(state, below);
}

/* Replace a range of the input. Returns the new size. */
static size_t splice(uint8_t *data, size_t bytes, size_t at, size_t gone, const void *with, size_t made)
{
    gone = gone < bytes - at ? gone : bytes - at;
    if (bytes - gone + made > room)
        return bytes;
    memmove(data + at + made, data + at + gone, bytes - at - gone);
    memcpy(data + at, with, made);
    return bytes - gone + made;
}

static size_t put_word(uint8_t *data, size_t bytes, size_t at, uint64_t *state)
{
    static const uint64_t telling[] = {0,           1,          0x7F,       0x80,          0xFF,       0x7FFF,
                                       0xFFFF,      0x10000,    0x7FFFFFFF, 0x80000000,    0xFFFFFFFF, 0xFFFFFFFC,
                                       0x100000000, 1ull << 63, UINT64_MAX, TF_LOCAL_BASE, 0x180000,   UINT64_MAX - 7};
    uint64_t word = telling[draw(state, sizeof telling / sizeof telling[0])] + draw(state, 3) - 1;
    size_t size = (size_t)1 << draw(state, 4);
    if (bytes - at >= size)
        memcpy(data + at, &word, size);
    return bytes;
}

static bool is_digit(uint8_t c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
}

/* A number as text, in the place of digits: near a limit of some type. */
static size_t put_number(uint8_t *data, size_t bytes, size_t at, uint64_t *state)
{
    static const unsigned bits[] = {0, 7, 8, 15, 16, 24, 31, 32, 32, 32, 48, 63, 64};
    unsigned limit = bits[draw(state, sizeof bits / sizeof bits[0])];
    uint64_t number = (limit == 64 ? 0 : 1ull << limit) + draw(state, 17) - (draw(state, 4) != 0 ? 16 : 0);
    char text[40];
    snprintf(text, sizeof text, draw(state, 3) != 0 ? "%llx" : "%llu", (unsigned long long)number);
    if (draw(state, 16) == 0) /* more than 64 bits */
        snprintf(text, sizeof text, "1%016llx", (unsigned long long)number);
    size_t end = at;
    while (at > 0 && is_digit(data[at - 1]))
        at--;
    while (end < bytes && is_digit(data[end]))
        end++;
    return splice(data, bytes, at, end - at, text, strlen(text));
}

static size_t put_text(uint8_t *data, size_t bytes, size_t at, uint64_t *state)
{
    unsigned words = 0;
    while (fuzz_words[words] != NULL)
        words++;
    if (words == 0)
        return put_word(data, bytes, at, state);
    const char *word = fuzz_words[draw(state, words)];
    return splice(data, bytes, at, draw(state, 2) == 0 ? 0 : strlen(word), word, strlen(word));
}

static size_t mutate_once(uint8_t *data, size_t bytes, uint64_t *state)
{
    uint8_t part[256] = {0};
    size_t at = draw(state, (uint32_t)bytes), length = 1 + draw(state, sizeof part);
    const struct seed *other = &seeds[draw(state, seed_count)];
    switch (draw(state, 10)) {
    case 0: data[at] ^= (uint8_t)(1u << draw(state, 8)); return bytes;
    case 1: data[at] = (uint8_t)draw(state, 256); return bytes;
    case 2: data[at] = (uint8_t)(data[at] + draw(state, 33) - 16); return bytes;
    case 3:
    case 4: return put_word(data, bytes, at, state);
    case 5: return put_number(data, bytes, at, state);
    case 6: return put_text(data, bytes, at, state);
    case 7: return splice(data, bytes, at, length, part, 0);
    case 8:
        length = length < bytes - at ? length : bytes - at;
        memcpy(part, data + at, length);
        return splice(data, bytes, draw(state, (uint32_t)bytes), 0, part, length);
    default:
        if (other->bytes == 0)
            return bytes;
        size_t from = draw(state, (uint32_t)other->bytes);
        length = length < other->bytes - from ? length : other->bytes - from;
        return splice(data, bytes, at, draw(state, 2) == 0 ? 0 : length, other->data + from, length);
    }
}

/* Make an input of its seed, with exactly its bytes, so that AddressSanitizer sees their end. */
static void try(uint64_t seed)
{
    uint64_t state = input_seed = seed;
    const struct seed *from = &seeds[draw(&state, seed_count)];
    uint8_t *data = malloc(room);
    if (data == NULL)
        return;
    size_t bytes = from->bytes;
    memcpy(data, from->data, bytes);
    for (uint32_t left = draw(&state, 8) == 0 ? 0 : 1u << draw(&state, 6); left > 0 && bytes > 0; left--)
        bytes = mutate_once(data, bytes, &state);
    if (draw(&state, 16) == 0)
        bytes = draw(&state, (uint32_t)bytes + 1);
    uint8_t *exact = realloc(data, bytes == 0 ? 1 : bytes);
    alarm(INPUT_SECONDS);
    LLVMFuzzerTestOneInput(exact != NULL ? exact : data, bytes);
    free(exact != NULL ? exact : data);
}

static void keep_seed(const uint8_t *data, size_t bytes)
{
    if (seed_count == SEEDS_MAX || bytes == 0)
        return;
    struct seed *seed = &seeds[seed_count];
    seed->data = malloc(bytes);
    if (seed->data == NULL)
        return;
    memcpy(seed->data, data, bytes);
    seed->bytes = bytes;
    room = bytes > room ? bytes : room;
    seed_count++;
}

static void read_seed(const char *path, uint8_t *data, size_t most)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return;
    keep_seed(data, fread(data, 1, most, file));
    fclose(file);
}

int main(int argc, char **argv)
{
    static uint8_t data[4u << 20];
    static const int signals[] = {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGALRM};
    if (argc < 2) {
        fprintf(stderr, "usage: %s SECONDS [FILE...]\n", argv[0]);
        return 2;
    }
    for (int i = 2; i < argc; i++)
        read_seed(argv[i], data, sizeof data);
    for (unsigned i = 0, bytes; (bytes = (unsigned)fuzz_seed(i, data, sizeof data)) != 0; i++)
        keep_seed(data, bytes);
    uint64_t seed = test_seed(1), inputs = 0;
    time_t end = time(NULL) + atoi(argv[1]);
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++)
        signal(signals[i], on_signal);
    if (__sanitizer_set_death_callback != NULL)
        __sanitizer_set_death_callback(name_input);
    for (; seed_count != 0 && (time(NULL) < end || inputs == 0); inputs++)
        try(seed + inputs * 0x9E3779B97F4A7C15u);
    dprintf(fuzz_complaints, "%llu inputs from %u seeds\n", (unsigned long long)inputs, seed_count);
    for (unsigned i = 0; i < seed_count; i++)
        free(seeds[i].data);
    return inputs == 0;
}
