/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `tilefarm cc`: a compiler for the RV32 cores, with the flags, headers, start file and linker script that a device
 * program needs. Most arguments go to the compiler.
 */
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/commands/cc.h"
#include "cli/commands/response.h"
#include "cli/distinct.h"
#include "cli/file.h"
#include "cli/options/options.h"
#include "cli/text.h"
#include "farm/chip/loader.h"
#include "host/file.h"
#include "tile/arch.h"

#define REGION_BYTES 0x4000u /* size of each core's region in L1, as the workloads use it */
#define ETH_TEXT 0x18000u    /* regions of Ethernet tiles begin here; neither family's firmware uses this memory */
#define WORDS_MAX 1024u
#define PATH_BYTES 4096u

struct cc {
    enum tf_core core;
    enum tf_tile_kind kind; /* which has the core */
    bool core_given, text_given, region_given, show;
    const struct tf_arch *arch;
    uint64_t text, region;
    const char *device; /* the folder of headers, start file and linker script */
    const char *output;
    struct tf_output file; /* the file that the compiler writes, which later becomes the output */
    struct tf_distinct files;
    bool stdin_read;                    /* a source is "-" */
    bool links, starts;                 /* false with -S and similar options; with -nostartfiles */
    bool cxx;                           /* a source is C++ */
    const char *first;                  /* source file; NULL if there is none */
    const char *depends, *depends_file; /* -MD or -MMD, and the file of -MF; NULL without them */
    bool depends_named;                 /* -MT or -MQ was given */
    char *word[WORDS_MAX + 1];
    unsigned words;
    bool full;
};

/* The kind of tile that the core belongs to. */
static const struct tf_tile_arch *tile_of(const struct cc *cc)
{
    return cc->kind == TF_TILE_DRAM ? cc->arch->dram.core : &cc->arch->tile[cc->kind];
}

static bool take_core(void *into, const char *option, const char *value)
{
    struct cc *cc = into;
    (void)option;
    cc->core_given = tf_cli_any_core(value, &cc->kind, &cc->core);
    if (!cc->core_given)
        tf_cli_error("cc: -c, --core: no core '%s'; name one of B, NC, T0, T1, T2, E0, E1, DRISC, as in "
                     "'tilefarm cc -c B FILE.c'",
                     value);
    return cc->core_given;
}

static bool take_text(void *into, const char *option, const char *value)
{
    struct cc *cc = into;
    cc->text_given = true;
    if (!tf_cli_number(option, value, 0, UINT32_MAX, &cc->text))
        return false;
    if (cc->text % 1024 == 0)
        return true;
    tf_cli_error("%s: '%s' is not a multiple of 1024", option, value);
    return false;
}

static bool take_region(void *into, const char *option, const char *value)
{
    struct cc *cc = into;
    cc->region_given = true;
    return tf_cli_number(option, value, 1024, UINT32_MAX, &cc->region);
}

static const struct tf_option options[] = {
    {.name = "core",
     .letter = 'c',
     .argument = "B|NC|T0|T1|T2|E0|E1|DRISC",
     .kind = TF_OPTION_CALL,
     .call = take_core,
     .help = "the core that runs the program"},
    TF_OPTION_OF_ARCH(struct cc, arch),
    {.name = "text",
     .argument = "ADDRESS",
     .kind = TF_OPTION_CALL,
     .call = take_text,
     .help = "start of the program's region of L1 (default: 0 for B, 0x4000 for NC, 0x8000 for T0, 0xc000 for T1, "
             "0x10000 for T2, 0x18000 for E0, 0x1c000 for E1, 0 for DRISC)"},
    {.name = "region",
     .argument = "BYTES",
     .kind = TF_OPTION_CALL,
     .call = take_region,
     .help = "size of that region, which ends within L1 (default: 16384, or up to the end of L1)"},
    {.name = "show",
     .kind = TF_OPTION_SET,
     .offset = offsetof(struct cc, show),
     .help = "print the compiler's command line, and do not run it"},
};

