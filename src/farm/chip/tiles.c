/* SPDX-License-Identifier: Apache-2.0 */
#include "farm/chip/tiles.h"

#include <sys/mman.h>
#include <unistd.h>

#include "host/zeroed.h"
#include "noc/niu_layout.h"
#include "tile/riscv/code/code.h"
#include "tile/riscv/interp/instances.h"
#include "tile/riscv/interp/timed.h"
#include "tile/tensix/whole/vectors.h"

/* The number of places where L1 may begin in a slot; they lie a page apart. */
#define L1_PLACES 128u

/* Reserve zeroed slots, which take no memory until they are touched. Returns NULL if the host has no address space. */
static uint8_t *reserve_slots(unsigned slots, size_t *bytes)
{
    /* Map one more slot, so that the first can begin at a multiple of its size: huge pages need that. */
    size_t wanted = (size_t)slots * TF_SLOT_BYTES;
    size_t mapped = wanted + TF_SLOT_BYTES;
    uint8_t *memory = mmap(NULL, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        return NULL;
    uintptr_t before = -(uintptr_t)memory & (TF_SLOT_BYTES - 1);
    if (before != 0)
        munmap(memory, before);
    if (before != TF_SLOT_BYTES)
        munmap(memory + before + wanted, TF_SLOT_BYTES - before);
    memory += before;
    /* Where the host defaults to huge pages, the first touch would make a whole slot resident. Bench row: memory. */
    madvise(memory, wanted, MADV_NOHUGEPAGE);
    *bytes = wanted;
    return memory;
}

/*
 * L1 of each tile begins at another page of its slot. Cores of all tiles use equal addresses. At multiples of 2 MiB
 * their pages would displace each other in the host's TLB, and their lines in its cache: row `atomic1-inc-spread`. The
 * smaller L1s after those of Tensix tiles, with their instruction RAM, lie side by side: a fork copies fewer tables of
 * pages (row `explore`).
 */
static uint8_t *l1_of(const struct tf_tiles *tiles, unsigned index, const struct tf_tile_arch *kind)
{
    _Static_assert(TF_L1_BYTES_MAX + L1_PLACES * TF_ZEROED_PAGE_BYTES <= TF_SLOT_BYTES, "L1 fits at each place");
    if (index >= tiles->tensix)
        return tiles->l1 + (size_t)tiles->tensix * TF_SLOT_BYTES +
               (size_t)(index - tiles->tensix) * (tf_code_bytes(kind) + TF_ZEROED_PAGE_BYTES);
    return tiles->l1 + (size_t)index * TF_SLOT_BYTES + index % L1_PLACES * TF_ZEROED_PAGE_BYTES;
}

/* Create the tiles of a kind. *memory: the memory of the next tile. */
static bool create_tiles_of(struct tf_tiles *tiles, const struct tf_arch *arch, const struct tf_tile_arch *kind,
                            struct tf_tile_memory *memory)
{
    const struct tf_tile_room room = tf_tile_room(kind);
    for (unsigned number = 0; number < tf_arch_nodes(arch); number++) {
        if (kind->tiles == 0 || arch->place[number].kind != kind->node)
            continue;
        struct tf_coord coord = {.x = (uint8_t)(number % arch->grid_x), .y = (uint8_t)(number / arch->grid_x)};
        unsigned index = tiles->count;
        struct tf_tile *tile = &tiles->tile[index];
        if (!tf_tile_init(tile, kind, coord, (uint16_t)index, l1_of(tiles, index, kind), *memory, tiles->code,
                          &tiles->rules))
            return false;
        memory->head += room.head;
        memory->cores += room.cores;
        memory->body += room.body;
        if (kind->coprocessor)
            tf_vectors_choose(tile, tiles->vectors);
        tiles->count++;
    }
    return true;
}

static size_t lines(size_t bytes)
{
    return (bytes + 63) / 64 * 64;
}

static size_t pages(size_t bytes)
{
    return (bytes + TF_ZEROED_PAGE_BYTES - 1) / TF_ZEROED_PAGE_BYTES * TF_ZEROED_PAGE_BYTES;
}

/*
 * One mapping for all tiles: a mapping per tile would cost more calls of the host than the rest of a short run. What
 * creation writes comes first, so that a few huge pages hold it; then what requests and cores need; then what few
 * programs need on all tiles. Rows `startup` and `memory`. Returns the memory of the first tile; without memory of the
 * host, NULLs.
 */
static struct tf_tile_memory take_tiles(struct tf_tiles *tiles, const struct tf_arch *arch, size_t beside_bytes,
                                        size_t behind_bytes)
{
    const size_t structs = lines(tf_arch_tiles(arch) * sizeof *tiles->tile);
    struct tf_tile_room all = {0};
    for (unsigned kind = 0; kind < TF_TILE_KINDS; kind++) {
        const struct tf_tile_room room = tf_tile_room(&arch->tile[kind]);
        all.head += arch->tile[kind].tiles * room.head;
        all.cores += arch->tile[kind].tiles * room.cores;
        all.body += arch->tile[kind].tiles * room.body;
    }
    const size_t written = structs + lines(beside_bytes) + all.head;
    const size_t cores = pages(lines(written) + behind_bytes);
    tiles->tile_bytes = cores + all.cores + all.body;
    uint8_t *memory = tiles->sparse ? tf_zeroed_take(tiles->tile_bytes)
                                    : tf_zeroed_take_dense(tiles->tile_bytes, written);
    if (memory == NULL)
        return (struct tf_tile_memory){NULL, NULL, NULL};
    if (tiles->sparse) { /* a chip that does not run leaves what lies beside the tiles untouched: row `galaxy-memory` */
        tf_zeroed_touch(memory, structs);
        tf_zeroed_touch(memory + structs + lines(beside_bytes), all.head);
    }
    tiles->tile = (struct tf_tile *)(void *)memory;
    tiles->beside = memory + structs;
    tiles->behind = memory + lines(written);
    return (struct tf_tile_memory){.head = tiles->beside + lines(beside_bytes),
                                   .cores = memory + cores,
                                   .body = memory + cores + all.cores};
}

static struct tf_code_cache *create_code(const struct tf_arch *arch, const struct tf_tiles *tiles)
{
    struct tf_code_cache *code = tf_code_cache_create(tf_arch_extensions(arch), &tf_interp_instances);
    if (code != NULL && arch->tile[TF_TILE_TENSIX].opcode != NULL)
        tf_code_cache_push_as(code, &arch->tile[TF_TILE_TENSIX]);
    if (code != NULL && arch->niu != NULL)
        tf_code_cache_bursts(code, tf_niu_layout_kept(arch->niu));
    if (code != NULL && tiles->rules.ordered)
        tf_code_cache_order(code);
    if (code != NULL && tiles->rules.timed)
        tf_code_cache_time(code, tf_timed_handlers());
    if (code != NULL && tiles->sparse)
        tf_code_cache_sparse(code);
    return code;
}

bool tf_tiles_create(struct tf_tiles *tiles, const struct tf_arch *arch, size_t beside_bytes, size_t behind_bytes)
{
    tiles->tensix = arch->tile[TF_TILE_TENSIX].tiles;
    tiles->l1 = reserve_slots(tf_arch_tiles(arch), &tiles->l1_bytes);
    tiles->code = create_code(arch, tiles);
    struct tf_tile_memory memory = take_tiles(tiles, arch, beside_bytes, behind_bytes);
    if (tiles->l1 == NULL || tiles->code == NULL || tiles->tile == NULL)
        return false;
    for (unsigned kind = 0; kind < TF_TILE_KINDS; kind++)
        if (!create_tiles_of(tiles, arch, &arch->tile[kind], &memory))
            return false;
    return true;
}

void tf_tiles_destroy(struct tf_tiles *tiles)
{
    for (unsigned i = 0; i < tiles->count; i++)
        tf_tile_fini(&tiles->tile[i]);
    (tiles->sparse ? tf_zeroed_give : tf_zeroed_give_dense)(tiles->tile, tiles->tile_bytes);
    if (tiles->code != NULL)
        tf_code_cache_destroy(tiles->code);
    if (tiles->l1 != NULL)
        munmap(tiles->l1, tiles->l1_bytes);
}

/* bytes: size of the L1 that lies in the slot. */
static bool is_touched(uint8_t *slot, size_t bytes)
{
    size_t page_bytes = (size_t)sysconf(_SC_PAGESIZE);
    unsigned char resident[TF_SLOT_BYTES / 4096];
    size_t pages = TF_SLOT_BYTES / page_bytes;
    if (pages > sizeof resident || mincore(slot, TF_SLOT_BYTES, resident) != 0)
        return false;
    size_t touched = 0;
    for (size_t i = 0; i < pages; i++)
        touched += resident[i] & 1;
    return touched * 4 * page_bytes >= bytes * 3;
}

void tf_tiles_promote(struct tf_tiles *tiles)
{
    for (unsigned i = 0; i < tiles->tensix; i++) {
        uint8_t *slot = tiles->l1 + (size_t)i * TF_SLOT_BYTES;
        if (is_touched(slot, tiles->tile[i].arch->l1_bytes))
            madvise(slot, TF_SLOT_BYTES, MADV_HUGEPAGE);
    }
}

void tf_tiles_catch_up(struct tf_tiles *tiles, struct tf_fabric *fabric, const struct tf_schedule *schedule,
                       uint64_t slice)
{
    for (unsigned i = 0; i < tiles->count; i++)
        tf_tile_catch_up(&tiles->tile[i], schedule, slice);
    for (unsigned i = 0; i < fabric->nodes; i++)
        if (tf_dram_tile(&fabric->node[i]) != NULL)
            tf_tile_catch_up(fabric->node[i].tile, schedule, slice);
}
