/* SPDX-License-Identifier: Apache-2.0 */
/* A system that this process leads for its host while other ranks run chips, too: what lead.c does for it. All
   functions may be called with NULL, for a system that nobody leads. */
#ifndef SYSTEM_LED_H
#define SYSTEM_LED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tf_system_run_options;

struct tf_led {
    bool (*fetch)(struct tf_led *led, unsigned chip);
    bool (*begin)(struct tf_led *led, const struct tf_system_run_options *options);
    bool (*end)(struct tf_led *led);
    void (*pass)(struct tf_led *led, uint64_t cycle);
    bool (*knows)(const struct tf_led *led, unsigned chip, bool *quiet);
    void (*restored)(struct tf_led *led);
    void (*leave)(struct tf_led *led);
};

/* The host accesses a chip, or all of so many. Returns false if a rank has failed. */
static inline bool tf_led_fetch(struct tf_led *led, unsigned chip)
{
    return led == NULL || led->fetch(led, chip);
}

static inline bool tf_led_fetch_all(struct tf_led *led, unsigned chips)
{
    bool fine = true;
    for (unsigned i = 0; i < chips; i++)
        fine &= tf_led_fetch(led, i);
    return fine;
}

/* A run begins. Returns false if a rank has failed. */
static inline bool tf_led_begin(struct tf_led *led, const struct tf_system_run_options *options)
{
    return led == NULL || led->begin(led, options);
}

/* It has ended: callbacks are called. Returns false if a rank has failed. */
static inline bool tf_led_end(struct tf_led *led)
{
    return led == NULL || led->end(led);
}

/* Time passes up to a cycle on the chips that this process does not know: nothing happens on any chip. */
static inline void tf_led_pass(struct tf_led *led, uint64_t cycle)
{
    if (led != NULL)
        led->pass(led, cycle);
}

/* Does this process know the state of the chip? Else *quiet: nothing was to happen on it when the last run ended. */
static inline bool tf_led_knows(const struct tf_led *led, unsigned chip, bool *quiet)
{
    return led == NULL || led->knows(led, chip, quiet);
}

/* All chips have been restored here. */
static inline void tf_led_restored(struct tf_led *led)
{
    if (led != NULL)
        led->restored(led);
}

/* The system ends. */
static inline void tf_led_leave(struct tf_led *led)
{
    if (led != NULL)
        led->leave(led);
}

#endif
