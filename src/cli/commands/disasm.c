/* SPDX-License-Identifier: Apache-2.0 */
/* `tilefarm disasm`: RV32 and Tensix instructions of an executable or of a flat image. */
#include <libelf.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/commands/disasm.h"
#include "cli/file.h"
#include "cli/options.h"
#include "cli/text.h"
#include "farm/chip/loader.h"
#include "host/printable.h"
#include "tile/arch.h"

struct disasm {
    uint64_t base;
    bool based;
    const struct tf_arch *arch;
};

struct label {
    uint32_t address;
    const char *name;
    size_t section; /* that it names a place in */
};

struct labels {
    struct label *label;
    size_t count;
    size_t section;             /* whose words are printed; 0: any */
    const struct tf_arch *arch; /* family whose instructions follow the labels */
};

static bool take_base(void *into, const char *option, const char *value)
{
    struct disasm *disasm = into;
    disasm->based = true;
    if (!tf_cli_number(option, value, 0, UINT32_MAX, &disasm->base))
        return false;
    if (disasm->base % 4 == 0)
        return true;
    tf_cli_error("%s: '%s' is not a multiple of 4", option, value);
    return false;
}

static const struct tf_option options[] = {
    TF_OPTION_OF_ARCH(struct disasm, arch),
    {.name = "base",
     .argument = "ADDRESS",
     .help = "disassemble a flat image that begins at this address",
     .kind = TF_OPTION_CALL,
     .call = take_base},
};

static const struct tf_usage usage = {
    .examples = "tilefarm disasm kernel.b.elf\n"
                "tilefarm disasm dump.bin --base 0x4000 --arch wormhole\n",
    .synopsis = "disasm FILE [--base ADDRESS] [--arch NAME]",
    .text = "Print the instructions of an ELF file, by section, or of a flat image. The file may be an object, or\n"
            "have data that 'run' does not load. Words whose low two bits\n"
            "are not 11 are Tensix instructions (.ttinsn); all others are RV32. Operands are shown in Blackhole's\n"
            "form for all families, with the family's own names where it has them. A note after # names what the\n"
            "family lacks.\n",
    .option = options,
    .options = sizeof options / sizeof options[0],
    .operands_least = 1,
    .operands_most = 1,
};

/* A name of the file, which may have any bytes. */
static void print_name(const char *before, const char *name, const char *after)
{
    size_t bytes = strlen(name), room = TF_PRINTABLE_GROWTH * bytes + 1;
    char *text = malloc(room);
    if (text != NULL)
        tf_printable(name, bytes, text, room);
    printf("%s%s%s", before, text != NULL ? text : "?", after);
    free(text);
}

static void print_words(const unsigned char *data, size_t bytes, uint32_t address, const struct labels *labels)
{
    size_t next = 0, at;
    while (next < labels->count && labels->label[next].address < address)
        next++;
    for (at = 0; at + 4 <= bytes; at += 4) {
        uint32_t pc = address + (uint32_t)at;
        for (; next < labels->count && labels->label[next].address <= pc; next++) {
            if (labels->section != 0 && labels->label[next].section != labels->section)
                continue;
            printf("%s%08x", at == 0 ? "" : "\n", labels->label[next].address);
            print_name(" <", labels->label[next].name, ">:\n");
        }
        uint32_t word = data[at] | (uint32_t)data[at + 1] << 8 | (uint32_t)data[at + 2] << 16 |
                        (uint32_t)data[at + 3] << 24;
        char text[256];
        tf_riscv_text(labels->arch, word, pc, text, sizeof text);
        printf("%8x:  %08x  %s\n", pc, word, text);
    }
    for (; at < bytes; at++)
        printf("%8x:  %02x        .byte 0x%02x\n", address + (uint32_t)at, data[at], data[at]);
}

static int by_address(const void *a, const void *b)
{
    const struct label *x = a, *y = b;
    return x->address != y->address ? (x->address > y->address) - (x->address < y->address) : strcmp(x->name, y->name);
}

/* Copy the header of a section. In a malformed file it may lie at any offset. */
static bool header_of(Elf_Scn *section, Elf32_Shdr *header)
{
    const void *at = elf32_getshdr(section);
    if (at != NULL)
        memcpy(header, at, sizeof *header);
    return at != NULL;
}

/* Collect the symbols that name a place in a section, without mapping symbols ($x) and compiler labels (.L1). */
static bool take_symbols(Elf *elf, Elf_Scn *section, size_t names, struct labels *labels)
{
    Elf_Data *data = elf_getdata(section, NULL);
    size_t count = data == NULL ? 0 : data->d_size / sizeof(Elf32_Sym);
    struct label *more = reallocarray(labels->label, labels->count + count + 1, sizeof *more);
    if (more == NULL)
        return false;
    labels->label = more;
    for (size_t i = 0; i < count; i++) {
        Elf32_Sym symbol;
        memcpy(&symbol, (const char *)data->d_buf + i * sizeof symbol, sizeof symbol);
        const char *name = elf_strptr(elf, names, symbol.st_name);
        bool place = ELF32_ST_TYPE(symbol.st_info) <= STT_FUNC && symbol.st_shndx != SHN_UNDEF &&
                     symbol.st_shndx < SHN_LORESERVE;
        if (place && name != NULL && name[0] != '\0' && name[0] != '$' && strncmp(name, ".L", 2) != 0)
            labels->label[labels->count++] =
                (struct label){.address = symbol.st_value, .name = name, .section = symbol.st_shndx};
    }
    return true;
}

