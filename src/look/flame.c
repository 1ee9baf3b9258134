/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A flame graph as one SVG. The width of a frame shows its cycles. Callees stand above their callers, and waiting has
 * frames of its own. A click on a frame makes it as wide as the picture.
 */
#include "look/flame.h"

#include <stdlib.h>
#include <string.h>

#include "host/text.h"

#define WIDTH 1200.0
#define ROW 18u
#define LEAST 0.4 /* narrower frames are omitted */
#define DEPTH_MAX 100u
#define HEAD 40u
#define LETTER 6.6

static const char script[] =
    "function zoom(e){var t=e.target.closest('g.f');if(!t)return;var s=document.querySelectorAll('g.f');"
    "var x0=+t.dataset.x,w0=+t.dataset.w,d0=+t.dataset.d,k=1200/w0;"
    "s.forEach(function(g){var x=+g.dataset.x,w=+g.dataset.w,d=+g.dataset.d;"
    "var a=(x-x0)*k,b=w*k;if(d<d0&&x<=x0+.01&&x+w>=x0+w0-.01){a=0;b=1200;}"
    "var on=b>.4&&a+b>0&&a<1199.9;g.style.display=on?'':'none';if(!on)return;"
    "if(a<0){b+=a;a=0;}if(a+b>1200)b=1200-a;"
    "var r=g.querySelector('rect'),l=g.querySelector('text');r.setAttribute('x',a);r.setAttribute('width',b);"
    "if(l){l.setAttribute('x',a+3);var n=Math.floor((b-6)/6.6),m=g.dataset.n;"
    "l.textContent=n<3?'':m.length<=n?m:m.slice(0,n-1)+'\\u2026';}});}"
    "document.documentElement.addEventListener('click',zoom);";

static void put_xml(FILE *file, const char *text, size_t most)
{
    for (; *text != '\0' && most-- > 0; text++)
        switch (*text) {
        case '<': fputs("&lt;", file); break;
        case '>': fputs("&gt;", file); break;
        case '&': fputs("&amp;", file); break;
        case '"': fputs("&quot;", file); break;
        default: fputc(*text, file);
        }
}

static unsigned depth_of(const struct tf_profile *profile, uint32_t call)
{
    unsigned deepest = 0;
    for (uint32_t at = profile->call[call].child; at != 0; at = profile->call[at].sibling) {
        unsigned depth = depth_of(profile, at);
        deepest = depth > deepest ? depth : deepest;
    }
    return deepest + 1 + (call != 0 && profile->call[call].waited != 0 && deepest == 0);
}

struct flame {
    const struct tf_profile *profile;
    FILE *file;
    double scale; /* width of a cycle */
    unsigned height;
};

/* Equal names have equal colours: warm colours for work, a cool one for waiting. */
static void put_colour(FILE *file, const char *name, bool waits)
{
    unsigned hash = 5381;
    for (const char *at = name; *at != '\0'; at++)
        hash = hash * 33 + (uint8_t)*at;
    if (waits)
        fputs("hsl(210,45%,72%)", file);
    else
        fprintf(file, "hsl(%u,%u%%,%u%%)", 12 + hash % 38, 70 + hash / 64 % 20, 58 + hash / 4096 % 12);
}

