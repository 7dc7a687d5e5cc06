/*
 * peer8.c - an explicit two-step peer method of order 8 in eight stages. The numbers, and
 * where they come from: peer8.def.
 *
 * Its steps are about as long as those of rk86, with eight evaluations for thirteen. An
 * event takes one more, on the extension, but the step after it is one of rk86, with
 * seven evaluations more for what the next builds on. So it gains most where arcs are
 * long. With equal steps x' = z x decays for z h from -1.4 to 0 (rk86: from -6.6), and
 * hardly grows for z h up to 0.6 i; with steps 1.2 times as long as the one before, for
 * half of that.
 */
#include "methods.h"
#include "peer.h"

#define ROWS "peer8.def"
#include "erk_rows.h"

static const slope_table past = {
#define PAST(m, i, ...) [m][(i) - 1] = { __VA_ARGS__ },
#include ROWS
};

static const struct pair pair = {
    .end = PEER_STAGES, .slopes = PEER_SLOPES, .terms = 9, .errors = 2, .inner = { 3, 5 },
    .node = nodes, .plain = &plain_rows, WIDE_ROWS,
};

static const struct peer peer = {
    .pair = &pair, .past = &past, .growth = 2,
    .start = &integrator_rk86, .start_last = 16, .start_more = 4,
};

static void *alloc(int dim)
{
    return peer_alloc(&peer, dim);
}

/*
 * Errors: h^7, times its ratio to h^5, makes the whole of order h^9; of a start (rk86.c)
 * h^8.
 *
 * An error depends on the ratio of two steps, too: a control that thinks of lengths alone
 * overshoots. So it remembers more of the last error than others do, and takes less of
 * the step that would just do. With 0.2 and 0.78 the same error took 1 % more evaluations
 * on average over cases, with 0.9 of that step many were refused. How long the step after
 * a start may be, slopes of the start tell by the same differences; its own error is that
 * of another method and tells less: by that it took 0.4 % more evaluations on average.
 *
 * Nodes are those of its own steps, beside which singular_stepping.c places singular
 * configurations; a start evaluates elsewhere.
 */
const struct integrator integrator_peer8 = {
    .name = "peer8",
    .title = "two-step peer method of order 8 in 8 stages, extension of order 8",
    .source = "peer8.def",
    .order = 8,
    .errors = 2,
    .evaluations = 8,
    .node = nodes,
    .nodes = PEER_STAGES + 1,
    .alloc = alloc,
    .release = peer_release,
    .restart = peer_restart,
    .interrupt = peer_interrupt,
    .growth = 1.5,
    .safety = 0.84,
    .first_step = 0.84,
    .errors_of_first = peer_errors_of_first,
    .second_step = 0.95,
    .memory = 0.35,
    .step = peer_step,
    .second = 1,
    .prepare = peer_prepare,
    .dense = peer_dense,
    .dense_order = 8,
    .solves_inside = true,
    .inside = peer_inside,
};
