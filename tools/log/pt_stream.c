/*
 * libipt gives one instruction after the other, and between them events.  What a branch did
 * shows only in what comes next, so each instruction waits for its successor.
 */
#include "pt_stream.h"

#include <intel-pt.h>
#include <string.h>

#include "branch.h"
#include "decode.h"
#include "heap.h"
#include "pt_bits.h"

#define OPCODE_NOP  0x90
#define OPCODE_INT1 0xf1
#define OPCODE_INT3 0xcc
#define OPCODE_INT  0xcd
#define PREFIX_16   0x66 /* NOP with it has two bytes */

/* Branches that were decoded, each in the place that its address gives it. */
struct decoded_insn {
    uint8_t raw[pt_max_insn_size], size; /* size 0: none yet */
    enum pt_exec_mode mode;
    uint64_t ip;
    bool is_branch;
    struct insn insn;
};
#define DECODED 1024

struct pt_decoding {
    struct decoded_insn decoded[DECODED];
    const struct pt_user *user;
    const uint8_t *bytes;
    size_t size;
    struct pt_insn_decoder *decoder;
    struct pt_insn last; /* its successor is not known yet */
    bool has_last;
    bool lost;        /* since the last PSB, packets, and perhaps a MODE.Exec           */
    bool is_on;       /* between the packets at which tracing began and ended           */
    uint64_t offset;  /* of the packet that was read last                            */
    uint64_t without; /* instructions since something of a packet was needed...      */
    uint64_t passed;  /* ...and one of them, to which a circle comes back            */
    struct pt_bits bits;
};

static void report(struct pt_decoding *walk, enum pt_what what, uint64_t from, uint64_t to)
{
    struct pt_found found = { .what = what, .from = from, .to = to };

    pt_insn_get_offset(walk->decoder, &found.offset);
    walk->user->found(walk->user->of, &found);
}

/* Decodes with the project's own decoder.  NULL: it is no branch. */
static const struct insn *branch_of(struct pt_decoding *walk, const struct pt_insn *insn)
{
    static const struct part parts[] = { { 0 }, { .flags = PART_COMPAT } };
    struct decoded_insn *known = &walk->decoded[insn->ip % DECODED];

    if (known->size != insn->size || known->ip != insn->ip || known->mode != insn->mode ||
        memcmp(known->raw, insn->raw, insn->size) != 0) {
        known->size = insn->size;
        known->ip = insn->ip;
        known->mode = insn->mode;
        memcpy(known->raw, insn->raw, insn->size);
        known->is_branch = decode_in(&parts[insn->mode != ptem_64bit], insn->raw,
                                     insn->size, insn->ip, &known->insn);
    }
    return known->is_branch ? &known->insn : NULL;
}

/* Uses up the bit or the target of a branch.  Returns the bit of a conditional one. */
static int use_up(struct pt_decoding *walk, const struct insn *branch)
{
    if (branch->kind != KIND_JMP && branch->kind != KIND_CALL)
        walk->without = 0;
    switch (branch->kind) {
    case KIND_JCC:
        return pt_bits_jcc(&walk->bits);
    case KIND_RET:
        pt_bits_ret(&walk->bits);
        return -1;
    case KIND_JMP:
    case KIND_CALL:
        return -1;
    default:
        pt_bits_target(&walk->bits);
        return -1;
    }
}

/* The instruction that waited is followed by the one at `next`. */
static void follow(struct pt_decoding *walk, uint64_t next)
{
    const struct pt_insn *last = &walk->last;
    uint64_t straight = last->ip + last->size;
    const struct insn *branch;
    bool taken = next != straight;
    int bit;

    if (!walk->has_last)
        return;
    walk->has_last = false;
    branch = branch_of(walk, last);
    if (!branch || (branch->kind == KIND_INT && !taken))
        return; /* INT n and the like come as events */
    if (branch->kind == KIND_INT)
        report(walk, PT_NO_FUP, last->ip, next);
    bit = use_up(walk, branch);
    if (branch->kind != KIND_JCC)
        taken = true;
    else if (branch->target == straight)
        taken = bit > 0;
    report(walk, taken ? PT_TAKEN : PT_NOT_TAKEN, last->ip, taken ? next : straight);
}

/* Packets ended with the instruction that waited, or after it. */
static void end_at(struct pt_decoding *walk, uint64_t to)
{
    uint64_t from = walk->has_last ? walk->last.ip : PT_NOWHERE;
    const struct insn *branch = walk->has_last ? branch_of(walk, &walk->last) : NULL;

    if (branch && branch->kind == KIND_INT)
        report(walk, PT_NO_FUP, from, to);
    if (branch && branch->kind == KIND_JCC)
        use_up(walk, branch);
    pt_bits_target(&walk->bits); /* TIP.PGD */
    walk->has_last = false;
    report(walk, PT_END, from, to);
}

