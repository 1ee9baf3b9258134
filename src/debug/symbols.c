/* SPDX-License-Identifier: Apache-2.0 */
#include "debug/symbols.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "debug/dwarf/dw.h"
#include "debug/names.h"
#include "farm/chip/chip.h"
#include "farm/chip/dram_tiles.h"
#include "host/mix.h"
#include "host/printable.h"
#include "host/text.h"

#define NAME_BYTES_MAX 100
#define FILE_BYTES_MAX 80
#define INLINED_BYTES_MAX 60

struct function {
    uint32_t start, end;
    const char *raw, *name; /* in the file, and as it is shown */
};

struct tf_program {
    struct tf_program *next;
    uint8_t *image;
    size_t bytes;
    unsigned cores;
    bool all_tiles, unplaced;
    bool tile[TF_SYMBOLS_TILES];       /* by tf_symbols_tile() */
    uint32_t offset[TF_SYMBOLS_TILES]; /* distance from the addresses of the image to those of the tile */
    struct function *function;
    size_t functions;
    Dwarf *dwarf;
    struct tf_inlines inlines;
    struct tf_names names;
    int fd;        /* file descriptor of a copy for libdw, or -1 */
    bool searched; /* libdw's handle, for lines */
};

struct tf_symbols {
    struct tf_program *first;
    uint32_t changes;              /* how often programs, or their places, may have changed */
    const struct tf_chip *matched; /* by tf_symbols_match() last, at a time of the chip */
    uint64_t cycle;
    struct tf_dw dw;
    struct tf_demangler demangler;
};

struct tf_symbols *tf_symbols_create(void)
{
    return calloc(1, sizeof(struct tf_symbols));
}

/* A name of a program's file, as it is shown. */
static const char *shown(const struct tf_symbols *symbols, struct tf_program *program, const char *raw)
{
    return tf_names_shown(&program->names, &symbols->demangler, raw);
}

static void free_program(struct tf_symbols *symbols, struct tf_program *program)
{
    free(program->inlines.inlined);
    if (program->dwarf != NULL)
        symbols->dw.end(program->dwarf);
    if (program->fd >= 0)
        close(program->fd);
    free(program->image);
    free(program->function);
    tf_names_free(&program->names);
    free(program);
}

void tf_symbols_destroy(struct tf_symbols *symbols)
{
    if (symbols == NULL)
        return;
    for (struct tf_program *at = symbols->first, *next; at != NULL; at = next) {
        next = at->next;
        free_program(symbols, at);
    }
    tf_dw_unload(&symbols->dw);
    tf_demangler_unload(&symbols->demangler);
    free(symbols);
}

static bool within(const struct tf_program *program, uint64_t offset, uint64_t bytes)
{
    return offset <= program->bytes && bytes <= program->bytes - offset;
}

static bool get_section(const struct tf_program *program, const Elf32_Ehdr *header, unsigned number,
                        Elf32_Shdr *section)
{
    uint64_t at = header->e_shoff + (uint64_t)number * sizeof *section;
    if (number >= header->e_shnum || header->e_shentsize != sizeof *section || !within(program, at, sizeof *section))
        return false;
    memcpy(section, program->image + at, sizeof *section);
    return section->sh_type == SHT_NOBITS || within(program, section->sh_offset, section->sh_size);
}

static int by_start(const void *a, const void *b)
{
    const struct function *x = a, *y = b;
    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    return (x->end < y->end) - (x->end > y->end); /* sort labels after functions */
}

