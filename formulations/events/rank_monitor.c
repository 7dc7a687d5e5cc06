/*
 * rank_monitor.c - rank monitor: the distance of the constraints from being dependent,
 * followed along an arc, and whether they still tell branches of the motion apart.
 *
 * Where two branches of the motion cross, Phi_q loses rank and the least pivot falls to
 * zero linearly. On the way straight through, the pivot would change its sign if it had
 * one, and is followed as if it had. Constraints that are violated by eps do not meet: of
 * two crossing lines x y = 0 they make the hyperbola x y = eps, on which the motion turns
 * from the one branch into the other, smoothly if steps are short enough, and the pivot
 * only comes down to its vertex, where
 *
 *     margin^2 = 2 c eps,     c: the change of the margin over a distance of one.
 *
 * The Newton-Kantorovich theorem has this bound, too, below which Newton's method need
 * not find the point that belongs to this branch. A mechanism that passes beside a
 * singular configuration, its bars a little too long, turns likewise with a much larger
 * margin. So a margin that turns around below a multiple of the bound says nothing about
 * the motion.
 *
 * For many constraints the least singular value of Phi_q is followed, whose cost grows
 * with their number and not with its cube. The singular value falls to zero with the
 * least pivot.
 *
 * A step that goes across has been checked by the error control, to which another branch
 * is an error as large as the step is wide. The check counts only where that error is
 * much larger than the tolerance.
 */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/largest.h"
#include "base/memory.h"
#include "events/hybrid.h"
#include "projection/rows.h"
#include "simd/one_row.h"

#include "events/step_kernel.h"

/*
 * From MANY constraints on the singular value is followed. The table has microseconds of
 * a step of index 1 with two derivatives, rtol 1e-8:
 *
 *     constraints                 pivots  singular value
 *      20 pendulum-chain-20         19.0            21.8
 *      28 pendulum-chain-28         32.4            31.8
 *      29 four-bar-14               24.9            22.9
 *      32 pendulum-chain-32         38.1            37.6
 *      40 pendulum-chain-40         57.7            50.7
 *      41 four-bar-20               47.0            44.4
 *      49 four-bar-24               74.7            39.0
 *      60 pendulum-chain-60          111            73.5
 *     121 four-bar-60                510             105
 *
 * To begin an arc costs more by the singular value, so that the table is not decisive
 * where the columns are close to each other.
 */
enum { MANY = 40 };

void rank_monitor_init(struct rank_monitor *margin, struct arena *arena,
                       const struct model *model)
{
    *margin = (struct rank_monitor){.modes = model->modes};
    if (model->m == 0)
        return;
    margin->qr = arena_new(arena, model->modes, sizeof *margin->qr);
    margin->least = arena_new(arena, model->modes, sizeof *margin->least);
    margin->apart = arena_new(arena, model->modes, sizeof *margin->apart);
    int most = 0;
    for (int k = 0; k < model->modes; k++) {
        const struct entries *at = &model->mode[k]->Phi_q_entries;
        row_groups_init(&margin->apart[k], model->mode[k]->m, model->n, at);
        most = at->count > most ? at->count : most;
    }
    margin->Phi_q = arena_new(arena, most, sizeof *margin->Phi_q);
    margin->unit = arena_new(arena, most, sizeof *margin->unit);
    margin->scaled = arena_new(arena, most, sizeof *margin->scaled);
    margin->column = arena_new(arena, model->n + model->m, sizeof *margin->column);
    margin->all = arena_new(arena, model->m, sizeof *margin->all);
    for (int i = 0; i < model->m; i++)
        margin->all[i] = i;
    margin->size = arena_new(arena, model->m, sizeof *margin->size);
    margin->q = arena_new(arena, model->n, sizeof *margin->q);
}

void rank_monitor_renew(struct rank_monitor *margin)
{
    for (int k = 0; margin->least && k < margin->modes; k++)
        least_singular_clear(&margin->least[k]);
}

void rank_monitor_clear(struct rank_monitor *margin)
{
    rank_monitor_renew(margin);
    for (int k = 0; margin->qr && k < margin->modes; k++) {
        if (margin->qr[k].qr)
            rank_qr_clear(&margin->qr[k]);
        row_groups_clear(&margin->apart[k]);
    }
}

/* A margin below this part of its largest value on the arc counts as near zero. */
static const double near_zero = 0.1;

bool rank_monitor_is_near(const struct rank_monitor *margin)
{
    return margin->value < near_zero * margin->largest;
}

/* The change of Phi_q, as a matrix, up to which nothing needs noting. Singular values
   change by no more than Phi_q does, and pivots by little more: so far the least of them
   does not come near zero, or loses no more than half. Where the margin places steps the
   last slope counts, and the reach is zero. */
