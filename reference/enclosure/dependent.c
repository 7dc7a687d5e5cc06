/*
 * dependent.c - constraints that depend on others: independent ones are chosen, which
 * move the mechanism alone; the others are looked at where numbers are recorded.
 *
 * That the others hold is an identity between formulas, which no ball can show: it is a
 * premise of the proof, counted in its file, unless a constraint is stated twice. What is
 * proved is the motion under the chosen ones, along which the others contain zero, and
 * all multipliers of least norm of this motion.
 */
#include "enclosure_parts.h"

#include <stdlib.h>

#include <arb_mat.h>

#include "base/memory.h"
#include "formula/tape.h"

/* --- choice
   ----------------------------------------------------------------------------- */

static bool uses_multipliers(const struct tape *tape, const formula *f, int count)
{
    struct order order;
    bool uses = false;
    if (f == NULL || count == 0)
        return false;
    order_from(&order, tape, f, count);
    for (int i = 0; i < order.count; i++) {
        const struct tape_row row = tape_row(tape, order.entry[i].row);
        uses = uses || (row.op == OP_VARIABLE && row.a == BLOCK_LAMBDA);
    }
    order_clear(&order);
    return uses;
}

static bool event_uses(const struct model *model, const struct event *event)
{
    const struct tape *tape = model->tape;
    int n = model->n, ns = model->ns, impulses = event->impulses;
    return uses_multipliers(tape, &event->guard, 1) ||
           uses_multipliers(tape, event->condition, event->conditions) ||
           uses_multipliers(tape, event->q_plus, n) ||
           uses_multipliers(tape, event->v_plus, n) ||
           uses_multipliers(tape, event->s_plus, ns) ||
           uses_multipliers(tape, event->Psi, impulses) ||
           uses_multipliers(tape, event->E, impulses) ||
           uses_multipliers(tape, event->cost, model->nz);
}

/* Does a formula of the mode, of an event that leaves it, or of the end depend on
   multipliers? */
static bool mode_uses(const struct model *model, const struct mode *mode)
{
    const struct tape *tape = model->tape;
    bool uses = uses_multipliers(tape, mode->F, model->n) ||
                uses_multipliers(tape, mode->f_s, model->ns) ||
                uses_multipliers(tape, mode->g, model->nz) ||
                uses_multipliers(tape, model->w, model->nz);
    for (int i = 0; i < model->events; i++)
        if (model->event[i]->from == mode)
            uses = uses || event_uses(model, model->event[i]);
    return uses;
}

/* Independent rows of Phi_q at the start of a candidate. */
static int choose_rows(struct enclosure *enclosure, const struct candidate *c, int *row)
{
    struct mode_equations *e = enclosure_equations(enclosure, c->mode);
    int rank = e->m, *column = memory_new(e->n, sizeof *column);
    acb_ptr slot = _acb_vec_init(e->slots);
    acb_set_arb(slot, c->t);
    for (int i = 0; i < 2 * e->n + e->ns; i++)
        acb_set_arb(slot + e->q + i, c->state + i);
    for (int i = 0; i < e->p; i++)
        acb_get_mid(slot + e->rho + i, enclosure->rho + i);
    for (int i = 0; i < e->n; i++)
        column[i] = e->v + i;
    if (mode_equations_run(e, slot, false, enclosure->precision))
        rank = balls_choose_rows(e->Phid.by, column, e->n, e->n < e->m ? e->n : e->m,
                                 row);
    _acb_vec_clear(slot, e->slots);
    free(column);
    return rank;
}

/* Constraints of the mode that are none of the independent ones by their texts. */
static int count_assumed(const struct mode *mode, const int *row, int rank)
{
    int assumed = 0;
    for (int i = 0; i < mode->m; i++) {
        bool stated = false;
        for (int k = 0; k < rank; k++)
            stated = stated || row[k] == i ||
                     (mode->velocity_level[row[k]] == mode->velocity_level[i] &&
                      same_up_to_sign(mode->Phi[row[k]], mode->Phi[i]));
        assumed += !stated;
    }
    return assumed;
}