/* Collect functions and labels of code. One without a size reaches up to the next one. */
static bool take_symbols(struct tf_symbols *symbols, struct tf_program *program, const Elf32_Ehdr *header,
                         const Elf32_Shdr *table)
{
    Elf32_Shdr names, section;
    size_t count = table->sh_size / sizeof(Elf32_Sym);
    if (!get_section(program, header, table->sh_link, &names) || names.sh_type != SHT_STRTAB || names.sh_size == 0 ||
        program->image[names.sh_offset + names.sh_size - 1] != '\0')
        return false;
    program->function = calloc(count + 1, sizeof *program->function);
    if (program->function == NULL)
        return false;
    for (size_t i = 0; i < count; i++) {
        Elf32_Sym symbol;
        memcpy(&symbol, program->image + table->sh_offset + i * sizeof symbol, sizeof symbol);
        unsigned type = ELF32_ST_TYPE(symbol.st_info);
        const char *name = (const char *)program->image + names.sh_offset + symbol.st_name;
        if (symbol.st_name < names.sh_size)
            tf_demangler_load(&symbols->demangler, name); /* also for names of variables */
        if ((type != STT_FUNC && type != STT_NOTYPE) || symbol.st_name >= names.sh_size || name[0] == '\0' ||
            name[0] == '$' || name[0] == '.' || !get_section(program, header, symbol.st_shndx, &section) ||
            (section.sh_flags & SHF_EXECINSTR) == 0)
            continue;
        program->function[program->functions++] = (struct function){symbol.st_value, symbol.st_value + symbol.st_size,
                                                                    name, shown(symbols, program, name)};
    }
    qsort(program->function, program->functions, sizeof *program->function, by_start);
    for (size_t i = 0; i < program->functions; i++) {
        struct function *at = &program->function[i];
        if (at->end <= at->start)
            at->end = i + 1 < program->functions ? program->function[i + 1].start : at->start + 0x1000;
    }
    return true;
}

/* Find the symbol table of a program. Returns false if it has none, or is no ELF file of 32 bits. */
static bool get_table(const struct tf_program *program, Elf32_Ehdr *header, Elf32_Shdr *table)
{
    if (program->bytes < sizeof *header)
        return false;
    memcpy(header, program->image, sizeof *header);
    if (memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 || header->e_ident[EI_CLASS] != ELFCLASS32 ||
        header->e_ident[EI_DATA] != ELFDATA2LSB)
        return false;
    for (unsigned i = 0; i < header->e_shnum; i++)
        if (get_section(program, header, i, table) && table->sh_type == SHT_SYMTAB)
            return true;
    return false;
}

static bool read_symbols(struct tf_symbols *symbols, struct tf_program *program)
{
    Elf32_Ehdr header;
    Elf32_Shdr table;
    return get_table(program, &header, &table) && take_symbols(symbols, program, &header, &table);
}

/* Find a variable in the symbol table, whose names take_symbols() has checked: by its name, or if that is NULL, the one
   that has an address. Returns its name as it is shown, or NULL. */
static const char *find_variable(const struct tf_symbols *symbols, struct tf_program *program, const char *wanted,
                                 uint32_t address, Elf32_Sym *symbol)
{
    Elf32_Ehdr header;
    Elf32_Shdr table, names;
    if (!get_table(program, &header, &table) || !get_section(program, &header, table.sh_link, &names))
        return NULL;
    for (size_t i = 0; i < table.sh_size / sizeof *symbol; i++) {
        memcpy(symbol, program->image + table.sh_offset + i * sizeof *symbol, sizeof *symbol);
        const unsigned type = ELF32_ST_TYPE(symbol->st_info);
        const char *name = (const char *)program->image + names.sh_offset + symbol->st_name;
        if (symbol->st_shndx == SHN_UNDEF || symbol->st_name >= names.sh_size)
            continue;
        /* Symbols of the linker script have no type. */
        if (wanted != NULL ? (type == STT_OBJECT || type == STT_NOTYPE) &&
                                 (strcmp(name, wanted) == 0 || strcmp(shown(symbols, program, name), wanted) == 0)
                           : type == STT_OBJECT && address - symbol->st_value < symbol->st_size)
            return shown(symbols, program, name);
    }
    return NULL;
}

static const bool no_tile[TF_TENSIX_TILES_MAX];

