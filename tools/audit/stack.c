/*
 * Neighbours: the code must run straight from the older record's TO to the newer one's
 * FROM. If it cannot, the records around them show what happened.
 */
#include "audit.h"

#define ORDER_LEAST 4 /* branches of a stack that show its order */

/* Asks walk.c, and keeps its answer: most pairs of places come again. */
enum gap straight_between(struct audit *audit, uint64_t first, uint64_t from)
{
    struct kept_straight *kept = &audit->kept_straights[kept_slot(first, from)];
    unsigned hidden = audit->recording.hidden;

    if (audit->recording.user_only) /* branches into the kernel and back are not recorded */
        hidden |= 1u << KIND_FAR | 1u << KIND_INT | 1u << KIND_IRET;
    if (kept->first != first || kept->from != from || !first)
        *kept = (struct kept_straight){
            first, from, walk_straight(&audit->images.code, hidden, first, from)
        };
    return kept->gap;
}

/* True if the code between two neighbours begins and ends in the given files. */
static bool is_pair(const struct audit *audit, const struct judged *older,
                    const struct judged *newer)
{
    return place_is_code(&audit->images, older->led) &&
           place_is_code(&audit->images, newer->left) && newer->fit != BRANCH_ABORT;
}

static enum gap between(struct audit *audit, const struct judged *older,
                        const struct judged *newer)
{
    if (!is_pair(audit, older, newer))
        return GAP_NO_CODE;
    return straight_between(audit, older->led, newer->left);
}

static bool joined(struct audit *audit, const struct judged *older,
                   const struct judged *newer)
{
    return between(audit, older, newer) == GAP_NONE;
}

static bool same_ends(const struct judged *a, const struct judged *b)
{
    return a->from == b->from && a->to == b->to;
}

/* True if all is in order when at[n] and at[n - 1] change places. */
static bool newer_exchanged(struct audit *audit, const struct judged *at, size_t n)
{
    return n >= 1 && joined(audit, &at[n + 1], &at[n - 1]) &&
           joined(audit, &at[n - 1], &at[n]) &&
           (n < 2 || joined(audit, &at[n], &at[n - 2]));
}

/* The same for at[n + 1] and at[n], between the records around them. */
static bool both_exchanged(struct audit *audit, const struct judged *at, size_t n,
                           size_t count)
{
    return count > 2 && joined(audit, &at[n], &at[n + 1]) &&
           (n + 2 == count || joined(audit, &at[n + 2], &at[n])) &&
           (n == 0 || joined(audit, &at[n + 1], &at[n - 1]));
}

/* Names the damage at the pair at[n + 1], at[n].  Returns how many pairs it explains. */
static size_t name_damage(struct audit *audit, const struct judged *at, size_t n,
                          size_t count)
{
    enum flaw flaw = FOUND_LOST;
    size_t pairs = 1;

    if (newer_exchanged(audit, at, n)) {
        flaw = FOUND_EXCHANGED;
        pairs = 3;
    } else if (both_exchanged(audit, at, n, count)) {
        flaw = FOUND_EXCHANGED;
        pairs = 2;
    } else if (same_ends(&at[n], &at[n + 1])) {
        flaw = n == 0 && !audit->oldest_first ? FOUND_DOUBLED_NEWEST : FOUND_DOUBLED;
        audit->copies_with_other_cycles +=
            flaw == FOUND_DOUBLED_NEWEST && at[0].branch->cycles != at[1].branch->cycles;
    }
    found_pair(audit, flaw, &at[n + 1], &at[n], n);
    return pairs;
}

/* True if the stack makes sense from its other end. */
static bool is_reversed(struct audit *audit, const struct judged *at, size_t count,
                        size_t broken)
{
    if (2 * broken < count) /* a small loop makes sense both ways */
        return false;
    for (size_t n = 0; n + 1 < count; n++)
        if (!joined(audit, &at[n], &at[n + 1]))
            return false;
    return count >= ORDER_LEAST;
}

static bool is_rotated(struct audit *audit, const struct judged *at, size_t count,
                       size_t broken_at)
{
    return count >= ORDER_LEAST && (broken_at == 0 || broken_at == count - 2) &&
           !same_ends(&at[broken_at], &at[broken_at + 1]) &&
           joined(audit, &at[0], &at[count - 1]);
}

