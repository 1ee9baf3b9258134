/* SPDX-License-Identifier: Apache-2.0 */
/* The exported functions. */
#include "abi/libttsim.h"

#include <stdlib.h>
#include <string.h>

#include "abi/abi.h"
#include "abi/fault.h"
#include "abi/fetch.h"
#include "abi/clock.h"
#include "abi/debug.h"
#include "abi/dma.h"
#include "abi/families.h"
#include "abi/hang.h"
#include "abi/past.h"
#include "abi/pci.h"
#include "abi/races.h"
#include "abi/record.h"
#include "abi/report.h"
#include "abi/settings.h"
#include "abi/window.h"
#include "abi/recording.h"
#include "abi/several.h"
#include "system/lead.h"
#include "tilefarm/tilefarm_config.h"

#define EXPORT __attribute__((visibility("default")))

/* The interface has no handle, so there is one of these. */
static struct abi_device devices[TF_CLUSTER_CHIPS_MAX];
static struct abi library = {.device = devices};

/* Begin a call. Returns false after a report, if there is no chip or if another call is running. */
static bool begin(struct abi *abi, const char *call)
{
    abi->call = call;
    abi->pace.lead = 0;
    if (abi->chip == NULL)
        abi_on_fault_setting(abi, NULL); /* libttsim_init() may not have read this */
    if (abi->chip == NULL)
        abi_refuse(abi, "there is no chip before libttsim_init() and after libttsim_exit()");
    else if (abi->in_callback)
        abi_refuse(abi, "a callback must not call the simulator");
    return abi->chip != NULL && !abi->in_callback;
}

/* Forget all but the state that lives longer than chips. There will be so many of these. */
static void reset(struct abi *abi, uint32_t chips)
{
    struct abi before = *abi;
    *abi = (struct abi){.device = before.device,
                        .devices = chips,
                        .call = before.call,
                        .dma_read = before.dma_read,
                        .dma_write = before.dma_write,
                        .recordings = before.recordings,
                        .signal = before.signal,
                        .lead = before.lead,
                        .transport = before.transport,
                        .errors = before.errors};
    memcpy(abi->error, before.error, sizeof abi->error);
    for (uint32_t i = 0; i < chips; i++) {
        struct abi_device *device = &abi->device[i];
        *device = (struct abi_device){.abi = abi, .number = i};
        abi_pci_reset(device);
    }
}

struct tf_chip *abi_chip(void)
{
    return library.chip;
}

const struct abi *abi_state(void)
{
    return &library;
}

/* Serve calls with the chip of device 0, and nothing is printed. */
static void adopt(struct abi *abi, uint32_t clock_least)
{
    struct tf_chip *chip = abi->device->chip;
    abi->family = chip != NULL ? abi_family_of(chip->arch) : NULL;
    abi->chip = abi->device->chip = abi->family != NULL ? chip : NULL;
    abi->adopted = abi->chip != NULL;
    abi->pace.least = clock_least;
    abi_say_nothing(abi);
}

void abi_adopt(struct tf_chip *chip, uint32_t clock_least)
{
    reset(&library, 1);
    library.device->chip = chip;
    adopt(&library, clock_least);
}

void abi_adopt_system(struct tf_system *system, uint32_t clock_least)
{
    reset(&library, tf_system_cluster(system)->chips);
    abi_take_system(&library, system);
    adopt(&library, clock_least);
}

void abi_adopted_fault(void *user, const struct tf_fault *fault)
{
    (void)user;
    abi_on_fault(library.device, fault);
}

void abi_adopted_fault_of(unsigned chip, const struct tf_fault *fault)
{
    abi_on_fault(&library.device[chip], fault);
}

void abi_adopted_host(void)
{
    library.pace.shares = true;
}

static void on_signal(int number)
{
    (void)number;
    library.hang.asked = 1;
}

