/* tube.c - the error of a track along a piece of a step; see tube.h. */
#include "tube.h"

void tube_open(struct tube *tube, struct stage *stage)
{
    int lanes = stage->track->lanes, states = stage->states;
    int unknowns = stage->equations->unknowns;
    *tube = (struct tube){
        .stage = stage,
        .defect = _mag_vec_init(lanes * stage->rows),
        .radius = _mag_vec_init(states),
        .u_radius = _mag_vec_init(unknowns),
        .u_unique = _mag_vec_init(unknowns),
        .u_error = _mag_vec_init(unknowns),
        .error = _mag_vec_init(lanes * states),
        .B = _mag_vec_init((slong)states * states),
        .c = _mag_vec_init(states),
        .term = _mag_vec_init(2 * states),
        .weight = _mag_vec_init(states),
    };
}

void tube_close(struct tube *tube)
{
    int lanes = tube->stage->track->lanes, states = tube->stage->states;
    int unknowns = tube->stage->equations->unknowns;
    _mag_vec_clear(tube->defect, lanes * tube->stage->rows);
    _mag_vec_clear(tube->radius, states);
    _mag_vec_clear(tube->u_radius, unknowns);
    _mag_vec_clear(tube->u_unique, unknowns);
    _mag_vec_clear(tube->u_error, unknowns);
    _mag_vec_clear(tube->error, lanes * states);
    _mag_vec_clear(tube->B, (slong)states * states);
    _mag_vec_clear(tube->c, states);
    _mag_vec_clear(tube->term, 2 * states);
    _mag_vec_clear(tube->weight, states);
}

void tube_rewind(struct tube *tube)
{
    int unknowns = tube->stage->equations->unknowns;
    bounds_zero(tube->u_error, unknowns);
    for (int i = 0; i < unknowns; i++)
        mag_inf(tube->u_unique + i);
}

bool tube_tells_branch(const struct tube *tube, acb_srcptr u)
{
    const struct stage *stage = tube->stage;
    const struct mode_equations *e = stage->equations;
    bool near = true;
    acb_t distance;
    mag_t size;
    if (!e->iterated)
        return true;
    acb_init(distance);
    mag_init(size);
    for (int i = 0; i < e->unknowns; i++) {
        acb_sub(distance, u + i, stage->value + e->a - e->q + i, stage->precision);
        acb_get_mag(size, distance);
        near = near && mag_cmp(size, tube->u_unique + i) <= 0;
    }
    acb_clear(distance);
    mag_clear(size);
    return near;
}

/* --- the box ------------------------------------------------------------------------ */

/* radius [count] = 2^-shrink of the largest of polynomials first .. of the track, or of
   the change that those from `rate` make on the step (rate < 0: none); of 1 if all is
   zero. */
static void choose_kind(const struct stage *stage, int first, int count, int rate,
                        int shrink, mag_ptr radius)
{
    mag_t size, change, span;
    mag_init(size);
    mag_init(change);
    mag_init(span);
    arb_get_mag(span, stage->span);
    for (int i = 0; i < count; i++) {
        acb_get_mag(change, stage->value + first + i);
        mag_max(size, size, change);
        if (rate < 0)
            continue;
        acb_get_mag(change, stage->value + rate + i);
        mag_mul(change, change, span);
        mag_max(size, size, change);
    }
    if (mag_is_zero(size))
        mag_one(size);
    mag_mul_2exp_si(size, size, -shrink);
    for (int i = 0; i < count; i++)
        mag_set(radius + i, size);
    mag_clear(size);
    mag_clear(change);
    mag_clear(span);
}

/* Accelerations in the tail of a pulse may be smaller than any error: their box is that
   of velocities over the step, at least. */
static void widen_accelerations(struct tube *tube)
{
    int n = tube->stage->equations->n;
    mag_t least, span;
    mag_init(least);
    mag_init(span);
    arb_get_mag(span, tube->stage->span);
    for (int i = 0; i < n; i++) {
        mag_div(least, tube->radius + n + i, span);
        mag_max(tube->u_radius + i, tube->u_radius + i, least);
    }
    mag_clear(least);
    mag_clear(span);
}