static void put_frame(const struct flame *flame, const char *name, bool waits, double x, unsigned depth,
                      uint64_t cycles, uint64_t executed)
{
    double width = (double)cycles * flame->scale;
    const struct tf_profile *profile = flame->profile;
    FILE *file = flame->file;
    unsigned y = flame->height - (depth + 1) * ROW - 8, letters = width < 20 ? 0 : (unsigned)((width - 6) / LETTER);
    fprintf(file, "<g class=\"f\" data-x=\"%.2f\" data-w=\"%.2f\" data-d=\"%u\" data-n=\"", x, width, depth);
    put_xml(file, name, 200);
    fputs("\"><title>", file);
    put_xml(file, name, 200);
    fprintf(file,
            ": %llu cycles, %.2f %%; %llu instructions</title>"
            "<rect x=\"%.2f\" y=\"%u\" width=\"%.2f\" height=\"%u\" fill=\"",
            (unsigned long long)cycles, 100.0 * (double)cycles / (double)(profile->executed + profile->waited),
            (unsigned long long)executed, x, y, width, ROW - 1);
    put_colour(file, name, waits);
    fprintf(file, "\"/><text x=\"%.2f\" y=\"%u\">", x + 3, y + 13);
    if (letters >= 3 && strlen(name) > letters) {
        put_xml(file, name, letters - 1);
        fputs("\xE2\x80\xA6", file);
    } else if (letters >= 3) {
        put_xml(file, name, 200);
    }
    fputs("</text></g>\n", file);
}

/* Sort calls by names. Names of cores are in the order of cores then, in all pictures. */
static void sort_by_name(const struct tf_profile *profile, uint32_t *order, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++)
        for (uint32_t at = i; at > 0; at--) {
            const char *before = profile->function[profile->call[order[at - 1]].function].name;
            if (strverscmp(before, profile->function[profile->call[order[at]].function].name) <= 0)
                break;
            const uint32_t moved = order[at];
            order[at] = order[at - 1];
            order[at - 1] = moved;
        }
}

static void put_calls(const struct flame *flame, uint32_t of, double x, unsigned depth)
{
    const struct tf_profile *profile = flame->profile;
    uint32_t *order, count = tf_profile_callees(profile, of, &order);
    if (of == 0)
        sort_by_name(profile, order, count);
    for (uint32_t i = 0; i < count; i++) {
        const struct tf_call *call = &profile->call[order[i]];
        double width = (double)tf_call_cycles(call) * flame->scale;
        if (width < LEAST)
            continue;
        put_frame(flame, profile->function[call->function].name, false, x, depth, tf_call_cycles(call),
                  call->executed_total);
        if (depth < DEPTH_MAX)
            put_calls(flame, order[i], x, depth + 1);
        x += width;
    }
    free(order);
    if (of != 0 && (double)profile->call[of].waited * flame->scale >= LEAST)
        put_frame(flame, "[waiting]", true, x, depth, profile->call[of].waited, 0);
}

bool tf_profile_write_flame(const struct tf_profile *profile, FILE *file)
{
    uint64_t cycles = profile->executed + profile->waited;
    unsigned depth = depth_of(profile, 0);
    char executed[TF_GROUPED_BYTES], waited[TF_GROUPED_BYTES];
    struct flame flame = {.profile = profile, .file = file, .scale = cycles == 0 ? 0 : WIDTH / (double)cycles};
    depth = depth > DEPTH_MAX + 2 ? DEPTH_MAX + 2 : depth;
    flame.height = HEAD + depth * ROW + 8;
    fprintf(file,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %u\" width=\"%.0f\" height=\"%u\">\n"
            "<style>text{font:11px monospace;pointer-events:none}.f rect{stroke:#fff;stroke-width:.5}"
            ".f:hover rect{stroke:#000}.h{font:15px sans-serif}" TF_SVG_DARK "</style>\n"
            "<rect width=\"100%%\" height=\"100%%\" fill=\"#fffdf8\"/>\n"
            "<text class=\"h\" x=\"10\" y=\"24\">",
            WIDTH, flame.height, WIDTH, flame.height);
    if (profile->title != NULL) {
        put_xml(file, profile->title, 60);
        fputs(": ", file);
    }
    fprintf(file, "%s instructions executed, %s cycles of waiting; the width of a frame is its cycles</text>\n",
            tf_text_grouped(profile->executed, executed), tf_text_grouped(profile->waited, waited));
    put_frame(&flame, "all", false, 0, 0, cycles == 0 ? 1 : cycles, profile->executed);
    put_calls(&flame, 0, 0, 1);
    fprintf(file, "<script><![CDATA[%s]]></script>\n</svg>\n", script);
    return true;
}
