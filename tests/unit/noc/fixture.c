/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture.h"
#include "noc/requests/act.h"
#include "noc/coords.h"
#include "noc/whole/fabric.h"
#include "noc/requests/initiator.h"
#include "noc/requests/land.h"
#include "noc/niu.h"
#include "noc/requests/visit.h"
#include "tile/eth/tables.h"
#include "tile/eth/eth.h"
#include "tile/mmio/map/map.h"
#include "tile/mmio/streams/packet.h"
#include "tile/mmio/streams/peer.h"
#include "tile/why.h"
#include "tile/observe.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include "lines.h"
#include "tile/riscv/hart/stop.h"
#include "tilefarm_address.h"

#define FAKE_FIRST TF_DEBUG_BASE
#define SLOT_BYTES (TF_L1_BYTES_MAX + 0x10000u) /* from L1 to the next one: what is beyond L1 cannot be accessed */

static _Thread_local struct fx *current;

static void note(struct fx_fault *fault, unsigned core, uint32_t pc, uint64_t cycle, enum tf_fault_category category,
                 uint64_t address, const char *format, va_list arguments)
{
    fault->count++;
    fault->core = core;
    fault->pc = pc;
    fault->cycle = cycle;
    fault->category = category;
    fault->address = address;
    vsnprintf(fault->text, sizeof fault->text, format, arguments);
}

void tf_tile_fault(struct tf_tile *tile, unsigned core, enum tf_fault_category category, uint32_t instruction,
                   uint64_t address, const char *format, ...)
{
    va_list arguments;
    (void)instruction;
    va_start(arguments, format);
    note(&current->fault, core, 0, tile->cycle, category, address, format, arguments);
    va_end(arguments);
}

void tf_tile_fault_at(struct tf_tile *tile, unsigned core, uint32_t pc, uint64_t cycle, enum tf_fault_category category,
                      uint32_t instruction, uint64_t address, const char *format, ...)
{
    va_list arguments;
    (void)tile;
    (void)instruction;
    va_start(arguments, format);
    note(&current->fault, core, pc, cycle, category, address, format, arguments);
    va_end(arguments);
}

void tf_tile_hazard(struct tf_tile *tile, unsigned core, enum tf_fault_category category, uint32_t instruction,
                    uint64_t address, const char *format, ...)
{
    va_list arguments;
    (void)instruction;
    va_start(arguments, format);
    note(&current->hazard, core, 0, tile->cycle, category, address, format, arguments);
    va_end(arguments);
}

void tf_observe_written(struct tf_tile *tile, uint32_t address, uint32_t bytes, enum tf_writer writer)
{
    (void)tile, (void)address, (void)bytes, (void)writer;
}

void tf_tile_l1_written(struct tf_tile *tile, uint32_t address, uint32_t bytes)
{
    (void)tile, (void)address, (void)bytes;
    fail_msg("the fixture's tiles have decoded no code");
}

bool tf_eth_read_acts(const struct tf_tile *tile, uint64_t address)
{
    (void)tile;
    return address == 0x7CC70;
}

void tf_eth_host_read(struct tf_tile *tile, uint64_t address)
{
    assert_int_equal(tile->arch->kind, TF_TILE_ETH);
    (void)address;
    current->firmware_reads++;
}

void tf_eth_host_wrote(struct tf_tile *tile, uint64_t address, uint64_t bytes)
{
    assert_int_equal(tile->arch->kind, TF_TILE_ETH);
    (void)address;
    (void)bytes;
    current->firmware_writes++;
}

/* The firmware of the fixture's Ethernet tiles moves no data. */
bool tf_eth_runs_firmware(const struct tf_tile *tile)
{
    assert_int_equal(tile->arch->kind, TF_TILE_ETH);
    return false;
}

static struct tf_niu *niu_of(struct tf_tile *tile, uint32_t address)
{
    return tile->port.niu[address >> 16 & 1];
}

