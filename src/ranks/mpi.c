/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A transport (system/processes/transport.h) over MPI, as a module: one for each MPI that the host has. MPI waits by
 * spinning, so nothing here calls a function of MPI that waits: messages are polled for, with a sleep between. Those
 * between ranks of one host go through memory that they share (near.h).
 *
 * Each rank sends a beat to all others twice a second, from a thread of its own. A rank whose beats stay away is lost,
 * as is one whose process has gone from this host. One lock guards all calls of MPI.
 */
#include <errno.h>
#include <mpi.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include "near.h"
#include "system/processes/transport.h"

#define RANKS_MAX 32
#define BEAT_S 0.5
#define PUSH_S 0.05          /* between calls of MPI by the thread for beats */
#define SILENCE_S 4.0        /* after which a rank is lost */
#define LOOK_S 0.02          /* between looks at others: their beats, and whether processes of this host live */
#define LAST_WORDS_PROBES 3u /* for what a rank said before it went: MPICH may need some */
#define LEAVE_S 1.5          /* for others to receive why a rank leaves, and to say so */
#define SPIN_S 10e-6         /* of polls with sched_yield() before the first sleep */
#define POLLS 200            /* between calls of sched_yield(), where a poll is a look at memory */
#define SLEEP_LEAST_NS 10000
#define SLEEP_MOST_NS 200000
#define SLEEP_NEAR_NS 10000000 /* for a message that wakes who sleeps */
#define TIMER_SLACK_NS 2000

enum { TAG_LETTER = 1, TAG_BEAT, TAG_LEAVE };

/* A message on its way. */
struct sent {
    struct sent *next;
    MPI_Request request;
    char data[];
};

/* Who a rank is. */
struct identity {
    char host[64];
    long process;
    struct tf_near_place memory;
};

struct peer {
    struct identity identity;
    bool near;      /* its process can be looked for on this host */
    bool gone;      /* and was not found any more */
    double heard_s; /* when it was last heard of */
    bool ended;     /* it has sent its last message */
    struct tf_message left;
};

struct ranks {
    struct tf_transport *transport;
    pthread_mutex_t lock;
    pthread_t beats;
    bool ends; /* the thread has to end */
    pthread_cond_t ending;
    struct peer peer[RANKS_MAX];
    struct sent *sent;
    struct tf_near near;
    double looked_s, beat_s;
    unsigned delay_us, seed; /* for tests: the longest delay of a message */
};

static double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* ---- Polling ---- */

struct patience {
    double began_s;
    long sleep_ns;
};

/* Let others run that want this CPU. Returns false if it is time to sleep. */
static bool yield_first(struct patience *patience)
{
    if (patience->sleep_ns != 0)
        return false;
    if (patience->began_s == 0)
        patience->began_s = now_s();
    if (now_s() - patience->began_s < SPIN_S) {
        sched_yield();
        return true;
    }
    patience->sleep_ns = SLEEP_LEAST_NS;
    return false;
}

/* Yield, then sleep, longer each time. */
static void wait_a_little(struct patience *patience)
{
    if (yield_first(patience))
        return;
    nanosleep(&(struct timespec){.tv_nsec = patience->sleep_ns}, NULL);
    patience->sleep_ns = patience->sleep_ns * 2 < SLEEP_MOST_NS ? patience->sleep_ns * 2 : SLEEP_MOST_NS;
}

/* ---- With the lock ---- */

static void reap(struct ranks *ranks)
{
    for (struct sent **at = &ranks->sent; *at != NULL;) {
        int done = 0;
        struct sent *sent = *at;
        MPI_Test(&sent->request, &done, MPI_STATUS_IGNORE);
        if (!done) {
            at = &sent->next;
            continue;
        }
        *at = sent->next;
        free(sent);
    }
}

static bool post(struct ranks *ranks, unsigned to, int tag, const void *data, size_t bytes)
{
    struct sent *sent = malloc(sizeof *sent + bytes + 1);
    if (sent == NULL)
        return false;
    if (bytes != 0)
        memcpy(sent->data, data, bytes);
    if (MPI_Isend(sent->data, (int)bytes, MPI_BYTE, (int)to, tag, MPI_COMM_WORLD, &sent->request) != MPI_SUCCESS) {
        free(sent);
        return false;
    }
    sent->next = ranks->sent;
    ranks->sent = sent;
    return true;
}