void tube_choose_box(struct tube *tube, int shrink)
{
    struct stage *stage = tube->stage;
    const struct mode_equations *e = stage->equations;
    int n = e->n, a = 2 * n + e->ns;
    acb_t middle;
    acb_init(middle);
    acb_set_arb(middle, stage->span);
    acb_mul_2exp_si(middle, middle, -1);
    stage_load(stage, middle, NULL, 64);
    choose_kind(stage, 0, n, n, shrink, tube->radius);
    choose_kind(stage, n, n, a, shrink, tube->radius + n);
    for (int i = 0; i < e->ns; i++)
        choose_kind(stage, 2 * n + i, 1, stage->track->s_rate + i, shrink,
                    tube->radius + 2 * n + i);
    choose_kind(stage, a, n, -1, shrink, tube->u_radius);
    widen_accelerations(tube);
    choose_kind(stage, a + n, e->multipliers, -1, shrink, tube->u_radius + n);
    acb_clear(middle);
}

static void widen(acb_t x, const mag_t by, bool both)
{
    arb_add_error_mag(acb_realref(x), by);
    if (both)
        arb_add_error_mag(acb_imagref(x), by);
}

void tube_load(const struct tube *tube, const acb_t time, const arb_t radius,
               slong precision)
{
    struct stage *stage = tube->stage;
    const struct mode_equations *e = stage->equations;
    stage_load(stage, time, radius, precision);
    for (int i = 0; i < stage->states; i++)
        for (int lane = 0; lane < stage->track->lanes; lane++)
            widen(stage->value + lane * stage->track->width + stage_state(stage, i),
                  tube->error + lane * stage->states + i, false);
    for (int i = 0; i < e->unknowns; i++)
        widen(stage->value + e->a - e->q + i, tube->u_error + i, false);
    _acb_vec_set(stage->slot + e->q, stage->value, e->rho - e->q);
    for (int lane = 1; lane < stage->track->lanes; lane++)
        for (int i = 0; i < 2 * e->n + e->ns; i++)
            acb_set(acb_mat_entry(stage->tangents, e->q + i, lane - 1),
                    stage->value + lane * stage->track->width + i);
}

/* --- Jacobians on the box ----------------------------------------------------------- */

/* R_u^-1 times R_x, the identity, and R along the columns; and what follows for rates. */
struct piece {
    acb_mat_t R_u, solved;      /* [unknowns][unknowns]; [unknowns][2n + ns + unknowns +
                                   columns] */
    acb_mat_t f_solved;         /* [ns + nz] rows: f_u times `solved` */
    acb_mat_t given, along, f_along;    /* tangents without a, lambda; R, f along them */
};

static void piece_open(struct piece *piece, const struct stage *stage)
{
    const struct mode_equations *e = stage->equations;
    int columns = stage->track->lanes - 1;
    int all = 2 * e->n + e->ns + e->unknowns + columns;
    acb_mat_init(piece->R_u, e->unknowns, e->unknowns);
    acb_mat_init(piece->solved, e->unknowns, all);
    acb_mat_init(piece->f_solved, e->ns + e->nz, all);
    acb_mat_init(piece->given, e->slots, columns);
    acb_mat_init(piece->along, e->unknowns, columns);
    acb_mat_init(piece->f_along, e->ns + e->nz, columns);
}

static void piece_close(struct piece *piece)
{
    acb_mat_clear(piece->R_u);
    acb_mat_clear(piece->solved);
    acb_mat_clear(piece->f_solved);
    acb_mat_clear(piece->given);
    acb_mat_clear(piece->along);
    acb_mat_clear(piece->f_along);
}

static bool piece_solve(struct piece *piece, const struct stage *stage)
{
    const struct mode_equations *e = stage->equations;
    int x = 2 * e->n + e->ns, columns = stage->track->lanes - 1;
    acb_mat_set(piece->given, stage->tangents);
    for (int i = e->a; i < e->rho; i++)
        for (int j = 0; j < columns; j++)
            acb_zero(acb_mat_entry(piece->given, i, j));
    balls_part(piece->R_u, e->R.by, 0, e->a);
    acb_mat_mul(piece->along, e->R.by, piece->given, 64);
    acb_mat_mul(piece->f_along, e->f.by, piece->given, 64);
    acb_mat_zero(piece->solved);
    for (int i = 0; i < e->unknowns; i++) {
        for (int k = 0; k < x; k++)
            acb_set(acb_mat_entry(piece->solved, i, k),
                    acb_mat_entry(e->R.by, i, e->q + k));
        acb_one(acb_mat_entry(piece->solved, i, x + i));
        for (int j = 0; j < columns; j++)
            acb_set(acb_mat_entry(piece->solved, i, x + e->unknowns + j),
                    acb_mat_entry(piece->along, i, j));
    }
    if (!balls_solve(piece->solved, piece->R_u, piece->solved, 64))
        return false;
    acb_mat_t f_u;
    acb_mat_init(f_u, e->ns + e->nz, e->unknowns);
    balls_part(f_u, e->f.by, 0, e->a);
    acb_mat_mul(piece->f_solved, f_u, piece->solved, 64);
    acb_mat_clear(f_u);
    return true;
}

