/* SPDX-License-Identifier: Apache-2.0 */
#include <libelf.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "farm/chip/loader.h"
#include "host/extremes.h"
#include "tile/arch.h"
#include "tilefarm/tilefarm_chip.h"

/* e_flags of RISC-V (RISC-V ELF psABI, "File Header"). */
#define FLAG_RVC 0x1u

struct parse {
    const unsigned char *image;
    size_t bytes;
    const char *name;
    uint32_t l1_bytes, local_bytes;
    bool local; /* local RAM may have data */
    struct tf_message *message;
    struct tf_elf elf;
};

#define NAME_SHOWN 60u

/* The end of a long path, because paths differ most at their ends, and what stands for the rest. */
static const char *end_of(const char *name)
{
    size_t length = strlen(name);
    return name + (length > NAME_SHOWN ? length - (NAME_SHOWN - 3) : 0);
}

static const char *cut_of(const char *name)
{
    return strlen(name) > NAME_SHOWN ? "..." : "";
}

__attribute__((format(printf, 4, 5))) static int bad_file(struct parse *p, int code, uint64_t offset, const char *rule,
                                                          ...)
{
    if (p->message == NULL)
        return code;
    char text[160];
    va_list list;
    va_start(list, rule);
    vsnprintf(text, sizeof text, rule, list);
    va_end(list);
    snprintf(p->message->text, sizeof p->message->text, "%s%s: offset 0x%llx: %s", cut_of(p->name), end_of(p->name),
             (unsigned long long)offset, text);
    return code;
}

/* Check that the file is for 32-bit RISC-V cores. e_machine has one place in files of 32 and of 64 bits. */
static int check_machine(struct parse *p)
{
    static const struct {
        unsigned machine;
        const char *name;
    } others[] = {{EM_386, "x86"}, {EM_ARM, "Arm"}, {EM_X86_64, "x86-64"}, {EM_AARCH64, "AArch64"}};
    const size_t at = offsetof(Elf32_Ehdr, e_machine);
    unsigned machine = p->image[at] | (unsigned)p->image[at + 1] << 8;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (others[i].machine == machine)
            return bad_file(p, TF_EFORMAT, at, "for %s, not for RISC-V", others[i].name);
    if (machine != EM_RISCV)
        return bad_file(p, TF_EFORMAT, at, "not for RISC-V (e_machine is %u, must be %u)", machine, EM_RISCV);
    unsigned class = p->image[EI_CLASS];
    if (class == ELFCLASS64)
        return bad_file(p, TF_EFORMAT, EI_CLASS,
                        "for 64-bit cores, and these have 32 bits: compile with -march=rv32im -mabi=ilp32");
    if (class != ELFCLASS32)
        return bad_file(p, TF_EFORMAT, EI_CLASS, "not a 32-bit ELF file (EI_CLASS is %u, must be 1)", class);
    return TF_OK;
}

/* Check the identification bytes of the file, which libelf does not check. */
static int check_ident(struct parse *p)
{
    const unsigned char *ident = p->image;
    if (p->bytes < SELFMAG || memcmp(ident, ELFMAG, SELFMAG) != 0)
        return bad_file(p, TF_EFORMAT, 0, "not an ELF file (it must begin with 7f 45 4c 46)");
    if (p->bytes > TF_ELF_BYTES_MAX)
        return bad_file(p, TF_EFORMAT, TF_ELF_BYTES_MAX, "the file is longer than %u MiB", TF_ELF_BYTES_MAX >> 20);
    if (p->bytes < sizeof(Elf32_Ehdr))
        return bad_file(p, TF_EFORMAT, p->bytes, "the file ends inside the ELF header");
    if (ident[EI_DATA] != ELFDATA2LSB)
        return bad_file(p, TF_EFORMAT, EI_DATA, "not little-endian (EI_DATA is %u, must be 1)", ident[EI_DATA]);
    if (ident[EI_VERSION] != EV_CURRENT)
        return bad_file(p, TF_EFORMAT, EI_VERSION, "unknown ELF version %u (must be 1)", ident[EI_VERSION]);
    return check_machine(p);
}

