/* SPDX-License-Identifier: Apache-2.0 */
/* A core as GDB sees it: registers, memory, and the descriptions of both. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "debug/gdb/say.h"
#include "debug/gdb/target.h"
#include "debug/gdb/parts.h"
#include "farm/waits/waits.h"
#include "tile/node_text.h"
#include "tile/riscv/code/code.h"
#include "tile/riscv/control/control.h"
#include "tile/riscv/isa/decode.h"
#include "tilefarm_address.h"
#include "tile/mmio/mmio.h"
#include "tile/mmio/map/peek.h"
#include "tile/riscv/hart/csr_words.h"
#include "tile/riscv/hart/settle.h"
#include "tile/riscv/control/view.h"
#include "tile/riscv/isa/v.h"

enum { PC = 32, F0 = 33, CSR0 = 65 };

static const struct {
    uint16_t address;
    const char *name;
} csrs[] = {
#define CSR(address, name, kind, word, mask, reset) {address, #name},
#include "tile/riscv/isa/csr.def"
#undef CSR
};
#define CSRS (sizeof csrs / sizeof csrs[0])
#define V0 (CSR0 + CSRS)

struct tf_tile *tf_gdb_tile(struct tf_gdb *gdb, unsigned pid, unsigned *core)
{
    const struct gdb_chip *on = tf_gdb_chip(gdb, pid);
    const unsigned tile = process_of(pid) / 8;
    *core = process_of(pid) % 8;
    struct tf_tile *found = on == NULL ? NULL : tf_chip_tile(on->chip, tile);
    return found != NULL && *core < found->arch->cores ? found : NULL;
}

struct tf_tile *tf_gdb_tensix_tile(struct tf_gdb *gdb)
{
    unsigned core;
    struct tf_tile *tile = tf_gdb_tile(gdb, gdb->current, &core);
    if (tile == NULL || tile->tensix == NULL) {
        tf_gdb_say(gdb, gdb->front->terminal ? "Select a core of a Tensix tile first (core TILE CORE).\n"
                                             : "Attach to a core of a Tensix tile first (attach PID).\n");
        return NULL;
    }
    return tile;
}

struct tf_symbols *tf_gdb_symbols(const struct tf_gdb *gdb)
{
    tf_symbols_turn(gdb->on->symbols, gdb->on->chip);
    return gdb->on->symbols;
}

const char *tf_gdb_place(struct tf_gdb *gdb, struct tf_coord node, unsigned core, uint32_t pc, char *text)
{
    int tile = tf_symbols_tile(gdb->on->chip->arch, node);
    text[0] = ' ';
    struct tf_symbols *symbols = tf_gdb_symbols(gdb);
    if (tile < 0 || symbols == NULL ||
        !tf_symbols_place(symbols, (unsigned)tile, core, pc, text + 1, TF_PLACE_BYTES - 1))
        text[0] = '\0';
    return text;
}

/* Read without an effect. Registers that count or show the coprocessor are shown with their stored value. */
static bool read_csr(struct tf_hart *hart, unsigned address, uint32_t *value)
{
    uint64_t cycle = hart->cycle + hart->csr.cycle_offset, instret = hart->instret + hart->csr.instret_offset;
    switch (address) {
    case 0xB00: *value = (uint32_t)cycle; return true;
    case 0xB80: *value = (uint32_t)(cycle >> 32); return true;
    case 0xC00: *value = (uint32_t)hart->cycle; return true;
    case 0xC80: *value = (uint32_t)(hart->cycle >> 32); return true;
    case 0xB02: *value = (uint32_t)instret; return true;
    case 0xB82: *value = (uint32_t)(instret >> 32); return true;
    case 0xC02: *value = (uint32_t)hart->instret; return true;
    case 0xC82: *value = (uint32_t)(hart->instret >> 32); return true;
    default: break;
    }
    static const struct {
        uint16_t address;
        uint8_t word;
    } stored[] = {
#define CSR(address, name, kind, word, mask, reset) {address, TF_CSR_##word},
#include "tile/riscv/isa/csr.def"
#undef CSR
    };
    for (unsigned i = 0; i < CSRS; i++)
        if (stored[i].address == address && stored[i].word != TF_CSR_NONE) {
            *value = hart->csr.word[stored[i].word];
            return true;
        }
    return false;
}