/* to [unknowns] = |R_u^-1 R_x| x + |R_u^-1| defect */
static void unknowns_error(const struct piece *piece, const struct tube *tube,
                           mag_srcptr x, mag_ptr to)
{
    const struct mode_equations *e = tube->stage->equations;
    int states = 2 * e->n + e->ns;
    mag_t size;
    mag_init(size);
    for (int i = 0; i < e->unknowns; i++) {
        mag_zero(to + i);
        for (int k = 0; k < states + e->unknowns; k++) {
            acb_get_mag(size, acb_mat_entry(piece->solved, i, k));
            mag_addmul(to + i, size, k < states ? x + k : tube->defect + k - states);
        }
    }
    mag_clear(size);
}

/* --- the comparison system ---------------------------------------------------------- */

/* The rate of state i: of q it is v; of v it is a, of s and z it is f. */
static void rate_entry(const struct piece *piece, const struct mode_equations *e, int i,
                       int k, acb_t entry)
{
    int n = e->n;
    if (i < 2 * n) {
        acb_neg(entry, acb_mat_entry(piece->solved, i - n, k));
        return;
    }
    acb_sub(entry, acb_mat_entry(e->f.by, i - 2 * n, e->q + k),
            acb_mat_entry(piece->f_solved, i - 2 * n, k), 64);
}

static void fill_B(struct tube *tube, const struct piece *piece)
{
    const struct mode_equations *e = tube->stage->equations;
    int states = tube->stage->states, x = 2 * e->n + e->ns;
    acb_t entry;
    acb_init(entry);
    bounds_zero(tube->B, states * states);
    for (int i = 0; i < e->n; i++)
        mag_one(tube->B + i * states + e->n + i);
    for (int i = e->n; i < states; i++)
        for (int k = 0; k < x; k++) {
            mag_ptr to = tube->B + i * states + k;
            rate_entry(piece, e, i, k, entry);
            if (i == k && arb_is_nonpositive(acb_realref(entry)))
                mag_zero(to);
            else
                acb_get_mag(to, entry);
        }
    acb_clear(entry);
}

/* c [states] of a lane: the defect of its rates. */
static void fill_c(struct tube *tube, const struct piece *piece, int lane)
{
    const struct mode_equations *e = tube->stage->equations;
    int x = 2 * e->n + e->ns;
    mag_srcptr defect = tube->defect + lane * tube->stage->rows;
    mag_t size;
    mag_init(size);
    bounds_zero(tube->c, tube->stage->states);
    for (int i = e->n; i < tube->stage->states; i++) {
        bool f = i >= 2 * e->n;
        if (f)
            mag_set(tube->c + i, defect + e->unknowns + i - 2 * e->n);
        for (int k = 0; k < e->unknowns; k++) {
            acb_get_mag(size, f ? acb_mat_entry(piece->f_solved, i - 2 * e->n, x + k)
                                : acb_mat_entry(piece->solved, i - e->n, x + k));
            mag_addmul(tube->c + i, size, defect + k);
        }
    }
    mag_clear(size);
}

/* c += D/K of a column, D the diameter of its rate on the box. */
static void add_change(struct tube *tube, const struct piece *piece, int column,
                       const mag_t inverse_K)
{
    const struct mode_equations *e = tube->stage->equations;
    int at = 2 * e->n + e->ns + e->unknowns + column;
    acb_t rate;
    mag_t diameter;
    acb_init(rate);
    mag_init(diameter);
    for (int i = e->n; i < tube->stage->states; i++) {
        if (i < 2 * e->n)
            acb_set(rate, acb_mat_entry(piece->solved, i - e->n, at));
        else
            acb_sub(rate, acb_mat_entry(piece->f_along, i - 2 * e->n, column),
                    acb_mat_entry(piece->f_solved, i - 2 * e->n, at), 64);
        mag_add(diameter, arb_radref(acb_realref(rate)), arb_radref(acb_imagref(rate)));
        mag_mul_2exp_si(diameter, diameter, 1);
        mag_addmul(tube->c + i, diameter, inverse_K);
    }
    acb_clear(rate);
    mag_clear(diameter);
}