/* Read the settings, and prepare what watches chips. */
static void prepare(struct abi *abi, struct tf_config *config, const struct tf_cluster *cluster)
{
    tf_config_init(config);
    config->arch = tf_arch_find(abi_family(abi)->arch);
    abi_settings(abi, config, cluster);
    abi_hang_begin(abi, on_signal);
    abi_races_begin(abi, config->check);
    abi_debug_configure(abi, config);
    if (abi->hang.signal || abi->gdb != NULL)
        config->on_progress = abi_hang_progress;
    config->pin = false; /* the calling thread belongs to the program */
    config->user = abi->device;
    config->on_fault = abi_on_fault;
    if (abi->dma_read != NULL && abi->dma_write != NULL) {
        config->on_host_read = abi_host_read;
        config->on_host_write = abi_host_write;
    }
}

static int create(struct abi *abi, const struct tf_config *config, const struct tf_cluster *cluster,
                  struct tf_message *message)
{
    int error = abi_has_several(abi) ? abi_create_system(abi, config, cluster, message)
                                     : tf_chip_create(config, &abi->device->chip, message);
    abi->chip = abi->device->chip;
    return error;
}

/* The chips end, or could not be made. */
static void end(struct abi *abi)
{
    abi_record_end(abi);
    abi_hang_end(abi);
    abi_races_end(abi);
    if (abi->system != NULL)
        tf_system_destroy(abi->system);
    else
        tf_chip_destroy(abi->chip);
    abi_debug_end(abi);
    abi_past_end(abi);
    abi->system = NULL;
    abi->chip = NULL;
}

/* The process ends, or the library is unloaded. This comes before the libraries of MPI end. */
static void leave_ranks(void)
{
    if (library.chip != NULL && !library.running && !library.in_callback)
        end(&library);
    library.chip = NULL;
    tf_lead_close(library.lead);
    library.lead = NULL;
}

/* Let other ranks run systems, if that is asked for. */
static void lead(void)
{
    const bool leads = library.lead != NULL;
    abi_lead(&library);
    if (!leads && library.lead != NULL)
        atexit(leave_ranks);
}

EXPORT void libttsim_init(void)
{
    library.call = "libttsim_init";
    if (library.chip != NULL) {
        abi_refuse(&library, "the chip exists already; call libttsim_exit() first");
        return;
    }
    struct tf_config config;
    struct tf_message message = {""};
    reset(&library, 1);
    abi_on_fault_setting(&library, NULL);
    lead();
    struct tf_cluster *cluster = abi_cluster(&library);
    if (cluster != NULL)
        reset(&library, cluster->chips);
    prepare(&library, &config, cluster);
    if (create(&library, &config, cluster, &message) == TF_OK) {
        abi_past_begin(&library, abi_play);
        abi_debug_begin(&library);
        abi_record_begin(&library);
        abi_past_go_on(&library);
    } else {
        end(&library);
        abi_refuse(&library, "%s", message.text);
    }
    free(cluster);
}

EXPORT void libttsim_exit(void)
{
    if (begin(&library, "libttsim_exit"))
        end(&library);
}

/* Without this, workers would lose their code when the library is unloaded. If the process ends during a call, the
   workers wait for the caller and end with the process. */
__attribute__((destructor)) static void unload(void)
{
    if (library.chip != NULL && !library.running && !library.in_callback)
        end(&library);
    abi_signal_end(&library.signal);
    library.chip = NULL;
}

EXPORT void libttsim_set_pci_dma_mem_callbacks(libttsim_dma_read *read, libttsim_dma_write *write)
{
    library.call = "libttsim_set_pci_dma_mem_callbacks";
    if (library.chip != NULL) {
        abi_refuse(&library, "callbacks must be installed before libttsim_init()");
        return;
    }
    library.dma_read = read;
    library.dma_write = write;
}

/* The device of a number. NULL: there is none, and a host may probe for it. */
static struct abi_device *device_of(struct abi *abi, uint64_t number)
{
    return number < abi->devices && !abi->device[number].absent ? &abi->device[number] : NULL;
}