static enum status rank_mode(struct enclosure *enclosure, const struct candidate *c)
{
    const struct model *model = enclosure->model;
    const struct mode *mode = c->mode;
    int *row = memory_new(model->n + mode->m, sizeof *row);
    int rank = mode->m > 0 ? choose_rows(enclosure, c, row) : 0;
    enum status status = OK;
    enclosure->ranked[mode->index] = true;
    if (rank < mode->m && mode_uses(model, mode)) {
        status = diagnose(
            enclosure->diagnosis, NOT_APPLICABLE, enclosure_time(c->t),
            "mode %s: %d of %d constraints depend on others, and formulas on "
            "their multipliers",
            mode->name, mode->m - rank, mode->m);
    } else if (rank < mode->m) {
        mode_equations_free(enclosure->equations[mode->index]);
        enclosure->equations[mode->index] =
            mode_equations_independent(model, mode, rank, row);
        enclosure->least_norm[mode->index] =
            mode_equations_least_norm(model, mode, rank, row);
        enclosure->out->assumed += count_assumed(mode, row, rank);
    }
    free(row);
    return status;
}

/* --- multipliers of the independent constraints
   -------------------------------------------- */

/* At Chebyshev nodes of a step, from its q, v, s, a: the force M a - F, and its
   derivatives along the columns, in the directions of the constraints. */
struct fitting {
    struct enclosure *enclosure;
    const struct candidate *c;
    struct mode_equations *equations;
    struct track *track;
    slong precision;
    int nodes;
    arb_mat_t node_value;       /* [lanes rank][nodes] */
    acb_ptr value, slot;        /* of the track; of the equations */
    acb_mat_t tangents;         /* [slots][lanes - 1] */
};

static void load_node(struct fitting *f, const acb_t time)
{
    const struct mode_equations *e = f->equations;
    int known = 3 * e->n + e->ns;
    track_at(f->track, time, f->value, f->precision);
    _acb_vec_zero(f->slot, e->slots);
    acb_add_arb(f->slot, time, f->c->t, f->precision);
    _acb_vec_set(f->slot + e->q, f->value, known);
    _acb_vec_set(f->slot + e->rho, f->enclosure->rho, e->p);
    acb_mat_zero(f->tangents);
    for (int j = 1; j < f->c->lanes; j++) {
        for (int i = 0; i < known; i++)
            acb_set(acb_mat_entry(f->tangents, e->q + i, j - 1),
                    f->value + j * f->track->width + i);
        acb_one(
            acb_mat_entry(f->tangents, e->rho + f->enclosure->parameter[j - 1], j - 1));
    }
}

/* x [rank] of G x = -Phi_q r, G = Phi_q Phi_q'; r [n] in a column of rows. An
   approximation, that is not trusted. */
static bool project(const struct fitting *f, const acb_mat_t rows, int column,
                    arb_mat_t x)
{
    const struct mode_equations *e = f->equations;
    arb_mat_t A, transpose, G, r;
    arb_mat_init(A, e->rank, e->n);
    arb_mat_init(transpose, e->n, e->rank);
    arb_mat_init(G, e->rank, e->rank);
    arb_mat_init(r, e->n, 1);
    for (int i = 0; i < e->n; i++) {
        arb_neg(arb_mat_entry(r, i, 0), acb_realref(acb_mat_entry(rows, i, column)));
        for (int k = 0; k < e->rank; k++)
            arb_set(arb_mat_entry(A, k, i),
                    acb_realref(acb_mat_entry(e->R.by, i, e->lambda + k)));
    }
    arb_mat_transpose(transpose, A);
    arb_mat_approx_mul(G, A, transpose, f->precision);
    arb_mat_approx_mul(x, A, r, f->precision);
    bool good = arb_mat_approx_solve(x, G, x, f->precision);
    arb_mat_clear(A);
    arb_mat_clear(transpose);
    arb_mat_clear(G);
    arb_mat_clear(r);
    return good;
}