static void post_to_all(struct ranks *ranks, int tag, const void *data, size_t bytes)
{
    for (unsigned i = 0; i < ranks->transport->ranks; i++)
        if (i != ranks->transport->rank && !ranks->peer[i].gone)
            post(ranks, i, tag, data, bytes);
}

/* Take short messages of a kind. */
static void take_short(struct ranks *ranks, int tag)
{
    for (;;) {
        int here = 0;
        MPI_Status status;
        struct tf_message text = {""};
        MPI_Iprobe(MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &here, &status);
        if (!here)
            return;
        struct peer *peer = &ranks->peer[status.MPI_SOURCE];
        MPI_Recv(text.text, sizeof text.text - 1, MPI_BYTE, status.MPI_SOURCE, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        peer->heard_s = now_s();
        peer->ended |= tag == TAG_BEAT && text.text[0] != '\0';
        if (tag == TAG_LEAVE)
            peer->left = text;
    }
}

/* Is a process of this host gone, or dead and not buried? */
static bool is_gone(long process)
{
    char path[64], line[256], *after = NULL;
    if (kill((pid_t)process, 0) != 0)
        return errno == ESRCH;
    snprintf(path, sizeof path, "/proc/%ld/stat", process);
    FILE *file = fopen(path, "re");
    if (file == NULL)
        return errno == ENOENT;
    if (fgets(line, sizeof line, file) != NULL)
        after = strrchr(line, ')');
    fclose(file);
    return after != NULL && (after[2] == 'Z' || after[2] == 'X');
}

/* Returns whether one has gone since the last look. */
static bool look_for_processes(struct ranks *ranks)
{
    bool any = false;
    for (unsigned i = 0; i < ranks->transport->ranks; i++)
        if (ranks->peer[i].near && !ranks->peer[i].gone)
            any |= ranks->peer[i].gone = is_gone(ranks->peer[i].identity.process);
    return any;
}

/* What every wait does between polls. forced: look at all ranks, however short ago the last look was. */
static void keep_up(struct ranks *ranks, bool forced)
{
    reap(ranks);
    if (!forced && now_s() - ranks->looked_s < LOOK_S)
        return;
    ranks->looked_s = now_s();
    take_short(ranks, TAG_BEAT);
    take_short(ranks, TAG_LEAVE);
    if (look_for_processes(ranks)) /* it may have said why, after the line above */
        for (unsigned i = 0; i < LAST_WORDS_PROBES; i++)
            take_short(ranks, TAG_LEAVE);
}

/* Has a rank left or been lost? Then *why names it. Of several, one that has said why it left: it knows whose loss was
   the first. */
static bool find_lost(const struct ranks *ranks, bool who_said_why, struct tf_message *why)
{
    for (unsigned i = 0; i < ranks->transport->ranks; i++) {
        const struct peer *peer = &ranks->peer[i];
        const double silent_s = now_s() - peer->heard_s;
        const bool left = peer->left.text[0] != '\0';
        const bool lost = peer->gone || silent_s >= SILENCE_S;
        if (i == ranks->transport->rank || !(who_said_why ? left : lost))
            continue;
        const int at = snprintf(why->text, sizeof why->text, "rank %u (%s, process %ld) ", i, peer->identity.host,
                                peer->identity.process);
        if (left)
            snprintf(why->text + at, sizeof why->text - (size_t)at, "has ended: %.150s", peer->left.text);
        else if (peer->gone)
            snprintf(why->text + at, sizeof why->text - (size_t)at, "was killed");
        else
            snprintf(why->text + at, sizeof why->text - (size_t)at, "has been silent for %.0f s: it or its host hangs",
                     silent_s);
        return true;
    }
    return false;
}

static bool is_lost(const struct ranks *ranks, struct tf_message *why)
{
    return find_lost(ranks, true, why) || find_lost(ranks, false, why);
}

/* ---- Beats ---- */

/* Wait for the time of the next push or beat, or for the end. */
static void wait_for_beat(struct ranks *ranks)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += (long)(PUSH_S * 1e9);
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_mutex_lock(&ranks->lock);
    if (!ranks->ends)
        pthread_cond_timedwait(&ranks->ending, &ranks->lock, &until);
    pthread_mutex_unlock(&ranks->lock);
}

