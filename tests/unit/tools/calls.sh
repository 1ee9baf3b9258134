#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tools/check_calls finds circles of calls in the objects of a build, and lists only shrink.
# Usage: calls.sh CHECK_CALLS CC
set -u
check=$1
cc=$2
temporary=$(mktemp -d)
trap 'rm -rf "$temporary"' EXIT
cd "$temporary" || exit 1
mkdir -p src/room build
failures=0

# expect CODE TEXT: the check ends with CODE and prints TEXT, or nothing if TEXT is empty.
expect() {
    local output code=0
    output=$("$check" build src list) || code=$?
    if [ "$code" != "$1" ] || { [ -z "$2" ] && [ -n "$output" ]; } || [[ $output != *"$2"* ]]; then
        echo "FAILED: $code instead of $1, '$output' instead of '$2'"
        failures=$((failures + 1))
    fi
}

# compile NAME TEXT: make a source of this text, and its object.
compile() {
    printf '%s\n' "$2" >"src/$1.c"
    "$cc" -c -o "build/$(basename "$1").o" "src/$1.c" || exit 1
}

for name in one room/two three four five six; do
    echo "build $(basename "$name").o: C_COMPILER__x $temporary/src/$name.c || order" >>build/build.ninja
done
printf '# circles\n' >list
expect 0 ""
compile four 'void five(void), six(void); void four(void) { five(), six(); }'
compile five 'void six(void); void five(void) { six(); }'
compile six 'void six(void) { }'
compile one 'void two(void); void one(void) { two(); }'
compile room/two 'void three(void); void two(void) { three(); }'
compile three 'void three(void) { }'
expect 0 ""

# The files that a circle calls are no part of it.
compile three 'void one(void), four(void), five(void), six(void); void three(void) { one(), four(), five(), six(); }'
expect 1 "three.c: a circle of calls goes on to one() of one.c"
printf 'one.c three.c\nroom/two.c\n' >list
expect 0 ""
compile four 'void one(void), five(void); void four(void) { one(), five(); }' # from outside: it is no part either
compile three 'void one(void); void three(void) { one(); }'
expect 0 ""
printf 'one.c three.c\n\nroom/two.c\n' >list # two circles: theirs is another one
expect 1 "one.c: a circle of calls goes on to two() of room/two.c"

# A pointer to a function counts, and what a source says of its own functions does not.
printf '# circles\n' >list
compile three 'void one(void); void (*const three_calls)(void) = one; void three(void) { }'
expect 1 "three.c: a circle of calls goes on to one() of one.c"
compile three 'static void one(void) { } void three(void) { one(); }'
expect 0 ""

printf 'one.c three.c\nroom/two.c\n' >list
expect 1 "three.c: is in no circle of calls: take it out of"

# An object that is older than its source says nothing, nor does one that build.ninja does not name.
touch -d '1 hour' src/three.c
expect 0 ""
printf '# circles\n' >list
"$cc" -c -o build/left_over.o -x c - <<<'void three(void); void two(void) { three(); } ' || exit 1
expect 0 ""
exit $((failures != 0))
