/* SPDX-License-Identifier: Apache-2.0 */
/* A copy of the library in a folder with a cluster descriptor, and its devices one by one. */
#ifndef SEVERAL_H
#define SEVERAL_H

#include "rig.h"

#include <fcntl.h>
#include <sys/stat.h>

#include "tilefarm/tilefarm_cluster.h"

#define STRIDE (1ull << 36)
#define TENSIX_X 1u
#define TENSIX_Y 2u /* both families have a Tensix tile at (1, 2) */

static char folder[64], library_path[96], descriptor_path[96];
static unsigned selected;

static void device_reads(uint64_t address, void *data, uint32_t bytes)
{
    lib.read(address + selected * STRIDE, data, bytes);
}

static void device_writes(uint64_t address, const void *data, uint32_t bytes)
{
    lib.write(address + selected * STRIDE, data, bytes);
}

/* The helpers of the driver reach this device from now on. */
static struct api *on(unsigned number)
{
    static struct api device;
    device = lib;
    device.read = device_reads;
    device.write = device_writes;
    selected = number;
    return &device;
}

static void write_descriptor(const char *text)
{
    FILE *file = fopen(descriptor_path, "we");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

/* The next libttsim_init() finds this cluster beside the library. */
static void put_beside(const char *name, struct tf_cluster *cluster)
{
    static char text[1 << 16];
    assert_int_equal(tf_cluster_find(name, cluster, NULL), TF_OK);
    assert_true(tf_describe_system(cluster, text, sizeof text) < sizeof text);
    write_descriptor(text);
}

static int copy_library(const char *path)
{
    static char data[1 << 16];
    snprintf(folder, sizeof folder, "/tmp/tilefarm-several-XXXXXX");
    if (mkdtemp(folder) == NULL)
        return -1;
    snprintf(library_path, sizeof library_path, "%s/libttsim.so", folder);
    snprintf(descriptor_path, sizeof descriptor_path, "%s/cluster_descriptor.yaml", folder);
    FILE *from = fopen(path, "rbe"), *to = fopen(library_path, "wbe");
    if (from == NULL || to == NULL)
        return -1;
    for (size_t got = fread(data, 1, sizeof data, from); got > 0; got = fread(data, 1, sizeof data, from))
        if (fwrite(data, 1, got, to) != got)
            return -1;
    fclose(from);
    return fclose(to) == 0 ? api_load(&lib, library_path) : -1;
}

static void remove_library(void)
{
    unlink(library_path);
    unlink(descriptor_path);
    rmdir(folder);
}

#endif
