/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <elf.h>

#include "chip_wish.h"
#include "farm/chip/loader.h"
#include "tile/arch.h"
#include "tilefarm/tilefarm_chip.h"

#define DATA 0x1000u
#define FILE_BYTES 0x3000u

/* A file in memory, and where its parts are. */
struct file {
    _Alignas(16) unsigned char image[FILE_BYTES];
    size_t bytes;
};

static Elf32_Ehdr *header_of(struct file *file)
{
    return (Elf32_Ehdr *)(void *)file->image;
}

static Elf32_Phdr *segment_of(struct file *file, unsigned number)
{
    return (Elf32_Phdr *)(void *)(file->image + sizeof(Elf32_Ehdr)) + number;
}

/* One segment of 0x100 bytes of code at 0x2000, with 0x40 zeroed bytes after it. */
static void make(struct file *file)
{
    memset(file, 0, sizeof *file);
    file->bytes = sizeof file->image;
    Elf32_Ehdr *header = header_of(file);
    memcpy(header->e_ident, ELFMAG, SELFMAG);
    header->e_ident[EI_CLASS] = ELFCLASS32;
    header->e_ident[EI_DATA] = ELFDATA2LSB;
    header->e_ident[EI_VERSION] = EV_CURRENT;
    header->e_type = ET_EXEC;
    header->e_machine = EM_RISCV;
    header->e_version = EV_CURRENT;
    header->e_entry = 0x2010;
    header->e_phoff = sizeof *header;
    header->e_ehsize = sizeof *header;
    header->e_phentsize = sizeof(Elf32_Phdr);
    header->e_phnum = 1;
    *segment_of(file, 0) = (Elf32_Phdr){
        .p_type = PT_LOAD,
        .p_offset = DATA,
        .p_vaddr = 0x2000,
        .p_paddr = 0x2000,
        .p_filesz = 0x100,
        .p_memsz = 0x140,
    };
}

/* A further segment; returns it. */
static Elf32_Phdr *add(struct file *file, uint32_t address, uint32_t file_bytes, uint32_t memory_bytes)
{
    Elf32_Phdr *segment = segment_of(file, header_of(file)->e_phnum++);
    *segment = (Elf32_Phdr){
        .p_type = PT_LOAD,
        .p_offset = DATA,
        .p_vaddr = address,
        .p_paddr = address,
        .p_filesz = file_bytes,
        .p_memsz = memory_bytes,
    };
    return segment;
}

static int parse(struct file *file, struct tf_elf *elf, struct tf_message *message)
{
    memset(elf, 0xA5, sizeof *elf);
    memset(message, 0, sizeof *message);
    /* Exactly as long as the file, so that a sanitizer sees a read past its end. */
    unsigned char *copy = malloc(file->bytes == 0 ? 1 : file->bytes);
    assert_non_null(copy);
    memcpy(copy, file->image, file->bytes);
    int result = tf_elf_parse(copy, file->bytes, "some.elf", &tf_arch_blackhole.tile[TF_TILE_TENSIX], elf, message);
    free(copy);
    return result;
}

static void accepts(struct file *file, struct tf_elf *elf)
{
    struct tf_message message;
    int result = parse(file, elf, &message);
    if (result != TF_OK)
        fail_msg("refused: %s", message.text);
}

/* Refused with that code; the message names the file, an offset and says `rule`; the result is left alone. */
static void refuses(struct file *file, int code, const char *rule)
{
    struct tf_elf elf, before;
    struct tf_message message;
    memset(&before, 0xA5, sizeof before);
    assert_int_equal(parse(file, &elf, &message), code);
    assert_memory_equal(&elf, &before, sizeof elf);
    if (strncmp(message.text, "some.elf: offset 0x", 19) != 0 || strstr(message.text, rule) == NULL)
        fail_msg("message is '%s', without '%s'", message.text, rule);
    assert_null(strchr(message.text, '\n'));
    assert_int_equal(tf_elf_parse(file->image, file->bytes, "some.elf", &tf_arch_blackhole.tile[TF_TILE_TENSIX], &elf,
                                  NULL),
                     code);
}

