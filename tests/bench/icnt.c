// SPDX-License-Identifier: MIT
// icnt.c - QEMU plugin (TCG plugin API, version 1): instructions between pairs of addresses.
//   given   arguments begin=ADDRESS,end=ADDRESS, up to PAIRS times, the pairs in order
//   makes   a line "icnt PAIR N MIN MEAN MAX" on stderr for each pair when the guest ends
//   bound   one counter, one comparison for each instruction that is translated
//   never   looks at time: the figures depend on the program and its input alone
// Distributions ship no qemu-plugin.h, so the functions used are declared here.
#include <inttypes.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef uint64_t qemu_plugin_id_t;
struct qemu_info_t;
struct qemu_plugin_tb;
struct qemu_plugin_insn;
enum qemu_plugin_cb_flags { QEMU_PLUGIN_CB_NO_REGS };
enum qemu_plugin_op { QEMU_PLUGIN_INLINE_ADD_U64 };
typedef void (*qemu_plugin_vcpu_tb_trans_cb_t)(qemu_plugin_id_t id, struct qemu_plugin_tb *tb);
typedef void (*qemu_plugin_vcpu_udata_cb_t)(unsigned int vcpu, void *user);
typedef void (*qemu_plugin_udata_cb_t)(qemu_plugin_id_t id, void *user);

void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t id, qemu_plugin_vcpu_tb_trans_cb_t callback);
void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *insn, qemu_plugin_vcpu_udata_cb_t callback,
                                            enum qemu_plugin_cb_flags flags, void *user);
void qemu_plugin_register_vcpu_insn_exec_inline(struct qemu_plugin_insn *insn, enum qemu_plugin_op op, void *counter,
                                                uint64_t add);
void qemu_plugin_register_atexit_cb(qemu_plugin_id_t id, qemu_plugin_udata_cb_t callback, void *user);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *tb);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *tb, size_t index);
uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *insn);
int qemu_plugin_install(qemu_plugin_id_t id, const struct qemu_info_t *info, int argc, char **argv);

extern int qemu_plugin_version;
int qemu_plugin_version = 1;

#define PAIRS 64
#define MARKER_COST 2 // the return of begin, the call of end
#define NOT_OPEN UINT64_MAX

struct pair {
    uint64_t begin, end; // addresses
    uint64_t start;      // count at begin, or NOT_OPEN
    uint64_t n, sum, min, max;
};

static struct pair pairs[PAIRS];
static unsigned begins, ends;
static uint64_t count;

static void at_begin(unsigned int vcpu, void *user)
{
    struct pair *p = user;
    (void)vcpu;
    p->start = count;
}

static void at_end(unsigned int vcpu, void *user)
{
    struct pair *p = user;
    (void)vcpu;
    if (p->start == NOT_OPEN) return;

    const uint64_t spent = count - p->start - MARKER_COST;
    p->start = NOT_OPEN;
    if (p->n == 0 || spent < p->min) p->min = spent;
    if (spent > p->max) p->max = spent;
    p->sum += spent;
    p->n++;
}

// Both callbacks see the count before the instruction that they are at: registered first, they run first.
static void translate(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
    (void)id;
    for (size_t i = 0; i < qemu_plugin_tb_n_insns(tb); i++) {
        struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);
        const uint64_t address = qemu_plugin_insn_vaddr(insn);
        for (struct pair *p = pairs; p < pairs + begins; p++) {
            if (p->begin == address) {
                qemu_plugin_register_vcpu_insn_exec_cb(insn, at_begin, QEMU_PLUGIN_CB_NO_REGS, p);
            } else if (p->end == address) {
                qemu_plugin_register_vcpu_insn_exec_cb(insn, at_end, QEMU_PLUGIN_CB_NO_REGS, p);
            }
        }
        qemu_plugin_register_vcpu_insn_exec_inline(insn, QEMU_PLUGIN_INLINE_ADD_U64, &count, 1);
    }
}

static void report(qemu_plugin_id_t id, void *user)
{
    (void)id;
    (void)user;
    for (unsigned i = 0; i < begins; i++) {
        const struct pair *p = &pairs[i];
        const double mean = p->n ? (double)p->sum / (double)p->n : 0.0;
        fprintf(stderr, "icnt %u %" PRIu64 " %" PRIu64 " %.1f %" PRIu64 "\n", i, p->n, p->min, mean, p->max);
    }
}

// Thumb marks function addresses with bit 0; instructions have it clear.
static int take_address(const char *argument, const char *name, uint64_t *address)
{
    const size_t length = strlen(name);
    if (strncmp(argument, name, length) != 0) return 0;
    *address = strtoull(argument + length, NULL, 0) & ~UINT64_C(1);
    return 1;
}

__attribute__((visibility("default"))) int qemu_plugin_install(qemu_plugin_id_t id, const struct qemu_info_t *info,
                                                               int argc, char **argv)
{
    (void)info;
    for (int i = 0; i < argc; i++) {
        if (begins < PAIRS && take_address(argv[i], "begin=", &pairs[begins].begin)) {
            pairs[begins++].start = NOT_OPEN;
        } else if (ends < PAIRS && take_address(argv[i], "end=", &pairs[ends].end)) {
            ends++;
        } else {
            fprintf(stderr, "icnt: bad argument %s\n", argv[i]);
            return 1;
        }
    }
    if (begins != ends) {
        fprintf(stderr, "icnt: each begin= needs an end=\n");
        return 1;
    }
    qemu_plugin_register_vcpu_tb_trans_cb(id, translate);
    qemu_plugin_register_atexit_cb(id, report, NULL);
    return 0;
}
