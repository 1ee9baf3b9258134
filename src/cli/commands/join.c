/* SPDX-License-Identifier: Apache-2.0 */
/* `tilefarm join`: a rank that runs chips for the client's program, which is rank 0 (system/follow.h). */
#include "cli/commands/join.h"

#include "cli/cli.h"
#include "cli/options/options.h"
#include "cli/text.h"
#include "system/follow.h"
#include "system/processes/launch.h"
#include "system/meet.h"

struct join {
    uint32_t threads;
};

static const struct tf_option options[] = {
    TF_OPTION_OF_THREADS(offsetof(struct join, threads)),
};

static const struct tf_usage usage = {
    .examples = "TILEFARM_SPREAD=1 TILEFARM_SYSTEM=t3000 mpirun -n 1 ./client : -n 3 tilefarm join\n",
    .synopsis = "join [--threads N|auto]",
    .text = "Run chips of a system that a client of libttsim.so or libtilefarm.so drives. mpirun starts the client "
            "first, and then this command as often as you like. The client decides on the system and its options.\n",
    .option = options,
    .options = sizeof options / sizeof options[0],
};

static int complain(void)
{
    tf_cli_error("join needs a client as rank 0: mpirun -n 1 ./client : -n 3 tilefarm join");
    return TF_EXIT_USAGE;
}

int tf_cli_join(int argc, char **argv)
{
    struct join join = {.threads = 0};
    struct tf_message why;
    int first, code = tf_cli_options(argc, argv, &usage, &join, &first);
    if (code >= 0)
        return code;
    const bool leads = tf_launch_rank() == 0;
    if (leads)
        complain(); /* before mpirun ends this rank because of another one */
    if (tf_launch_ranks() < 2)
        return leads ? TF_EXIT_USAGE : complain();
    struct tf_transport transport;
    int error = tf_ranks_meet(&transport, false, &why);
    if (error == TF_OK)
        error = tf_follow(&transport, join.threads, &why);
    if (error == TF_OK)
        return TF_EXIT_OK;
    if (leads) /* the others, who wait for it, have heard so */
        return TF_EXIT_USAGE;
    tf_cli_error("rank %u: %s", tf_launch_rank(), why.text);
    return error == TF_EINVAL ? TF_EXIT_USAGE : TF_EXIT_FAILED;
}
