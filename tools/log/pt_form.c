/*
 * pt_form.h.  SDM vol. 3C, "Intel Processor Trace", "Packet Definitions": each packet's
 * table says what switches it on, and "PSB Packet" which packets belong to a boundary.
 */
#include "pt_form.h"

#include <intel-pt.h>

#include "heap.h"
#include "pt_bits.h"

struct form_reader {
    const uint8_t *bytes;
    struct pt_form form;
    bool in_psb; /* after PSB, before PSBEND */
    bool psb_ip; /* with FUP */
    bool after_ovf;
    bool after_fup;   /* outside of boundaries: the next packet of a branch belongs to it */
    uint64_t mode_at; /* of MODE.Exec right before this packet; size: there is none */
};

static bool has_transaction(const struct pt_packet *packet)
{
    const struct pt_packet_mode *mode = &packet->payload.mode;

    return mode->leaf == pt_mol_tsx && (mode->bits.tsx.intx || mode->bits.tsx.abrt);
}

/* The kinds of packets that the method never switches on. */
static const char *const names_of_off[] = {
    [ppt_tsc] = "TSC",     [ppt_tma] = "TMA",        [ppt_mtc] = "MTC",
    [ppt_cyc] = "CYC",     [ppt_stop] = "TraceStop", [ppt_exstop] = "EXSTOP",
    [ppt_mwait] = "MWAIT", [ppt_pwre] = "PWRE",      [ppt_pwrx] = "PWRX",
    [ppt_ptw] = "PTW",
};

/* The name of a packet that was not switched on, or NULL. */
static const char *name_of_off(const struct form_reader *reader,
                               const struct pt_packet *packet)
{
    const struct pt_packet_mode *mode = &packet->payload.mode;

    if (packet->type < ppt_pad || packet->type > ppt_ptw) /* of a newer libipt */
        return "one of an unknown kind";
    if (packet->type != ppt_mode || mode->leaf == pt_mol_exec)
        return names_of_off[packet->type];
    /* A boundary repeats the state, in which there is no transaction. */
    return reader->in_psb && !has_transaction(packet) ? NULL : "MODE.TSX";
}

static bool is_of_branch(enum pt_packet_type type)
{
    return type == ppt_tnt_8 || type == ppt_tnt_64 || type == ppt_tip || type == ppt_fup ||
           type == ppt_tip_pge || type == ppt_tip_pgd;
}

/* An address is whole after a PSB, which clears the one before it. */
static void read_psb_fup(struct pt_form *form, const struct pt_packet_ip *place)
{
    form->psb_fup = true;
    if (place->ipc == pt_ipc_suppressed)
        return;
    form->psb_least =
        form->psb_most && form->psb_least < place->ip ? form->psb_least : place->ip;
    form->psb_most = form->psb_most > place->ip ? form->psb_most : place->ip;
}

/* Packets of a branch end a boundary, and so does OVF instead of PSBEND. */
static void read_in_psb(struct form_reader *reader, const struct pt_packet *packet,
                        uint64_t at)
{
    struct pt_form *form = &reader->form;

    if (packet->type == ppt_fup) {
        if (!form->is_on)
            read_psb_fup(form, &packet->payload.ip);
        reader->psb_ip = true;
        return;
    }
    reader->in_psb = packet->type != ppt_psbend && packet->type != ppt_ovf;
    if (!is_of_branch(packet->type) && packet->type != ppt_psb)
        return;
    if (!form->psb_open)
        form->psb_open_at =
            packet->type == ppt_tip_pge && reader->mode_at < at ? reader->mode_at : at;
    form->psb_open = true;
    reader->in_psb = packet->type == ppt_psb;
}

static enum pt_after after_of(enum pt_packet_type type)
{
    return type == ppt_fup || type == ppt_tip_pge || type == ppt_psb ? PT_AFTER_PLACE
           : type == ppt_tip_pgd                                     ? PT_AFTER_END
                                                                     : PT_AFTER_OTHER;
}

/* Of an OVF the first packet that is of a branch, or a boundary, says where it goes on. */
static void read_after_ovf(struct form_reader *reader, enum pt_packet_type type,
                           uint64_t at)
{
    if (!is_of_branch(type) && type != ppt_psb)
        return;
    if (reader->form.overflows == 1) {
        reader->form.after = after_of(type);
        reader->form.ovf_psb = type == ppt_psb ? at : 0;
    }
    reader->form.is_on |= type == ppt_fup;
    reader->after_ovf = false;
}

static uint64_t not_taken_in(const struct pt_packet *packet)
{
    const struct pt_packet_tnt *tnt = &packet->payload.tnt;

    return tnt->bit_size - (uint64_t)__builtin_popcountll(tnt->payload);
}

/* MODE.Exec has CS.L, CS.D and IF, and MODE.TSX two bits; libipt passes over the others. */
static bool has_reserved_bits(const struct form_reader *reader,
                              const struct pt_packet *packet, uint64_t at)
{
    const uint8_t reserved = packet->payload.mode.leaf == pt_mol_tsx ? 0x1c : 0x18;

    return packet->type == ppt_mode && reader->bytes[at + 1] & reserved;
}