static int check_header(struct parse *p, const Elf32_Ehdr *header)
{
#define AT(field) offsetof(Elf32_Ehdr, field)
    if (header->e_type != ET_EXEC)
        return bad_file(p, TF_EFORMAT, AT(e_type), "not an executable (e_type is %u, must be %u)", header->e_type,
                        ET_EXEC);
    if (header->e_version != EV_CURRENT)
        return bad_file(p, TF_EFORMAT, AT(e_version), "unknown ELF version %u (must be 1)", header->e_version);
    if ((header->e_flags & FLAG_RVC) != 0)
        return bad_file(p, TF_EFORMAT, AT(e_flags),
                        "uses compressed instructions, which these cores lack: compile with -march=rv32im, without c");
    if (header->e_phnum == 0)
        return bad_file(p, TF_EFORMAT, AT(e_phnum), "no program headers, so nothing to load");
    if (header->e_phnum == PN_XNUM)
        return bad_file(p, TF_EFORMAT, AT(e_phnum), "too many program headers");
    if (header->e_phentsize != sizeof(Elf32_Phdr))
        return bad_file(p, TF_EFORMAT, AT(e_phentsize), "program headers are %u bytes long, must be %zu",
                        header->e_phentsize, sizeof(Elf32_Phdr));
    if (header->e_phoff % 4 != 0)
        return bad_file(p, TF_EFORMAT, AT(e_phoff), "the program headers' offset 0x%x is not a multiple of 4",
                        header->e_phoff);
    if (header->e_phoff > p->bytes || p->bytes - header->e_phoff < (size_t)header->e_phnum * sizeof(Elf32_Phdr))
        return bad_file(p, TF_EFORMAT, AT(e_phoff),
                        "the program headers (%u at 0x%x) extend past the end of the file (0x%zx bytes)",
                        header->e_phnum, header->e_phoff, p->bytes);
    if (header->e_entry % 4 != 0 || header->e_entry >= p->l1_bytes)
        return bad_file(p, TF_EFORMAT, AT(e_entry), "the entry point 0x%x is not a multiple of 4 below 0x%x",
                        header->e_entry, p->l1_bytes);
#undef AT
    return TF_OK;
}

static bool in_range(uint32_t address, uint32_t bytes, uint32_t base, uint32_t size)
{
    return address >= base && address - base <= size && bytes <= size - (address - base);
}

static bool in_local(const struct parse *p, uint32_t address)
{
    return address >= TF_LOCAL_BASE && address - TF_LOCAL_BASE < p->local_bytes;
}

/* Check that the program uses a segment in L1 or in local RAM. Record how much local RAM the segment takes. */
static int check_use(struct parse *p, uint64_t at, unsigned number, const Elf32_Phdr *segment)
{
    if (in_local(p, segment->p_vaddr)) {
        if (!in_range(segment->p_vaddr, segment->p_memsz, TF_LOCAL_BASE, p->local_bytes))
            return bad_file(p, TF_ERANGE, at, "segment %u, 0x%x bytes at 0x%x, overruns local RAM", number,
                            segment->p_memsz, segment->p_vaddr);
        uint32_t need = segment->p_vaddr - TF_LOCAL_BASE + segment->p_memsz;
        if (need > p->elf.local_bytes) {
            p->elf.local_bytes = need;
            p->elf.local_header = (uint32_t)at;
        }
        return TF_OK;
    }
    if (!in_range(segment->p_vaddr, segment->p_memsz, 0, p->l1_bytes)) {
        if (segment->p_vaddr < p->l1_bytes)
            return bad_file(p, TF_ERANGE, at, "segment %u, 0x%x bytes at 0x%x, overruns L1 (%u KiB)", number,
                            segment->p_memsz, segment->p_vaddr, p->l1_bytes / 1024);
        return bad_file(p, TF_ERANGE, at, "segment %u, 0x%x bytes at 0x%x, is neither in L1 nor in local RAM", number,
                        segment->p_memsz, segment->p_vaddr);
    }
    return TF_OK;
}

/* Take a segment with data for local RAM, if that is allowed. */
static int take_local(struct parse *p, uint64_t at, unsigned number, const Elf32_Phdr *segment)
{
    if (!p->local)
        return bad_file(p, TF_EFORMAT, at,
                        "segment %u has data for local RAM (0x%x), which a reset clears: load them to L1, and let the "
                        "program copy them",
                        number, segment->p_paddr);
    if (p->elf.locals == TF_ELF_LOCALS_MAX || segment->p_paddr != segment->p_vaddr)
        return bad_file(p, TF_EFORMAT, at, "segment %u: more than %u segments for local RAM, or one to be moved there",
                        number, TF_ELF_LOCALS_MAX);
    p->elf.local[p->elf.locals++] = (struct tf_elf_segment){.address = segment->p_paddr,
                                                            .file_offset = segment->p_offset,
                                                            .file_bytes = segment->p_filesz,
                                                            .memory_bytes = segment->p_memsz};
    return TF_OK;
}