/* MPI moves messages on when it is called. MPICH needs some calls at both ends before the first message between two
   ranks arrives, and a rank that makes chips makes none for seconds: so this thread pushes between beats, too. */
static void *send_beats(void *argument)
{
    struct ranks *ranks = argument;
    bool ends = false;
    while (!ends) {
        wait_for_beat(ranks);
        pthread_mutex_lock(&ranks->lock);
        if (!ranks->ends && now_s() - ranks->beat_s < BEAT_S) {
            keep_up(ranks, true);
            pthread_mutex_unlock(&ranks->lock);
            continue;
        }
        const double late_s = now_s() - ranks->beat_s - BEAT_S;
        ranks->beat_s = now_s();
        if (late_s > 4 * BEAT_S) /* this process was stopped itself: it could not receive */
            for (unsigned i = 0; i < ranks->transport->ranks; i++)
                ranks->peer[i].heard_s += late_s;
        ends = ranks->ends;
        if (!ends)
            post_to_all(ranks, TAG_BEAT, NULL, 0);
        keep_up(ranks, true);
        pthread_mutex_unlock(&ranks->lock);
    }
    return NULL;
}

/* ---- The transport ---- */

static bool transport_send(struct tf_transport *transport, unsigned to, const void *data, size_t bytes,
                           struct tf_message *why)
{
    struct ranks *ranks = transport->context;
    if (ranks->delay_us != 0)
        usleep((useconds_t)((unsigned)rand_r(&ranks->seed) % ranks->delay_us));
    if (tf_ring_put(&ranks->near.to[to], data, bytes))
        return true;
    tf_ring_put_elsewhere(&ranks->near.to[to]);
    pthread_mutex_lock(&ranks->lock);
    reap(ranks);
    const bool fine = post(ranks, to, TAG_LETTER, data, bytes);
    pthread_mutex_unlock(&ranks->lock);
    if (!fine)
        snprintf(why->text, sizeof why->text, "too little memory for a message to rank %u", to);
    return fine;
}

/* ---- Receiving ---- */

struct receipt {
    unsigned from;
    bool begun;
    void *data; /* then; NULL: without memory */
    size_t bytes;
    MPI_Request request;
};

static void begin_receive(struct receipt *receipt)
{
    int here = 0, count = 0;
    MPI_Message message;
    MPI_Status status;
    MPI_Improbe((int)receipt->from, TAG_LETTER, MPI_COMM_WORLD, &here, &message, &status);
    if (!here)
        return;
    MPI_Get_count(&status, MPI_BYTE, &count);
    receipt->begun = true;
    receipt->bytes = (size_t)count;
    receipt->data = malloc(receipt->bytes + 1);
    if (receipt->data != NULL)
        MPI_Imrecv(receipt->data, count, MPI_BYTE, &message, &receipt->request);
}

/* Returns whether the message is here. */
static bool receive_near(struct tf_ring_end *end, struct receipt *receipt)
{
    if (receipt->begun || tf_ring_next(end, &receipt->bytes) != TF_RING_HERE)
        return false;
    receipt->begun = true;
    receipt->data = malloc(receipt->bytes + 1);
    if (receipt->data == NULL)
        return false;
    tf_ring_take(end, receipt->data, receipt->bytes);
    return true;
}

/* With the lock. */
static bool receive_elsewhere(struct tf_ring_end *end, struct receipt *receipt)
{
    size_t bytes;
    int done = 0;
    if (!receipt->begun && tf_ring_next(end, &bytes) == TF_RING_ELSEWHERE)
        begin_receive(receipt);
    if (receipt->begun && receipt->data != NULL)
        MPI_Test(&receipt->request, &done, MPI_STATUS_IGNORE);
    if (done)
        tf_ring_took_elsewhere(end);
    return done;
}

/* Look at memory some times, since that costs much less than a system call. */
static bool poll_near(struct tf_ring_end *end, struct receipt *receipt)
{
    bool done = false;
    for (unsigned i = 0; i < POLLS && end->ring != NULL && !done; i++)
        done = receive_near(end, receipt);
    return done;
}