/* Counts the pairs, and those that are broken; *last: the oldest of these. */
static size_t count_pairs(struct audit *audit, const struct judged *at, size_t count,
                          size_t *last)
{
    size_t broken = 0;

    for (size_t n = 0; n + 1 < count; n++) {
        const struct judged *newer = &at[n], *older = &at[n + 1];
        enum gap gap = between(audit, older, newer);

        if (gap == GAP_FILTERED)
            audit->pairs_filtered++;
        if (!place_is_code(&audit->images, older->to) &&
            !place_is_code(&audit->images, newer->from)) {
            audit->blind_pairs++;
            audit->blind_near +=
                newer->branch->from - older->branch->to < (uint64_t)NEAR_BYTES;
        }
        if (gap != GAP_NONE && gap != GAP_UNRECORDED)
            continue;
        audit->checked[RULE_STRAIGHT]++;
        audit->checked[RULE_ORDER]++;
        if (gap == GAP_UNRECORDED) {
            broken++;
            *last = n;
        } else if (!place_is_code(&audit->images, newer->to) ||
                   !place_is_code(&audit->images, older->from)) {
            audit->opposite_unknown++;
        } else {
            audit->opposite_impossible +=
                straight_between(audit, newer->to, older->from) == GAP_UNRECORDED;
        }
    }
    return broken;
}

/* True if the code can show whether the newest record is a copy, or it differs anyway. */
static bool newest_is_logged(struct audit *audit, const struct judged *at, size_t count)
{
    enum gap gap;

    if (audit->oldest_first || count < 2)
        return false;
    gap = between(audit, &at[1], &at[0]);
    return !same_ends(&at[0], &at[1]) || gap == GAP_NONE || gap == GAP_UNRECORDED;
}

static void judge_straight(struct audit *audit, size_t count)
{
    const struct judged *at = audit->judged;
    size_t last = 0, broken = count_pairs(audit, at, count, &last), n;

    audit->broken_pairs += broken;
    audit->checked[RULE_NEWEST] += newest_is_logged(audit, at, count);
    if (!broken)
        return;
    if (is_reversed(audit, at, count, broken)) {
        found_pair(audit, FOUND_REVERSED, &at[1], &at[0], 0);
        return;
    }
    if (broken == 1 && !audit->oldest_first && is_rotated(audit, at, count, last)) {
        found_pair(audit, FOUND_ROTATED, &at[last + 1], &at[last], last);
        return;
    }
    for (n = last + 1; n-- > 0;)
        if (between(audit, &at[n + 1], &at[n]) == GAP_UNRECORDED) {
            size_t pairs = name_damage(audit, at, n, count);

            n -= pairs - 1 < n ? pairs - 1 : n;
        }
}

/* True if a function can reach another one without a call: by a jump, or at its end. */
static bool can_jump(struct audit *audit, const struct name *from, const struct name *to)
{
    const struct code_insn *insn;
    uint64_t at = from->begin;

    for (; at < from->end && (insn = code_at(&audit->images.code, at));
         at = code_next(insn))
        if (insn->kind == KIND_IJMP ||
            (insn->direct && insn->kind != KIND_CALL && insn->target >= to->begin &&
             insn->target < to->end))
            return true;
    return at == to->begin;
}

static bool can_jump_kept(struct audit *audit, const struct name *from,
                          const struct name *to)
{
    struct kept_jump *kept = &audit->kept_jumps[kept_slot(from->begin, to->begin)];

    if (kept->from != from->begin || kept->to != to->begin)
        *kept = (struct kept_jump){ from->begin, to->begin, can_jump(audit, from, to) };
    return kept->jumps;
}

/* In call-stack mode the newer call must be in the function that the older one entered. */
static void judge_nested(struct audit *audit, size_t count)
{
    for (size_t n = 0; n + 1 < count; n++) {
        const struct judged *newer = &audit->judged[n], *older = &audit->judged[n + 1];
        const struct name *entered = place_function(&audit->images, older->to);
        const struct name *calls = place_function(&audit->images, newer->from);

        if (!is_pair(audit, older, newer))
            continue;
        if (is_plt(audit, older->to)) { /* its jump is not recorded */
            audit->after_plt++;
            continue;
        }
        if (!entered || !calls)
            continue;
        audit->checked[RULE_NESTED]++;
        if (entered->begin != calls->begin && !can_jump_kept(audit, entered, calls))
            found_pair(audit, FOUND_OTHER_FUNCTION, older, newer, n);
    }
}

void judge_neighbours(struct audit *audit, size_t count)
{
    if (audit->recording.call_stack)
        judge_nested(audit, count);
    else
        judge_straight(audit, count);
}