static void test_executable(void **state)
{
    (void)state;
    struct file file;
    struct tf_elf elf;
    make(&file);
    accepts(&file, &elf);
    assert_int_equal(elf.entry, 0x2010);
    assert_int_equal(elf.segments, 1);
    assert_int_equal(elf.segment[0].address, 0x2000);
    assert_int_equal(elf.segment[0].file_offset, DATA);
    assert_int_equal(elf.segment[0].file_bytes, 0x100);
    assert_int_equal(elf.segment[0].memory_bytes, 0x140);
    assert_int_equal(elf.local_bytes, 0);
}

static void test_sorted(void **state)
{
    (void)state;
    struct file file;
    struct tf_elf elf;
    make(&file);
    add(&file, 0x8000, 4, 4);
    add(&file, 0x1F00, 0x100, 0x100); /* up to where the first one begins */
    add(&file, 0x2140, 4, 4);         /* where it ends */
    add(&file, 0x3000, 0, 0);         /* nothing */
    accepts(&file, &elf);
    static const uint32_t address[] = {0x1F00, 0x2000, 0x2140, 0x8000};
    assert_int_equal(elf.segments, 4);
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(elf.segment[i].address, address[i]);
}

static void test_ignores_other_headers(void **state)
{
    (void)state;
    struct file file;
    struct tf_elf elf;
    make(&file);
    add(&file, 0xFFFFFFF0, 0xFFFFFF, 0xFFFFFF)->p_type = PT_NOTE;
    accepts(&file, &elf);
    assert_int_equal(elf.segments, 1);
    add(&file, 0xFFFFFFF0, 0xFFFFFF, 0xFFFFFF); /* after those that are counted */
    header_of(&file)->e_phnum--;
    accepts(&file, &elf);
    assert_int_equal(elf.segments, 1);
}

static void test_edges_of_l1(void **state)
{
    (void)state;
    struct file file;
    struct tf_elf elf;
    make(&file);
    add(&file, TF_L1_BYTES - 0x100, 0x100, 0x100);
    add(&file, 0, 0x10, 0x20);
    accepts(&file, &elf);
    make(&file);
    add(&file, TF_L1_BYTES - 0x100, 0x100, 0x101);
    refuses(&file, TF_ERANGE, "overruns L1");
    make(&file);
    add(&file, TF_L1_BYTES, 4, 4);
    refuses(&file, TF_ERANGE, "neither in L1 nor in local RAM");
    make(&file);
    add(&file, 0x100, 4, 0xFFFFFFFFu);
    refuses(&file, TF_ERANGE, "overruns L1");
}

static void test_local_ram(void **state)
{
    (void)state;
    struct file file;
    struct tf_elf elf;
    struct tf_message message = {.text = ""};
    make(&file);
    add(&file, TF_LOCAL_BASE + 0x800, 0, 0x1000);
    accepts(&file, &elf);
    assert_int_equal(elf.segments, 1);
    assert_int_equal(elf.local_bytes, 0x1800);
    assert_int_equal(elf.local_header, sizeof(Elf32_Ehdr) + sizeof(Elf32_Phdr));
    assert_int_equal(tf_elf_fits_core(&elf, "some.elf", "B", 0x2000, &message), TF_OK);
    assert_int_equal(tf_elf_fits_core(&elf, "some.elf", "T0", 0x1800, &message), TF_OK);
    assert_int_equal(tf_elf_fits_core(&elf, "some.elf", "T0", 0x1000, &message), TF_ERANGE);
    assert_string_equal(message.text,
                        "some.elf: offset 0x54: the program needs 0x1800 bytes of local RAM; core T0 has 0x1000");

    make(&file);
    add(&file, TF_LOCAL_BASE, 0, TF_LOCAL_BYTES);
    accepts(&file, &elf);
    make(&file);
    add(&file, TF_LOCAL_BASE, 0, TF_LOCAL_BYTES + 1);
    refuses(&file, TF_ERANGE, "overruns local RAM");
    make(&file);
    add(&file, TF_LOCAL_BASE - 4, 0, 8);
    refuses(&file, TF_ERANGE, "neither in L1 nor in local RAM");
    make(&file);
    add(&file, TF_LOCAL_BASE, 4, 8);
    refuses(&file, TF_EFORMAT, "data for local RAM (0xffb00000), which a reset clears");
}