/* Who sends a message by MPI has to poll, else MPI may not move it on. */
static void wait_for_receipt(const struct ranks *ranks, const struct tf_ring_end *end, const struct receipt *receipt,
                             struct patience *patience)
{
    if (end->ring == NULL || receipt->begun || ranks->sent != NULL)
        wait_a_little(patience);
    else if (!yield_first(patience))
        tf_ring_sleep(end, SLEEP_NEAR_NS);
}

static bool transport_receive(struct tf_transport *transport, unsigned from, void **data, size_t *bytes,
                              struct tf_message *why)
{
    struct ranks *ranks = transport->context;
    struct tf_ring_end *end = &ranks->near.from[from];
    struct patience patience = {.sleep_ns = 0};
    struct receipt receipt = {.from = from, .request = MPI_REQUEST_NULL};
    bool done = poll_near(end, &receipt), lost = false;
    while (!done && !lost && (!receipt.begun || receipt.data != NULL)) {
        pthread_mutex_lock(&ranks->lock);
        done = receive_elsewhere(end, &receipt);
        if (done)
            ranks->peer[from].heard_s = now_s();
        else
            keep_up(ranks, false);
        lost = !done && is_lost(ranks, why);
        pthread_mutex_unlock(&ranks->lock);
        if (done || lost)
            break;
        wait_for_receipt(ranks, end, &receipt, &patience);
        done = poll_near(end, &receipt);
    }
    if (!done && !lost)
        snprintf(why->text, sizeof why->text, "too little memory for a message of rank %u", from);
    *data = receipt.data;
    *bytes = receipt.bytes;
    return done;
}

static void end_beats(struct ranks *ranks)
{
    pthread_mutex_lock(&ranks->lock);
    ranks->ends = true;
    pthread_cond_signal(&ranks->ending);
    pthread_mutex_unlock(&ranks->lock);
    pthread_join(ranks->beats, NULL);
}

static bool have_all_ended(const struct ranks *ranks)
{
    bool ended = true;
    for (unsigned i = 0; i < ranks->transport->ranks; i++)
        ended &= i == ranks->transport->rank || ranks->peer[i].ended || ranks->peer[i].gone;
    return ended;
}

/* Send what is left, for some time at most. together: until all others have sent their last message, too. */
static void flush(struct ranks *ranks, double most_s, bool together)
{
    const double began_s = now_s();
    struct patience patience = {.sleep_ns = 0};
    for (bool left = true; left && now_s() - began_s < most_s;) {
        pthread_mutex_lock(&ranks->lock);
        keep_up(ranks, true);
        left = ranks->sent != NULL || (together && !have_all_ended(ranks));
        pthread_mutex_unlock(&ranks->lock);
        wait_a_little(&patience);
    }
}

static void transport_close(struct tf_transport *transport, int code, const char *why)
{
    struct ranks *ranks = transport->context;
    if (why != NULL) {
        pthread_mutex_lock(&ranks->lock);
        post_to_all(ranks, TAG_LEAVE, why, strnlen(why, sizeof(struct tf_message) - 2));
        pthread_mutex_unlock(&ranks->lock);
        flush(ranks, LEAVE_S, false);
        if (code == TF_TRANSPORT_GO_ON) /* the beats go on, too, and nothing is freed that they use */
            return;
        nanosleep(&(struct timespec){.tv_sec = 1}, NULL);
        MPI_Abort(MPI_COMM_WORLD, code);
    }
    end_beats(ranks);
    post_to_all(ranks, TAG_BEAT, "e", 1); /* MPI complains of messages that nobody takes */
    flush(ranks, SILENCE_S, true);
    tf_near_close(&ranks->near);
    MPI_Finalize();
    free(ranks);
}

/* ---- Start ---- */

/* Let all ranks have something of each. It waits as politely as all other exchanges. */
static void gather(const void *own, size_t bytes, void *all)
{
    MPI_Request request;
    struct patience patience = {.sleep_ns = 0};
    int done = 0;
    MPI_Iallgather(own, (int)bytes, MPI_BYTE, all, (int)bytes, MPI_BYTE, MPI_COMM_WORLD, &request);
    for (; !done; wait_a_little(&patience))
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
}