/* w_i = sqrt(w_i (h B w)_i): row sums of h B in the weights come closer to one another.
   Without h they would do so in one unit of time only. */
static void balance_weights(struct tube *tube, const mag_t h, int count)
{
    mag_t sum;
    mag_init(sum);
    for (int i = 0; i < count; i++) {
        mag_zero(tube->term + i);
        for (int k = 0; k < count; k++)
            mag_addmul(tube->term + i, tube->B + i * tube->stage->states + k,
                       tube->weight + k);
    }
    for (int i = 0; i < count; i++) {
        mag_mul(sum, tube->term + i, tube->weight + i);
        mag_mul(sum, sum, h);
        if (!mag_is_zero(sum) && mag_is_finite(sum))
            mag_sqrt(tube->weight + i, sum);
    }
    mag_clear(sum);
}

/* Weights of the states, in which terms are measured: any will do, and those of equal row
   sums need the fewest terms. Nothing depends on costs: their change over h. */
static void choose_weights(struct tube *tube, const mag_t h)
{
    enum { BALANCINGS = 4 };
    int states = tube->stage->states, first = states - tube->stage->equations->nz;
    bounds_copy(tube->weight, tube->radius, first);
    for (int k = 0; k < BALANCINGS; k++)
        balance_weights(tube, h, first);
    for (int i = first; i < states; i++) {
        mag_zero(tube->weight + i);
        for (int k = 0; k < first; k++)
            mag_addmul(tube->weight + i, tube->B + i * states + k, tube->weight + k);
        mag_mul(tube->weight + i, tube->weight + i, h);
        if (mag_is_zero(tube->weight + i))
            mag_one(tube->weight + i);
    }
}

/* Number of terms after which those that are left out are below the last one: row sums of
   h B, in the weights, are at most half of it. 0: there would be too many, the box is
   close to a singular point. */
static int terms_of(const struct tube *tube, const mag_t h)
{
    enum { LEAST = 12, MOST = 200 };
    int states = tube->stage->states;
    mag_t sum, most;
    mag_init(sum);
    mag_init(most);
    for (int i = 0; i < states; i++) {
        mag_zero(sum);
        for (int k = 0; k < states; k++)
            mag_addmul(sum, tube->B + i * states + k, tube->weight + k);
        mag_mul(sum, sum, h);
        mag_div(sum, sum, tube->weight + i);
        mag_max(most, most, sum);
    }
    double b = mag_get_d(most);
    mag_clear(sum);
    mag_clear(most);
    return b < MOST ? LEAST + (int)(4 * b) : 0;
}

/* y(h) of y' = B y + c: partial sum of the series, and a bound of what is left out: terms
   beyond number K are at most q^i, q = b/(K + 1) <= 1/2, of the largest component of term
   K over its weight, so that together they are no more than it. */
static void flow(struct tube *tube, const mag_t h, int terms, mag_ptr y)
{
    int states = tube->stage->states;
    mag_ptr now = tube->term, next = tube->term + states;
    mag_t x, most;
    mag_init(x);
    mag_init(most);
    bounds_copy(now, y, states);
    for (int k = 1; k <= terms; k++) {
        for (int i = 0; i < states; i++) {
            mag_zero(next + i);
            for (int j = 0; j < states; j++)
                mag_addmul(next + i, tube->B + i * states + j, now + j);
            mag_mul(next + i, next + i, h);
            mag_div_ui(next + i, next + i, (ulong)k);
            if (k == 1)
                mag_addmul(next + i, tube->c + i, h);
            mag_add(y + i, y + i, next + i);
        }
        mag_ptr other = now;
        now = next;
        next = other;
    }
    for (int i = 0; i < states; i++) {
        mag_div(x, now + i, tube->weight + i);
        mag_max(most, most, x);
    }
    for (int i = 0; i < states; i++)
        mag_addmul(y + i, most, tube->weight + i);
    mag_clear(x);
    mag_clear(most);
}

/* --- a piece ------------------------------------------------------------------------ */

/* Runs the equations on the box about the track over a disk of times. */
static bool run_on_box(struct tube *tube, const acb_t centre, const arb_t half)
{
    struct stage *stage = tube->stage;
    const struct mode_equations *e = stage->equations;
    stage_load(stage, centre, half, 64);
    for (int i = 0; i < 2 * e->n + e->ns; i++)
        widen(stage->slot + e->q + i, tube->radius + i, true);
    for (int i = 0; i < e->unknowns; i++)
        widen(stage->slot + e->a + i, tube->u_radius + i, true);
    return mode_equations_run(stage->equations, stage->slot, true, 64);
}