bool tf_gdb_register(struct tf_gdb *gdb, unsigned pid, unsigned number, uint32_t *value)
{
    unsigned core;
    struct tf_tile *tile = tf_gdb_tile(gdb, pid, &core);
    struct tf_core_view view;
    if (tile == NULL)
        return false;
    struct tf_hart *hart = &tile->hart[core];
    tf_hart_settle(tile, hart);
    if (number >= CSR0)
        return number - CSR0 < CSRS && read_csr(hart, csrs[number - CSR0].address, value);
    tf_hart_look(tile, hart, &view);
    *value = number < PC ? view.x[number] : number == PC ? view.pc : hart->f[number - F0];
    return true;
}

unsigned tf_gdb_vector_number(unsigned index)
{
    return (unsigned)V0 + index;
}

uint8_t *tf_gdb_vector(struct tf_gdb *gdb, unsigned pid, unsigned number)
{
    unsigned core;
    struct tf_tile *tile = tf_gdb_tile(gdb, pid, &core);
    if (tile == NULL || tile->hart[core].v == NULL || number < V0 || number >= V0 + TF_V_REGISTERS)
        return NULL;
    return tile->hart[core].v + (number - V0) * TF_V_BYTES;
}

bool tf_gdb_set_vector(struct tf_gdb *gdb, unsigned pid)
{
    unsigned core;
    struct tf_tile *tile = tf_gdb_tile(gdb, pid, &core);
    if (tile != NULL)
        tile->hart[core].v_written = true;
    return tile != NULL;
}

int tf_gdb_register_number(const char *name, size_t length)
{
    for (unsigned i = 0; i < PC; i++)
        if (strlen(tf_rv_x_names[i]) == length && strncmp(tf_rv_x_names[i], name, length) == 0)
            return (int)i;
    for (unsigned i = 0; i < CSRS; i++)
        if (strlen(csrs[i].name) == length && strncmp(csrs[i].name, name, length) == 0)
            return (int)(CSR0 + i);
    return length == 2 && strncmp(name, "pc", 2) == 0 ? PC : -1;
}

bool tf_gdb_set_register(struct tf_gdb *gdb, unsigned pid, unsigned number, uint32_t value)
{
    unsigned core;
    struct tf_tile *tile = tf_gdb_tile(gdb, pid, &core);
    uint32_t now;
    if (tile == NULL || number == 0)
        return number == 0;
    if (number >= CSR0) /* GDB writes fcsr back after a function that it has called */
        return tf_gdb_register(gdb, pid, number, &now) && now == value;
    struct tf_hart *hart = &tile->hart[core];
    if (hart->state == TF_CORE_PARKED) { /* the core may poll another place now */
        tf_hart_pause(tile, hart);
        tf_hart_resume(tile, hart);
    }
    if (number < PC)
        hart->x[number] = value;
    else if (number == PC)
        hart->pc = value;
    else
        hart->f[number - F0] = value;
    return true;
}

/* Memory that does not change when it is read: L1 and the core's own RAM. Returns NULL for other addresses. */
static uint8_t *memory_at(struct tf_tile *tile, unsigned core, uint32_t address, uint32_t *room)
{
    struct tf_hart *hart = &tile->hart[core];
    if (address < tile->arch->l1_bytes) {
        *room = tile->arch->l1_bytes - address;
        return tile->l1 + address;
    }
    uint32_t offset = address - TF_LOCAL_BASE;
    if (offset >= hart->local_bytes)
        return NULL;
    *room = hart->local_bytes - offset;
    return hart->local + offset;
}