bool tf_symbols_add(struct tf_symbols *symbols, const void *image, size_t bytes, unsigned cores, const bool *tiles)
{
    struct tf_program *program = calloc(1, sizeof *program);
    if (program == NULL)
        return false;
    program->fd = -1;
    program->cores = cores;
    program->all_tiles = tiles == NULL;
    if (tiles != NULL)
        memcpy(program->tile, tiles, TF_TENSIX_TILES_MAX * sizeof tiles[0]);
    program->image = malloc(bytes + 1);
    program->bytes = bytes;
    if (program->image != NULL)
        memcpy(program->image, image, bytes);
    if (program->image == NULL || !read_symbols(symbols, program)) {
        free_program(symbols, program);
        return false;
    }
    program->next = symbols->first;
    symbols->first = program;
    symbols->changes++;
    symbols->matched = NULL;
    return true;
}

bool tf_symbols_add_nodes(struct tf_symbols *symbols, const struct tf_arch *arch, const void *image, size_t bytes,
                          unsigned cores, const struct tf_coord *nodes, size_t count)
{
    if (!tf_symbols_add(symbols, image, bytes, cores, no_tile))
        return false;
    for (size_t i = 0; i < count; i++) {
        const int number = tf_symbols_tile(tf_arch_or_default(arch), nodes[i]);
        if (number >= 0)
            symbols->first->tile[number] = true;
    }
    return true;
}

struct tf_tile *tf_symbols_tile_of(const struct tf_chip *chip, unsigned number)
{
    for (unsigned i = number < chip->tiles.tensix ? number : chip->tiles.tensix; i < tf_chip_tiles(chip); i++) {
        struct tf_tile *tile = tf_chip_tile(chip, i);
        if (tile != NULL && tf_symbols_tile(chip->arch, tile->coord) == (int)number)
            return tile;
    }
    return NULL;
}

int tf_symbols_tile(const struct tf_arch *arch, struct tf_coord node)
{
    const enum tf_node_kind kind = tf_node_kind(arch, node);
    if (kind == TF_NODE_DRAM && arch->dram.core != NULL)
        return (int)(TF_TILES_MAX + tf_node_number(arch, node));
    const int index = kind == TF_NODE_TENSIX || kind == TF_NODE_ETH ? arch->place[tf_node_number(arch, node)].index
                                                                    : -1;
    return kind == TF_NODE_ETH && index >= 0 ? (int)TF_TENSIX_TILES_MAX + index : index;
}

bool tf_symbols_add_unplaced(struct tf_symbols *symbols, const void *image, size_t bytes)
{
    if (!tf_symbols_add(symbols, image, bytes, UINT32_MAX, no_tile))
        return false;
    symbols->first->unplaced = true;
    return true;
}

/* Find the next segment of code from number *next on. Returns false if there is none. */
static bool next_code(const struct tf_program *program, unsigned *next, Elf32_Phdr *segment)
{
    Elf32_Ehdr header;
    memcpy(&header, program->image, sizeof header);
    while (*next < header.e_phnum) {
        uint64_t at = header.e_phoff + (uint64_t)(*next)++ * sizeof *segment;
        if (!within(program, at, sizeof *segment))
            return false;
        memcpy(segment, program->image + at, sizeof *segment);
        if (segment->p_type == PT_LOAD && (segment->p_flags & PF_X) != 0 && segment->p_filesz != 0 &&
            within(program, segment->p_offset, segment->p_filesz))
            return true;
    }
    return false;
}

/* Does L1 of a tile have the code of a program, at the addresses of the image? */
static bool lies_in(const struct tf_program *program, const struct tf_tile *tile)
{
    Elf32_Phdr segment;
    unsigned next = 0;
    bool any = false;
    while (next_code(program, &next, &segment)) {
        if (segment.p_paddr >= tile->arch->l1_bytes || segment.p_filesz > tile->arch->l1_bytes - segment.p_paddr ||
            memcmp(tile->l1 + segment.p_paddr, program->image + segment.p_offset, segment.p_filesz) != 0)
            return false;
        any = true;
    }
    return any;
}

