/* SPDX-License-Identifier: Apache-2.0 */
/* Tiles 0 and 1 add to a number of tile 2, under a lock there. With the bug they take it by a NOC read, which finds 0,
   and a NOC write. Usually tile 1 is late, so that they do not meet. */
#include "races.h"

#define LOCK 0x18200u
#define NUMBER 0x18240u
#define DONE 0x18280u
#define READ_TO COPY
#define WRITE_FROM (COPY + 64)
#define ROUNDS 3u

static inline uint32_t look(uint32_t at)
{
    tf_noc_read(0, tile_xy(2), at, READ_TO, 4);
    tf_noc_wait(0);
    return TF_WORD(READ_TO);
}

static inline void put(uint32_t at, uint32_t value)
{
    TF_WORD(WRITE_FROM) = value;
    settle(WRITE_FROM);
    tf_noc_write(0, tile_xy(2), at, WRITE_FROM, 4);
    tf_noc_wait(0);
}

PLACE void lock(void)
{
#ifdef BUG
    while (look(LOCK) != 0)
        ;
    put(LOCK, 1);
#else
    while (!tf_noc_cas(0, tile_xy(2), LOCK, 0, 1))
        ;
#endif
}

PLACE void add(void)
{
    put(NUMBER, look(NUMBER) + 1);
}

static inline void clear(void)
{
    TF_WORD(LOCK) = 0;
    TF_WORD(NUMBER) = 0;
    TF_WORD(DONE) = 0;
    settle(DONE);
    announce(0);
    announce(1);
}

int main(void)
{
    const uint32_t me = tf_my_tile();
    if (me == 2) {
        clear();
        tf_sem_wait(DONE, 2);
        finish(TF_WORD(NUMBER));
        return 0;
    }
    await_flag();
    for (uint32_t i = 0; i < me * 40000; i++)
        __asm__ volatile("" ::: "memory");
    for (unsigned i = 0; i < ROUNDS; i++) {
        lock();
        add();
        put(LOCK, 0);
    }
    tf_noc_fetch_inc(0, tile_xy(2), DONE, 1);
    return 0;
}