static const struct tf_usage usage = {
    .examples = "tilefarm cc -c B kernel.c -Wall\n"
                "tilefarm cc -c T1 --arch wormhole kernel.cc -o math.elf\n",
    .synopsis = "cc -c CORE FILE.c|FILE.cc ... [-o FILE.elf] [options of the compiler]",
    .text = "Compile a device program for a core, for 'tilefarm run --load CORE=FILE.elf'. The program has the\n"
            "headers tilefarm_*.h, a start file that calls main(), and a region of L1. It has no C library.\n"
            "C++ (.cc, .cpp, .cxx) has no exceptions and no RTTI.\n"
            "Without -o, kernel.c for B gives kernel.b.elf. All other options go to the compiler, after '-O2 -g'\n"
            "and the options that the chip needs.\n"
            "The compiler is riscv64-unknown-elf-gcc, or what TILEFARM_RISCV_CC names.\n",
    .option = options,
    .options = sizeof options / sizeof options[0],
};

/* The compiler's flags, equal to those of kernels/CMakeLists.txt. */
static const char *const flags[] = {
#define TF_DEVICE_FLAG(flag) flag,
#define TF_DEVICE_FAMILY(family, march)
#include "device_flags.inc"
#undef TF_DEVICE_FLAG
#undef TF_DEVICE_FAMILY
};