/* Data whose place in the file's memory image is not where the program uses them. */
static void test_image_at_other_address(void **state)
{
    (void)state;
    struct file file;
    struct tf_elf elf;
    make(&file);
    add(&file, TF_LOCAL_BASE, 0x20, 0x80)->p_paddr = 0x5000;
    accepts(&file, &elf);
    assert_int_equal(elf.segments, 2);
    assert_int_equal(elf.segment[1].address, 0x5000);
    assert_int_equal(elf.segment[1].memory_bytes, 0x20);
    assert_int_equal(elf.local_bytes, 0x80);

    make(&file);
    add(&file, 0x7000, 0, 0x80)->p_paddr = 0x20F0; /* nothing to load, so no overlap */
    accepts(&file, &elf);
    assert_int_equal(elf.segments, 1);

    make(&file);
    add(&file, 0x7000, 0x20, 0x80)->p_paddr = TF_L1_BYTES - 0x10;
    refuses(&file, TF_ERANGE, "is not in L1");
    make(&file);
    add(&file, 0x7000, 0x20, 0x80)->p_paddr = 0x20F0;
    refuses(&file, TF_EFORMAT, "overlaps");
    make(&file);
    add(&file, TF_L1_BYTES, 0x20, 0x80)->p_paddr = 0x5000;
    refuses(&file, TF_ERANGE, "neither in L1 nor in local RAM");
}

static void test_overlap(void **state)
{
    (void)state;
    static const struct {
        uint32_t address, bytes;
    } other[] = {{0x2000, 4}, {0x213C, 8}, {0x1FF0, 0x11}, {0x1000, 0x2000}, {0x2010, 4}};
    struct file file;
    for (unsigned i = 0; i < sizeof other / sizeof other[0]; i++) {
        make(&file);
        add(&file, other[i].address, 4, other[i].bytes);
        refuses(&file, TF_EFORMAT, "bytes at 0x2000");
    }
}

static void test_ident(void **state)
{
    (void)state;
    struct file file;
    make(&file);
    file.image[0] = '#';
    refuses(&file, TF_EFORMAT, "not an ELF file");
    make(&file);
    file.image[EI_CLASS] = ELFCLASS64;
    refuses(&file, TF_EFORMAT, "for 64-bit cores, and these have 32 bits: compile with -march=rv32im -mabi=ilp32");
    make(&file);
    file.image[EI_CLASS] = 3;
    refuses(&file, TF_EFORMAT, "not a 32-bit ELF file");
    make(&file);
    file.image[EI_DATA] = ELFDATA2MSB;
    refuses(&file, TF_EFORMAT, "not little-endian");
    make(&file);
    file.image[EI_VERSION] = 2;
    refuses(&file, TF_EFORMAT, "unknown ELF version 2");
}

static void test_header(void **state)
{
    (void)state;
    struct file file;
#define WITH(field, value, code, rule)     \
    do {                                   \
        make(&file);                       \
        header_of(&file)->field = (value); \
        refuses(&file, code, rule);        \
    } while (0)
    WITH(e_machine, EM_X86_64, TF_EFORMAT, "for x86-64, not for RISC-V");
    WITH(e_machine, EM_S390, TF_EFORMAT, "not for RISC-V (e_machine is 22, must be 243)");
    WITH(e_type, ET_DYN, TF_EFORMAT, "not an executable (e_type is 3, must be 2)");
    WITH(e_type, ET_REL, TF_EFORMAT, "not an executable");
    WITH(e_version, 0, TF_EFORMAT, "unknown ELF version 0");
    WITH(e_flags, 1, TF_EFORMAT,
         "compressed instructions, which these cores lack: compile with -march=rv32im, without c");
    WITH(e_phnum, 0, TF_EFORMAT, "no program headers");
    WITH(e_phnum, PN_XNUM, TF_EFORMAT, "too many program headers");
    WITH(e_phentsize, 31, TF_EFORMAT, "program headers are 31 bytes long, must be 32");
    WITH(e_phoff, 0x36, TF_EFORMAT, "offset 0x36 is not a multiple of 4");
    WITH(e_phoff, FILE_BYTES - 28, TF_EFORMAT, "extend past the end of the file");
    WITH(e_phoff, 0xFFFFFFF0, TF_EFORMAT, "extend past the end of the file");
    WITH(e_entry, 0x2012, TF_EFORMAT, "the entry point 0x2012 is not a multiple of 4");
    WITH(e_entry, TF_L1_BYTES, TF_EFORMAT, "is not a multiple of 4 below 0x180000");
    WITH(e_entry, 0x1FFC, TF_EFORMAT, "the entry point 0x1ffc is in no segment");
    WITH(e_entry, 0x2140, TF_EFORMAT, "is in no segment");
#undef WITH
}