static bool is_niu(uint32_t address)
{
    return (address & 0xFFFE0000u) == TF_NIU_BASE(0);
}

enum tf_access tf_mmio_load(struct tf_tile *tile, unsigned from, uint32_t address, unsigned size, uint32_t *value,
                            bool *pure)
{
    assert_int_equal(from, TF_FROM_NOC);
    assert_int_equal(size, 4);
    *pure = true;
    if (is_niu(address))
        return tile->port.load(niu_of(tile, address), address & 0xFFFF, value, pure);
    if (current->register_why != NULL || address - FAKE_FIRST >= FX_REGISTER_BYTES)
        return TF_ACCESS_FAULT;
    *value = current->registers[(address - FAKE_FIRST) / 4];
    return TF_ACCESS_OK;
}

enum tf_access tf_mmio_store(struct tf_tile *tile, unsigned from, uint32_t address, unsigned size, uint32_t value)
{
    assert_int_equal(from, TF_FROM_NOC);
    assert_int_equal(size, 4);
    if (is_niu(address))
        return tile->port.store(niu_of(tile, address), address & 0xFFFF, value, from, 0);
    if (current->register_why != NULL || address - FAKE_FIRST >= FX_REGISTER_BYTES)
        return TF_ACCESS_FAULT;
    current->registers[(address - FAKE_FIRST) / 4] = value;
    return TF_ACCESS_OK;
}

enum tf_fault_category tf_mmio_why_category(const struct tf_tile *tile)
{
    return tile->arch->kind == TF_TILE_ETH ? TF_FAULT_UNIMPLEMENTED : TF_FAULT_UNDEFINED;
}

const char *tf_mmio_why(struct tf_tile *tile)
{
    (void)tile;
    return current->register_why;
}

/* No stream of the fixture's tiles has a phase. */
bool tf_stream_next_packet(struct tf_tile *tile, unsigned noc, unsigned first, struct tf_stream_packet *packet)
{
    (void)tile, (void)noc, (void)first, (void)packet;
    return false;
}

bool tf_stream_sent(struct tf_tile *tile, const struct tf_stream_packet *packet)
{
    (void)tile, (void)packet;
    return true;
}

void tf_stream_stop(struct tf_tile *tile, const struct tf_stream_packet *packet)
{
    (void)tile, (void)packet;
}

bool tf_stream_receive(struct tf_tile *tile, uint32_t tag, uint32_t bytes)
{
    (void)tile, (void)tag, (void)bytes;
    return true;
}

static void *keep(struct fx *fx, size_t header, uint32_t payload)
{
    if (fx->out_of_memory || fx->allocations == 4 * FX_KEPT)
        return NULL;
    void *memory = malloc(header + payload);
    assert_non_null(memory);
    memset(memory, 0, header);
    memset((char *)memory + header, 0xCD, payload);
    fx->kept[fx->allocations++] = memory;
    if (fx->memory_for != 0 && --fx->memory_for == 0)
        fx->out_of_memory = true;
    return memory;
}

static struct fx *of_sink(struct tf_noc_sink *sink)
{
    return (struct fx *)(void *)((char *)sink - offsetof(struct fx, sink));
}

static struct tf_noc_response *take_response(struct tf_noc_sink *sink, uint32_t payload)
{
    return keep(of_sink(sink), sizeof(struct tf_noc_response), payload);
}

static enum tf_access issue(struct tf_noc_sink *sink, const struct tf_noc_request *request, uint32_t payload_bytes,
                            unsigned core, uint32_t pc, uint64_t cycle)
{
    struct fx *fx = of_sink(sink);
    struct tf_noc_request *own = keep(fx, sizeof *own, payload_bytes);
    if (own == NULL)
        return tf_noc_unissued(&fx->fabric, request, core, pc, cycle);
    assert_true(fx->requests < FX_KEPT);
    tf_noc_request_copy(own, request, core, pc, cycle);
    if (payload_bytes != 0)
        own->data = memcpy(own->carried, request->data, payload_bytes);
    own->entry.key = fx->requests;
    fx->request[fx->requests++] = own;
    return TF_ACCESS_OK;
}