/* Insert a segment by its address, or report an overlap. */
static int insert(struct parse *p, uint64_t at, unsigned number, const struct tf_elf_segment *segment)
{
    struct tf_elf *elf = &p->elf;
    if (elf->segments == TF_ELF_SEGMENTS_MAX)
        return bad_file(p, TF_EFORMAT, at, "more than %u segments to load", TF_ELF_SEGMENTS_MAX);
    unsigned place = elf->segments;
    while (place > 0 && elf->segment[place - 1].address > segment->address)
        place--;
    const struct tf_elf_segment *other = NULL;
    if (place > 0 && elf->segment[place - 1].address + elf->segment[place - 1].memory_bytes > segment->address)
        other = &elf->segment[place - 1];
    else if (place < elf->segments && segment->address + segment->memory_bytes > elf->segment[place].address)
        other = &elf->segment[place];
    if (other != NULL)
        return bad_file(p, TF_EFORMAT, at, "segment %u, 0x%x bytes at 0x%x, overlaps that of 0x%x bytes at 0x%x",
                        number, segment->memory_bytes, segment->address, other->memory_bytes, other->address);
    memmove(&elf->segment[place + 1], &elf->segment[place], (elf->segments - place) * sizeof *segment);
    elf->segment[place] = *segment;
    elf->segments++;
    return TF_OK;
}

static int take_segment(struct parse *p, uint64_t at, unsigned number, const Elf32_Phdr *segment)
{
    if (segment->p_filesz > segment->p_memsz)
        return bad_file(p, TF_EFORMAT, at, "segment %u has more bytes in the file (0x%x) than in memory (0x%x)", number,
                        segment->p_filesz, segment->p_memsz);
    if (segment->p_offset > p->bytes || p->bytes - segment->p_offset < segment->p_filesz)
        return bad_file(p, TF_EFORMAT, at,
                        "segment %u, 0x%x bytes at offset 0x%x, extends past the end of the file (0x%zx bytes)", number,
                        segment->p_filesz, segment->p_offset, p->bytes);
    if (segment->p_memsz == 0)
        return TF_OK;
    int result = check_use(p, at, number, segment);
    if (result != TF_OK)
        return result;
    bool in_place = segment->p_paddr == segment->p_vaddr;
    if (segment->p_filesz == 0 && (!in_place || in_local(p, segment->p_vaddr)))
        return TF_OK;
    if (in_local(p, segment->p_paddr))
        return take_local(p, at, number, segment);
    struct tf_elf_segment part = {
        .address = segment->p_paddr,
        .file_offset = segment->p_offset,
        .file_bytes = segment->p_filesz,
        .memory_bytes = in_place ? segment->p_memsz : segment->p_filesz,
    };
    if (!in_range(part.address, part.memory_bytes, 0, p->l1_bytes))
        return bad_file(p, TF_ERANGE, at, "segment %u, 0x%x bytes with load address 0x%x, is not in L1", number,
                        part.memory_bytes, part.address);
    return insert(p, at, number, &part);
}

static int take_segments(struct parse *p, Elf *elf)
{
    const Elf32_Ehdr *header = elf32_getehdr(elf);
    if (header == NULL)
        return bad_file(p, TF_EFORMAT, 0, "the ELF header cannot be read");
    int result = check_header(p, header);
    if (result != TF_OK)
        return result;
    const Elf32_Phdr *segment = elf32_getphdr(elf);
    if (segment == NULL)
        return bad_file(p, TF_EFORMAT, header->e_phoff, "the program headers cannot be read");
    for (unsigned i = 0; i < header->e_phnum && result == TF_OK; i++)
        if (segment[i].p_type == PT_LOAD)
            result = take_segment(p, header->e_phoff + (uint64_t)i * sizeof *segment, i, &segment[i]);
    if (result != TF_OK)
        return result;
    for (unsigned i = 0; i < p->elf.segments; i++)
        if (in_range(header->e_entry, 4, p->elf.segment[i].address, p->elf.segment[i].memory_bytes)) {
            p->elf.entry = header->e_entry;
            return TF_OK;
        }
    return bad_file(p, TF_EFORMAT, offsetof(Elf32_Ehdr, e_entry), "the entry point 0x%x is in no segment",
                    header->e_entry);
}

/* Copy the text of a section. Returns false if it is too long. */
static bool take_text(const Elf_Data *data, char *text, size_t room)
{
    if (data == NULL || data->d_buf == NULL || data->d_size > room)
        return false;
    memcpy(text, data->d_buf, data->d_size);
    text[room - 1] = 0;
    return true;
}

