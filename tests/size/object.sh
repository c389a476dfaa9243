#!/bin/bash
# SPDX-License-Identifier: MIT
# object.sh - is the kernel's object what it promises? tests/size/object.sh PREFIX KERNEL.o
#   given   prefix of the tools (may be ''); an object of src/tactus.c for any target
#   makes   "text N" and, if they are called, the copying functions; failure for each broken promise, by name
#   bound   reads the object once with nm, size and objdump
#   never   lets through: a symbol that needs a C library, writable data, a fused multiply-add (it rounds once, not twice)
set -eu

if [ $# != 2 ]; then
    echo "usage: tests/size/object.sh PREFIX KERNEL.o" >&2
    exit 2
fi
prefix=$1 object=$2
code=0
fail() {
    echo "object.sh: $object: $*" >&2
    code=1
}

# what libgcc has: soft float, conversions, shifts of 64 bits; _GLOBAL_OFFSET_TABLE_ is no function but PIC of a host
helpers='__aeabi_[fd](r?sub|add|mul|div|cmp(eq|lt|le|gt|ge|un)|2u?[il]z)|__aeabi_u?[il]2[fd]|__aeabi_l(lsl|lsr|asr|mul)'
helpers+='|__(add|sub|mul|div)[sd]f3|__(eq|ne|ge|gt|le|lt|unord)[sd]f2|__fix(uns)?[sd]f[sd]i|__float(un)?[sd]i[sd]f'
helpers+='|__(lshr|ashr|ashl|mul)di3'
copying='mem(cpy|set)'
undefined=$("${prefix}nm" -u "$object" | awk '{ print $NF }')
foreign=$(grep -vxE "$helpers|$copying|_GLOBAL_OFFSET_TABLE_" <<<"$undefined" | tr '\n' ' ')
[ -z "${foreign// /}" ] || fail "needs $foreign"

writable=$("${prefix}nm" "$object" | awk '$(NF - 1) ~ /^[bBdDsSgGC]$/ { printf "%s ", $NF }')
[ -z "$writable" ] || fail "writable data: $writable"
read -r text data bss _ < <("${prefix}size" "$object" | tail -n 1)
[ "$data" = 0 ] || fail "$data bytes of .data"
[ "$bss" = 0 ] || fail "$bss bytes of .bss"

# ARMv7-M, RISC-V and x86, AArch64. vmla and vmls of ARMv7-M are not fused: they round twice.
fused='\b(vfn?m[as]|v?fn?m(add|sub)[0-9a-z]*|fml[as])\b'
# Without symbols, but those that tell code from data on Arm: objdump searches all symbols of a RISC-V object for each
# instruction, which takes minutes.
bare=$(mktemp)
trap 'rm -f "$bare"' EXIT
"${prefix}objcopy" --strip-all --wildcard --keep-symbol='$[adtx]*' "$object" "$bare"
found=$("${prefix}objdump" -d --no-show-raw-insn "$bare" | grep -cE "$fused") || true
[ "$found" = 0 ] || fail "$found fused multiply-add instructions: build with -ffp-contract=off"

echo "text $text"
copied=$(grep -xE "$copying" <<<"$undefined" | tr '\n' ' ') || true
[ -z "$copied" ] || echo "calls $copied"
exit $code