int tf_gdb_dram(const struct tf_gdb *gdb, uint32_t address, uint64_t *at)
{
    uint32_t channel = (address - GDB_DRAM_FIRST) / GDB_DRAM_BYTES;
    if (channel >= gdb->on->chip->arch->dram.channels)
        return -1;
    *at = gdb->dram_base[channel] + address % GDB_DRAM_BYTES;
    return (int)channel;
}

/* Read registers word by word, by loads without an effect. */
static bool read_registers(struct tf_tile *tile, unsigned core, uint32_t address, uint8_t *data, uint32_t bytes)
{
    for (uint32_t i = 0; i < bytes; i++) {
        uint32_t word;
        if (!tf_mmio_peek(tile, core, (address + i) & ~3u, &word))
            return false;
        data[i] = (uint8_t)(word >> (address + i) % 4 * 8);
    }
    return true;
}

/* Read DRAM or registers. */
static bool read_dram_or_registers(struct tf_gdb *gdb, unsigned pid, uint32_t address, uint8_t *data, uint32_t bytes)
{
    unsigned core;
    struct tf_tile *tile = tf_gdb_tile(gdb, pid, &core);
    const struct gdb_chip *on = tf_gdb_chip(gdb, pid);
    uint64_t at;
    int channel = tf_gdb_dram(gdb, address, &at);
    if (channel >= 0)
        return tf_dram_read(on->chip, (unsigned)channel, at, data, bytes) == TF_OK;
    return read_registers(tile, core, address, data, bytes);
}

bool tf_gdb_read(struct tf_gdb *gdb, unsigned pid, uint32_t address, uint8_t *data, uint32_t bytes)
{
    unsigned core;
    struct tf_tile *tile = tf_gdb_tile(gdb, pid, &core);
    while (tile != NULL && bytes > 0) {
        uint32_t room;
        const uint8_t *from = memory_at(tile, core, address, &room);
        if (from == NULL)
            return read_dram_or_registers(gdb, pid, address, data, bytes);
        room = room < bytes ? room : bytes;
        memcpy(data, from, room);
        data += room;
        address += room;
        bytes -= room;
    }
    return tile != NULL;
}

bool tf_gdb_write(struct tf_gdb *gdb, unsigned pid, uint32_t address, const uint8_t *data, uint32_t bytes)
{
    unsigned core;
    uint64_t at;
    int channel = tf_gdb_dram(gdb, address, &at);
    struct tf_tile *tile = tf_gdb_tile(gdb, pid, &core);
    if (channel >= 0 && tile != NULL)
        return tf_dram_write(tf_gdb_chip(gdb, pid)->chip, (unsigned)channel, at, data, bytes) == TF_OK;
    while (tile != NULL && bytes > 0) {
        uint32_t room;
        uint8_t *to = memory_at(tile, core, address, &room);
        if (to == NULL)
            return false;
        room = room < bytes ? room : bytes;
        memcpy(to, data, room);
        if (address < tile->arch->l1_bytes)
            tf_tile_l1_written(tile, address, room);
        tile->hart[core].local_zero = false;
        data += room;
        address += room;
        bytes -= room;
    }
    return tile != NULL;
}

#define XML_BYTES 16384u