static bool is_name(const char *text)
{
    return text[strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")] == 0;
}

/* Find the family and the core that the start file names (kernels/crt0.S). A file names none if it lacks that section,
   or if the text there is long. */
static void find_marks(struct parse *p, Elf *elf)
{
    size_t names;
    bool aligned = elf32_getehdr(elf)->e_shoff % 4 == 0; /* libelf reads its structures in place */
    if (!aligned || elf_getshdrstrndx(elf, &names) != 0)
        return;
    for (Elf_Scn *section = elf_nextscn(elf, NULL); section != NULL; section = elf_nextscn(elf, section)) {
        const Elf32_Shdr *header = elf32_getshdr(section);
        const char *name = header == NULL ? NULL : elf_strptr(elf, names, header->sh_name);
        if (name == NULL)
            continue;
        if (strcmp(name, ".tilefarm.core") == 0 &&
            (!take_text(elf_rawdata(section, NULL), p->elf.core, sizeof p->elf.core) || !is_name(p->elf.core)))
            p->elf.core[0] = 0;
        if (strcmp(name, ".tilefarm.family") == 0 &&
            take_text(elf_rawdata(section, NULL), p->elf.family, sizeof p->elf.family))
            p->elf.family_at = header->sh_offset;
    }
}

static int parse_file(const void *image, size_t bytes, const char *name, const struct tf_tile_arch *tile, bool local,
                      struct tf_elf *out, struct tf_message *message)
{
    struct parse parse = {
        .image = image, .bytes = bytes, .name = name, .l1_bytes = tile->l1_bytes, .local = local, .message = message};
    for (unsigned core = 0; core < tile->cores; core++)
        parse.local_bytes = tf_max(parse.local_bytes, tile->local_bytes[core]);
    int result = check_ident(&parse);
    if (result != TF_OK)
        return result;
    /* libelf writes to the image, and needs it aligned for its structures. */
    char *copy = malloc(bytes);
    if (copy == NULL)
        return bad_file(&parse, TF_ENOMEM, 0, "too little memory for a file of 0x%zx bytes", bytes);
    memcpy(copy, image, bytes);
    Elf *elf = elf_version(EV_CURRENT) == EV_NONE ? NULL : elf_memory(copy, bytes);
    if (elf == NULL)
        result = bad_file(&parse, TF_EFORMAT, 0, "libelf cannot read it");
    else
        result = take_segments(&parse, elf);
    if (result == TF_OK)
        find_marks(&parse, elf);
    elf_end(elf);
    free(copy);
    if (result == TF_OK)
        *out = parse.elf;
    return result;
}

int tf_elf_parse(const void *image, size_t bytes, const char *name, const struct tf_tile_arch *tile, struct tf_elf *out,
                 struct tf_message *message)
{
    return parse_file(image, bytes, name, tile, false, out, message);
}

int tf_elf_parse_local(const void *image, size_t bytes, const char *name, const struct tf_tile_arch *tile,
                       struct tf_elf *out, struct tf_message *message)
{
    return parse_file(image, bytes, name, tile, true, out, message);
}

int tf_elf_fits_family(const struct tf_elf *elf, const char *name, const struct tf_arch *arch,
                       struct tf_message *message)
{
    struct parse parse = {.name = name, .message = message};
    const struct tf_arch *made_for = elf->family[0] == 0 ? NULL : tf_arch_find(elf->family);
    /* Names, as the table of a board is another one than that of its family. */
    if (made_for == NULL || strcmp(made_for->name, arch->name) == 0 || tf_arch_find(arch->name) == NULL)
        return TF_OK;
    return bad_file(&parse, TF_EFORMAT, elf->family_at, "the program was compiled for %s, and this chip is %s",
                    made_for->title, arch->title);
}

/* Is it the name of this core? The only core of a kind of tile has no number: E of Wormhole is E0 for the compiler. */
static bool is_name_of(const char *name, const char *core)
{
    const size_t length = strlen(core);
    return strncmp(name, core, length) == 0 && (name[length] == 0 || strcmp(name + length, "0") == 0);
}

bool tf_elf_of_other_core(const struct tf_elf *elf, const char *name, const char *core, struct tf_message *message)
{
    bool other = elf->core[0] != 0 && !is_name_of(elf->core, core);
    if (message != NULL)
        message->text[0] = 0;
    if (other && message != NULL)
        snprintf(message->text, sizeof message->text,
                 "%s%s: the program was compiled for core %s, and is loaded for %s", cut_of(name), end_of(name),
                 elf->core, core);
    return other;
}

int tf_elf_fits_core(const struct tf_elf *elf, const char *name, const char *core, uint32_t local_bytes,
                     struct tf_message *message)
{
    struct parse parse = {.name = name, .message = message};
    if (elf->local_bytes <= local_bytes)
        return TF_OK;
    return bad_file(&parse, TF_ERANGE, elf->local_header, "the program needs 0x%x bytes of local RAM; core %s has 0x%x",
                    elf->local_bytes, core, local_bytes);
}
