/* SPDX-License-Identifier: Apache-2.0 */
#include "system/processes/launch.h"

#include <dlfcn.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#define PATH_BYTES 4096u

struct launcher {
    const char *module, *ranks, *rank; /* and variables of the environment */
};

static const struct launcher launchers[] = {
    {"openmpi", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"},
    {"mpich", "PMI_SIZE", "PMI_RANK"},
};

static unsigned number_of(const char *variable)
{
    const char *text = getenv(variable);
    char *end = NULL;
    const unsigned long number = text != NULL ? strtoul(text, &end, 10) : 0;
    return text != NULL && end != text && *end == '\0' && number <= 1u << 20 ? (unsigned)number : 0;
}

static const struct launcher *find_launcher(void)
{
    for (unsigned i = 0; i < sizeof launchers / sizeof launchers[0]; i++)
        if (number_of(launchers[i].ranks) > 1)
            return &launchers[i];
    return NULL;
}

unsigned tf_launch_ranks(void)
{
    const struct launcher *launcher = find_launcher();
    return launcher != NULL ? number_of(launcher->ranks) : 0;
}

unsigned tf_launch_rank(void)
{
    const struct launcher *launcher = find_launcher();
    return launcher != NULL ? number_of(launcher->rank) : 0;
}

/* The folder of the library that this code is in; or of the program, if it is a part of that. */
static bool find_folder(char path[PATH_BYTES])
{
    Dl_info own, program;
    static const char here;
    const void *headers = (const void *)getauxval(AT_PHDR); // NOLINT(performance-no-int-to-ptr): the kernel gives it
    if (dladdr(&here, &own) != 0 && dladdr(headers, &program) != 0 && own.dli_fbase != program.dli_fbase) {
        snprintf(path, PATH_BYTES, "%s", own.dli_fname);
    } else {
        const ssize_t bytes = readlink("/proc/self/exe", path, PATH_BYTES - 1);
        path[bytes > 0 ? bytes : 0] = '\0';
    }
    char *slash = strrchr(path, '/');
    if (slash != NULL)
        *slash = '\0';
    return slash != NULL;
}

/* In TILEFARM_RANKS, for a library that was copied; beside the program or library; in the library folder above it;
   where the package has it. */
static void *open_module(const char *name, struct tf_message *why)
{
    const char *const told = getenv("TILEFARM_RANKS");
    const char *const places[] = {told != NULL && told[0] == '/' ? told : "ranks",
                                  "ranks",
                                  "tilefarm/ranks",
                                  "../lib/tilefarm/ranks",
                                  TF_RANKS_BESIDE,
                                  TF_RANKS_FOLDER};
    char folder[PATH_BYTES], path[PATH_BYTES];
    for (unsigned i = 0; find_folder(folder) && i < sizeof places / sizeof places[0]; i++) {
        const bool whole = places[i][0] == '/';
        const int length = snprintf(path, sizeof path, "%s%s%s/%s.so", whole ? "" : folder, whole ? "" : "/", places[i],
                                    name);
        if (length < 0 || (unsigned)length >= sizeof path || access(path, R_OK) != 0)
            continue;
        /* Global: plugins of an MPI expect to find its functions. Never closed: MPI cannot be loaded twice. */
        void *module = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
        if (module == NULL)
            snprintf(why->text, sizeof why->text, "%.200s", dlerror());
        return module;
    }
    snprintf(why->text, sizeof why->text,
             "mpirun has started several processes, but there is no module for %s: install the package tilefarm-mpi, "
             "or build where its headers are installed",
             name);
    return NULL;
}

int tf_launch_open(struct tf_transport *transport, struct tf_message *why)
{
    const struct launcher *launcher = find_launcher();
    if (launcher == NULL) {
        snprintf(why->text, sizeof why->text, "mpirun has not started several processes");
        return TF_EIO;
    }
    void *module = open_module(launcher->module, why);
    if (module == NULL)
        return TF_EIO;
    tf_transport_open_function *open;
    struct tf_message cause = {"it is no module of tilefarm"};
    void *found = dlsym(module, TF_TRANSPORT_OPEN);
    memcpy(&open, &found, sizeof open);
    if (found != NULL && open(TF_TRANSPORT_VERSION, transport, &cause))
        return TF_OK;
    snprintf(why->text, sizeof why->text, "%s: %.200s", launcher->module, cause.text);
    return TF_EIO;
}

unsigned tf_launch_threads(const struct tf_transport *transport, unsigned threads)
{
    cpu_set_t cpus;
    if (threads != 0 || sched_getaffinity(0, sizeof cpus, &cpus) != 0)
        return threads;
    const unsigned share = (unsigned)CPU_COUNT(&cpus) / transport->near;
    return share != 0 ? share : 1;
}