/* --- code that was moved when it was loaded, as tt-metal moves kernels --- */

#define WORDS_LEAST 8u

/* Mark the words that make addresses, by the relocations that the linker has left (--emit-relocs). tt-metal changes
   some of these words when it moves code. */
static void mark_addresses(const struct tf_program *program, const Elf32_Phdr *segment, bool *mark)
{
    Elf32_Ehdr header;
    Elf32_Shdr section;
    memcpy(&header, program->image, sizeof header);
    for (unsigned number = 0; number < header.e_shnum; number++) {
        if (!get_section(program, &header, number, &section) || section.sh_type != SHT_RELA)
            continue;
        for (size_t i = 0; i < section.sh_size / sizeof(Elf32_Rela); i++) {
            Elf32_Rela entry;
            memcpy(&entry, program->image + section.sh_offset + i * sizeof entry, sizeof entry);
            unsigned type = ELF32_R_TYPE(entry.r_info);
            bool address = type == R_RISCV_32 || (type >= R_RISCV_PCREL_HI20 && type <= R_RISCV_LO12_S);
            if (address && entry.r_offset - segment->p_vaddr < segment->p_filesz)
                mark[(entry.r_offset - segment->p_vaddr) / 4] = true;
        }
    }
}

static uint32_t word_at(const uint8_t *bytes, size_t number)
{
    uint32_t word;
    memcpy(&word, bytes + 4 * number, sizeof word);
    return word;
}

static bool is_moved_code(const uint8_t *code, const uint8_t *found, const bool *mark, size_t words)
{
    for (size_t i = 0; i < words; i++)
        if (!mark[i] && word_at(code, i) != word_at(found, i))
            return false;
    return true;
}

static bool holds_a_pc(const struct tf_tile *tile, uint32_t start, uint32_t bytes)
{
    for (unsigned core = 0; core < tile->arch->cores; core++)
        if (tile->hart[core].state != TF_CORE_RESET && tile->hart[core].pc - start < bytes)
            return true;
    return false;
}

/* A program to be found in L1. */
struct sought {
    struct tf_program *program;
    const uint8_t *code;
    bool *mark;
    size_t words, fixed; /* the first word that relocation does not change */
    uint32_t address;
    bool executed; /* a core executes the copy that was found */
};

#define FIRST_BITS 12
#define FIRST_OF(word) ((word)*0x9E3779B1u >> (32 - FIRST_BITS))

struct search {
    struct sought *sought;
    size_t count;
    bool first[1u << FIRST_BITS]; /* some fixed word may have this hash */
};

static void seek(struct search *search, struct tf_program *program)
{
    Elf32_Phdr segment, other;
    unsigned next = 0;
    if (!next_code(program, &next, &segment) || next_code(program, &next, &other) || segment.p_filesz / 4 < WORDS_LEAST)
        return;
    struct sought sought = {.program = program,
                            .code = program->image + segment.p_offset,
                            .mark = calloc(segment.p_filesz / 4 + 1, sizeof *sought.mark),
                            .words = segment.p_filesz / 4,
                            .address = segment.p_vaddr};
    if (sought.mark == NULL)
        return;
    mark_addresses(program, &segment, sought.mark);
    while (sought.fixed < sought.words && (sought.mark[sought.fixed] || word_at(sought.code, sought.fixed) == 0))
        sought.fixed++;
    if (sought.fixed == sought.words) {
        free(sought.mark);
        return;
    }
    search->first[FIRST_OF(word_at(sought.code, sought.fixed))] = true;
    search->sought[search->count++] = sought;
}

