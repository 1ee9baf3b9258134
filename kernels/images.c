/* SPDX-License-Identifier: Apache-2.0 */
#include "images.h"

#include <string.h>

/* The build makes images.def, with a TF_KERNEL(symbol, name, path) for each program. */
#define TF_KERNEL(symbol, name, path)                                                \
    __asm__(".pushsection .rodata\n\t.balign 16\n"                                   \
            "tf_kernel_" #symbol ":\n\t.incbin \"" path "\"\n"                       \
            "tf_kernel_end_" #symbol ":\n\t.byte 0\n\t.popsection");                 \
    extern const uint8_t tf_kernel_##symbol[] __attribute__((visibility("hidden"))); \
    extern const uint8_t tf_kernel_end_##symbol[] __attribute__((visibility("hidden")));
#include "images.def"
#undef TF_KERNEL

static const struct tf_kernel_image images[] = {
#define TF_KERNEL(symbol, name, path) {name, tf_kernel_##symbol, tf_kernel_end_##symbol},
#include "images.def"
#undef TF_KERNEL
};

const struct tf_kernel_image *tf_kernel_find(const char *name)
{
    for (size_t i = 0; i < sizeof images / sizeof *images; i++) {
        if (strcmp(images[i].name, name) == 0)
            return &images[i];
    }
    return NULL;
}
