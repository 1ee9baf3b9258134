/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stdlib.h>
#include <time.h>

#include "cli/bench/abi.h"
#include "cli/bench/bench.h"
#include "cli/bench/engine.h"
#include "cli/bench/refuse.h"
#include "host/vectors.h"
#include "tile/arch.h"
#include "tilefarm/tilefarm_config.h"
#include "tilefarm_layout.h"

bool bench_engine_init(struct bench_engine *engine, const struct bench_side *side)
{
    *engine = (struct bench_engine){.side = side, .ops = &bench_farm_ops};
    if (side->kind == BENCH_FARM)
        return true;
    char threads[16];
    snprintf(threads, sizeof threads, "%u", side->threads);
    setenv("TILEFARM_THREADS", threads, 1);
    setenv("TILEFARM_ON_FAULT", "exit", 1);
    setenv("TILEFARM_VECTORS", tf_vectors_name(side->vectors), 1);
    engine->ops = &bench_abi_ops;
    return bench_abi_load(engine, side->kind == BENCH_PEER ? side->library : NULL);
}

/* ---- A chip of ours, through the public interface ---- */

void bench_configure(const struct bench_side *side, struct tf_config *config)
{
    tf_config_init(config);
    config->arch = side->arch;
    config->mode = side->mode;
    config->threads = side->threads;
    config->pin = true;
    config->vectors = side->vectors;
}

static bool farm_open(struct bench_engine *engine)
{
    struct tf_config config;
    struct tf_message message = {""};
    bench_configure(engine->side, &config);
    int error = tf_chip_create(&config, &engine->chip, &message);
    if (error != TF_OK)
        return bench_refuse(engine, "%s", message.text[0] != '\0' ? message.text : tf_strerror(error));
    return true;
}

static void farm_close(struct bench_engine *engine)
{
    tf_chip_destroy(engine->chip);
    engine->chip = NULL;
}

static bool answered(struct bench_engine *engine, int error)
{
    return error == TF_OK || bench_refuse(engine, "%s", tf_strerror(error));
}

static bool farm_put(struct bench_engine *engine, struct tf_coord node, uint64_t address, const void *data,
                     uint32_t bytes)
{
    return answered(engine, tf_write(engine->chip, node, address, data, bytes));
}

static bool farm_get(struct bench_engine *engine, struct tf_coord node, uint64_t address, void *data, uint32_t bytes)
{
    return answered(engine, tf_read(engine->chip, node, address, data, bytes));
}

static bool farm_write(struct bench_engine *engine, unsigned tile, uint64_t address, const void *data, uint32_t bytes)
{
    struct tf_coord coord = {0, 0};
    return answered(engine, tf_tile_coord(engine->side->arch, tile, &coord)) &&
           farm_put(engine, coord, address, data, bytes);
}

static bool farm_write_all(struct bench_engine *engine, uint64_t address, const void *data, uint32_t bytes)
{
    bool right = true;
    for (unsigned tile = 0; tile < bench_tiles(engine) && right; tile++)
        right = farm_write(engine, tile, address, data, bytes);
    return right;
}

static bool farm_read(struct bench_engine *engine, unsigned tile, uint64_t address, void *data, uint32_t bytes)
{
    struct tf_coord coord = {0, 0};
    return answered(engine, tf_tile_coord(engine->side->arch, tile, &coord)) &&
           farm_get(engine, coord, address, data, bytes);
}

static bool farm_hold(struct bench_engine *engine)
{
    struct tf_shape shape;
    tf_arch_shape(engine->side->arch, &shape);
    for (unsigned tile = 0; tile < bench_tiles(engine); tile++)
        for (unsigned core = 0; core < shape.cores; core++)
            tf_core_stop(engine->chip, tile, (enum tf_core)core);
    return true;
}

static bool farm_start(struct bench_engine *engine, unsigned tiles, unsigned cores)
{
    bool right = true;
    struct tf_shape shape;
    tf_arch_shape(engine->side->arch, &shape);
    for (unsigned tile = 0; tile < tiles && right; tile++)
        for (unsigned core = 0; core < shape.cores && right; core++)
            if (cores >> core & 1)
                right = answered(engine, tf_core_set_pc(engine->chip, tile, (enum tf_core)core, TF_K_PROGRAM(core))) &&
                        answered(engine, tf_core_start(engine->chip, tile, (enum tf_core)core));
    return right;
}

/* Run until nothing can happen, or a fault comes; with a look at a tile after each call, if the host makes short
   calls. */
static bool run_to_end(struct bench_engine *engine, enum tf_end *end)
{
    const struct tf_run_options call = {.cycles_max = engine->host_clocks};
    uint32_t done;
    do {
        if (!answered(engine, tf_run(engine->chip, engine->host_clocks != 0 ? &call : NULL, end)) ||
            !farm_read(engine, 0, TF_K_DONE, &done, sizeof done))
            return false;
    } while (*end == TF_END_CYCLES);
    return true;
}

static bool farm_finish(struct bench_engine *engine, unsigned tiles, unsigned cores)
{
    enum tf_end end = TF_END_QUIET;
    if (!run_to_end(engine, &end))
        return false;
    struct tf_fault fault;
    if (end == TF_END_FAULT && tf_fault_get(engine->chip, tf_fault_count(engine->chip) - 1, &fault) == TF_OK)
        return bench_refuse(engine, "%s", fault.text);
    for (unsigned tile = 0; tile < tiles; tile++) {
        uint32_t done[TF_TILE_CORES];
        if (!farm_read(engine, tile, TF_K_DONE, done, sizeof done))
            return false;
        for (unsigned core = 0; core < bench_cores(engine); core++)
            if ((cores >> core & 1) && done[core] != TF_K_DONE_MAGIC)
                return bench_refuse(engine, "tile %u core %s has not finished", tile, tf_tensix_core_name(core));
    }
    return true;
}

static bool farm_pass(struct bench_engine *engine, uint32_t cycles)
{
    return answered(engine, tf_run(engine->chip, &(struct tf_run_options){.cycles_max = cycles}, NULL));
}

const struct bench_engine_ops bench_farm_ops = {
    .open = farm_open,
    .close = farm_close,
    .write_all = farm_write_all,
    .write = farm_write,
    .read = farm_read,
    .put = farm_put,
    .get = farm_get,
    .hold = farm_hold,
    .start = farm_start,
    .finish = farm_finish,
    .pass = farm_pass,
};
