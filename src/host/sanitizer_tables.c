/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tables of the sanitizers' runtime libraries: 6 MB of zeros in each of libasan and libubsan. At the end of a process
 * the search for leaks reads all of them, page after page, and each page costs a fault: a quarter of the time of a
 * short process. Here one call maps the pages of each table before anything else runs. This object is linked into the
 * programs of builds with AddressSanitizer alone, and has no checks itself.
 */
#include <link.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PAGE_BYTES 4096u
#define TABLE_BYTES_MIN (1u << 20)

#ifdef MADV_POPULATE_READ /* Linux 5.14 */
/* Map the zeros after the data of a segment. An older kernel refuses that, and nothing changes. */
static void map_zeros(uintptr_t base, const ElfW(Phdr) * segment)
{
    const uintptr_t from = (base + segment->p_vaddr + segment->p_filesz + PAGE_BYTES - 1) & -(uintptr_t)PAGE_BYTES;
    const uintptr_t to = (base + segment->p_vaddr + segment->p_memsz) & -(uintptr_t)PAGE_BYTES;
    if (to <= from || to - from < TABLE_BYTES_MIN)
        return;
    syscall(SYS_madvise, from, to - from, MADV_HUGEPAGE);
    syscall(SYS_madvise, from, to - from, MADV_POPULATE_READ);
}

/* The sanitizers are not ready yet, and they intercept dl_iterate_phdr(). So this reads the linker's own list. */
static void map_tables(void)
{
    for (const struct link_map *library = _r_debug.r_map; library != NULL; library = library->l_next) {
        if (library->l_addr == 0) /* the program */
            continue;
        const ElfW(Ehdr) *header = (const void *)library->l_addr;
        const ElfW(Phdr) *segment = (const void *)(library->l_addr + header->e_phoff);
        for (int i = 0; i < header->e_phnum; i++)
            if (segment[i].p_type == PT_LOAD && (segment[i].p_flags & PF_W) != 0)
                map_zeros(library->l_addr, &segment[i]);
    }
}

__attribute__((section(".preinit_array"), used)) static void (*const before_all)(void) = map_tables;
#endif