static void put(struct tf_text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void put(struct tf_text *text, const char *format, ...)
{
    char line[800];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    tf_text_add(text, "%s", line);
}

char *tf_gdb_target_xml(void)
{
    char *xml = malloc(XML_BYTES);
    struct tf_text text = {xml, xml == NULL ? 0 : XML_BYTES, 0};
    put(&text, "<?xml version=\"1.0\"?><!DOCTYPE target SYSTEM \"gdb-target.dtd\"><target version=\"1.0\">"
               "<architecture>riscv:rv32</architecture>"
               "<osabi>none</osabi>" /* GDB's Linux targets step by breakpoints, and mistake the length of .ttinsn */
               "<feature name=\"org.gnu.gdb.riscv.cpu\">");
    for (unsigned i = 0; i < 32; i++)
        put(&text, "<reg name=\"x%u\" bitsize=\"32\" type=\"int\" regnum=\"%u\"/>", i, i);
    put(&text, "<reg name=\"pc\" bitsize=\"32\" type=\"code_ptr\" regnum=\"32\"/></feature>"
               "<feature name=\"org.gnu.gdb.riscv.fpu\">");
    for (unsigned i = 0; i < 32; i++)
        put(&text, "<reg name=\"f%u\" bitsize=\"32\" type=\"ieee_single\" regnum=\"%u\"/>", i, F0 + i);
    put(&text, "</feature><feature name=\"org.gnu.gdb.riscv.csr\">");
    for (unsigned i = 0; i < CSRS; i++)
        put(&text, "<reg name=\"%s\" bitsize=\"32\" type=\"int\" regnum=\"%u\" save-restore=\"no\"/>", csrs[i].name,
            CSR0 + i);
    put(&text,
        "</feature><feature name=\"org.gnu.gdb.riscv.vector\">"
        "<vector id=\"bytes\" type=\"uint8\" count=\"16\"/><vector id=\"shorts\" type=\"uint16\" count=\"8\"/>"
        "<vector id=\"words\" type=\"uint32\" count=\"4\"/><vector id=\"floats\" type=\"ieee_single\" count=\"4\"/>"
        "<union id=\"vector\"><field name=\"b\" type=\"bytes\"/><field name=\"s\" type=\"shorts\"/>"
        "<field name=\"w\" type=\"words\"/><field name=\"f\" type=\"floats\"/></union>");
    for (unsigned i = 0; i < TF_V_REGISTERS; i++)
        put(&text, "<reg name=\"v%u\" bitsize=\"128\" type=\"vector\" regnum=\"%u\"/>", i, (unsigned)V0 + i);
    put(&text, "</feature></target>");
    return xml;
}

static void put_processes(const struct tf_gdb *gdb, const struct gdb_chip *on, struct tf_text *text)
{
    static const char *const state[] = {
        [TF_CORE_RESET] = "reset",     [TF_CORE_RUNNING] = "runs",  [TF_CORE_PARKED] = "polls",
        [TF_CORE_BLOCKED] = "blocked", [TF_CORE_PAUSED] = "paused", [TF_CORE_FAULTED] = "faulted",
    };
    char chip[TF_GDB_CHIP_BYTES], node[TF_NODE_TEXT_BYTES];
    tf_gdb_chip_text(gdb, on, chip);
    for (unsigned i = 0; i < tf_chip_tiles(on->chip); i++) {
        const struct tf_tile *tile = tf_chip_tile(on->chip, i);
        for (unsigned core = 0; tile != NULL && core < tile->arch->cores; core++) {
            if (tile->hart[core].state == TF_CORE_RESET)
                continue;
            put(text,
                "<item><column name=\"pid\">%u</column><column name=\"user\">%s%s</column>"
                "<column name=\"command\">%s %s</column><column name=\"cores\">%u</column></item>",
                pid_of(on, i, core), chip, tf_node_text(on->chip->arch, tile->coord, node), tile->arch->core_name[core],
                state[tile->hart[core].state], core);
        }
    }
}

char *tf_gdb_processes_xml(struct tf_gdb *gdb)
{
    size_t room = 400u;
    for (unsigned i = 0; i < gdb->chips; i++)
        room += 400u * tf_chip_tiles(gdb->of[i].chip) * TF_TILE_CORES;
    char *xml = malloc(room);
    struct tf_text text = {xml, xml == NULL ? 0 : room, 0};
    put(&text, "<?xml version=\"1.0\"?><!DOCTYPE target SYSTEM \"osdata.dtd\"><osdata type=\"processes\">");
    for (unsigned i = 0; i < gdb->chips; i++)
        put_processes(gdb, &gdb->of[i], &text);
    put(&text, "</osdata>");
    return xml;
}
