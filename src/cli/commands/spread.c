/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/commands/spread.h"

#include <dlfcn.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

#include "cli/text.h"
#include "farm/saved/header.h"
#include "farm/saved/saved.h"
#include "system/greeting.h"
#include "system/ranks.h"
#include "tilefarm/tilefarm_config.h"

#define PATH_BYTES 4096u

/* ---- What has started this process? ---- */

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
    uint64_t number = 0;
    return text != NULL && tf_cli_u64(text, &number) && number <= 1u << 20 ? (unsigned)number : 0;
}

/* NULL: it has started one process, or none. */
static const struct launcher *find_launcher(void)
{
    for (unsigned i = 0; i < sizeof launchers / sizeof launchers[0]; i++)
        if (number_of(launchers[i].ranks) > 1)
            return &launchers[i];
    return NULL;
}

unsigned tf_spread_rank(void)
{
    const struct launcher *launcher = find_launcher();
    return launcher != NULL ? number_of(launcher->rank) : 0;
}

/* ---- The module ---- */

/* The module beside the command, or in the library folder above it. */
static void *open_module(const char *name)
{
    static const char *const places[] = {"ranks", "../lib/tilefarm/ranks", "../" TF_LIBRARY_FOLDER "/tilefarm/ranks"};
    char self[PATH_BYTES], path[PATH_BYTES];
    ssize_t bytes = readlink("/proc/self/exe", self, sizeof self - 1);
    self[bytes > 0 ? bytes : 0] = '\0';
    char *slash = strrchr(self, '/');
    if (slash == NULL)
        return NULL;
    *slash = '\0';
    for (unsigned i = 0; i < sizeof places / sizeof places[0]; i++) {
        const int length = snprintf(path, sizeof path, "%s/%s/%s.so", self, places[i], name);
        if (length < 0 || (unsigned)length >= sizeof path || access(path, R_OK) != 0)
            continue;
        /* Global: plugins of an MPI expect to find its functions. Never closed: MPI cannot be loaded twice. */
        void *module = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
        if (module == NULL)
            tf_cli_error("%s", dlerror());
        return module;
    }
    tf_cli_error("mpirun has started several processes, but there is no module for %s: install the package "
                 "tilefarm-mpi, or build where its headers are installed",
                 name);
    return NULL;
}

static int open_transport(struct tf_spread *spread, const char *name)
{
    void *module = open_module(name);
    if (module == NULL)
        return TF_EXIT_FAILED;
    tf_transport_open_function *open;
    void *found = dlsym(module, TF_TRANSPORT_OPEN);
    memcpy(&open, &found, sizeof open);
    if (found != NULL && open(TF_TRANSPORT_VERSION, &spread->transport, &spread->why))
        return -1;
    tf_cli_error("%s: %s", name, found != NULL ? spread->why.text : "it is no module of tilefarm");
    return TF_EXIT_FAILED;
}

/* ---- Which chips ---- */

/* The board of each chip, numbered in the order of first chips. Chips of one board have its identifier. The trays of a
   Galaxy all have that of the Galaxy; each of them has every location once. */
static unsigned number_boards(const struct tf_cluster *cluster, unsigned *board)
{
    unsigned boards = 0;
    struct {
        uint64_t id;
        unsigned tray;
    } known[TF_CLUSTER_CHIPS_MAX];
    for (unsigned i = 0; i < cluster->chips; i++) {
        const struct tf_cluster_chip *chip = &cluster->chip[i];
        unsigned tray = 0, at = 0;
        for (unsigned k = 0; k < i; k++)
            tray += cluster->chip[k].board_id == chip->board_id &&
                    cluster->chip[k].asic_location == chip->asic_location;
        while (at < boards && (known[at].id != chip->board_id || known[at].tray != tray))
            at++;
        if (at == boards) {
            known[boards].id = chip->board_id;
            known[boards++].tray = tray;
        }
        board[i] = at;
    }
    return boards;
}

/* Give ranks one part of the system after another, as equal as can be. */
static int share_out(struct tf_spread *spread, const struct tf_request *request)
{
    const struct tf_cluster *cluster = &request->cluster;
    const unsigned ranks = spread->transport.ranks;
    unsigned board[TF_CLUSTER_CHIPS_MAX];
    const unsigned boards = number_boards(cluster, board);
    const bool by_board = request->ranks_by == TF_RANKS_BY_BOARD ||
                          (request->ranks_by == TF_RANKS_BY_ANY && ranks <= boards);
    for (unsigned i = 0; i < cluster->chips; i++)
        spread->owner[i] = (uint8_t)(by_board ? board[i] * ranks / boards : i * ranks / cluster->chips);
    if (ranks <= (by_board ? boards : cluster->chips))
        return -1;
    if (spread->transport.rank == 0)
        tf_cli_error("%u ranks are more than %s has %s, %u: start fewer%s", ranks, request->system,
                     by_board ? "boards" : "chips", by_board ? boards : cluster->chips,
                     by_board && ranks <= cluster->chips ? ", or give --ranks-by chip" : "");
    return TF_EXIT_USAGE;
}

