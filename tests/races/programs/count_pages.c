/* SPDX-License-Identifier: Apache-2.0 */
/* Four right uses of words that atomics count up. The consumer takes one page of a producer each time, or as many as
   it sees. A barrier only grows, and a counter is set back. With the bug the consumer waits for one page less than it
   takes. */
#include "races.h"

#define PAGES 4u
#define ROUNDS 4u
#define PAGE(i) (DATA + (i)*BYTES)
#define MORE 0x18200u /* pages, too */
#define MORE_PAGE(i) (COPY + (i)*BYTES)
#define BARRIER 0x18240u
#define DONE 0x18280u
#define AGAIN 0x182C0u
#define VALUE(core, round) (0x18400u + (core)*8u + (round) % 2u * 4u)

#ifdef BUG
#define AHEAD 1u
#else
#define AHEAD 0u
#endif

static inline void pause(void)
{
    for (unsigned i = 0; i < 2000; i++)
        __asm__ volatile("" ::: "memory"); /* what is waited for has usually come before */
}

PLACE void produce(uint32_t counter, uint32_t pages)
{
    for (uint32_t i = 0; i < PAGES; i++) {
        fill(pages + i * BYTES, FIRST);
        tf_amoadd(counter, 1);
    }
}

PLACE uint32_t take(uint32_t page)
{
    return sum(PAGE(page), WORDS);
}

PLACE uint32_t take_all(void)
{
    uint32_t total = 0, taken = 0, seen;
    while (taken < PAGES) {
        do {
            tf_fence();
            seen = TF_WORD(MORE);
        } while (seen == taken);
        for (; taken < seen; taken++)
            total += sum(MORE_PAGE(taken), WORDS);
    }
    return total;
}

/* Each core changes a word of its own, and then adds up the words of both. */
PLACE uint32_t meet(void)
{
    uint32_t total = 0;
    for (uint32_t round = 1; round <= ROUNDS; round++) {
        TF_WORD(VALUE(TF_CORE, round)) = round;
        tf_amoadd(BARRIER, 1);
        if (TF_CORE == 0)
            pause();
        tf_sem_wait_min(BARRIER, 2 * round);
        total += TF_WORD(VALUE(0, round)) + TF_WORD(VALUE(1, round));
    }
    return total;
}

int main(void)
{
#if TF_CORE == 0
    uint32_t total = 0;
    for (uint32_t page = 0; page < PAGES; page++) {
        pause();
        tf_sem_wait_min(COUNTER, page + 1 - AHEAD);
        total += take(page);
    }
    total += take_all() + meet();
    for (uint32_t round = 1; round <= ROUNDS; round++) {
        pause();
        tf_sem_wait(DONE, 1);
        total += TF_WORD(VALUE(2, 0));
        tf_sem_set(DONE, 0);
        tf_amoadd(AGAIN, 1);
    }
    finish(total);
#else
    produce(COUNTER, PAGE(0));
    produce(MORE, MORE_PAGE(0));
    meet();
    for (uint32_t round = 1; round <= ROUNDS; round++) {
        TF_WORD(VALUE(2, 0)) = round;
        tf_amoadd(DONE, 1);
        tf_sem_wait_min(AGAIN, round);
    }
#endif
    return 0;
}