static void take_event(struct pt_decoding *walk, const struct pt_event *event)
{
    uint64_t none = PT_NOWHERE;

    switch (event->type) {
    case ptev_enabled:
        if (event->status_update && walk->is_on)
            break; /* the PSB only repeats it, as libipt 2.1 reports */
        walk->is_on = true;
        walk->has_last = false;
        report(walk, PT_BEGIN, none, event->variant.enabled.ip);
        break;
    case ptev_disabled:
        if (event->status_update)
            break; /* as above */
        walk->is_on = false;
        end_at(walk, event->ip_suppressed ? none : event->variant.disabled.ip);
        break;
    case ptev_async_disabled:
        walk->is_on = false;
        follow(walk, event->variant.async_disabled.at);
        pt_bits_target(&walk->bits);
        report(walk, PT_END, event->variant.async_disabled.at,
               event->ip_suppressed ? none : event->variant.async_disabled.ip);
        break;
    case ptev_async_branch:
        follow(walk, event->variant.async_branch.from);
        pt_bits_target(&walk->bits);
        report(walk, PT_EVENT, event->variant.async_branch.from,
               event->ip_suppressed ? none : event->variant.async_branch.to);
        break;
    case ptev_overflow:
        walk->is_on = !event->ip_suppressed;
        walk->has_last = false;
        walk->lost = true;
        pt_bits_end(&walk->bits);
        report(walk, PT_OVERFLOW, none,
               event->ip_suppressed ? none : event->variant.overflow.ip);
        break;
    default: /* modes, time and power: they change no path */
        break;
    }
}

/*
 * True, once it is reported, if the code is where it was before and needed no packet since:
 * a wrong packet can lead into a circle of direct jumps.  The place that is remembered is
 * renewed after 1, 2, 4, 8, ... instructions, so it comes to lie in the circle (R. P.
 * Brent, "An improved Monte Carlo factorization algorithm", section 2).
 */
static bool is_endless(struct pt_decoding *walk)
{
    struct pt_found found = { .what = PT_WRONG,
                              .from = walk->last.ip,
                              .to = PT_NOWHERE,
                              .why = "the code runs in a circle that needs no packet" };

    pt_insn_get_offset(walk->decoder, &found.offset);
    if (found.offset != walk->offset)
        walk->without = 0;
    walk->offset = found.offset;
    if (walk->without == 0 || walk->last.ip != walk->passed) {
        if ((walk->without & (walk->without - 1)) == 0)
            walk->passed = walk->last.ip;
        walk->without++;
        return false;
    }
    walk->without = 0;
    walk->user->found(walk->user->of, &found);
    return true;
}

/* True, once it is reported, if MODE.Exec gives the instruction the mode of other code. */
static bool has_other_mode(struct pt_decoding *walk, const struct pt_insn *insn)
{
    struct pt_found found = { .what = PT_WRONG,
                              .from = insn->ip,
                              .to = PT_NOWHERE,
                              .why = "MODE.Exec does not fit the code" };

    if (walk->lost || !walk->user->is_compat ||
        walk->user->is_compat(walk->user->of, insn->ip) == (insn->mode != ptem_64bit))
        return false;
    pt_insn_get_offset(walk->decoder, &found.offset);
    walk->user->found(walk->user->of, &found);
    return true;
}

/* Walks from one PSB to the end or to an error, and returns that. */
static int walk_on(struct pt_decoding *walk, int status)
{
    struct pt_insn insn;
    struct pt_event event;

    for (;;) {
        while (status >= 0 && status & pts_event_pending) {
            status = pt_insn_event(walk->decoder, &event, sizeof(event));
            if (status >= 0)
                take_event(walk, &event);
        }
        if (status < 0 || status & pts_eos)
            return status < 0 ? status : -pte_eos;
        insn = (struct pt_insn){ .size = 0 };
        status = pt_insn_next(walk->decoder, &insn, sizeof(insn));
        if (insn.size || status == -pte_nomap) /* else the error is not of an instruction */
            follow(walk, insn.ip);
        if (insn.size && !walk->is_on) { /* at a PSB, as libipt 2.0.5 does not report */
            walk->is_on = true;
            report(walk, PT_BEGIN, PT_NOWHERE, insn.ip);
        }
        if (insn.size) {
            walk->last = insn;
            walk->has_last = true;
            if (is_endless(walk) || has_other_mode(walk, &insn))
                return -pte_nomap; /* which is an error that has been reported */
        } else if (status == -pte_nomap) {
            report(walk, PT_NO_CODE, PT_NOWHERE, insn.ip);
        }
    }
}

