# SPDX-License-Identifier: Apache-2.0
# test_print.sh COMMAND: texts and marks of device programs, by tilefarm_print.h and `tilefarm cc`.
set -u
invocation=("$1")
. "$(dirname "$0")/../cli/expect.sh"

# program CORE NAME [FLAG...]: make a program from standard input
program() {
  local core=$1 name=$2
  shift 2
  { printf '#include "tilefarm_device.h"\n#include "tilefarm_print.h"\n'; cat; } >"$name.c"
  "${invocation[@]}" cc -c "$core" "$name.c" -Wall -Wextra -Werror -o "$name.elf" "$@" || fail "cannot build $name"
}
printed() { expect 0 run --quiet --load "$@"; }
lines() { diff - out >difference || fail "$1: $(cat difference)"; }

program B formats <<'C'
static volatile uint32_t bits = 0x3FC00000; /* 1.5 */
int main(void)
{
    union {
        uint32_t bits;
        float value;
    } half[] = {{bits}, {bits | 1u << 31}, {1}, {0x7F800000}, {0x7FC00000}, {0}};
    char own[8] = "stack";
    tf_print("plain %d %s\n");
    tf_printf("%d %i %u %x %X %o %c|%5d|%-5d|%05d|%+d|%#x\n", -1, -2, -3u, 0xabcu, 0xABCu, 8u, 'c', 1, 2, 3, 4, 5u);
    tf_printf("%s %10s|%-6s|%.2s|%*d|%.*s|%s%%\n", "text", "right", "left", "cut", 4, 7, 3, "abcdef", own);
    tf_printf("%lld %llx %d %lu %hd %hhu\n", -(1ll << 40), 0x123456789abcull, 7, 80000ul, 65533, 456);
    tf_printf("%p %g %.3f %e %g %g %g %d\n", (void *)0x1234, half[0].value, half[1].value, half[2].value, half[3].value,
              half[5].value, 2.5, 9);
    tf_printf("no"), tf_printf(" end ");
    tf_print("of line\nnor");
    tf_print(" here");
    return 0;
}
C
printed B=formats.elf@3
sed 's/^/[tile 3 (4,2) B] /' >want <<'T'
plain %d %s
-1 -2 4294967293 abc ABC 10 c|    1|2    |00003|+4|0x5
text      right|left  |cu|   7|abc|stack%
-1099511627776 123456789abc 7 80000 -3 200
0x00001234 1.5 -1.500 1.401298e-45 inf 0 2.5 9
no end of line
nor here
T
lines "formats" <want

# The compiler's library has the arithmetic that the cores lack.
program NC arithmetic <<'C'
int main(void)
{
    volatile float a = 3;
    volatile double b = 2.5;
    volatile uint64_t c = 1000000000000ull;
    tf_printf("%g %.2f %llu\n", a * 1.5f + 1, b / 3, c / 7);
    return (int)(a * b) != 7;
}
C
printed NC=arithmetic.elf
echo '[tile 0 (1,2) NC] 5.5 0.83 142857142857' >want
lines "arithmetic" <want

# Bad formats and addresses do no harm.
program NC bad <<'C'
int main(void)
{
    static char endless[5000];
    for (unsigned i = 0; i + 1 < sizeof endless; i++)
        endless[i] = 'x';
    struct {
        const char *format;
        const void *arguments;
    } block = {"%s|%n|%d|%99999d|%", (void *)0xFFFFFFF0u};
    tf_host_call(0x101, &block);
    tf_print("\n");
    tf_host_call(0x101, (void *)0x7FFFFFFFu);
    tf_host_call(0x04, (void *)0xFFB20000u);
    tf_host_call(0x05, (const uint32_t[]){1, (uint32_t)endless, 0xFFFFFFFFu});
    tf_print("\n");
    tf_host_call(0x03, "c\n");
    tf_printf("%d %d\n", (int)tf_host_call(0x03, "\n"), (int)tf_host_call(0x77, 0));
    return 0;
}
C
printed NC=bad.elf@0
[ "$(awk 'NR == 1 { print (length($0) > 4000) }' out)" = 1 ] || fail "a width of 99999 has changed the text"
grep -qE '^\[tile 0 \(1,2\) NC\] x{4096}$' out || fail "an endless text is not cut"
tail -n 2 out | diff - <(printf '[tile 0 (1,2) NC] c\n[tile 0 (1,2) NC] 0 -1\n') || fail "later calls"