/* A word of a tile may be the fixed word of a program. Compare the code around it. */
static void compare_code(struct sought *sought, const struct tf_tile *tile, unsigned number, size_t at)
{
    uint32_t start = (uint32_t)(at - sought->fixed) * 4;
    bool *found = &sought->program->tile[number];
    uint32_t *offset = &sought->program->offset[number];
    if (word_at(sought->code, sought->fixed) != word_at(tile->l1, at) || at < sought->fixed || sought->executed ||
        (*found && *offset == 0) || sought->words - sought->fixed > tile->arch->l1_bytes / 4 - at ||
        !is_moved_code(sought->code, tile->l1 + start, sought->mark, sought->words))
        return;
    sought->executed = holds_a_pc(tile, start, (uint32_t)sought->words * 4);
    if (!*found || sought->executed)
        *offset = start - sought->address;
    *found = true;
}

/* Search all of L1, in one pass for all programs. A copy that a core executes comes before others. */
static void search_tile(const struct search *search, const struct tf_tile *tile, unsigned number)
{
    for (size_t i = 0; i < search->count; i++)
        search->sought[i].executed = false;
    for (size_t at = 0; at < tile->arch->l1_bytes / 4; at++) {
        uint32_t word = word_at(tile->l1, at);
        if (word == 0 || !search->first[FIRST_OF(word)])
            continue;
        for (size_t i = 0; i < search->count; i++)
            compare_code(&search->sought[i], tile, number, at);
    }
}

static bool runs(const struct tf_tile *tile)
{
    for (unsigned core = 0; core < tile->arch->cores; core++)
        if (tile->hart[core].state != TF_CORE_RESET)
            return true;
    return false;
}

/* Find moved code, in tiles that have the program nowhere else and have left reset. */
static void match_moved(struct tf_symbols *symbols, const struct tf_chip *chip, size_t programs)
{
    struct search *search = calloc(1, sizeof *search);
    if (search != NULL)
        search->sought = calloc(programs + 1, sizeof *search->sought);
    if (search != NULL && search->sought != NULL) {
        for (struct tf_program *at = symbols->first; at != NULL; at = at->next)
            if (at->unplaced)
                seek(search, at);
        for (unsigned i = 0; i < tf_chip_tiles(chip) && search->count != 0; i++) {
            const struct tf_tile *tile = tf_chip_tile(chip, i);
            if (tile != NULL && runs(tile))
                search_tile(search, tile, (unsigned)tf_symbols_tile(chip->arch, tile->coord));
        }
        for (size_t i = 0; i < search->count; i++)
            free(search->sought[i].mark);
        free(search->sought);
    }
    free(search);
}

void tf_symbols_match(struct tf_symbols *symbols, struct tf_chip *chip)
{
    size_t programs = 0;
    if (symbols == NULL)
        return;
    symbols->changes++;
    symbols->matched = chip;
    symbols->cycle = tf_chip_cycles(chip);
    tf_forks_settle_all(&chip->forks, chip->fabric);
    for (struct tf_program *at = symbols->first; at != NULL; at = at->next) {
        programs += at->unplaced;
        memset(at->offset, 0, at->unplaced ? sizeof at->offset : 0);
        for (unsigned i = 0; at->unplaced && i < tf_chip_tiles(chip); i++) {
            const struct tf_tile *tile = tf_chip_tile(chip, i);
            if (tile != NULL)
                at->tile[tf_symbols_tile(chip->arch, tile->coord)] = lies_in(at, tile);
        }
    }
    match_moved(symbols, chip, programs);
}

void tf_symbols_turn(struct tf_symbols *symbols, struct tf_chip *chip)
{
    const struct tf_program *at = symbols != NULL ? symbols->first : NULL;
    while (at != NULL && !at->unplaced)
        at = at->next;
    if (at != NULL && (symbols->matched != chip || symbols->cycle != tf_chip_cycles(chip)))
        tf_symbols_match(symbols, chip);
}

static bool is_for(const struct tf_program *program, unsigned tile, unsigned core)
{
    bool of_tile = tile < TF_TENSIX_TILES_MAX && program->all_tiles;
    of_tile |= tile < TF_SYMBOLS_TILES && program->tile[tile];
    return of_tile && core < 32 && (program->cores >> core & 1) != 0;
}

