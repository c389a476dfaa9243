#!/bin/bash
# SPDX-License-Identifier: MIT
# tools.t - do object.sh and stack.py find what they are there to find?
#   given   samples below, each with one fault; the ARM and the host compiler
#   makes   TAP
#   bound   a dozen tiny compilations
#   never   depends on the kernel
set -eu
cd "$(dirname "$0")/../.."
. tests/tap.sh
out=build/tests/size
mkdir -p $out

compile() { # SAMPLE [FLAG...]: from stdin to $out/SAMPLE.o and .ci
    local sample=$1
    shift
    cat >$out/"$sample".c
    (cd $out && arm-none-eabi-gcc -std=c99 -O2 -mcpu=cortex-m4 -mfpu=fpv4-sp-d16 -mfloat-abi=hard -mthumb -ffreestanding \
        -fcallgraph-info=su "$@" -c "$sample.c" -o "$sample.o")
}
fails() { # TEXT COMMAND...: fails and says TEXT
    local text=$1
    shift
    ! "$@" >$out/told 2>&1 && grep -qF -- "$text" $out/told
}
object() { tests/size/object.sh arm-none-eabi- "$out/$1.o"; }
stack() { tests/size/stack.py --root f "${@:2}" "$out/$1.ci"; }

compile good <<'END'
static __attribute__((noinline)) double twice(double x) { volatile double y = x; return y + y; }
double f(double x) { return twice(x) * 3.0 + 1.0; }
END
check "a good object passes" object good
check "a good call graph passes" stack good --limit 256
check "too deep a stack fails" fails 'more than 16' stack good --limit 16

compile foreign <<<'void *malloc(unsigned); void *f(void) { return malloc(8); }'
check "a C library's function fails" fails 'needs malloc' object foreign
check "an unknown callee fails" fails 'unknown callee malloc' stack foreign

compile copies <<<'struct s { int a[64]; }; void f(struct s *a, struct s *b) { *a = *b; }'
check "copying passes and is told" bash -c "tests/size/object.sh arm-none-eabi- $out/copies.o | grep -qx 'calls memcpy '"

compile data <<<'int x = 5; int f(void) { return x++; }'
check "initialised data fails" fails 'writable data: x' object data
compile bss <<<'static int x; int f(void) { return x++; }'
check "zeroed data fails" fails 'writable data: x' object bss

compile fused -ffp-contract=fast <<<'float f(float a, float b, float c) { return a * b + c; }'
check "a fused multiply-add fails" fails 'fused' object fused
compile unfused -ffp-contract=off -mcpu=cortex-m7 -mfpu=fpv5-d16 <<<'double f(double a, double b, double c) { return a * b + c; }'
check "a multiply and an add pass" object unfused

compile recursive <<<'int g(int); int f(int n) { return n < 2 ? n : f(n - 1) + f(n - 2); }'
check "recursion fails" fails 'recursion: f > f' stack recursive
compile dynamic <<<'void g(char *p) { *p = 1; } void f(int n) { char a[n]; g(a); volatile char c = a[n - 1]; (void)c; }'
check "a frame of run-time size fails" fails 'frame of f is dynamic' stack dynamic
compile pointer <<<'int f(int (*g)(void)) { return g() + 1; }'
check "a call through a pointer fails" fails 'call through a pointer in f' stack pointer
check "an unknown root fails" fails '0 functions are named g' tests/size/stack.py --root g $out/good.ci
finish