/* Share memory with the others of this host. Each rank says to whom it writes there. */
static void share_memory(struct ranks *ranks)
{
    const unsigned rank = ranks->transport->rank;
    uint32_t own = 0, all[RANKS_MAX];
    for (unsigned i = 0; i < ranks->transport->ranks; i++)
        if (ranks->peer[i].near && tf_near_map(&ranks->near, i, &ranks->peer[i].identity.memory))
            own |= 1u << i;
    gather(&own, sizeof own, all);
    for (unsigned i = 0; i < ranks->transport->ranks; i++)
        if (i != rank && (all[i] >> rank & 1) != 0)
            tf_near_listen(&ranks->near, i);
    tf_near_end_mapping(&ranks->near);
}

/* Who are the others? */
static bool meet(struct ranks *ranks)
{
    struct identity own = {.process = (long)getpid()}, all[RANKS_MAX];
    if (!tf_near_open(&ranks->near, ranks->transport->rank, ranks->transport->ranks))
        return false;
    own.memory = ranks->near.own;
    gethostname(own.host, sizeof own.host - 1);
    gather(&own, sizeof own, all);
    ranks->transport->near = 0;
    for (unsigned i = 0; i < ranks->transport->ranks; i++) {
        struct peer *peer = &ranks->peer[i];
        peer->identity = all[i];
        const bool same_host = strcmp(all[i].host, own.host) == 0;
        ranks->transport->near += same_host;
        peer->near = same_host && i != ranks->transport->rank && !is_gone(all[i].process);
    }
    share_memory(ranks);
    ranks->beat_s = now_s();
    for (unsigned i = 0; i < ranks->transport->ranks; i++)
        ranks->peer[i].heard_s = now_s();
    prctl(PR_SET_TIMERSLACK, TIMER_SLACK_NS); /* of this thread, which waits for messages */
    return pthread_create(&ranks->beats, NULL, send_beats, ranks) == 0;
}

static bool begin_mpi(struct tf_transport *transport, struct tf_message *why)
{
    int level = 0, rank = 0, size = 0, used = 0;
    if (MPI_Initialized(&used) == MPI_SUCCESS && used) {
        snprintf(why->text, sizeof why->text, "this program uses MPI itself");
        return false;
    }
    setenv("OMPI_MCA_mpi_yield_when_idle", "1", 0);
    /* UCX, which MPICH uses, would read long messages from the sender's memory. It ends the process if that sender was
       killed, and some containers do not allow it. */
    setenv("UCX_RNDV_THRESH", "inf", 0);
    if (MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &level) != MPI_SUCCESS || level < MPI_THREAD_SERIALIZED) {
        snprintf(why->text, sizeof why->text, "MPI does not start, or does not let two threads call it in turns");
        return false;
    }
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    transport->rank = (unsigned)rank;
    transport->ranks = (unsigned)size;
    if (size <= RANKS_MAX)
        return true;
    snprintf(why->text, sizeof why->text, "%d ranks are more than a system has chips: at most %d", size, RANKS_MAX);
    MPI_Finalize();
    return false;
}

__attribute__((visibility("default"))) bool tf_transport_open(uint32_t version, struct tf_transport *transport,
                                                              struct tf_message *why);

bool tf_transport_open(uint32_t version, struct tf_transport *transport, struct tf_message *why)
{
    if (version != TF_TRANSPORT_VERSION) {
        snprintf(why->text, sizeof why->text, "the module is of another version of tilefarm: install both together");
        return false;
    }
    struct ranks *ranks = calloc(1, sizeof *ranks);
    if (ranks == NULL) {
        snprintf(why->text, sizeof why->text, "too little memory");
        return false;
    }
    *transport = (struct tf_transport){.context = ranks,
                                       .send = transport_send,
                                       .receive = transport_receive,
                                       .close = transport_close};
    ranks->transport = transport;
    pthread_mutex_init(&ranks->lock, NULL);
    pthread_cond_init(&ranks->ending, NULL);
    if (!begin_mpi(transport, why)) {
        free(ranks);
        return false;
    }
    const char *delay = getenv("TILEFARM_TEST_DELAY_US");
    ranks->delay_us = delay != NULL ? (unsigned)strtoul(delay, NULL, 10) : 0;
    ranks->seed = transport->rank + 1;
    if (meet(ranks))
        return true;
    snprintf(why->text, sizeof why->text, "the host refuses a thread, or memory");
    MPI_Finalize();
    free(ranks);
    return false;
}