/* The device that bits 7:3 name, on bus 0, with function 0. *good: the offset may be accessed. */
static struct abi_device *find_device(struct abi *abi, uint32_t bdf, uint32_t offset, bool *good)
{
    *good = offset % 4 == 0;
    if (!*good)
        abi_refuse(abi, "offset=0x%x is not a multiple of 4", offset);
    return *good && bdf % 8 == 0 ? device_of(abi, bdf / 8) : NULL;
}

EXPORT uint32_t libttsim_pci_config_rd32(uint32_t bus_device_function, uint32_t offset)
{
    uint32_t value = UINT32_MAX;
    bool good;
    if (!begin(&library, "libttsim_pci_config_rd32"))
        return UINT32_MAX;
    abi_record_call(&library, RECORDED_CONFIG_READ, bus_device_function, 0, &(struct abi_access){.address = offset});
    const struct abi_device *device = find_device(&library, bus_device_function, offset, &good);
    if (device != NULL && !abi_pci_read(device, offset, &value)) {
        abi_refuse(&library, "offset=0x%x: configuration space has no register at this offset", offset);
        value = UINT32_MAX;
    }
    abi_record_result(&library, &value, sizeof value);
    return value;
}

EXPORT void libttsim_pci_config_wr32(uint32_t bus_device_function, uint32_t offset, uint32_t data)
{
    bool good;
    if (!begin(&library, "libttsim_pci_config_wr32"))
        return;
    abi_record_call(&library, RECORDED_CONFIG_WRITE, bus_device_function, data,
                    &(struct abi_access){.address = offset});
    struct abi_device *device = find_device(&library, bus_device_function, offset, &good);
    if (device == NULL && good)
        abi_refuse(&library, "bus_device_function=0x%x: no such device", bus_device_function);
    else if (device != NULL && !abi_pci_write(device, offset, data))
        abi_refuse(&library, "offset=0x%x: configuration space has no register at this offset", offset);
}

typedef const char *serve_bar(struct abi_device *device, uint64_t offset, const struct abi_access *access);

/* An access at an offset of a BAR of so many bytes. */
static const char *serve(struct abi_device *device, serve_bar *bar, uint64_t offset, uint64_t bytes,
                         const struct abi_access *access)
{
    return access->bytes <= bytes - offset ? bar(device, offset, access) : "the access runs past the end of its BAR";
}

static const char *access_bar(struct abi *abi, const struct abi_access *access)
{
    const struct abi_family *family = abi_family(&library);
    struct abi_device *device = device_of(abi, access->address / DEVICE_STRIDE);
    const uint64_t at = access->address % DEVICE_STRIDE;
    const char *why = device != NULL ? abi_fetch(abi, device->number) : NULL;
    if (why != NULL)
        return why;
    if (device != NULL && at - BAR0_FIRST < BAR0_BYTES)
        return serve(device, family->bar0, at - BAR0_FIRST, BAR0_BYTES, access);
    if (device != NULL && at - BAR2_FIRST < BAR2_BYTES)
        return serve(device, family->bar2, at - BAR2_FIRST, BAR2_BYTES, access);
    if (device != NULL && at - BAR4_FIRST < family->bar4_bytes)
        return serve(device, family->bar4, at - BAR4_FIRST, family->bar4_bytes, access);
    return "the address is in no BAR";
}

/* A read that cannot be served returns all ones, as on PCIe. */
static void give_ones(const struct abi_access *access)
{
    if (access->into != NULL)
        memset(access->into, 0xFF, access->bytes);
}

/* Returns false if there are no bytes, or if there is no chip. */
static bool begin_access(struct abi *abi, const char *call, const struct abi_access *access)
{
    if (!begin(abi, call))
        give_ones(access);
    else if (access->bytes == 0)
        abi_refuse_access(abi, access, "the size is 0");
    else if (access->into == NULL && access->from == NULL)
        abi_refuse_access(abi, access, "the buffer pointer is NULL");
    else
        return true;
    return false;
}

