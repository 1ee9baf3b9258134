/* SPDX-License-Identifier: Apache-2.0 */
/* A chip behind the libttsim interface. It is the built-in one, or one of a loaded library. */
#include "abi/abi.h"
#include "abi/libttsim.h"
#include "cli/bench/abi.h"
#include "cli/bench/bench.h"
#include "cli/bench/refuse.h"
#include "cli/peer/client.h"
#include "tilefarm_layout.h"

#define POLL_CYCLES 1000u
#define FINISH_S 60.0

bool bench_abi_load(struct bench_engine *engine, const char *path)
{
    engine->client.library =
        (struct tf_client_library){libttsim_init,  libttsim_exit, libttsim_pci_mem_rd_bytes, libttsim_pci_mem_wr_bytes,
                                   libttsim_clock, NULL};
    if (!tf_client_set_arch(&engine->client, engine->side->arch))
        return bench_refuse(engine, "the windows of its device are unknown: %s", engine->side->arch->title);
    const char *why = path != NULL ? tf_client_load(&engine->client.library, path) : NULL;
    return why == NULL || bench_refuse(engine, "%s", why);
}

static bool abi_open(struct bench_engine *engine)
{
    engine->client.library.init();
    if (!tf_client_fits(&engine->client))
        return bench_refuse(engine, "its chip is not a %s; --arch names the family", engine->side->arch->title);
    engine->chip = engine->client.library.init == libttsim_init ? abi_chip() : NULL; /* for statistics */
    return true;
}

static void abi_close(struct bench_engine *engine)
{
    engine->client.library.exit();
}

static struct tf_coord node_of(struct bench_engine *engine, unsigned tile)
{
    struct tf_coord node = {0, 0};
    tf_tile_coord(engine->side->arch, tile, &node);
    return node;
}

static bool abi_put(struct bench_engine *engine, struct tf_coord node, uint64_t address, const void *data,
                    uint32_t bytes)
{
    tf_client_write(&engine->client, (struct tf_client_target){.node = node}, address, data, bytes);
    return true;
}

static bool abi_get(struct bench_engine *engine, struct tf_coord node, uint64_t address, void *data, uint32_t bytes)
{
    tf_client_read(&engine->client, node, address, data, bytes);
    return true;
}

static bool abi_write(struct bench_engine *engine, unsigned tile, uint64_t address, const void *data, uint32_t bytes)
{
    return abi_put(engine, node_of(engine, tile), address, data, bytes);
}

static bool abi_write_all(struct bench_engine *engine, uint64_t address, const void *data, uint32_t bytes)
{
    tf_client_write(&engine->client, (struct tf_client_target){.all = true}, address, data, bytes);
    return true;
}

static bool abi_read(struct bench_engine *engine, unsigned tile, uint64_t address, void *data, uint32_t bytes)
{
    return abi_get(engine, node_of(engine, tile), address, data, bytes);
}

/* Prepare each core to start at its program region. */
static bool abi_hold(struct bench_engine *engine)
{
    const struct tf_client_target all = {.all = true};
    uint32_t pc[TF_TILE_CORES];
    for (unsigned core = 0; core < bench_cores(engine); core++)
        pc[core] = TF_K_PROGRAM(core);
    tf_client_start(&engine->client, all, 0);
    tf_client_set_pcs(&engine->client, all, bench_all_cores(engine), pc);
    return true;
}

static bool abi_start(struct bench_engine *engine, unsigned tiles, unsigned cores)
{
    if (tiles == bench_tiles(engine))
        tf_client_start(&engine->client, (struct tf_client_target){.all = true}, cores);
    for (unsigned tile = 0; tile < tiles && tiles != bench_tiles(engine); tile++)
        tf_client_start(&engine->client, (struct tf_client_target){.node = node_of(engine, tile)}, cores);
    return true;
}

static bool abi_finish(struct bench_engine *engine, unsigned tiles, unsigned cores)
{
    double began = tf_seconds();
    for (unsigned tile = 0; tile < tiles;) {
        uint32_t done[TF_TILE_CORES];
        bool all = true;
        abi_read(engine, tile, TF_K_DONE, done, sizeof done);
        for (unsigned core = 0; core < bench_cores(engine); core++)
            all = all && (!(cores >> core & 1) || done[core] == TF_K_DONE_MAGIC);
        if (all) {
            tile++;
            continue;
        }
        if (tf_seconds() - began > FINISH_S)
            return bench_refuse(engine, "tile %u has not finished after %.0f s", tile, FINISH_S);
        engine->client.library.clock(engine->host_clocks != 0 ? engine->host_clocks : POLL_CYCLES);
    }
    return true;
}

static bool abi_pass(struct bench_engine *engine, uint32_t cycles)
{
    engine->client.library.clock(cycles);
    return true;
}

const struct bench_engine_ops bench_abi_ops = {
    .open = abi_open,
    .close = abi_close,
    .write_all = abi_write_all,
    .write = abi_write,
    .read = abi_read,
    .put = abi_put,
    .get = abi_get,
    .hold = abi_hold,
    .start = abi_start,
    .finish = abi_finish,
    .pass = abi_pass,
};
