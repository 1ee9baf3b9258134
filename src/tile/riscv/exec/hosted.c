/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/riscv/exec/hosted.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/extremes.h"
#include "host/shared.h"
#include "tile/float.h"
#include "tile/riscv/code/insn.h"
#include "tile/riscv/hart/memory.h"
#include "tile/state.h"

#define CALL_BEFORE 0x01F01013u /* slli x0, x0, 0x1f */
#define CALL_BEHIND 0x40705013u /* srai x0, x0, 7 */

enum { A0 = 10, A1 = 11 };

/* Find bytes of L1 or of the core's own RAM. */
static bool get(struct tf_tile *tile, const struct tf_hart *hart, uint32_t address, void *to, unsigned bytes)
{
    uint8_t *data;
    if (!tf_hart_memory(tile, hart, address, bytes, &data))
        return false;
    if (tile->mode.shared)
        tf_shared_get(to, data, bytes);
    else
        memcpy(to, data, bytes);
    return true;
}

/* --- texts, which are cut where they exceed the room --- */

struct text {
    char data[TF_HOSTED_BYTES_MAX];
    uint32_t bytes;
};

static void put(struct text *text, char c)
{
    if (text->bytes < sizeof text->data)
        text->data[text->bytes++] = c;
}

/* Copy the text at an address up to its 0, or up to `most` characters. */
static void put_string(struct tf_tile *tile, const struct tf_hart *hart, struct text *text, uint32_t address,
                       uint32_t most)
{
    char c;
    for (uint32_t i = 0; i < most && i < sizeof text->data && get(tile, hart, address + i, &c, 1) && c != '\0'; i++)
        put(text, c);
}

static void put_bytes(struct tf_tile *tile, const struct tf_hart *hart, struct text *text, uint32_t address,
                      uint32_t bytes)
{
    char c;
    for (uint32_t i = 0; i < bytes && i < sizeof text->data && get(tile, hart, address + i, &c, 1); i++)
        put(text, c);
}

/* --- formats --- */

/* Arguments in memory, as the calling convention ilp32 places them. They are words; an argument of 8 bytes begins at a
   multiple of 8. */
struct arguments {
    struct tf_tile *tile;
    const struct tf_hart *hart;
    uint32_t at;
};

static uint32_t next_word(struct arguments *arguments)
{
    uint32_t value = 0;
    get(arguments->tile, arguments->hart, arguments->at, &value, sizeof value);
    arguments->at += 4;
    return value;
}

static uint64_t next_double_word(struct arguments *arguments)
{
    arguments->at = (arguments->at + 7) & ~7u;
    uint64_t low = next_word(arguments);
    return low | (uint64_t)next_word(arguments) << 32;
}

/* A conversion of a format: %, flags, width, precision, length, letter. */
struct conversion {
    char flags[8];
    int width, precision; /* 0, -1: none */
    bool longer;          /* ll or j */
    bool longest;         /* L: a long double, of which the arguments have the address */
    unsigned narrow;      /* h: 2 bytes, hh: 1 byte; 0 without such a length */
    char letter;
};

/* At most TF_HOSTED_BYTES_MAX, with either sign. */
static int number(struct arguments *arguments, const char **at)
{
    enum { MOST = TF_HOSTED_BYTES_MAX };
    int value = 0;
    if (**at == '*') {
        ++*at;
        value = (int)next_word(arguments);
    } else {
        for (; **at >= '0' && **at <= '9'; ++*at)
            value = value < MOST ? value * 10 + **at - '0' : value;
    }
    return (int)tf_clamp(value, -MOST, MOST);
}

/* Each flag once. */
static void add_flag(struct conversion *conversion, char flag)
{
    size_t used = strlen(conversion->flags);
    if (strchr(conversion->flags, flag) == NULL && used + 1 < sizeof conversion->flags)
        conversion->flags[used] = flag;
}

static struct conversion read_conversion(struct arguments *arguments, const char **at)
{
    struct conversion conversion = {.precision = -1};
    for (; **at != '\0' && strchr("-+ #0", **at) != NULL; ++*at)
        add_flag(&conversion, **at);
    if (**at == '*' || (**at >= '1' && **at <= '9'))
        conversion.width = number(arguments, at);
    if (conversion.width < 0) { /* an argument below 0 sets the flag - */
        add_flag(&conversion, '-');
        conversion.width = -conversion.width;
    }
    if (**at == '.') {
        ++*at;
        conversion.precision = number(arguments, at);
    }
    for (; **at != '\0' && strchr("hljztL", **at) != NULL; ++*at) {
        conversion.longest |= **at == 'L';
        conversion.longer |= **at == 'j' || (**at == 'l' && (*at)[1] == 'l');
        if (**at == 'h')
            conversion.narrow = conversion.narrow == 2 ? 1 : 2;
    }
    conversion.letter = **at;
    *at += **at != '\0';
    return conversion;
}