static double reach(const struct rank_monitor *margin)
{
    static const double small = 0.5;
    double half = small * margin->value;
    double above = margin->value - near_zero * margin->largest;
    if (margin->rank == 0)
        return INFINITY;
    return margin->places_steps ? 0 : larger(half, above) * margin->first;
}

/* The sum of squares of all entries of now - before, in units of 1 / unit. */
INLINE void sum_squares(int count, const double *now, const double *before,
                        const double *unit, double *sum)
{
    pack squares = {0};
    int k = 0;
    for (; k + PACK <= count; k += PACK) {
        pack change = *(const pack *)(now + k) - *(const pack *)(before + k);
        pack d = change * *(const pack *)(unit + k);
        squares += d * d;
    }
    *sum = (squares[0] + squares[1]) + (squares[2] + squares[3]);
    for (; k < count; k++) {
        double d = (now[k] - before[k]) * unit[k];
        *sum += d * d;
    }
}

SIMD_WIDEST(widest_squares, sum_squares,
            (int count, const double *now, const double *before, const double *unit,
             double *sum),
            (count, now, before, unit, sum))

static double change_squared(const struct rank_monitor *margin,
                             const struct step_monitors *monitors)
{
    return one_change_squared(&margin->apart[monitors->mode->index],
                              monitors->mode->Phi_q_entries.begin, monitors->Phi_q,
                              margin->Phi_q, margin->unit, 0);
}

/* Is Phi_q so near to the matrix noted last that no factorisation is needed? The sum of
   squares costs less than the sharper bound by row groups, and is tried first. Beside a
   singular configuration every step needs a factorisation. */
static bool as_before(const struct rank_monitor *margin,
                      const struct step_monitors *monitors)
{
    double most = margin->reach * margin->reach, squares;
    widest_squares(monitors->mode->Phi_q_entries.count, monitors->Phi_q, margin->Phi_q,
                   margin->unit, &squares);
    return squares < most || change_squared(margin, monitors) < most;
}

/* Takes Phi_q from the monitors: the columns in units of the coordinates, the rows in
   units of the largest entry that they have had on this arc. */
static void take_matrix(struct rank_monitor *margin, const struct step_monitors *monitors)
{
    const struct entries *at = &monitors->mode->Phi_q_entries;
    for (int i = 0; i < monitors->mode->m; i++) {
        double size = margin->size[i];
        for (int k = at->begin[i]; k < at->begin[i + 1]; k++) {
            margin->Phi_q[k] = monitors->Phi_q[k];
            margin->scaled[k] = monitors->Phi_q[k] * margin->column[at->column[k]];
            size = larger(size, fabs(margin->scaled[k]));
        }
        margin->size[i] = size;
        for (int k = at->begin[i]; k < at->begin[i + 1]; k++)
            margin->unit[k] = margin->column[at->column[k]] / size;
    }
}

static double least_value(struct rank_monitor *margin,
                          const struct step_monitors *monitors)
{
    struct least_singular *least = &margin->least[monitors->mode->index];
    double value = least_singular_value(least, margin->scaled, margin->size);
    margin->first = least->longest;
    return value;
}

static const struct rank_qr *factor(struct rank_monitor *margin,
                                    const struct step_monitors *monitors)
{
    struct rank_qr *qr = &margin->qr[monitors->mode->index];
    rank_qr_factor_entries(qr, &monitors->mode->Phi_q_entries, margin->scaled,
                           margin->size);
    margin->first = fabs(gsl_matrix_get(qr->qr, 0, 0));
    return qr;
}

/* The number of pivots that do not count as zero. */
static int independent(const struct rank_qr *qr)
{
    int rank = 0;
    while (rank < qr->rank && rank_qr_pivot(qr, rank) >= rank_full)
        rank++;
    return rank;
}

static double value_at(struct rank_monitor *margin, const struct step_monitors *monitors)
{
    take_matrix(margin, monitors);
    if (margin->sparse)
        return least_value(margin, monitors);
    const struct rank_qr *qr = factor(margin, monitors);
    int rank = independent(qr);
    margin->grown = rank > margin->rank ? rank : margin->grown;
    return rank_qr_pivot(qr, margin->rank - 1);
}

/* Finds the rank at the start of an arc, and follows the singular value if that shows all
   of many constraints to be independent, else the pivots. Returns the first value. */
static double begin(struct rank_monitor *margin, const struct step_monitors *monitors)
{
    struct least_singular *least = &margin->least[monitors->mode->index];
    struct rank_qr *qr = &margin->qr[monitors->mode->index];
    double value = 0;
    take_matrix(margin, monitors);
    int m = monitors->mode->m, n = monitors->n;
    if (m >= MANY && m <= n) {
        if (!least->y)
            least_singular_init(least, m, n, &monitors->mode->Phi_q_entries);
        value = least_value(margin, monitors);
    }
    margin->sparse = value >= rank_full;
    margin->rank = margin->sparse ? m : 0;
    if (margin->sparse)
        return value;
    if (!qr->qr)
        rank_qr_init(qr, m, n);
    margin->rank = independent(factor(margin, monitors));
    return margin->rank > 0 ? rank_qr_pivot(qr, margin->rank - 1) : 0;
}

