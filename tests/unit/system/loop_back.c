/* SPDX-License-Identifier: Apache-2.0 */
#include "loop_back.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define RANKS_MAX 8u

struct letter {
    struct letter *next;
    size_t bytes;
    char data[];
};

struct loop_back {
    pthread_mutex_t lock;
    pthread_cond_t arrived;
    struct tf_transport transport[RANKS_MAX];
    struct letter *first[RANKS_MAX][RANKS_MAX]; /* by sender and receiver */
    bool left[RANKS_MAX];
    unsigned delays_us, sent, at;
    enum damage damage;
    unsigned seed;
};

static void add(struct loop_back *loop, unsigned from, unsigned to, const void *data, size_t bytes)
{
    struct letter *letter = malloc(sizeof *letter + bytes), **end = &loop->first[from][to];
    *letter = (struct letter){.bytes = bytes};
    memcpy(letter->data, data, bytes);
    while (*end != NULL)
        end = &(*end)->next;
    *end = letter;
    pthread_cond_broadcast(&loop->arrived);
}

static bool deliver(struct loop_back *loop, unsigned from, unsigned to, const void *data, size_t bytes)
{
    if (to != 1 || loop->sent++ != loop->at || loop->damage == DAMAGE_NONE) {
        add(loop, from, to, data, bytes);
        return true;
    }
    char *copy = malloc(bytes);
    memcpy(copy, data, bytes);
    copy[bytes / 2] = (char)(copy[bytes / 2] ^ (loop->damage == DAMAGE_CHANGED));
    if (loop->damage == DAMAGE_REPEATED)
        add(loop, from, to, copy, bytes);
    if (loop->damage < DAMAGE_LOST)
        add(loop, from, to, copy, loop->damage == DAMAGE_CUT ? bytes - 3 : bytes);
    free(copy);
    return loop->damage != DAMAGE_END;
}

static bool send(struct tf_transport *transport, unsigned to, const void *data, size_t bytes, struct tf_message *why)
{
    struct loop_back *loop = transport->context;
    pthread_mutex_lock(&loop->lock);
    const unsigned delay_us = loop->delays_us != 0 ? (unsigned)rand_r(&loop->seed) % loop->delays_us : 0;
    pthread_mutex_unlock(&loop->lock);
    if (delay_us != 0)
        usleep(delay_us);
    pthread_mutex_lock(&loop->lock);
    const bool fine = deliver(loop, transport->rank, to, data, bytes);
    if (!fine)
        snprintf(why->text, sizeof why->text, "rank %u ends", transport->rank);
    pthread_mutex_unlock(&loop->lock);
    return fine;
}

static bool receive(struct tf_transport *transport, unsigned from, void **data, size_t *bytes, struct tf_message *why)
{
    struct loop_back *loop = transport->context;
    pthread_mutex_lock(&loop->lock);
    struct letter **first = &loop->first[from][transport->rank];
    while (*first == NULL && !loop->left[from])
        pthread_cond_wait(&loop->arrived, &loop->lock);
    struct letter *letter = *first;
    if (letter != NULL) {
        *first = letter->next;
        *bytes = letter->bytes;
        *data = malloc(letter->bytes + 1);
        memcpy(*data, letter->data, letter->bytes);
        free(letter);
    } else {
        snprintf(why->text, sizeof why->text, "rank %u has ended", from);
    }
    pthread_mutex_unlock(&loop->lock);
    return letter != NULL;
}

static void leave(struct tf_transport *transport, int code, const char *why)
{
    (void)code;
    (void)why;
    loop_back_leave(transport->context, transport->rank);
}

struct loop_back *loop_back_create(unsigned ranks, unsigned delays_us, enum damage damage, unsigned at)
{
    struct loop_back *loop = calloc(1, sizeof *loop);
    pthread_mutex_init(&loop->lock, NULL);
    pthread_cond_init(&loop->arrived, NULL);
    loop->delays_us = delays_us;
    loop->damage = damage;
    loop->at = at;
    for (unsigned i = 0; i < ranks; i++)
        loop->transport[i] = (struct tf_transport){.rank = i,
                                                   .ranks = ranks,
                                                   .near = ranks,
                                                   .context = loop,
                                                   .send = send,
                                                   .receive = receive,
                                                   .close = leave};
    return loop;
}

void loop_back_destroy(struct loop_back *loop)
{
    for (unsigned from = 0; from < RANKS_MAX; from++)
        for (unsigned to = 0; to < RANKS_MAX; to++)
            while (loop->first[from][to] != NULL) {
                struct letter *letter = loop->first[from][to];
                loop->first[from][to] = letter->next;
                free(letter);
            }
    free(loop);
}

struct tf_transport *loop_back_rank(struct loop_back *loop, unsigned rank)
{
    return &loop->transport[rank];
}

void loop_back_leave(struct loop_back *loop, unsigned rank)
{
    pthread_mutex_lock(&loop->lock);
    loop->left[rank] = true;
    pthread_cond_broadcast(&loop->arrived);
    pthread_mutex_unlock(&loop->lock);
}