static void finish(struct abi *abi, const struct abi_access *access, const char *why)
{
    if (why != NULL) {
        abi_refuse_access(abi, access, why);
        give_ones(access);
    }
    if (access->into != NULL)
        abi_record_result(abi, access->into, access->bytes);
    abi_note(abi, access);
    abi_reset_written(abi);
}

/* Are calls kept? Most are not, and this test is all that recording costs them. */
static bool is_recorded(const struct abi *abi)
{
    return abi->record != NULL || abi->past != NULL;
}

static void access_memory(const char *call, const struct abi_access *access)
{
    if (!begin_access(&library, call, access))
        return;
    if (is_recorded(&library))
        abi_record_call(&library, access->into != NULL ? RECORDED_READ : RECORDED_WRITE, 0, 0, access);
    finish(&library, access, access_bar(&library, access));
    if (is_recorded(&library))
        abi_past_go_on(&library);
}

EXPORT void libttsim_pci_mem_rd_bytes(uint64_t paddr, void *dst, uint32_t size)
{
    access_memory("libttsim_pci_mem_rd_bytes", &(struct abi_access){.address = paddr, .into = dst, .bytes = size});
}

EXPORT void libttsim_pci_mem_wr_bytes(uint64_t paddr, const void *src, uint32_t size)
{
    access_memory("libttsim_pci_mem_wr_bytes", &(struct abi_access){.address = paddr, .from = src, .bytes = size});
}

static void access_tile(const char *call, uint32_t x, uint32_t y, const struct abi_access *access)
{
    if (!begin_access(&library, call, access))
        return;
    abi_record_call(&library, access->into != NULL ? RECORDED_TILE_READ : RECORDED_TILE_WRITE, x, y, access);
    library.pace.round += x | y << 8;
    finish(&library, access,
           abi_has_several(&library) ? "there are several chips: a tile is reached through a window of its device"
                                     : abi_at(library.device, x, y, access->address, access));
    abi_past_go_on(&library);
}

EXPORT void libttsim_tile_rd_bytes(uint32_t x, uint32_t y, uint64_t addr, void *dst, uint32_t size)
{
    access_tile("libttsim_tile_rd_bytes", x, y, &(struct abi_access){.address = addr, .into = dst, .bytes = size});
}

EXPORT void libttsim_tile_wr_bytes(uint32_t x, uint32_t y, uint64_t addr, const void *src, uint32_t size)
{
    access_tile("libttsim_tile_wr_bytes", x, y, &(struct abi_access){.address = addr, .from = src, .bytes = size});
}

EXPORT void libttsim_clock(uint32_t n_clocks)
{
    if (abi_clock_passed(&library.pace, n_clocks) || !begin(&library, "libttsim_clock"))
        return;
    abi_record_call(&library, RECORDED_CLOCK, 0, 0, &(struct abi_access){.bytes = n_clocks});
    abi_clock(&library, n_clocks);
    abi_past_go_on(&library);
}

bool abi_play(const struct recorded *call, void *data, uint32_t *word)
{
    switch (call->kind) {
    case RECORDED_CONFIG_READ: *word = libttsim_pci_config_rd32(call->x, (uint32_t)call->address); break;
    case RECORDED_CONFIG_WRITE: libttsim_pci_config_wr32(call->x, (uint32_t)call->address, call->y); break;
    case RECORDED_READ: libttsim_pci_mem_rd_bytes(call->address, data, call->bytes); break;
    case RECORDED_WRITE: libttsim_pci_mem_wr_bytes(call->address, data, call->bytes); break;
    case RECORDED_TILE_READ: libttsim_tile_rd_bytes(call->x, call->y, call->address, data, call->bytes); break;
    case RECORDED_TILE_WRITE: libttsim_tile_wr_bytes(call->x, call->y, call->address, data, call->bytes); break;
    case RECORDED_CLOCK: libttsim_clock(call->bytes); break;
    default: return false;
    }
    return true;
}