/* Multipliers and their columns at a node. */
static bool fit_node(struct fitting *f, const acb_t time, int node)
{
    struct mode_equations *e = f->equations;
    acb_mat_t rows;
    arb_mat_t x;
    acb_mat_init(rows, e->unknowns, f->c->lanes);
    arb_mat_init(x, e->rank, 1);
    load_node(f, time);
    bool good = true;
    for (int lane = 0; good && lane < f->c->lanes; lane++) {
        if (lane < 2)
            good = mode_equations_run(e, f->slot, false, f->precision);
        for (int i = 0; lane == 0 && i < e->n; i++)
            acb_set(acb_mat_entry(rows, i, 0), e->R.value + i);
        if (lane == 1) {
            acb_mat_t along;
            acb_mat_init(along, e->unknowns, f->c->lanes - 1);
            acb_mat_mul(along, e->R.by, f->tangents, f->precision);
            for (int i = 0; i < e->n; i++)
                for (int j = 1; j < f->c->lanes; j++)
                    acb_set(acb_mat_entry(rows, i, j), acb_mat_entry(along, i, j - 1));
            acb_mat_clear(along);
        }
        good = good && project(f, rows, lane, x);
        for (int k = 0; good && k < e->rank; k++) {
            arb_get_mid_arb(arb_mat_entry(f->node_value, lane * e->rank + k, node),
                            arb_mat_entry(x, k, 0));
            if (lane == 0)
                acb_set_arb(f->slot + e->lambda + k,
                            arb_mat_entry(f->node_value, k, node));
        }
    }
    acb_mat_clear(rows);
    arb_mat_clear(x);
    return good;
}

/* Time of a node on the step, and its angle. */
static void node_of(const struct fitting *f, int node, arb_t angle, acb_t time)
{
    arb_const_pi(angle, f->precision);
    arb_mul_ui(angle, angle, 2 * (ulong)node + 1, f->precision);
    arb_div_ui(angle, angle, 2 * (ulong)f->nodes, f->precision);
    acb_zero(time);
    arb_cos(acb_realref(time), angle, f->precision);
    arb_add_ui(acb_realref(time), acb_realref(time), 1, f->precision);
    arb_mul(acb_realref(time), acb_realref(time), f->c->length, f->precision);
    arb_mul_2exp_si(acb_realref(time), acb_realref(time), -1);
    arb_get_mid_arb(acb_realref(time), acb_realref(time));
}

/* From values at the nodes to coefficients of powers of time over the length: Chebyshev
   coefficients, then those of the shifted polynomials, which grow like 6^nodes. */
static void conversion(const struct fitting *f, arb_mat_t to)
{
    int nodes = f->nodes;
    arb_mat_t chebyshev, power;
    arb_t angle, x;
    acb_t time;
    arb_mat_init(chebyshev, nodes, nodes);
    arb_mat_init(power, nodes, nodes);
    arb_init(angle);
    arb_init(x);
    acb_init(time);
    for (int k = 0; k < nodes; k++) {
        node_of(f, k, angle, time);
        for (int j = 0; j < nodes; j++) {
            arb_ptr c = arb_mat_entry(chebyshev, k, j);
            arb_mul_ui(x, angle, (ulong)j, f->precision);
            arb_cos(c, x, f->precision);
            arb_mul_2exp_si(c, c, j > 0 ? 1 : 0);
            arb_div_ui(c, c, (ulong)nodes, f->precision);
        }
    }
    /* T*_0 = 1, T*_1 = 2 x - 1, T*_j+1 = 2 (2 x - 1) T*_j - T*_j-1 */
    for (int j = 0; j < nodes; j++)
        for (int i = 0; i <= j; i++) {
            arb_ptr c = arb_mat_entry(power, j, i);
            if (j < 2) {
                arb_set_si(c, j == 0 ? 1 : i == 0 ? -1 : 2);
                continue;
            }
            if (i > 0)
                arb_addmul_si(c, arb_mat_entry(power, j - 1, i - 1), 4, f->precision);
            arb_addmul_si(c, arb_mat_entry(power, j - 1, i), -2, f->precision);
            arb_sub(c, c, arb_mat_entry(power, j - 2, i), f->precision);
        }
    arb_mat_mul(to, chebyshev, power, f->precision);
    arb_mat_clear(chebyshev);
    arb_mat_clear(power);
    arb_clear(angle);
    arb_clear(x);
    acb_clear(time);
}