static void respond(struct tf_noc_sink *sink, struct tf_noc_response *response)
{
    struct fx *fx = of_sink(sink);
    assert_true(fx->responses < FX_KEPT);
    fx->response[fx->responses++] = response;
}

static uint8_t *map(size_t bytes)
{
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    assert_true(memory != MAP_FAILED);
    return memory;
}

struct fx *fx_new_of(const struct tf_arch *arch, enum tf_mode mode, enum tf_atomics atomics)
{
    struct fx *fx = zeroed_lines(sizeof *fx);
    assert_non_null(fx);
    current = fx;
    fx->l1 = map((size_t)TF_TILES_MAX * SLOT_BYTES);
    for (unsigned kind = 0, i = 0; kind < TF_TILE_KINDS; kind++)
        for (unsigned number = 0; number < TF_NODES_MAX; number++) {
            if (arch->place[number].kind != arch->tile[kind].node)
                continue;
            struct tf_tile *tile = &fx->tiles[i];
            tile->l1 = fx->l1 + (size_t)i * SLOT_BYTES;
            tile->arch = &arch->tile[kind];
            const uint32_t bytes = tf_code_bytes(tile->arch);
            assert_int_equal(mprotect(tile->l1 + bytes, SLOT_BYTES - bytes, PROT_NONE), 0);
            tile->coord = (struct tf_coord){(uint8_t)(number % arch->grid_x), (uint8_t)(number / arch->grid_x)};
            tile->index = (uint16_t)i++;
            tile->cycle = 77;
        }
    const struct tf_noc_rules rules = {.atomics = atomics, .requests_max = 64, .shared = mode == TF_MODE_RELAXED};
    fx->sent = zeroed_lines(tf_fabric_sent_bytes(arch));
    assert_int_equal(tf_fabric_init(&fx->fabric, arch, &rules, fx->tiles, fx->sent), TF_OK);
    fx->sink = (struct tf_noc_sink){.issue = issue, .response = take_response, .respond = respond};
    for (unsigned i = 0; i < tf_arch_tiles(arch); i++)
        tf_node_epoch(((struct tf_niu *)fx->tiles[i].port.niu[0])->node, &fx->sink);
    return fx;
}

struct fx *fx_new(enum tf_mode mode, enum tf_atomics atomics)
{
    return fx_new_of(&tf_arch_blackhole, mode, atomics);
}

void fx_free(struct fx *fx)
{
    for (unsigned i = 0; i < fx->allocations; i++)
        free(fx->kept[i]);
    tf_fabric_fini(&fx->fabric);
    munmap(fx->l1, (size_t)TF_TILES_MAX * SLOT_BYTES);
    free(fx->sent);
    free(fx);
    current = NULL;
}

int fx_setup(void **state)
{
    *state = fx_new(TF_MODE_DETERMINISTIC, TF_ATOMICS_ISA);
    return 0;
}

int fx_teardown(void **state)
{
    fx_free(*state);
    return 0;
}

struct tf_node *fx_node(struct fx *fx, unsigned x, unsigned y)
{
    return &fx->fabric.node[y * fx->fabric.arch->grid_x + x];
}

struct tf_niu *fx_niu(struct fx *fx, unsigned x, unsigned y, unsigned noc)
{
    return &fx_node(fx, x, y)->niu[noc];
}

void fx_store(struct tf_niu *niu, uint32_t offset, uint32_t value)
{
    assert_int_equal(tf_niu_store(niu, offset, value, TF_CORE_B, 0x1234), TF_ACCESS_OK);
}