/* Why the packet cannot be here, whatever the code is; or NULL. */
static const char *why_misplaced(const struct form_reader *reader,
                                 const struct pt_packet *packet, uint64_t at)
{
    const enum pt_packet_type type = packet->type;

    if (has_reserved_bits(reader, packet, at))
        return "it has reserved bits set";
    if (type == ppt_psbend)
        return !reader->in_psb                         ? "it ends no PSB+"
               : reader->form.is_on && !reader->psb_ip ? "the PSB+ before it has no FUP"
                                                       : NULL;
    if (reader->in_psb || !is_of_branch(type))
        return NULL;
    if (reader->after_fup && type != ppt_tip && type != ppt_tip_pgd)
        return "the FUP before it needs TIP or TIP.PGD";
    return reader->form.is_on || type == ppt_tip_pge ? NULL : "packet generation is off";
}

/* Packets that are of no branch: what they say, and whether they may be here. */
static void read_state(struct pt_form *form, const struct pt_packet *packet, uint64_t at)
{
    const uint64_t cr3 = packet->payload.pip.cr3;

    if (packet->type == ppt_tip_pgd || packet->type == ppt_tip_pge)
        form->ended_at = 0;
    else if (packet->type != ppt_pad && !form->ended_at && form->begins && !form->is_on)
        form->ended_at = at;
    if (packet->type == ppt_psb && form->psbs && at - form->last_psb < PT_PSB_NEAR) {
        form->soon++;
        form->soon_at = at;
    }
    if (packet->type == ppt_vmcs && !form->vmcs_at)
        form->vmcs_at = at;
    if (packet->type != ppt_pip)
        return;
    if (form->has_cr3 && cr3 != form->cr3 && !form->other_at)
        form->other_at = at;
    form->cr3 = form->has_cr3 ? form->cr3 : cr3;
    form->has_cr3 = true;
}

static bool is_of_compat(const struct pt_packet *packet)
{
    return packet->type == ppt_mode && packet->payload.mode.leaf == pt_mol_exec &&
           !packet->payload.mode.bits.exec.csl;
}

static void read_packet(struct form_reader *reader, const struct pt_packet *packet,
                        uint64_t at)
{
    struct pt_form *form = &reader->form;
    const char *off = name_of_off(reader, packet);
    const bool was_in_psb = reader->in_psb;
    const char *why;

    if (off && !form->off) {
        form->off = off;
        form->off_at = at;
    }
    why = why_misplaced(reader, packet, at);
    if (why && !form->misplaced && !form->overflows) {
        form->misplaced = why;
        form->misplaced_at = at;
    }
    read_state(form, packet, at);
    if (is_of_compat(packet) && !form->compat_at && (form->is_on || !reader->in_psb))
        form->compat_at = at;
    if (reader->after_ovf)
        read_after_ovf(reader, packet->type, at);
    if (reader->in_psb)
        read_in_psb(reader, packet, at);
    form->idle += was_in_psb || !is_of_branch(packet->type) ? packet->size : 0;
    if (!was_in_psb && is_of_branch(packet->type))
        reader->after_fup = packet->type == ppt_fup;
    if (packet->type == ppt_tnt_8 || packet->type == ppt_tnt_64)
        form->not_taken += not_taken_in(packet);
    if (packet->type == ppt_psb) {
        form->psbs++;
        form->last_psb = at;
        reader->in_psb = true;
        reader->psb_ip = false;
    } else if (packet->type == ppt_ovf) {
        form->ovf_at = form->overflows++ ? form->ovf_at : at;
        reader->after_ovf = true;
    } else if (packet->type == ppt_tip_pge || packet->type == ppt_tip_pgd) {
        form->is_on = packet->type == ppt_tip_pge;
        form->begins += form->is_on;
    }
    reader->mode_at = packet->type == ppt_mode ? at : form->size;
}

struct pt_form pt_form_of(const uint8_t *bytes, size_t size)
{
    struct form_reader reader = { .bytes = bytes,
                                  .form = { .size = size },
                                  .mode_at = size };
    struct pt_config config = pt_config_of(bytes, size);
    struct pt_packet_decoder *decoder = pt_pkt_alloc_decoder(&config);
    struct pt_packet packet;
    int status;

    if (!decoder)
        out_of_memory();
    pt_pkt_sync_set(decoder, 0);
    while ((status = pt_pkt_next(decoder, &packet, sizeof(packet))) > 0) {
        read_packet(&reader, &packet, reader.form.fits);
        reader.form.fits += (uint64_t)status;
    }
    reader.form.psb_cut = reader.in_psb;
    reader.form.cut = status == -pte_eos && reader.form.fits < size;
    pt_pkt_free_decoder(decoder);
    return reader.form;
}