static void test_segment_in_file(void **state)
{
    (void)state;
    struct file file;
    struct tf_elf elf;
    make(&file);
    segment_of(&file, 0)->p_offset = FILE_BYTES - 0x100;
    accepts(&file, &elf);
    segment_of(&file, 0)->p_offset++;
    refuses(&file, TF_EFORMAT, "extends past the end of the file (0x3000 bytes)");
    segment_of(&file, 0)->p_offset = 0xFFFFFFFF;
    refuses(&file, TF_EFORMAT, "extends past the end of the file");
    make(&file);
    segment_of(&file, 0)->p_filesz = 0x141;
    refuses(&file, TF_EFORMAT, "more bytes in the file (0x141) than in memory (0x140)");
}

static void test_too_many_segments(void **state)
{
    (void)state;
    struct file file;
    struct tf_elf elf;
    make(&file);
    for (unsigned i = 1; i < TF_ELF_SEGMENTS_MAX; i++)
        add(&file, 0x10000 + 0x100 * i, 4, 4);
    accepts(&file, &elf);
    assert_int_equal(elf.segments, TF_ELF_SEGMENTS_MAX);
    add(&file, 0x20000, 4, 4);
    refuses(&file, TF_EFORMAT, "more than 32 segments");
}

/* However much of a good file is left, it is refused or parsed without reading past its end. */
static void test_every_length(void **state)
{
    (void)state;
    struct file file;
    for (size_t bytes = 0; bytes < FILE_BYTES; bytes += bytes < 0x100 ? 1 : 0x7F) {
        make(&file);
        add(&file, 0x8000, 0x100, 0x100)->p_offset = FILE_BYTES - 0x100;
        file.bytes = bytes;
        struct tf_elf elf;
        struct tf_message message;
        assert_int_equal(parse(&file, &elf, &message), TF_EFORMAT);
    }
}

/* Section headers that name a section of such a size ".tilefarm.family" or ".tilefarm.core", with text at DATA +
   0x1000. */
static void add_mark(struct file *file, bool core, const char *text, uint32_t bytes)
{
    static const char names[] = "\0.tilefarm.family\0.shstrtab\0.tilefarm.core";
    Elf32_Shdr *section = (Elf32_Shdr *)(void *)(file->image + DATA + 0x800);
    Elf32_Ehdr *header = header_of(file);
    header->e_shoff = DATA + 0x800;
    header->e_shentsize = sizeof *section;
    header->e_shnum = 3;
    header->e_shstrndx = 2;
    memcpy(file->image + DATA + 0xC00, names, sizeof names);
    memcpy(file->image + DATA + 0x1000, text, strlen(text));
    section[1] =
        (Elf32_Shdr){.sh_name = core ? 28 : 1, .sh_type = SHT_PROGBITS, .sh_offset = DATA + 0x1000, .sh_size = bytes};
    section[2] = (Elf32_Shdr){
        .sh_name = 18, .sh_type = SHT_STRTAB, .sh_offset = DATA + 0xC00, .sh_size = sizeof names, .sh_addralign = 1};
}