static bool find_labels(Elf *elf, struct labels *labels)
{
    for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section)) != NULL;) {
        Elf32_Shdr header;
        if (header_of(section, &header) && header.sh_type == SHT_SYMTAB &&
            !take_symbols(elf, section, header.sh_link, labels))
            return false;
    }
    if (labels->count > 1)
        qsort(labels->label, labels->count, sizeof *labels->label, by_address);
    return true;
}

/* Print the segments with code, of a file without section headers. */
static void print_segments(Elf *elf, const struct labels *labels, const unsigned char *image, size_t bytes)
{
    size_t count = 0;
    const void *headers = elf32_getphdr(elf);
    if (headers == NULL || elf_getphdrnum(elf, &count) != 0)
        return;
    for (size_t i = 0; i < count; i++) {
        Elf32_Phdr segment;
        memcpy(&segment, (const char *)headers + i * sizeof segment, sizeof segment);
        if (segment.p_type != PT_LOAD || (segment.p_flags & PF_X) == 0 || segment.p_offset > bytes ||
            segment.p_filesz > bytes - segment.p_offset)
            continue;
        printf("\nsegment %zu:\n\n", i);
        print_words(image + segment.p_offset, segment.p_filesz, segment.p_vaddr, labels);
    }
}

/* Print the sections with code. A file without section headers is printed by segment. */
static void print_sections(Elf *elf, struct labels *labels, const unsigned char *image, size_t bytes)
{
    size_t names = 0;
    unsigned printed = 0;
    elf_getshdrstrndx(elf, &names);
    for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section)) != NULL;) {
        Elf32_Shdr header;
        if (!header_of(section, &header) || header.sh_type != SHT_PROGBITS || (header.sh_flags & SHF_EXECINSTR) == 0)
            continue;
        Elf_Data *data = elf_rawdata(section, NULL);
        const char *name = elf_strptr(elf, names, header.sh_name);
        if (data == NULL || data->d_buf == NULL)
            continue;
        print_name("\nsection ", name != NULL ? name : "?", ":\n\n");
        labels->section = elf_ndxscn(section);
        print_words(data->d_buf, data->d_size, header.sh_addr, labels);
        printed++;
    }
    labels->section = 0;
    if (printed == 0)
        print_segments(elf, labels, image, bytes);
}

/* Has a file that cannot be loaded sections of code? It may be an object, or have data anywhere. */
static bool has_code(Elf *elf, const unsigned char *image)
{
    Elf32_Ehdr file;
    const void *at = image[EI_CLASS] == ELFCLASS32 && image[EI_DATA] == ELFDATA2LSB ? elf32_getehdr(elf) : NULL;
    if (at == NULL)
        return false;
    memcpy(&file, at, sizeof file);
    if (file.e_machine != EM_RISCV || (file.e_flags & EF_RISCV_RVC) != 0)
        return false;
    Elf32_Shdr header;
    for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section)) != NULL;)
        if (header_of(section, &header) && header.sh_type == SHT_PROGBITS && (header.sh_flags & SHF_EXECINSTR) != 0 &&
            elf_rawdata(section, NULL) != NULL)
            return true;
    return false;
}

static int disassemble_elf(const char *path, char *image, size_t bytes, const struct tf_arch *arch)
{
    struct tf_elf loaded;
    struct tf_message message;
    struct labels labels = {.arch = arch};
    int error = tf_elf_parse(image, bytes, path, &arch->tile[TF_TILE_TENSIX], &loaded, &message);
    Elf *elf = elf_version(EV_CURRENT) == EV_NONE || bytes < sizeof(Elf32_Ehdr) ? NULL : elf_memory(image, bytes);
    if (error != TF_OK && (elf == NULL || !has_code(elf, (const unsigned char *)image))) {
        tf_cli_error("%s", message.text);
        elf_end(elf);
        return TF_EXIT_USAGE;
    }
    if (elf == NULL || !find_labels(elf, &labels)) {
        tf_cli_error("%s: too little memory for its symbols", path);
        elf_end(elf);
        free(labels.label);
        return TF_EXIT_FAILED;
    }
    if (error == TF_OK)
        printf("%s: entry 0x%08x\n", path, loaded.entry);
    else
        printf("%s\n", path);
    print_sections(elf, &labels, (const unsigned char *)image, bytes);
    free(labels.label);
    elf_end(elf);
    return TF_EXIT_OK;
}

int tf_cli_disasm(int argc, char **argv)
{
    struct disasm disasm = {.arch = tf_arch_find(NULL)};
    int first, code = tf_cli_options(argc, argv, &usage, &disasm, &first);
    if (code >= 0)
        return code;
    const char *path = argv[first];
    size_t bytes;
    char *image = tf_cli_read_file(path, &bytes);
    if (image == NULL)
        return TF_EXIT_USAGE;
    bool elf = bytes >= SELFMAG && memcmp(image, ELFMAG, SELFMAG) == 0;
    if (disasm.based)
        print_words((unsigned char *)image, bytes, (uint32_t)disasm.base, &(struct labels){.arch = disasm.arch});
    else if (elf)
        code = disassemble_elf(path, image, bytes, disasm.arch);
    else {
        tf_cli_error("%s: not an ELF file; a flat image needs --base ADDRESS", path);
        code = TF_EXIT_USAGE;
    }
    free(image);
    return tf_cli_finish(code < 0 ? TF_EXIT_OK : code);
}
