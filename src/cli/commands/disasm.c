/* SPDX-License-Identifier: Apache-2.0 */
/* `tilefarm disasm`: RV32 and Tensix instructions of an executable or of a flat image. */
#include <gelf.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/commands/disasm.h"
#include "cli/file.h"
#include "cli/options/options.h"
#include "cli/text.h"
#include "farm/chip/loader.h"
#include "host/printable.h"
#include "tile/arch.h"
#include "tile/riscv/isa/other.h"

struct disasm {
    uint64_t base;
    bool based;
    const struct tf_arch *arch;
};

struct label {
    uint64_t address;
    const char *name;
    size_t section; /* that it names a place in */
};

struct labels {
    struct label *label;
    size_t count;
    size_t section;             /* whose words are printed; 0: any */
    const struct tf_arch *arch; /* family whose instructions follow the labels; NULL: other RISC-V cores */
    bool wide;                  /* these have 64 bits */
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
            "have data that 'run' does not load. Words whose low two bits are not 11 are Tensix instructions\n"
            "(.ttinsn); all others are RV32. A file with compressed instructions, or for 64-bit cores, is printed\n"
            "as those cores read it; 'run' refuses it. Operands of Tensix instructions are shown in Blackhole's\n"
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

/* Print one instruction. Returns its bytes, or 0 if it is cut off. */
static unsigned print_insn(const unsigned char *data, size_t bytes, uint64_t pc, const struct labels *labels)
{
    uint32_t word = 0;
    for (unsigned i = 0; i < 4 && i < bytes; i++)
        word |= (uint32_t)data[i] << 8 * i;
    unsigned length = labels->arch == NULL && bytes >= 2 ? tf_other_bytes((uint16_t)word) : 4;
    if (length > bytes)
        return 0;
    char text[256];
    if (labels->arch != NULL)
        tf_riscv_text(labels->arch, word, (uint32_t)pc, text, sizeof text);
    else
        tf_other_disassemble(word, pc, labels->wide, text, sizeof text);
    if (length == 2)
        printf("%8llx:  %04x      %s\n", (unsigned long long)pc, word & 0xffff, text);
    else
        printf("%8llx:  %08x  %s\n", (unsigned long long)pc, word, text);
    return length;
}

static void print_code(const unsigned char *data, size_t bytes, uint64_t address, const struct labels *labels)
{
    size_t next = 0, at;
    while (next < labels->count && labels->label[next].address < address)
        next++;
    for (at = 0; at < bytes;) {
        uint64_t pc = address + at;
        for (; next < labels->count && labels->label[next].address <= pc; next++) {
            if (labels->section != 0 && labels->label[next].section != labels->section)
                continue;
            printf("%s%08llx", at == 0 ? "" : "\n", (unsigned long long)labels->label[next].address);
            print_name(" <", labels->label[next].name, ">:\n");
        }
        unsigned length = print_insn(data + at, bytes - at, pc, labels);
        if (length == 0)
            break;
        at += length;
    }
    for (; at < bytes; at++) {
        uint64_t pc = address + at;
        printf("%8llx:  %02x        .byte 0x%02x\n", (unsigned long long)pc, data[at], data[at]);
    }
}

static int by_address(const void *a, const void *b)
{
    const struct label *x = a, *y = b;
    return x->address != y->address ? (x->address > y->address) - (x->address < y->address) : strcmp(x->name, y->name);
}

/* Collect the symbols that name a place in a section, without mapping symbols ($x) and compiler labels (.L1). */
static bool take_symbols(Elf *elf, Elf_Scn *section, size_t names, struct labels *labels)
{
    Elf_Data *data = elf_getdata(section, NULL);
    size_t count = data == NULL ? 0 : data->d_size / gelf_fsize(elf, ELF_T_SYM, 1, EV_CURRENT);
    struct label *more = reallocarray(labels->label, labels->count + count + 1, sizeof *more);
    if (more == NULL)
        return false;
    labels->label = more;
    GElf_Sym symbol;
    for (size_t i = 0; i < count && gelf_getsym(data, (int)i, &symbol) != NULL; i++) {
        const char *name = elf_strptr(elf, names, symbol.st_name);
        bool place = GELF_ST_TYPE(symbol.st_info) <= STT_FUNC && symbol.st_shndx != SHN_UNDEF &&
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
        GElf_Shdr header;
        if (gelf_getshdr(section, &header) != NULL && header.sh_type == SHT_SYMTAB &&
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
    if (elf_getphdrnum(elf, &count) != 0)
        return;
    GElf_Phdr segment;
    for (size_t i = 0; i < count && gelf_getphdr(elf, (int)i, &segment) != NULL; i++) {
        if (segment.p_type != PT_LOAD || (segment.p_flags & PF_X) == 0 || segment.p_offset > bytes ||
            segment.p_filesz > bytes - segment.p_offset)
            continue;
        printf("\nsegment %zu:\n\n", i);
        print_code(image + segment.p_offset, segment.p_filesz, segment.p_vaddr, labels);
    }
}

static bool is_code(Elf_Scn *section, GElf_Shdr *header)
{
    return gelf_getshdr(section, header) != NULL && header->sh_type == SHT_PROGBITS &&
           (header->sh_flags & SHF_EXECINSTR) != 0 && elf_rawdata(section, NULL) != NULL;
}

/* Print the sections with code. A file without section headers is printed by segment. */
static void print_sections(Elf *elf, struct labels *labels, const unsigned char *image, size_t bytes)
{
    size_t names = 0;
    unsigned printed = 0;
    elf_getshdrstrndx(elf, &names);
    for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section)) != NULL;) {
        GElf_Shdr header;
        if (!is_code(section, &header))
            continue;
        Elf_Data *data = elf_rawdata(section, NULL);
        const char *name = elf_strptr(elf, names, header.sh_name);
        if (data->d_buf == NULL)
            continue;
        print_name("\nsection ", name != NULL ? name : "?", ":\n\n");
        labels->section = elf_ndxscn(section);
        print_code(data->d_buf, data->d_size, header.sh_addr, labels);
        printed++;
    }
    labels->section = 0;
    if (printed == 0)
        print_segments(elf, labels, image, bytes);
}

/* Has a file that cannot be loaded sections of RISC-V code? It may be an object, for other cores, or have data
   anywhere. Says for which cores it is. */
static bool has_code(Elf *elf, struct labels *labels)
{
    GElf_Ehdr file;
    if (gelf_getehdr(elf, &file) == NULL || file.e_ident[EI_DATA] != ELFDATA2LSB || file.e_machine != EM_RISCV)
        return false;
    labels->wide = file.e_ident[EI_CLASS] == ELFCLASS64;
    if (labels->wide || (file.e_flags & EF_RISCV_RVC) != 0)
        labels->arch = NULL;
    GElf_Shdr header;
    for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section)) != NULL;)
        if (is_code(section, &header))
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
    if (error != TF_OK && (elf == NULL || !has_code(elf, &labels))) {
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
    else if (labels.arch == NULL)
        printf("%s: for other RISC-V cores, of %u bits\n", path, labels.wide ? 64 : 32);
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
        print_code((unsigned char *)image, bytes, (uint32_t)disasm.base, &(struct labels){.arch = disasm.arch});
    else if (elf)
        code = disassemble_elf(path, image, bytes, disasm.arch);
    else {
        tf_cli_error("%s: not an ELF file; a flat image needs --base ADDRESS", path);
        code = TF_EXIT_USAGE;
    }
    free(image);
    return tf_cli_finish(code < 0 ? TF_EXIT_OK : code);
}