/* Finds radii of a, lambda so that the box maps into itself: where x moves in its box, u
   stays in its own. */
static bool find_box(struct tube *tube, struct piece *piece, const acb_t centre,
                     const arb_t half)
{
    enum { TRIES = 8 };
    int unknowns = tube->stage->equations->unknowns;
    mag_ptr needed = _mag_vec_init(unknowns);
    bool good = false, solved = true;
    for (int try = 0; !good && solved && try < TRIES; try++) {
        solved = run_on_box(tube, centre, half) && piece_solve(piece, tube->stage);
        if (!solved)
            break;
        unknowns_error(piece, tube, tube->radius, needed);
        good = true;
        for (int i = 0; i < unknowns; i++)
            good = good && mag_cmp(needed + i, tube->u_radius + i) <= 0;
        for (int i = 0; !good && i < unknowns; i++) {
            mag_mul_2exp_si(needed + i, needed + i, 1);
            mag_max(tube->u_radius + i, tube->u_radius + i, needed + i);
        }
    }
    _mag_vec_clear(needed, unknowns);
    return good;
}

/* 1/K: the largest part that the error is of the box. */
static void part_of_box(const struct tube *tube, mag_srcptr y, mag_srcptr u,
                        mag_t inverse_K)
{
    const struct mode_equations *e = tube->stage->equations;
    mag_t part;
    mag_init(part);
    mag_zero(inverse_K);
    for (int i = 0; i < 2 * e->n + e->ns; i++) {
        mag_div(part, y + i, tube->radius + i);
        mag_max(inverse_K, inverse_K, part);
    }
    for (int i = 0; i < e->unknowns; i++) {
        if (mag_is_zero(u + i))
            continue;
        mag_div(part, u + i, tube->u_radius + i);
        mag_max(inverse_K, inverse_K, part);
    }
    mag_clear(part);
}

static enum tube_status cross(struct tube *tube, const struct piece *piece, const mag_t h)
{
    const struct stage *stage = tube->stage;
    int states = stage->states, unknowns = stage->equations->unknowns;
    fill_B(tube, piece);
    fill_c(tube, piece, 0);
    choose_weights(tube, h);
    int terms = terms_of(tube, h);
    if (terms == 0)
        return TUBE_NOT_REGULAR;
    mag_ptr y = _mag_vec_init(states), u = _mag_vec_init(unknowns);
    mag_t inverse_K;
    mag_init(inverse_K);
    bounds_copy(y, tube->error, states);
    flow(tube, h, terms, y);
    unknowns_error(piece, tube, y, u);
    part_of_box(tube, y, u, inverse_K);
    bool within = mag_cmp_2exp_si(inverse_K, -1) < 0;
    if (within) {
        bounds_copy(tube->error, y, states);
        for (int i = 0; i < unknowns; i++) {
            mag_max(tube->u_error + i, tube->u_error + i, u + i);
            mag_min(tube->u_unique + i, tube->u_unique + i, tube->u_radius + i);
        }
        for (int lane = 1; lane < stage->track->lanes; lane++) {
            fill_c(tube, piece, lane);
            add_change(tube, piece, lane - 1, inverse_K);
            flow(tube, h, terms, tube->error + lane * states);
        }
    }
    _mag_vec_clear(y, states);
    _mag_vec_clear(u, unknowns);
    mag_clear(inverse_K);
    return within ? TUBE_OK : TUBE_TOO_WIDE;
}

enum tube_status tube_cross(struct tube *tube, const arb_t from, const arb_t to)
{
    struct piece piece;
    acb_t centre;
    arb_t half;
    mag_t h;
    acb_init(centre);
    arb_init(half);
    mag_init(h);
    arb_sub(half, to, from, 64);
    arb_get_mag(h, half);
    arb_mul_2exp_si(half, half, -1);
    arb_add(acb_realref(centre), from, half, 64);
    arb_get_ubound_arf(arb_midref(half), half, 64);
    mag_zero(arb_radref(half));
    piece_open(&piece, tube->stage);
    enum tube_status status = TUBE_NOT_REGULAR;
    if (find_box(tube, &piece, centre, half))
        status = cross(tube, &piece, h);
    piece_close(&piece);
    acb_clear(centre);
    arb_clear(half);
    mag_clear(h);
    return status;
}