static const char *march_of(const char *family)
{
    static const struct {
        const char *family, *march;
    } table[] = {
#define TF_DEVICE_FLAG(flag)
#define TF_DEVICE_FAMILY(family, march) {family, march},
#include "device_flags.inc"
#undef TF_DEVICE_FLAG
#undef TF_DEVICE_FAMILY
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        if (strcmp(table[i].family, family) == 0)
            return table[i].march;
    return NULL;
}

static void add(struct cc *cc, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Add a word to the command line. */
static void add(struct cc *cc, const char *format, ...)
{
    va_list arguments;
    char *word = NULL;
    va_start(arguments, format);
    if (cc->words < WORDS_MAX && vasprintf(&word, format, arguments) >= 0)
        cc->word[cc->words++] = word;
    else
        cc->full = true;
    va_end(arguments);
}

/* Does the folder have device headers? If so, `path` becomes its path without "..". */
static bool is_device(char path[PATH_BYTES])
{
    char file[PATH_BYTES + 32], real[PATH_BYTES];
    snprintf(file, sizeof file, "%s/tile.ld", path);
    if (access(file, R_OK) != 0 || realpath(path, real) == NULL)
        return false;
    snprintf(path, PATH_BYTES, "%s", real);
    return true;
}

/* The folder of the headers: TILEFARM_DEVICE, or share/tilefarm/device beside or above the command's folder. */
static bool find_device(char path[PATH_BYTES])
{
    const char *given = getenv("TILEFARM_DEVICE");
    char self[PATH_BYTES - 64];
    if (given != NULL && given[0] != '\0') {
        snprintf(path, PATH_BYTES, "%s", given);
        if (is_device(path))
            return true;
        tf_cli_error("cc: TILEFARM_DEVICE: no linker script tile.ld in '%s'", given);
        return false;
    }
    ssize_t bytes = readlink("/proc/self/exe", self, sizeof self - 1);
    self[bytes > 0 ? bytes : 0] = '\0';
    char *slash = strrchr(self, '/');
    if (slash != NULL)
        *slash = '\0';
    snprintf(path, PATH_BYTES, "%s/../share/tilefarm/device", self);
    if (is_device(path))
        return true;
    snprintf(path, PATH_BYTES, "%s/share/tilefarm/device", self);
    if (is_device(path))
        return true;
    tf_cli_error("cc: no device headers in share/tilefarm/device near %s; set TILEFARM_DEVICE to their folder", self);
    return false;
}

/* Note options of dependency files. With several sources, the compiler would write all dependencies to one file, and
   only the last ones would remain. */
static void notice_depends(struct cc *cc, char **argv, int at)
{
    const char *word = argv[at];
    if (strcmp(word, "-MD") == 0 || strcmp(word, "-MMD") == 0)
        cc->depends = word;
    else if (strcmp(word, "-MF") == 0)
        cc->depends_file = argv[at + 1];
    else if (strncmp(word, "-MF", 3) == 0)
        cc->depends_file = word + 3;
    else if (strncmp(word, "-MT", 3) == 0 || strncmp(word, "-MQ", 3) == 0)
        cc->depends_named = true;
}

static bool is_one_of(const char *word, const char *const *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(word, list[i]) == 0)
            return true;
    return false;
}

/* Evaluate an argument of the compiler. */
static void notice(struct cc *cc, char **argv, int at)
{
    static const char *const no_link[] = {"-S", "-E", "-M", "-MM", "-fsyntax-only"};
    static const char *const suffix[] = {".c", ".S", ".s", ".o"}, *const cxx_suffix[] = {".cc", ".cpp", ".cxx", ".C"};
    const char *word = argv[at], *dot = strrchr(word, '.');
    if (is_one_of(word, no_link, sizeof no_link / sizeof no_link[0]))
        cc->links = false;
    if (strcmp(word, "-nostartfiles") == 0)
        cc->starts = false;
    if (strcmp(word, "-o") == 0)
        cc->output = argv[at + 1];
    else if (strncmp(word, "-o", 2) == 0)
        cc->output = word + 2;
    cc->stdin_read |= strcmp(word, "-") == 0;
    if (word[0] == '-' || dot == NULL)
        return;
    const bool cxx = is_one_of(dot, cxx_suffix, sizeof cxx_suffix / sizeof cxx_suffix[0]);
    cc->cxx |= cxx;
    if (cc->first == NULL && (cxx || is_one_of(dot, suffix, sizeof suffix / sizeof suffix[0])))
        cc->first = word;
}

/* Note a word as a source. A word after an option may be a file that the compiler reads, too. */
static void notice_source(struct cc *cc, char **argv, int at)
{
    static const char *const other[] = {"-o", "-MF", "-MT", "-MQ"};
    static const char *const passed[] = {"-Xlinker", "-Xassembler", "-Xpreprocessor", "-aux-info"};
    if (is_one_of(argv[at - 1], passed, sizeof passed / sizeof passed[0])) {
        tf_distinct_parts(&cc->files, argv[at - 1], argv[at]);
        return;
    }
    const char *word = argv[at];
    for (size_t i = 0; i < sizeof other / sizeof other[0]; i++)
        if (strcmp(argv[at - 1], other[i]) == 0)
            return;
    if (word[0] == '-' && word[1] == 'W' && word[2] != '\0' && strchr("lap", word[2]) != NULL && word[3] == ',')
        tf_distinct_parts(&cc->files, "cc", word + 4);
    if (word[0] != '-')
        tf_distinct_input(&cc->files, "cc", word);
}

/* Take our options; keep the others in `rest`. Returns their number, or -1 after an error line. */
static int read_options(struct cc *cc, int argc, char **argv, char **rest)
{
    int count = 0;
    for (int at = 1; at < argc; at++) {
        int taken = tf_cli_option_take(argc, argv, &usage, cc, &at);
        if (taken < 0)
            return -1;
        if (taken > 0)
            continue;
        notice(cc, argv, at);
        notice_depends(cc, argv, at);
        notice_source(cc, argv, at);
        rest[count++] = argv[at];
    }
    if (count > 0 && strcmp(rest[count - 1], "-o") == 0) {
        tf_cli_error("cc: -o needs a file name");
        return -1;
    }
    if (cc->core_given && tile_of(cc) == NULL) {
        tf_cli_error("cc: DRAM tiles of %s have no cores", tf_cli_title(cc->arch));
        return -1;
    }
    if (!cc->core_given)
        tf_cli_error("cc: name the core that runs the program: -c B, NC, T0, T1, T2, E0, E1 or DRISC");
    else if (cc->first == NULL)
        tf_cli_error("cc: name a source file; see 'tilefarm cc --help'");
    return cc->core_given && cc->first != NULL ? count : -1;
}

/* The core's name in names of files. */
static const char *lower_core(const struct cc *cc, char core[8])
{
    snprintf(core, 8, "%s", tf_cli_core_name(cc->kind, cc->core));
    for (char *at = core; *at != '\0'; at++)
        *at = (char)(*at >= 'A' && *at <= 'Z' ? *at + 'a' - 'A' : *at);
    return core;
}

/* "kernel.b.elf" for src/kernel.c */
static const char *name_output(const struct cc *cc, char path[PATH_BYTES])
{
    const char *slash = strrchr(cc->first, '/'), *file = slash != NULL ? slash + 1 : cc->first;
    char core[8];
    snprintf(path, PATH_BYTES, "%.*s.%s.elf", (int)strcspn(file, "."), file, lower_core(cc, core));
    return path;
}

/* The compiler's library for what the cores lack: floating point, division of 64 bits. It is built for few -march; that
   of rv32im runs on all cores. Returns false if there is none. */
static bool find_libgcc(const char *compiler, char path[PATH_BYTES])
{
    char *const words[] = {(char *)compiler, "-march=rv32im", "-mabi=ilp32", "-print-libgcc-file-name", NULL};
    posix_spawn_file_actions_t actions;
    pid_t child;
    int ends[2], status;
    size_t bytes = 0;
    ssize_t got;
    if (pipe2(ends, O_CLOEXEC) != 0)
        return false;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    bool runs = posix_spawnp(&child, compiler, &actions, NULL, words, environ) == 0;
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    while (runs && bytes < PATH_BYTES - 1 && (got = read(ends[0], path + bytes, PATH_BYTES - 1 - bytes)) != 0)
        if (got > 0)
            bytes += (size_t)got;
        else if (errno != EINTR)
            break;
    close(ends[0]);
    while (runs && waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    path[bytes] = '\0';
    path[strcspn(path, "\n")] = '\0';
    return path[0] == '/' && access(path, R_OK) == 0;
}

static void clear_command(struct cc *cc)
{
    while (cc->words > 0)
        free(cc->word[--cc->words]);
    memset(cc->word, 0, sizeof cc->word);
}

/* The compiler, its flags and headers. */
static const char *begin_command(struct cc *cc, const struct tf_shape *shape)
{
    const char *compiler = getenv("TILEFARM_RISCV_CC");
    compiler = compiler != NULL && compiler[0] != '\0' ? compiler : "riscv64-unknown-elf-gcc";
    add(cc, "%s", compiler);
    add(cc, "%s", march_of(shape->name));
    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++)
        add(cc, "%s", flags[i]);
    add(cc, "-g");
    add(cc, "-DTF_CORE=%u", (unsigned)cc->core);
    if (cc->kind == TF_TILE_ETH)
        add(cc, "-DTF_CORE_ON_ETH");
    if (cc->kind == TF_TILE_DRAM)
        add(cc, "-DTF_CORE_ON_DRAM");
    if (cc->cxx) {
        add(cc, "-specs=%s/cxx.specs", cc->device);
    }
    add(cc, "-I%s", cc->device);
    add(cc, "-I%s/%s", cc->device, shape->name);
    add(cc, "-idirafter"); /* a compiler's own cstdint comes first */
    add(cc, "%s/metal", cc->device);
    return compiler;
}

/* Does a separate command find the sources' dependencies? */
static bool splits(const struct cc *cc)
{
    return cc->links && cc->depends != NULL;
}

/* The file of -MD without -MF, as the compiler names it: kernel.b.d for kernel.b.elf */
static const char *name_depends(const struct cc *cc, char path[PATH_BYTES])
{
    const char *slash = strrchr(cc->output, '/'), *dot = strrchr(slash != NULL ? slash : cc->output, '.');
    int stem = dot != NULL ? (int)(dot - cc->output) : (int)strlen(cc->output);
    snprintf(path, PATH_BYTES, "%.*s.d", stem, cc->output);
    return path;
}

/* The number of words of an output option; 0 for another word. */
static int output_words(const char *word)
{
    return strcmp(word, "-o") == 0 ? 2 : strncmp(word, "-o", 2) == 0 ? 1 : 0;
}

/* Write the dependencies of all sources to the file of -MF. */
static void make_depends_command(struct cc *cc, const struct tf_shape *shape, char **rest, int count)
{
    begin_command(cc, shape);
    for (int i = 0; i < count; i++)
        if (output_words(rest[i]) > 0)
            i += output_words(rest[i]) - 1;
        else if (strncmp(rest[i], "-MF", 3) == 0)
            i += rest[i][3] == '\0';
        else if (strcmp(rest[i], cc->depends) != 0)
            add(cc, "%s", rest[i]);
    add(cc, strcmp(cc->depends, "-MD") == 0 ? "-M" : "-MM");
    if (!cc->depends_named)
        add(cc, "-MT"), add(cc, "%s", cc->output);
}

/* Does the compiler write a temporary file? Not if the output is a device. */
static bool is_replaced(const struct cc *cc)
{
    return cc->file.to != NULL && cc->file.to->temporary != NULL;
}

/* The file that the compiler writes. */
static const char *written(const struct cc *cc)
{
    return is_replaced(cc) ? cc->file.to->temporary : cc->output;
}

static void make_command(struct cc *cc, const struct tf_shape *shape, char **rest, int count)
{
    char libgcc[PATH_BYTES], core[8];
    const char *compiler = begin_command(cc, shape);
    for (int i = 0; i < count; i++)
        if (splits(cc) && strncmp(rest[i], "-M", 2) == 0)
            i += strcmp(rest[i], "-MF") == 0 || strcmp(rest[i], "-MT") == 0 || strcmp(rest[i], "-MQ") == 0;
        else if (cc->links && output_words(rest[i]) > 0)
            i += output_words(rest[i]) - 1;
        else
            add(cc, "%s", rest[i]);
    if (!cc->links)
        return;
    const struct tf_tile_arch *tile = tile_of(cc);
    add(cc, "-Wl,--defsym=TF_TEXT=0x%llx", (unsigned long long)cc->text);
    add(cc, "-Wl,--defsym=TF_REGION_BYTES=0x%llx", (unsigned long long)shape->l1_bytes);
    add(cc, "-Wl,--defsym=TF_LOCAL_BYTES=0x%x", tile->local_bytes[cc->core]);
    add(cc, "-T");
    add(cc, "%s/tile.ld", cc->device);
    if (cc->starts) {
        add(cc, "%s/%s/crt0.%s%s.o", cc->device, shape->name, lower_core(cc, core), cc->cxx ? ".cxx" : "");
        add(cc, "%s/%s/memory.o", cc->device, shape->name);
    }
    if (find_libgcc(compiler, libgcc))
        add(cc, "%s", libgcc);
    if (is_replaced(cc)) { /* other files of the compiler keep the name of the output */
        add(cc, "-dumpdir");
        add(cc, "%s-", cc->output);
    }
    add(cc, "-o");
    add(cc, "%s", written(cc));
}

/* Print a command line that a shell accepts. */
static int show_command(const struct cc *cc, const char *into)
{
    static const char unquoted[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=./,+:@%";
    for (unsigned i = 0; i < cc->words; i++) {
        const char *word = cc->word[i];
        bool quoted = word[strspn(word, unquoted)] != '\0' || word[0] == '\0';
        printf("%s%s", i > 0 ? " " : "", quoted ? "'" : "");
        for (; *word != '\0'; word++)
            printf(*word == '\'' ? "'\\''" : "%c", *word);
        printf("%s", quoted ? "'" : "");
    }
    printf("%s%s\n", into != NULL ? " > " : "", into != NULL ? into : "");
    return into != NULL ? TF_EXIT_OK : tf_cli_finish(TF_EXIT_OK);
}

/* Run the compiler. into: file for its output, or NULL. Returns its exit status, or an exit code after an error
   line. */
static int run_command(struct cc *cc, const char *into)
{
    posix_spawn_file_actions_t actions;
    pid_t child;
    int status, file = into != NULL ? open(into, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666) : -1;
    if (into != NULL && file < 0) {
        tf_cli_error("cc: %s: %s", into, strerror(errno));
        return TF_EXIT_USAGE;
    }
    posix_spawn_file_actions_init(&actions);
    if (file >= 0)
        posix_spawn_file_actions_adddup2(&actions, file, STDOUT_FILENO);
    int error = posix_spawnp(&child, cc->word[0], &actions, NULL, cc->word, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (file >= 0)
        close(file);
    if (error != 0) {
        tf_cli_error("cc: the compiler '%s' cannot be run: %s%s", cc->word[0], strerror(error),
                     error == ENOENT ? "; install it (Debian: gcc-riscv64-unknown-elf), or set TILEFARM_RISCV_CC" : "");
        return TF_EXIT_USAGE;
    }
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return TF_EXIT_FAILED;
    return WIFEXITED(status) ? WEXITSTATUS(status) : TF_EXIT_FAILED;
}

/* Does the program stay within its region? If not, it would overwrite that of another core. */
static int check_fit(const struct cc *cc, const struct tf_shape *shape)
{
    struct tf_elf elf;
    struct tf_message message;
    size_t bytes;
    void *image = tf_cli_read_file(written(cc), &bytes);
    if (image == NULL)
        return TF_EXIT_FAILED;
    int error = tf_elf_parse(image, bytes, cc->output, tile_of(cc), &elf, &message);
    free(image);
    uint64_t end = cc->text;
    for (unsigned i = 0; error == TF_OK && i < elf.segments; i++) {
        uint64_t last = (uint64_t)elf.segment[i].address + elf.segment[i].memory_bytes;
        end = last > end ? last : end;
    }
    uint64_t room = cc->text + cc->region > shape->l1_bytes ? shape->l1_bytes - cc->text : cc->region;
    if (error != TF_OK)
        tf_cli_error("%s", message.text);
    else if (end > cc->text + room)
        tf_cli_error("%s: the program needs %llu bytes of L1 from 0x%llx on, and its region has %llu; enlarge it with "
                     "--region",
                     cc->output, (unsigned long long)(end - cc->text), (unsigned long long)cc->text,
                     (unsigned long long)room);
    else
        return TF_EXIT_OK;
    return TF_EXIT_FAILED;
}

/* Run or show the command that was built. */
static int finish_command(struct cc *cc, const char *into)
{
    if (cc->full) {
        tf_cli_error("cc: more than %u arguments", WORDS_MAX);
        return TF_EXIT_USAGE;
    }
    return cc->show ? show_command(cc, into) : run_command(cc, into);
}

/* May the program replace the output? A file that is there and no program may be a header. Returns false after an error
   line. */
static bool is_program_or_new(const char *path)
{
    char magic[4];
    const int file = tf_file_is_replaceable(path) ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    const size_t bytes = file < 0 ? 0 : tf_read_up_to(file, magic, sizeof magic);
    if (file >= 0)
        close(file);
    const bool right = bytes == 0 || (bytes == sizeof magic && memcmp(magic, "\177ELF", bytes) == 0);
    if (!right)
        tf_cli_error("-o: %s is there, and no program; remove it, or name another file", path);
    return right;
}

/* Compile to a temporary file. It becomes the output only if all steps succeed. */
static int link_program(struct cc *cc, const struct tf_shape *shape, char **rest, int count)
{
    if (!cc->show && (!is_program_or_new(cc->output) || !tf_output_open(&cc->file, cc->output)))
        return TF_EXIT_USAGE;
    make_command(cc, shape, rest, count);
    int code = finish_command(cc, NULL);
    if (code == TF_EXIT_OK && is_replaced(cc)) /* /dev/null cannot be read back */
        code = check_fit(cc, shape);
    if (code == TF_EXIT_OK && !tf_output_commit(&cc->file))
        code = TF_EXIT_FAILED;
    tf_output_discard(&cc->file);
    return code;
}

/* Does the region lie in L1? */
static bool is_region(const struct cc *cc, const struct tf_shape *shape)
{
    if (cc->text >= shape->l1_bytes)
        tf_cli_error("--text: 0x%llx is outside L1, which has %u KiB on %s", (unsigned long long)cc->text,
                     shape->l1_bytes / 1024, shape->title);
    else if (cc->region_given && cc->region > shape->l1_bytes - cc->text)
        tf_cli_error("--region: 0x%llx bytes from 0x%llx on reach beyond L1, which has %u KiB on %s",
                     (unsigned long long)cc->region, (unsigned long long)cc->text, shape->l1_bytes / 1024,
                     shape->title);
    else
        return true;
    return false;
}

/* Is a file with contents at a path? An output that replaces it may destroy a header. */
static bool replaces_file(const char *path)
{
    struct stat status;
    return path != NULL && stat(path, &status) == 0 && S_ISREG(status.st_mode) && status.st_size != 0;
}

/* Ask the compiler which files it reads. */
static void make_list_command(struct cc *cc, const struct tf_shape *shape, char **rest, int count)
{
    begin_command(cc, shape);
    for (int i = 0; i < count; i++)
        if (output_words(rest[i]) > 0)
            i += output_words(rest[i]) - 1;
        else if (strncmp(rest[i], "-M", 2) == 0)
            i += strcmp(rest[i], "-MF") == 0 || strcmp(rest[i], "-MT") == 0 || strcmp(rest[i], "-MQ") == 0;
        else if (strcmp(rest[i], "-S") != 0 && strcmp(rest[i], "-E") != 0)
            add(cc, "%s", rest[i]);
    add(cc, "-M");
    add(cc, "-MT");
    add(cc, "list");
}

/* Note the files of a list for make, which stays in memory: words after a colon, with backslashes before spaces. */
static void note_list(struct cc *cc, char *list, const char *end)
{
    for (char *at = list; at < end;) {
        char *word = at, *to = at;
        for (; at < end && strchr(" \n", *at) == NULL; at++) {
            at += *at == '\\' && at + 1 < end && at[1] != '\n';
            *to++ = *at;
        }
        if (at == end) /* the list ends with a new line */
            break;
        const bool lone = to == word || to[-1] == ':' || (to == word + 1 && *word == '\\');
        at++;
        *to = '\0';
        if (!lone)
            tf_distinct_input(&cc->files, "cc", word);
    }
}

/* If an output of the compiler replaces a file, note all files that it reads, headers too. *list: NULL, or what to free
   later. Returns an exit code. */
static int note_headers(struct cc *cc, const struct tf_shape *shape, char **rest, int count, char **list)
{
    char path[32];
    size_t bytes;
    const bool replaces = replaces_file(cc->depends_file) || (!cc->links && replaces_file(cc->output));
    const int file = replaces && !cc->show && !cc->stdin_read ? memfd_create("list", MFD_CLOEXEC) : -1;
    if (file < 0)
        return TF_EXIT_OK;
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    make_list_command(cc, shape, rest, count);
    int code = cc->full ? TF_EXIT_OK : run_command(cc, path); /* too many words are reported later */
    clear_command(cc);
    if (code == TF_EXIT_OK && (*list = tf_cli_read_file(path, &bytes)) != NULL)
        note_list(cc, *list, *list + bytes);
    else if (code == TF_EXIT_OK)
        code = TF_EXIT_FAILED;
    close(file);
    return code;
}

/* Do the outputs overwrite no file that the compiler reads? Returns an exit code. */
static int check_outputs(struct cc *cc, const struct tf_shape *shape, char **rest, int count)
{
    char *list = NULL;
    int code = note_headers(cc, shape, rest, count, &list);
    tf_distinct_output(&cc->files, "-o", cc->output);
    tf_distinct_output(&cc->files, "-MF", cc->depends_file);
    if (!tf_distinct_end(&cc->files) && code == TF_EXIT_OK)
        code = TF_EXIT_USAGE;
    free(list);
    return code;
}

/* Run or show all steps. */
static int make_all(struct cc *cc, const struct tf_shape *shape, char **rest, int count)
{
    int code = TF_EXIT_OK;
    if (splits(cc)) {
        make_depends_command(cc, shape, rest, count);
        code = finish_command(cc, cc->depends_file);
        clear_command(cc);
    }
    if (code != TF_EXIT_OK)
        return code;
    if (cc->links)
        return link_program(cc, shape, rest, count);
    make_command(cc, shape, rest, count);
    return finish_command(cc, NULL);
}

static int compile(struct cc *cc, int argc, char **argv)
{
    char device[PATH_BYTES], output[PATH_BYTES], depends[PATH_BYTES];
    char **rest = calloc((size_t)argc + 1, sizeof *rest);
    int count = rest == NULL ? -1 : read_options(cc, argc, argv, rest), code = TF_EXIT_USAGE;
    if (count >= 0 && find_device(device)) {
        struct tf_shape shape;
        tf_arch_shape(cc->arch, &shape);
        shape.l1_bytes = tile_of(cc)->l1_bytes;
        cc->device = device;
        if (!cc->text_given)
            cc->text = (cc->kind == TF_TILE_ETH ? ETH_TEXT : 0) + cc->core * REGION_BYTES;
        if (cc->output == NULL)
            cc->output = name_output(cc, output);
        if (cc->depends != NULL && cc->depends_file == NULL)
            cc->depends_file = name_depends(cc, depends);
        if (is_region(cc, &shape))
            code = check_outputs(cc, &shape, rest, count);
        if (code == TF_EXIT_OK)
            code = make_all(cc, &shape, rest, count);
    }
    free(rest);
    return code;
}

int tf_cli_cc(int argc, char **argv)
{
    struct cc *cc = calloc(1, sizeof *cc);
    int first;
    if (cc == NULL) {
        tf_cli_error("too little memory");
        return TF_EXIT_FAILED;
    }
    cc->arch = tf_arch_find(NULL);
    cc->region = REGION_BYTES;
    cc->links = cc->starts = true;
    bool help = argc == 2 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
                              strcmp(argv[1], TF_HELP_MANUAL) == 0 || strcmp(argv[1], TF_HELP_WORDS) == 0);
    struct tf_words words;
    int code = TF_EXIT_USAGE;
    for (int i = 1; i < argc; i++)
        if (argv[i][0] == '@')
            tf_distinct_input(&cc->files, "cc", argv[i] + 1);
    if (tf_words_expand(&words, argc, argv))
        code = help ? tf_cli_options(argc, argv, &usage, cc, &first) : compile(cc, words.count, words.word);
    tf_words_free(&words);
    tf_distinct_clear(&cc->files);
    clear_command(cc);
    free(cc);
    return code;
}