/* Does an arc begin in the configuration in which the last one ended? An impact changes
   velocities alone; the notes at margin->t are then still valid. */
static bool goes_on(const struct rank_monitor *margin,
                    const struct step_monitors *monitors)
{
    return margin->rank > 0 && margin->mode == monitors->mode &&
           as_before(margin, monitors);
}

static void enter(struct rank_monitor *margin, double t, const double *x,
                  const struct step_monitors *monitors, struct constraints *constraints)
{
    const struct rows rows = {monitors->mode->m, margin->all, &constraints->Phi_q};
    int n = monitors->n;
    margin->rank = 0;
    margin->mode = monitors->mode;
    if (!margin->qr || monitors->mode->m == 0)
        return;
    constraints_at(constraints, t, x, x + n, x + 2 * n);
    rows_units_where_uneven(constraints, &rows, margin->q, margin->column);
    memset(margin->size, 0, (size_t)monitors->mode->m * sizeof *margin->size);
    margin->value = begin(margin, monitors);
    if (margin->rank == 0)
        return;
    margin->t = t;
    margin->largest = margin->value;
    margin->violation = 0;
    memory_copy(margin->q, x, n, sizeof *x);
}

void rank_monitor_restart(struct rank_monitor *margin, double t, const double *x,
                          const struct step_monitors *monitors,
                          struct constraints *constraints)
{
    bool same = goes_on(margin, monitors);
    margin->slope = margin->bend = 0;
    margin->t_singular = INFINITY;
    margin->t_doubt = NAN;
    margin->grown = 0;
    margin->largest = same ? margin->value : 0;
    if (!same)
        enter(margin, t, x, monitors, constraints);
    margin->reach = reach(margin);
}

/* The distance of q from the constraints, by their residual and by rounding, in units of
   the coordinates. */
static double violation(const struct rank_monitor *margin,
                        const struct step_monitors *monitors, const double *q)
{
    double most = 0;
    for (int j = 0; j < monitors->n; j++)
        most = larger(most, DBL_EPSILON * fabs(q[j]) / margin->column[j]);
    for (int i = 0; i < monitors->mode->m; i++)
        if (!monitors->mode->velocity_level[i] && margin->size[i] > 0)
            most = larger(most, fabs(monitors->Phi[i]) / margin->size[i]);
    return most;
}

/* The largest change of a coordinate, in its unit; q becomes the last point. */
static double distance(struct rank_monitor *margin, const double *q, int n)
{
    double most = 0;
    for (int j = 0; j < n; j++)
        most = larger(most, fabs(q[j] - margin->q[j]) / margin->column[j]);
    memory_copy(margin->q, q, n, sizeof *q);
    return most;
}

/* Constraints that depend on others are left out, or balanced against these. They cease
   to hold where they become independent, however little Phi_q has changed. */
static bool may_have_grown(const struct rank_monitor *margin,
                           const struct step_monitors *monitors)
{
    static const double doubtful = 1e-6;
    return margin->rank < margin->mode->m &&
           violation(margin, monitors, margin->q) > doubtful;
}

bool rank_monitor_holds(const struct rank_monitor *margin, double t,
                        const struct step_monitors *monitors)
{
    return margin->rank == 0 || !(t > margin->t) ||
           (as_before(margin, monitors) && !may_have_grown(margin, monitors));
}

void rank_monitor_note(struct rank_monitor *margin, double t, const double *q,
                       const struct step_monitors *monitors, double rtol)
{
    static const double bound = 20, width = 100;
    double value = value_at(margin, monitors);
    double moved = distance(margin, q, monitors->n);
    bool falling = margin->slope < 0;
    bool across = falling && margin->t_singular < t;
    double before = across ? -margin->value : margin->value;
    double slope = (value - before) / (t - margin->t);
    bool turned = falling && !across && slope > 0;
    if (turned && pow(margin->value, 2) <= bound * margin->bend * margin->violation)
        margin->t_doubt = margin->t;
    if (across && value - before <= width * rtol)
        margin->t_doubt = margin->t_singular;

    double bend = moved > 0 ? fabs(value - before) / moved : 0;
    margin->bend = across || slope > 0 ? bend : larger(margin->bend, bend);
    margin->t_singular = slope != 0 ? t - value / slope : INFINITY;
    margin->slope = slope;
    margin->t = t;
    margin->value = value;
    margin->violation = violation(margin, monitors, q);
    margin->largest = larger(margin->largest, value);
    margin->reach = reach(margin);
}