/* A candidate with these multipliers instead of all. */
static struct candidate *put_multipliers(const struct fitting *f)
{
    const struct mode_equations *e = f->equations;
    const struct candidate *c = f->c;
    int length = c->order + 1, before = e->n + e->m + e->ns + e->nz;
    int after = before - e->m + e->rank;
    struct candidate *out = candidate_new(e->model, c->mode, e->rank, c->lanes, c->order);
    arb_mat_t matrix, power;
    arb_t scale;
    arb_mat_init(matrix, f->nodes, f->nodes);
    arb_mat_init(power, c->lanes * e->rank, f->nodes);
    arb_init(scale);
    conversion(f, matrix);
    arb_mat_mul(power, f->node_value, matrix, f->precision);
    arb_set(out->t, c->t);
    arb_set(out->length, c->length);
    _arb_vec_set(out->state, c->state, c->states);
    for (int lane = 0; lane < c->lanes; lane++) {
        arb_srcptr from = c->rate + (slong)lane * before * length;
        arb_ptr to = out->rate + (slong)lane * after * length;
        _arb_vec_set(to, from, e->n * length);
        _arb_vec_set(to + (e->n + e->rank) * length, from + (e->n + e->m) * length,
                     (e->ns + e->nz) * length);
        for (int k = 0; k < e->rank; k++)
            for (int i = 0; i < length; i++) {
                arb_ptr x = to + (e->n + k) * length + i;
                arb_pow_ui(scale, c->length, (ulong)i, f->precision);
                arb_div(x, arb_mat_entry(power, lane * e->rank + k, i), scale,
                        f->precision);
                arb_get_mid_arb(x, x);
            }
    }
    arb_mat_clear(matrix);
    arb_mat_clear(power);
    arb_clear(scale);
    return out;
}

/* Fits the multipliers by polynomials of the candidate's order. */
static enum status fit(struct enclosure *enclosure, struct candidate **candidate)
{
    const struct candidate *c = *candidate;
    struct mode_equations *e = enclosure_equations(enclosure, c->mode);
    struct fitting f = {.enclosure = enclosure, .c = c, .equations = e,
                        .nodes = c->order + 1};
    arb_t angle;
    acb_t time;
    f.precision = enclosure->precision + 3 * f.nodes;
    f.track = track_new(c, enclosure->model, f.precision);
    f.value = _acb_vec_init(c->lanes * f.track->width);
    f.slot = _acb_vec_init(e->slots);
    acb_mat_init(f.tangents, e->slots, c->lanes - 1);
    arb_mat_init(f.node_value, c->lanes * e->rank, f.nodes);
    arb_init(angle);
    acb_init(time);
    bool good = true;
    for (int k = 0; good && k < f.nodes; k++) {
        node_of(&f, k, angle, time);
        good = fit_node(&f, time, k);
    }
    enum status status = OK;
    if (good) {
        struct candidate *fitted = put_multipliers(&f);
        candidate_free(*candidate);
        *candidate = fitted;
    } else {
        status = diagnose(enclosure->diagnosis, SINGULAR, enclosure_time(c->t),
                          "mode %s: "
                          "multipliers of independent constraints are not found",
                          c->mode->name);
    }
    arb_clear(angle);
    acb_clear(time);
    arb_mat_clear(f.node_value);
    acb_mat_clear(f.tangents);
    _acb_vec_clear(f.value, f.track->lanes * f.track->width);
    _acb_vec_clear(f.slot, e->slots);
    track_free(f.track);
    return status;
}

enum status choose_independent(struct enclosure *enclosure, struct candidate **candidate)
{
    const struct mode *mode = (*candidate)->mode;
    enum status status = OK;
    if (!enclosure->ranked[mode->index])
        status = rank_mode(enclosure, *candidate);
    if (status == OK && enclosure->least_norm[mode->index])
        status = fit(enclosure, candidate);
    return status;
}