static void report_error(struct pt_decoding *walk, int status)
{
    struct pt_found found = { .what = PT_WRONG,
                              .from = walk->has_last ? walk->last.ip : PT_NOWHERE,
                              .to = PT_NOWHERE,
                              .why = pt_errstr(pt_errcode(status)) };

    if (status == -pte_eos || status == -pte_nomap)
        return;
    pt_insn_get_offset(walk->decoder, &found.offset);
    walk->user->found(walk->user->of, &found);
}

/*
 * libipt asks for one instruction at a time, and takes INTO and INT1 for far transfers at
 * that very instruction (libipt 2.0.5).  But an INTO that finds OF clear leaves no packet,
 * and no manual says whether the FUP of INT1, a trap, has its own address or the next one.
 * As NOPs they can be any of these: where they strike is an event, FUP and TIP.  Where the
 * FUP of INT n and INT3 has the next address, so are these.
 */
static int read_code(uint8_t *out, size_t size, const struct pt_asid *asid, uint64_t at,
                     void *of)
{
    const struct pt_user *user = of;
    size_t count = user->read(user->of, at, out, size);

    (void)asid;
    if (count && (out[0] == OPCODE_INTO || out[0] == OPCODE_INT1))
        out[0] = OPCODE_NOP;
    if (user->errata[PT_FUP_NEXT] && count && out[0] == OPCODE_INT3)
        out[0] = OPCODE_NOP;
    if (user->errata[PT_FUP_NEXT] && count > 1 && out[0] == OPCODE_INT) {
        out[0] = PREFIX_16;
        out[1] = OPCODE_NOP;
    }
    return count ? (int)count : -pte_nomap;
}

bool pt_walk(const uint8_t *bytes, size_t size, const struct pt_user *user)
{
    static struct pt_decoding walk; /* its memory is used again */
    struct pt_config config;
    uint64_t offset;
    bool any = false;
    int status;

    walk = (struct pt_decoding){ .user = user, .bytes = bytes, .size = size };
    config = pt_config_of(bytes, size);
    config.errata.bdm70 = user->errata[PT_BDM70];
    config.errata.skd010 = user->errata[PT_SKD010];
    config.errata.apl11 = user->errata[PT_APL11];
    config.errata.apl12 = user->errata[PT_APL12];
    walk.decoder = pt_insn_alloc_decoder(&config);
    if (!walk.decoder ||
        pt_image_set_callback(pt_insn_get_image(walk.decoder), read_code, (void *)user) < 0)
        out_of_memory();
    while ((status = pt_insn_sync_forward(walk.decoder)) != -pte_eos) {
        any = true;
        walk.is_on = walk.has_last = walk.lost = false;
        if (pt_insn_get_sync_offset(walk.decoder, &offset) == 0)
            pt_bits_begin(&walk.bits, bytes, size, offset);
        report_error(&walk, walk_on(&walk, status));
    }
    pt_bits_end(&walk.bits);
    pt_insn_free_decoder(walk.decoder);
    return any || pt_count(bytes, size).psbs > 0; /* nothing whole may follow one */
}

/* Adds a packet, and its bits. */
static void count_packet(struct pt_packets *count, const struct pt_packet *packet)
{
    uint64_t taken;

    count->packets += packet->type != ppt_pad;
    switch (packet->type) {
    case ppt_pad:
        count->padding += packet->size;
        break;
    case ppt_psb:
        count->psbs++;
        break;
    case ppt_tnt_8:
    case ppt_tnt_64:
        taken = (uint64_t)__builtin_popcountll(packet->payload.tnt.payload);
        count->taken += taken;
        count->not_taken += packet->payload.tnt.bit_size - taken;
        break;
    case ppt_tip:
        count->targets++;
        break;
    case ppt_ovf:
        count->overflows++;
        break;
    default:
        break;
    }
}

struct pt_packets pt_count(const uint8_t *bytes, size_t size)
{
    struct pt_packets count = { 0 };
    struct pt_packet packet;
    struct pt_packet_decoder *decoder;
    struct pt_config config;
    uint64_t offset = 0;
    int status;

    config = pt_config_of(bytes, size);
    decoder = pt_pkt_alloc_decoder(&config);
    if (!decoder)
        out_of_memory();
    while (pt_pkt_sync_forward(decoder) >= 0) {
        if (!count.psbs)
            pt_pkt_get_offset(decoder, &count.skipped);
        while ((status = pt_pkt_next(decoder, &packet, sizeof(packet))) > 0)
            count_packet(&count, &packet);
        if (status == -pte_eos)
            break;
        pt_pkt_get_offset(decoder, &offset);
        count.wrong_at = count.wrong++ ? count.wrong_at : offset;
    }
    if (!count.psbs)
        count.skipped = size;
    pt_pkt_free_decoder(decoder);
    return count;
}