/* The section says the family; a text that is too long says nothing. */
static void test_family(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint32_t bytes;
        const char *family;
    } cases[] = {{"", 0, ""},
                 {"wormhole", 9, "wormhole"},
                 {"blackhole", 16, "blackhole"},
                 {"sixteenlettersis", 16, "sixteenlettersi"},
                 {"seventeenletters", 17, ""},
                 {"wormhole", 0x900, ""}};
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct file file;
        struct tf_elf elf;
        make(&file);
        add_mark(&file, false, cases[i].text, cases[i].bytes);
        accepts(&file, &elf);
        assert_string_equal(elf.family, cases[i].family);
        assert_int_equal(elf.family_at, cases[i].family[0] != '\0' ? DATA + 0x1000 : 0);
    }
}

/* So does another section with the core. A program for another core is loaded, with a warning. */
static void test_core(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint32_t bytes;
        const char *core, *warning; /* loaded for T1 */
    } cases[] = {{"", 0, "", ""},
                 {"T1", 3, "T1", ""},
                 {"B", 2, "B", "some.elf: the program was compiled for core B, and is loaded for T1"},
                 {"E0", 3, "E0", "some.elf: the program was compiled for core E0, and is loaded for T1"},
                 {"NINELETTERS", 12, "", ""},
                 {"T1\n", 4, "", ""}};
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct file file;
        struct tf_elf elf;
        struct tf_message message = {.text = "before"};
        make(&file);
        add_mark(&file, true, cases[i].text, cases[i].bytes);
        accepts(&file, &elf);
        assert_string_equal(elf.core, cases[i].core);
        assert_int_equal(tf_elf_of_other_core(&elf, "some.elf", "T1", NULL), cases[i].warning[0] != '\0');
        tf_elf_of_other_core(&elf, "some.elf", "T1", &message);
        assert_string_equal(message.text, cases[i].warning);
    }
}

static void test_long_name(void **state)
{
    (void)state;
    char name[400];
    memset(name, 'n', sizeof name);
    memcpy(name + sizeof name - 9, "/end.elf", 9);
    struct tf_message message;
    struct tf_elf elf;
    assert_int_equal(tf_elf_parse("x", 1, name, &tf_arch_blackhole.tile[TF_TILE_TENSIX], &elf, &message), TF_EFORMAT);
    assert_non_null(strstr(message.text, "/end.elf: offset 0x0: not an ELF file"));
}

/* A complaint names the file, where there is one. */
static void test_names(void **state)
{
    (void)state;
    static const char *const path[] = {NULL, "b.elf"}, *const name[] = {"(memory): ", "b.elf: "};
    struct chip_wish config;
    struct tf_chip *chip;
    chip_wish_init(&config);
    config.threads = 1;
    assert_int_equal(chip_wish_create(&config, &chip, NULL), TF_OK);
    for (unsigned i = 0; i < 2; i++) {
        struct tf_message message;
        assert_int_equal(tf_load_elf(chip, 0, TF_CORE_B, path[i], "x", 1, &message), TF_EFORMAT);
        assert_memory_equal(message.text, name[i], strlen(name[i]));
    }
    struct tf_message message;
    assert_int_equal(tf_load_elf(chip, 0, TF_CORE_B, "none/b.elf", NULL, 0, &message), TF_EIO);
    assert_string_equal(message.text, "none/b.elf: cannot be read");
    tf_chip_destroy(chip);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_executable),
        cmocka_unit_test(test_sorted),
        cmocka_unit_test(test_ignores_other_headers),
        cmocka_unit_test(test_edges_of_l1),
        cmocka_unit_test(test_local_ram),
        cmocka_unit_test(test_image_at_other_address),
        cmocka_unit_test(test_overlap),
        cmocka_unit_test(test_ident),
        cmocka_unit_test(test_header),
        cmocka_unit_test(test_segment_in_file),
        cmocka_unit_test(test_too_many_segments),
        cmocka_unit_test(test_every_length),
        cmocka_unit_test(test_family),
        cmocka_unit_test(test_core),
        cmocka_unit_test(test_long_name),
        cmocka_unit_test(test_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