static uint64_t integer(struct arguments *arguments, const struct conversion *conversion, bool is_signed)
{
    uint64_t value = conversion->longer ? next_double_word(arguments) : next_word(arguments);
    unsigned bits = conversion->longer ? 64 : conversion->narrow != 0 ? 8 * conversion->narrow : 32;
    if (bits == 64)
        return value;
    return is_signed ? (uint64_t)((int64_t)(value << (64 - bits)) >> (64 - bits)) : value << (64 - bits) >> (64 - bits);
}

/* Build the conversion in the form that snprintf() of the host takes. */
static void write_format(const struct conversion *conversion, const char *length, char *format, size_t bytes)
{
    char width[16] = "", precision[16] = "";
    if (conversion->width > 0)
        snprintf(width, sizeof width, "%d", conversion->width);
    if (conversion->precision >= 0)
        snprintf(precision, sizeof precision, ".%d", conversion->precision);
    snprintf(format, bytes, "%%%s%s%s%s%c", conversion->flags, width, precision, length, conversion->letter);
}

static void convert_integer(struct arguments *arguments, const struct conversion *conversion, char *made, size_t bytes)
{
    char format[64];
    bool is_signed = conversion->letter == 'd' || conversion->letter == 'i';
    uint64_t value = integer(arguments, conversion, is_signed);
    write_format(conversion, "ll", format, sizeof format);
    if (is_signed)
        snprintf(made, bytes, format, (long long)value);
    else
        snprintf(made, bytes, format, (unsigned long long)value);
}

static void convert_real(struct arguments *arguments, const struct conversion *conversion, char *made, size_t bytes)
{
    char format[64];
    write_format(conversion, "", format, sizeof format);
    snprintf(made, bytes, format, tf_double_of(next_double_word(arguments)));
}

static void convert_string(struct arguments *arguments, const struct conversion *conversion, char *made, size_t bytes)
{
    char format[64], whole[TF_HOSTED_BYTES_MAX + 1];
    struct text of = {.bytes = 0};
    put_string(arguments->tile, arguments->hart, &of, next_word(arguments),
               conversion->precision >= 0 ? (uint32_t)conversion->precision : UINT32_MAX);
    memcpy(whole, of.data, of.bytes);
    whole[of.bytes] = '\0';
    write_format(conversion, "", format, sizeof format);
    snprintf(made, bytes, format, whole);
}

/* Put bytes, which may be NUL, in the width of the conversion. */
static void put_padded(struct text *text, const struct conversion *conversion, const char *data, int bytes)
{
    const bool left = strchr(conversion->flags, '-') != NULL;
    for (int i = bytes; !left && i < conversion->width; i++)
        put(text, ' ');
    for (int i = 0; i < bytes; i++)
        put(text, data[i]);
    for (int i = bytes; left && i < conversion->width; i++)
        put(text, ' ');
}

static void convert_pointer(struct arguments *arguments, const struct conversion *conversion, struct text *text)
{
    char made[16];
    put_padded(text, conversion, made, snprintf(made, sizeof made, "0x%08x", next_word(arguments)));
}

/* A conversion that is not known, or of a long double, is printed as it is. */
static void convert_unknown(struct arguments *arguments, const struct conversion *conversion, char *made, size_t bytes)
{
    const bool real = conversion->longest && strchr("eEfFgGaA", conversion->letter) != NULL;
    if (real)
        next_word(arguments);
    snprintf(made, bytes, "%%%s%c?", real ? "L" : "", conversion->letter);
}

static void convert(struct arguments *arguments, const struct conversion *conversion, struct text *text)
{
    char made[TF_HOSTED_BYTES_MAX + 1] = "";
    switch (conversion->longest ? 'L' : conversion->letter) {
    case 'd':
    case 'i':
    case 'u':
    case 'o':
    case 'x':
    case 'X': convert_integer(arguments, conversion, made, sizeof made); break;
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G':
    case 'a':
    case 'A': convert_real(arguments, conversion, made, sizeof made); break;
    case 's': convert_string(arguments, conversion, made, sizeof made); break;
    case 'p': convert_pointer(arguments, conversion, text); break;
    case 'c': put_padded(text, conversion, &(char){(char)next_word(arguments)}, 1); break;
    case '\0':
    case '%': put(text, '%'); break;
    default: convert_unknown(arguments, conversion, made, sizeof made); break;
    }
    for (const char *at = made; *at != '\0'; at++)
        put(text, *at);
}