# A width from an argument: below 0 it aligns to the left, beside other flags; the smallest integer is one, too.
program B widths <<'C'
static volatile int least = -2147483647 - 1; /* compilers refuse it as a constant */

int main(void)
{
    tf_printf("%*d|%+*d|%-*d|\n", -3, 7, -4, 8, -3, 1);
    tf_printf("%*d", least, 7);
    tf_printf("%.*d\n", least, 7);
    return 0;
}
C
printed B=widths.elf
{ echo '7  |+8  |1  |' && printf '%-4096s\n7\n' 7; } | sed 's/^/[tile 0 (1,2) B] /' >want
lines "widths" <want

# A width for characters and pointers; -1 is a width, too; a long double is not printed, and the next argument is right.
program B padded <<'C'
static const char *volatile second = "%*s|%*d|%Lf %d %q\n"; /* compilers warn of an unknown conversion */
static const char *volatile first = "%*s|%5c|%-5c|%12p|%-12p|\n";

int main(void)
{
    tf_printf(first, -1, "", 'a', 'b', (void *)0x10, (void *)0x20);
    tf_printf(second, -4, "x", -1, 7, (long double)1.5, 8);
    return 0;
}
C
printed B=padded.elf
{ printf ' |    a|b    |  0x00000010|0x00000020  |\n' && printf 'x   |7|%%Lf? 8 %%q?\n'; } |
    sed 's/^/[tile 0 (1,2) B] /' >want
lines "padded" <want

# Five cores of many tiles: text and hash are equal on any number of threads. The hash is equal without a listener, too.
for core in B T2; do
  program "$core" "many.$core" <<'C'
int main(void)
{
    for (int i = 0; i < 50; i++)
        tf_printf("%d of %u\n", i, (unsigned)tf_my_tile());
    tf_mark("middle");
    while (TF_WORD(0x30000) != 0)
        ;
    tf_print("end\n");
    return 0;
}
C
done
hash_of() { grep state_hash json; }
for threads in 1 3; do
  printed B=many.B.elf@all --load T2=many.T2.elf@0-9 --threads "$threads" --json json --timeline "line.$threads"
  mv out "out.$threads"; hash_of >"hash.$threads"
done
cmp out.1 out.3 || fail "the text depends on the number of threads"
cmp line.1 line.3 || fail "the timeline depends on the number of threads"
cmp hash.1 hash.3 || fail "the hash depends on the number of threads"
[ "$(wc -l <out.1)" -eq $((150 * 51)) ] || fail "$(wc -l <out.1) lines"
grep -aq 'T2 marks' line.1 || fail "the timeline has no track of marks"
[ "$(grep -ao 'B marks' line.1 | wc -l)" -eq 140 ] || fail "not every tile has its marks"
printed B=many.B.elf@all --load T2=many.T2.elf@0-9 --json - --timeline-cycles 0:1 --timeline t
grep state_hash out | diff - hash.1 || fail "without a listener the hash differs"
sort err | diff - <(sort out.1) || fail "with another file at stdout, text does not go to stderr"
printed B=many.B.elf@all --load T2=many.T2.elf@0-9 --relaxed --threads 3
sort out | diff - <(sort out.1) || fail "relaxed mode prints something else"

# With TF_NO_PRINT nothing is printed. An ebreak alone ends its core, and in a program with main() it is a failure.
program B silent -DTF_NO_PRINT <<'C'
int main(void) { return tf_printf("no %d\n", 1), tf_mark("no"), 0; }
C
printed B=silent.elf
[ -s out ] && fail "TF_NO_PRINT prints"
program B stops <<'C'
int main(void) { __asm__ volatile("slli zero, zero, 0x1f\nebreak"); __builtin_unreachable(); }
C
expect 1 run --quiet --load B=stops.elf
says err "main() of core B of tile 0 (1,2) has not returned: the core has stopped at an ebreak"; says err "(main+"
[ -s out ] && fail "the core continues after ebreak"

# A core in an empty endless loop has ended, but not its main().
program B endless <<'C'
int main(void) { for (;;) ; }
C
expect 1 run --quiet --load B=endless.elf
says err "main() of core B of tile 0 (1,2) has not returned: the core is in an empty endless loop"; says err "(main+"

[ "$failures" -eq 0 ] || exit 1
