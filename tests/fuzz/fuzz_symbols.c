/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Executables with symbols and DWARF, as symbols and `tilefarm disasm` read them. fuzz_elf loads executables. The files
 * to begin with are device programs.
 */
#include <stdbool.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/commands/disasm.h"
#include "debug/symbols.h"
#include "driver.h"
#include "host/printable.h"

const char *const fuzz_words[] = {".symtab", ".strtab", ".debug_info", ".debug_line", ".text", "\x1B[2J", "main", NULL};

size_t fuzz_seed(unsigned number, uint8_t *data, size_t room)
{
    (void)number, (void)data, (void)room;
    return 0;
}

static void see_function(void *user, const char *name, uint32_t start, uint32_t end)
{
    (void)user, (void)start, (void)end;
    DEMAND(tf_is_printable(name));
}

static void see_line(void *user, uint32_t address, const char *file, unsigned line)
{
    ++*(unsigned *)user;
    (void)address;
    DEMAND(tf_is_printable(file) && line > 0);
}

static void check_places(struct tf_symbols *symbols)
{
    static const uint32_t addresses[] = {0, 4, 0x10, 0x40, 0x100, 0x4000, 0x8000, 0x8040, 0xFFFFFFFC};
    for (size_t i = 0; i < sizeof addresses / sizeof addresses[0]; i++) {
        char place[TF_PLACE_BYTES];
        if (!tf_symbols_place(symbols, 0, 0, addresses[i], place, sizeof place))
            continue;
        DEMAND(memchr(place, '\0', sizeof place) != NULL);
        DEMAND(tf_is_printable(place));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    fuzz_silence();
    struct tf_symbols *symbols = tf_symbols_create();
    unsigned lines = 0;
    if (symbols == NULL)
        abort();
    if (tf_symbols_add(symbols, data, bytes, UINT32_MAX, NULL)) {
        const struct tf_program *program = tf_symbols_next(symbols, NULL);
        tf_symbols_each_function(program, see_function, NULL);
        check_places(symbols);
        tf_symbols_each_line(symbols, program, see_line, &lines);
    }
    tf_symbols_destroy(symbols);
    const char *path = fuzz_file(data, bytes);
    char *argv[] = {(char *)"disasm", (char *)path, NULL};
    if (path != NULL)
        tf_cli_disasm(2, argv);
    return 0;
}
