/* sampled_windows.h */
#include "sampled_windows.h"

#include "branch.h"

/* As many transfers of the expected trace as the piece has, the oldest at `first`. */
struct window {
    struct transfer at[PIECE_MAX];
    size_t first, count;
};

struct sampled_segment {
    struct transfer at[PIECE_MAX];
    size_t count;
    bool parted; /* a gap comes after it */
};

/* Reads the next piece; false at the end.  Two gaps in a row give an empty piece. */
static bool read_piece(struct source *got, size_t size, struct sampled_segment *piece)
{
    bool expected = piece->parted;
    struct transfer t;

    piece->count = 0;
    piece->parted = false;
    while (piece->count <= size && !piece->parted && got->next(got, &t)) {
        piece->parted = t.to == BRANCH_UNKNOWN;
        if (!piece->parted)
            piece->at[piece->count++] = t;
    }
    return expected || piece->parted || piece->count > 0;
}

static bool slide(struct window *window, struct source *want, size_t count)
{
    struct transfer t;

    if (window->count == count) {
        window->first = (window->first + 1) % PIECE_MAX;
        window->count--;
    }
    while (window->count < count && want->next(want, &t))
        window->at[(window->first + window->count++) % PIECE_MAX] = t;
    return window->count == count;
}

static size_t fits(const struct window *window, const struct sampled_segment *piece)
{
    size_t i = 0;

    while (i < window->count && i < piece->count) {
        const struct transfer *w = &window->at[(window->first + i) % PIECE_MAX];

        if (w->from != piece->at[i].from || w->to != piece->at[i].to)
            break;
        i++;
    }
    return i;
}

/* Notes what the expected trace has in place of the first record that does not fit. */
static void note(struct sampled_result *found, const struct window *window,
                 const struct sampled_segment *piece, size_t fitting)
{
    found->number = fitting + 1;
    found->nowhere = fitting == 0;
    found->got = piece->at[fitting];
    found->ended = fitting == window->count;
    found->want = window->at[(window->first + fitting) % PIECE_MAX];
}

/* Finds the piece in the expected trace from here on; `want` then continues after it. */
static bool place(const struct sampled_segment *piece, struct source *want,
                  struct sampled_result *found)
{
    struct window window = { .first = 0 };
    size_t best = 0;
    bool more, noted = false;

    if (!piece->count)
        return true;
    do {
        more = slide(&window, want, piece->count);
        size_t fitting = fits(&window, piece);
        if (fitting == piece->count)
            return true;
        if (fitting > best || !noted)
            note(found, &window, piece, best = fitting);
        noted = true;
    } while (more);
    return false;
}

static struct sampled_result wrong_at(struct sampled_result found, uint64_t before)
{
    found.wrong = true;
    found.index = before + (found.number ? found.number - 1 : 0);
    return found;
}

struct sampled_result sampled_windows_check(struct source *got, struct source *want,
                                            size_t size, uint64_t may_be_short)
{
    struct sampled_result found = { .wrong = false };
    struct sampled_segment piece = { .count = 0 };
    uint64_t before = 0; /* records up to this piece, gaps too */

    if (size >= PIECE_MAX)
        size = PIECE_MAX - 1;
    got->rewind(got);
    want->rewind(want);
    while (read_piece(got, size, &piece)) {
        const bool is_short = piece.count < size && (piece.parted || !piece.count);

        found.too_long = piece.count > size;
        found.early = is_short && !may_be_short;
        found.number = piece.count;
        if (found.too_long || found.early || !place(&piece, want, &found))
            return wrong_at(found, before);
        may_be_short -= is_short;
        before += piece.count + piece.parted;
        found.pieces++;
        found.full += piece.count == size;
        found.rest = piece.count == size ? 0 : piece.count;
    }
    return found;
}