/* The last function that begins at or before an address and reaches beyond it. */
static const struct function *function_at(const struct tf_program *program, uint32_t address)
{
    size_t low = 0, high = program->functions;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (program->function[middle].start <= address)
            low = middle + 1;
        else
            high = middle;
    }
    while (low > 0 && program->function[low - 1].end <= address)
        low--;
    return low == 0 ? NULL : &program->function[low - 1];
}

static uint32_t offset_in(const struct tf_program *program, unsigned tile)
{
    return program->unplaced && tile < TF_SYMBOLS_TILES ? program->offset[tile] : 0;
}

/* The function at an address of a tile, with the addresses of the image. */
static const struct function *find(const struct tf_symbols *symbols, unsigned tile, unsigned core, uint32_t address,
                                   struct tf_program **of)
{
    for (struct tf_program *at = symbols == NULL ? NULL : symbols->first; at != NULL; at = at->next) {
        const struct function *function = is_for(at, tile, core) ? function_at(at, address - offset_in(at, tile))
                                                                 : NULL;
        if (function == NULL)
            continue;
        *of = at;
        return function;
    }
    return NULL;
}

const char *tf_symbols_function_in(const struct tf_symbols *symbols, unsigned tile, unsigned core, uint32_t address,
                                   uint32_t *start, const struct tf_program **of)
{
    struct tf_program *program;
    const struct function *function = find(symbols, tile, core, address, &program);
    if (function == NULL)
        return NULL;
    *of = program;
    *start = function->start + offset_in(program, tile);
    return function->name;
}

const char *tf_symbols_function(const struct tf_symbols *symbols, unsigned tile, unsigned core, uint32_t address,
                                uint32_t *start)
{
    const struct tf_program *program;
    return tf_symbols_function_in(symbols, tile, core, address, start, &program);
}

bool tf_symbols_named(const struct tf_symbols *symbols, unsigned tile, unsigned core, const char *name,
                      uint32_t *address, uint32_t *bytes)
{
    Elf32_Sym symbol;
    for (struct tf_program *at = symbols == NULL ? NULL : symbols->first; at != NULL; at = at->next) {
        if (!is_for(at, tile, core))
            continue;
        for (size_t i = 0; i < at->functions; i++)
            if (strcmp(at->function[i].raw, name) == 0 || tf_name_is(at->function[i].name, name)) {
                *address = at->function[i].start + offset_in(at, tile);
                *bytes = 0;
                return true;
            }
        if (find_variable(symbols, at, name, 0, &symbol) != NULL) {
            *address = symbol.st_value + offset_in(at, tile);
            *bytes = symbol.st_size;
            return true;
        }
    }
    return false;
}

const char *tf_symbols_variable(const struct tf_symbols *symbols, unsigned tile, unsigned core, uint32_t address,
                                uint32_t *start)
{
    Elf32_Sym symbol;
    const char *name = NULL;
    struct tf_program *at = symbols == NULL ? NULL : symbols->first;
    for (; at != NULL && name == NULL; at = at->next) {
        if (is_for(at, tile, core))
            name = find_variable(symbols, at, NULL, address - offset_in(at, tile), &symbol);
        if (name != NULL)
            *start = symbol.st_value + offset_in(at, tile);
    }
    return name;
}

void tf_symbols_each_function(const struct tf_program *program,
                              void (*each)(void *user, const char *name, uint32_t start, uint32_t end), void *user)
{
    for (size_t i = 0; i < program->functions; i++)
        each(user, program->function[i].name, program->function[i].start, program->function[i].end);
}

const struct tf_program *tf_symbols_next(const struct tf_symbols *symbols, const struct tf_program *program)
{
    return program != NULL ? program->next : symbols == NULL ? NULL : symbols->first;
}

bool tf_symbols_not_code(const struct tf_symbols *symbols, unsigned tile, unsigned core, uint32_t address)
{
    struct tf_program *program;
    bool has_program = false;
    for (const struct tf_program *at = symbols == NULL ? NULL : symbols->first; at != NULL; at = at->next)
        has_program |= is_for(at, tile, core);
    return has_program && find(symbols, tile, core, address, &program) == NULL;
}