/* ---- What is to be run ---- */

static void add_text(XXH3_state_t *hash, const char *text)
{
    XXH3_64bits_update(hash, text != NULL ? text : "\1", text != NULL ? strlen(text) + 1 : 1);
}

#define ADD(hash_, value_) XXH3_64bits_update(hash_, &(value_), sizeof(value_))

static void add_job(XXH3_state_t *hash, const struct tf_job *job)
{
    struct tf_saved_config config;
    memset(&config, 0, sizeof config);
    tf_saved_describe(&job->config, job->config.arch, &config);
    ADD(hash, config);
    ADD(hash, job->options.scale);
    ADD(hash, job->options.seed);
    ADD(hash, job->options.variant);
    ADD(hash, job->run.cycles_max);
    ADD(hash, job->limit_s);
    add_text(hash, job->restore);
    add_text(hash, job->workload != NULL ? job->workload->name : NULL);
    for (unsigned i = 0; i < job->saves; i++)
        ADD(hash, job->save[i].cycle);
    ADD(hash, job->save_every.cycle);
    for (unsigned i = 0; i < job->loads; i++) {
        const struct tf_load *load = &job->load[i];
        ADD(hash, load->core);
        ADD(hash, load->of_chip);
        ADD(hash, load->chip);
        ADD(hash, load->tiles);
        XXH3_64bits_update(hash, load->image, load->bytes);
    }
}

/* What decides results, and when ranks do something together. Threads and files of reports are a rank's own. */
static void make_plan(const struct tf_request *request, XXH3_state_t *hash, struct tf_ranks_plan *plan)
{
    const struct tf_cluster *cluster = &request->cluster;
    struct tf_saved_config config;
    struct tf_saved_header header;
    memset(&config, 0, sizeof config);
    tf_saved_header(&config, TF_SAVED_CHIP, 0, &header);
    plan->layout = header.layout;
    XXH3_64bits_reset(hash);
    XXH3_64bits_update(hash, cluster->link, cluster->links * sizeof cluster->link[0]);
    for (unsigned i = 0; i < cluster->chips; i++) {
        ADD(hash, cluster->chip[i].unique_id);
        ADD(hash, cluster->chip[i].board_id);
    }
    plan->cluster = XXH3_64bits_digest(hash);
    XXH3_64bits_reset(hash);
    add_job(hash, &request->job);
    add_text(hash, request->system_workload != NULL ? request->system_workload->name : NULL);
    add_text(hash, request->link_fault);
    ADD(hash, request->link_latency);
    ADD(hash, request->link_gbps);
    ADD(hash, request->ranks_by);
    plan->options = XXH3_64bits_digest(hash);
}

static int greet(struct tf_spread *spread, const struct tf_request *request)
{
    struct tf_ranks_plan plan;
    XXH3_state_t *hash = XXH3_createState();
    if (hash == NULL) {
        tf_cli_error("too little memory");
        return TF_EXIT_FAILED;
    }
    make_plan(request, hash, &plan);
    XXH3_freeState(hash);
    int error = tf_ranks_greet(&spread->transport, &plan, &spread->why);
    if (error == TF_OK)
        return -1;
    tf_cli_error("rank %u: %s", spread->transport.rank, spread->why.text);
    spread->abandoned = error != TF_EINVAL; /* else all ranks end in this way */
    return error == TF_EINVAL ? TF_EXIT_USAGE : TF_EXIT_FAILED;
}

/* ---- Begin and end ---- */

int tf_spread_begin(struct tf_spread *spread, const struct tf_request *request)
{
    const struct launcher *launcher = find_launcher();
    *spread = (struct tf_spread){.on = false};
    if (launcher == NULL)
        return -1;
    int code = open_transport(spread, launcher->module);
    if (code >= 0)
        return code;
    spread->on = spread->transport.ranks > 1;
    if (spread->on)
        code = greet(spread, request);
    if (spread->on && code < 0)
        code = share_out(spread, request);
    return code;
}

unsigned tf_spread_threads(const struct tf_spread *spread, unsigned threads)
{
    cpu_set_t cpus;
    if (!spread->on || threads != 0 || sched_getaffinity(0, sizeof cpus, &cpus) != 0)
        return threads;
    const unsigned share = (unsigned)CPU_COUNT(&cpus) / spread->transport.near;
    return share != 0 ? share : 1;
}

void tf_spread_abandon(struct tf_spread *spread, const char *why)
{
    if (!spread->on || spread->abandoned)
        return;
    spread->abandoned = true;
    snprintf(spread->why.text, sizeof spread->why.text, "%s", why);
    if (why[0] != '\0')
        tf_cli_error("rank %u: %s", spread->transport.rank, why);
}

void tf_spread_end(struct tf_spread *spread, int code)
{
    if (spread->transport.close == NULL)
        return;
    const char *why = spread->why.text[0] != '\0' ? spread->why.text : "see its error message";
    spread->transport.close(&spread->transport, code, spread->abandoned ? why : NULL);
}