uint32_t fx_load(struct tf_niu *niu, uint32_t offset)
{
    uint32_t value = 0xDEADBEEF;
    bool pure;
    assert_int_equal(tf_niu_load(niu, offset, &value, &pure), TF_ACCESS_OK);
    return value;
}

uint32_t fx_counter(struct tf_niu *niu, unsigned index)
{
    return fx_load(niu, TF_NIU_COUNTER + 4 * index);
}

enum tf_access fx_command_from(struct tf_niu *niu, unsigned i, const struct fx_regs *regs, unsigned core)
{
    const uint32_t words[] = {
        (uint32_t)regs->targ,
        (uint32_t)(regs->targ >> 32),
        regs->targ_hi,
        (uint32_t)regs->ret,
        (uint32_t)(regs->ret >> 32),
        regs->ret_hi,
        regs->tag,
        regs->ctrl,
        (uint32_t)regs->length,
        (uint32_t)(regs->length >> 32),
        regs->data,
        regs->exclude,
    };
    uint32_t base = i * TF_NIU_INITIATOR_STRIDE;
    for (unsigned word = 0; word < sizeof words / sizeof *words; word++)
        assert_int_equal(tf_niu_store(niu, base + 4 * word, words[word], core, 0x1234), TF_ACCESS_OK);
    return tf_niu_store(niu, base + 4 * TF_NIU_CMD_CTRL, 1, core, 0x1234);
}

enum tf_access fx_command(struct tf_niu *niu, unsigned i, const struct fx_regs *regs)
{
    return fx_command_from(niu, i, regs, TF_CORE_B);
}

void fx_capture(struct fx *fx)
{
    for (unsigned i = 0; i < fx->requests; i++) {
        struct tf_noc_request *request = fx->request[i];
        if (request->kind != TF_NOC_WRITE || request->data == request->carried)
            continue;
        uint8_t *copy = keep(fx, 0, request->length);
        assert_non_null(copy);
        memcpy(copy, request->data, request->length);
        request->data = copy;
        tf_niu_captured(&fx->fabric.node[request->source].niu[request->noc], request);
    }
}

void fx_act(struct fx *fx)
{
    for (unsigned i = 0; i < fx->requests; i++) {
        uint16_t node[TF_NODES_MAX];
        unsigned count = tf_noc_recipients(&fx->fabric, fx->request[i], node);
        for (unsigned k = 0; k < count; k++)
            tf_noc_act(&fx->fabric, fx->request[i], node[k], &fx->sink);
    }
    fx->requests = 0;
}

void fx_land(struct fx *fx)
{
    for (unsigned i = 0; i < fx->responses; i++)
        tf_noc_land(&fx->fabric, fx->response[i]);
    fx->responses = 0;
}

void fx_deliver(struct fx *fx)
{
    fx_capture(fx);
    fx_act(fx);
    fx_land(fx);
    for (unsigned i = 0; i < fx->allocations; i++)
        free(fx->kept[i]);
    fx->allocations = 0;
}

void fx_fill(uint8_t *data, uint32_t bytes, uint32_t seed)
{
    uint64_t state = seed;
    for (uint32_t i = 0; i < bytes; i++)
        data[i] = (uint8_t)(test_random64(&state) >> 24);
}

void fx_prepare_tile(struct fx *fx, struct tf_coord at, uint32_t begin, uint32_t bytes)
{
    struct tf_node *node = fx_node(fx, at.x, at.y);
    fx_fill(node->l1 + begin, bytes, at.x + 16u * at.y);
    for (unsigned noc = 0; noc < 2; noc++)
        fx_store(&node->niu[noc], TF_NIU_CONFIG + 4 * TF_NIU_RTZ_CFG, 0xF0F0);
}

void fx_assert_fault(struct fx *fx, const char *words)
{
    assert_int_equal(fx->fault.count, 1);
    if (strstr(fx->fault.text, words) == NULL)
        fail_msg("\"%s\" does not say \"%s\"", fx->fault.text, words);
    fx->fault.count = 0;
}