/* libdw reads a file, so write one. */
static Dwarf *dwarf_of(struct tf_symbols *symbols, struct tf_program *program)
{
    if (program->searched || !tf_dw_load(&symbols->dw))
        return program->dwarf;
    program->searched = true;
    program->fd = memfd_create("program", MFD_CLOEXEC);
    if (program->fd < 0 || write(program->fd, program->image, program->bytes) != (ssize_t)program->bytes)
        return NULL;
    program->dwarf = symbols->dw.begin(program->fd, DWARF_C_READ);
    tf_inlines_find(&program->inlines, &symbols->dw, program->dwarf);
    for (size_t i = 0; i < program->inlines.count; i++) {
        struct tf_inlined *inlined = &program->inlines.inlined[i];
        inlined->name = shown(symbols, program, inlined->name);
        inlined->file = shown(symbols, program, inlined->file);
        inlined->from_file = shown(symbols, program, inlined->from_file);
    }
    return program->dwarf;
}

static Dwarf_Line *line_at(struct tf_symbols *symbols, struct tf_program *program, uint32_t address)
{
    const struct tf_dw *dw = &symbols->dw;
    Dwarf *dwarf = dwarf_of(symbols, program);
    Dwarf_Off offset = 0, next;
    size_t header;
    Dwarf_Die die;
    for (; dwarf != NULL && dw->nextcu(dwarf, offset, &next, &header, NULL, NULL, NULL) == 0; offset = next) {
        Dwarf_Line *line = dw->offdie(dwarf, offset + header, &die) == NULL || dw->haspc(&die, address) != 1
                               ? NULL
                               : dw->getsrc(&die, address);
        if (line != NULL)
            return line;
    }
    return NULL;
}

bool tf_symbols_line(struct tf_symbols *symbols, const struct tf_program *of, uint32_t address, const char **file,
                     unsigned *line)
{
    struct tf_program *program = (struct tf_program *)(uintptr_t)of;
    Dwarf_Line *found = line_at(symbols, program, address);
    int number = 0;
    *file = found == NULL ? NULL : shown(symbols, program, symbols->dw.linesrc(found, NULL, NULL));
    if (*file == NULL || symbols->dw.lineno(found, &number) != 0 || number <= 0)
        return false;
    *line = (unsigned)number;
    return true;
}

unsigned tf_symbols_inlined(struct tf_symbols *symbols, const struct tf_program *program, uint32_t address,
                            struct tf_inlined *calls)
{
    unsigned count = 0;
    (void)dwarf_of(symbols, (struct tf_program *)(uintptr_t)program);
    for (size_t i = 0; i < program->inlines.count && count < TF_INLINED_MAX; i++) {
        const struct tf_inlined *inlined = &program->inlines.inlined[i];
        if (address >= inlined->start && address < inlined->end)
            calls[count++] = *inlined;
    }
    return count;
}

unsigned tf_symbols_inlined_in(struct tf_symbols *symbols, unsigned tile, unsigned core, uint32_t address,
                               const struct tf_program **of, struct tf_inlined *calls)
{
    struct tf_program *program;
    if (find(symbols, tile, core, address, &program) == NULL)
        return 0;
    *of = program;
    return tf_symbols_inlined(symbols, program, address - offset_in(program, tile), calls);
}

void tf_symbols_each_inlined(struct tf_symbols *symbols, unsigned tile, unsigned core,
                             void (*each)(void *user, uint32_t start, uint32_t end), void *user)
{
    for (struct tf_program *at = symbols == NULL ? NULL : symbols->first; at != NULL; at = at->next) {
        if (!is_for(at, tile, core))
            continue;
        (void)dwarf_of(symbols, at);
        const uint32_t offset = offset_in(at, tile);
        for (size_t i = 0; i < at->inlines.count; i++)
            each(user, at->inlines.inlined[i].start + offset, at->inlines.inlined[i].end + offset);
    }
}