static void put_format(struct tf_tile *tile, const struct tf_hart *hart, struct text *text, uint32_t block)
{
    struct text format = {.bytes = 0};
    struct arguments arguments = {.tile = tile, .hart = hart, .at = block};
    put_string(tile, hart, &format, next_word(&arguments), sizeof format.data - 1);
    format.data[format.bytes] = '\0';
    arguments.at = next_word(&arguments);
    for (const char *at = format.data; *at != '\0';)
        if (*at != '%') {
            put(text, *at++);
        } else {
            at++;
            struct conversion conversion = read_conversion(&arguments, &at);
            convert(&arguments, &conversion, text);
        }
}

/* --- what programs have printed --- */

static bool room(void **array, size_t needed, size_t *room, size_t size)
{
    size_t more = *room == 0 ? 1024 : *room;
    while (more < needed)
        more *= 2;
    if (more == *room)
        return true;
    void *grown = realloc(*array, more * size);
    if (grown == NULL)
        return false;
    *array = grown;
    *room = more;
    return true;
}

static void say(struct tf_said *said, const struct tf_hart *hart, const struct text *text, bool mark)
{
    if (!room((void **)&said->entry, said->entries + 1, &said->entry_room, sizeof *said->entry) ||
        !room((void **)&said->text, said->bytes + text->bytes + 1, &said->text_room, 1)) {
        said->lost = true;
        return;
    }
    said->entry[said->entries++] = (struct tf_said_text){.cycle = hart->cycle,
                                                         .at = said->bytes,
                                                         .bytes = text->bytes,
                                                         .pc = hart->pc,
                                                         .core = hart->core,
                                                         .mark = mark};
    memcpy(said->text + said->bytes, text->data, text->bytes);
    said->text[said->bytes + text->bytes] = '\0';
    said->bytes += text->bytes + 1;
}

static void listen(struct tf_tile *tile, const struct tf_hart *hart, uint32_t operation)
{
    struct text text = {.bytes = 0};
    uint32_t at = hart->x[A1], block[3];
    switch (operation) {
    case TF_HOSTED_WRITEC: put_bytes(tile, hart, &text, at, 1); break;
    case TF_HOSTED_WRITE:
        if (get(tile, hart, at, block, sizeof block))
            put_bytes(tile, hart, &text, block[1], block[2]);
        break;
    case TF_HOSTED_PRINTF: put_format(tile, hart, &text, at); break;
    default: put_string(tile, hart, &text, at, UINT32_MAX); break;
    }
    say(tile->said, hart, &text, operation == TF_HOSTED_MARK);
}

static bool is_insn(const struct tf_tile *tile, const struct tf_hart *hart, uint32_t pc, uint32_t word)
{
    return tf_code_fetches(tile, hart, pc) && tf_code_word(tile, pc) == word;
}

bool tf_hosted_call(struct tf_tile *tile, struct tf_hart *hart)
{
    uint32_t operation = hart->x[A0];
    if (!is_insn(tile, hart, hart->pc - 4, CALL_BEFORE) || !is_insn(tile, hart, hart->pc + 4, CALL_BEHIND))
        return false;
    bool known = (operation >= TF_HOSTED_WRITEC && operation <= TF_HOSTED_WRITE) ||
                 (operation >= TF_HOSTED_MARK && operation <= TF_HOSTED_PRINTF);
    if (known && tile->said != NULL)
        listen(tile, hart, operation);
    hart->x[A0] = known ? 0 : UINT32_MAX;
    return true;
}

static int compare(const void *a, const void *b)
{
    const struct tf_said_text *x = a, *y = b;
    if (x->cycle != y->cycle)
        return x->cycle < y->cycle ? -1 : 1;
    return x->core - y->core;
}

void tf_said_sort(struct tf_said *said)
{
    if (said->entries != 0)
        qsort(said->entry, said->entries, sizeof *said->entry, compare);
}

void tf_said_free(struct tf_said *said)
{
    free(said->entry);
    free(said->text);
}