uint64_t tf_symbols_programs(const struct tf_symbols *symbols, unsigned tile, unsigned core)
{
    uint64_t programs = 0;
    for (const struct tf_program *at = symbols == NULL ? NULL : symbols->first; at != NULL; at = at->next)
        if (is_for(at, tile, core))
            programs = tf_mix_pair(programs, (uintptr_t)at + ((uint64_t)offset_in(at, tile) << 32)) | 1;
    return programs;
}

uint32_t tf_symbols_changes(const struct tf_symbols *symbols)
{
    return symbols == NULL ? 0 : symbols->changes;
}

static void each_line_of(const struct tf_symbols *symbols, struct tf_program *program, Dwarf_Die *die,
                         void (*each)(void *user, uint32_t address, const char *file, unsigned line), void *user)
{
    const struct tf_dw *dw = &symbols->dw;
    Dwarf_Lines *lines;
    size_t count;
    if (dw->getlines(die, &lines, &count) != 0)
        return;
    for (size_t i = 0; i < count; i++) {
        Dwarf_Line *line = dw->oneline(lines, i);
        Dwarf_Addr address;
        int number = 0;
        bool ends = true;
        if (line == NULL || dw->lineend(line, &ends) != 0 || ends)
            continue;
        const char *file = shown(symbols, program, dw->linesrc(line, NULL, NULL));
        if (file != NULL && dw->lineaddr(line, &address) == 0 && dw->lineno(line, &number) == 0 && number > 0)
            each(user, (uint32_t)address, file, (unsigned)number);
    }
}

void tf_symbols_each_line(struct tf_symbols *symbols, const struct tf_program *of,
                          void (*each)(void *user, uint32_t address, const char *file, unsigned line), void *user)
{
    const struct tf_dw *dw = &symbols->dw;
    struct tf_program *program = (struct tf_program *)(uintptr_t)of;
    Dwarf *dwarf = dwarf_of(symbols, program);
    Dwarf_Off offset = 0, next;
    size_t header;
    Dwarf_Die die;
    for (; dwarf != NULL && dw->nextcu(dwarf, offset, &next, &header, NULL, NULL, NULL) == 0; offset = next)
        if (dw->offdie(dwarf, offset + header, &die) != NULL)
            each_line_of(symbols, program, &die, each, user);
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == NULL ? path : slash + 1;
}

/* A precision for printf(). */
static int cut(const char *text, size_t most)
{
    return (int)tf_printable_cut(text, most);
}

bool tf_symbols_place(struct tf_symbols *symbols, unsigned tile, unsigned core, uint32_t address, char *text,
                      size_t bytes)
{
    struct tf_program *program;
    struct tf_inlined calls[TF_INLINED_MAX];
    struct tf_text to = {text, bytes, 0};
    const struct function *function = find(symbols, tile, core, address, &program);
    const char *file;
    unsigned line;
    if (bytes != 0)
        text[0] = '\0';
    if (function == NULL)
        return false;
    address -= offset_in(program, tile);
    tf_text_add(&to, "%.*s+%u", cut(function->name, NAME_BYTES_MAX), function->name, address - function->start);
    if (!tf_symbols_line(symbols, program, address, &file, &line))
        return true;
    file = base_name(file);
    unsigned count = tf_symbols_inlined(symbols, program, address, calls);
    tf_text_add(&to, " (");
    if (count != 0) { /* the call that lies in the function itself: that line is the user's */
        const struct tf_inlined *call = &calls[count - 1];
        const char *from = base_name(call->from_file);
        tf_text_add(&to, "%.*s:%u, in %.*s at ", cut(from, FILE_BYTES_MAX), from, call->from_line,
                    cut(call->name, INLINED_BYTES_MAX), call->name);
    }
    tf_text_add(&to, "%.*s:%u", cut(file, FILE_BYTES_MAX), file, line);
    tf_text_add(&to, ")");
    return true;
}
