/*
 * enclosure_start.c - the exact initial state and its derivatives, in balls.
 *
 * What a case does not give follows from Phi = 0, Phid = 0 and Gamma = 0. A square set of
 * these is enclosed by the interval Newton operator about the approximate state, which
 * tells the branch; rows beyond that, which depend on others or restate what is given,
 * must contain zero.
 */
#include "enclosure_parts.h"

#include <stdlib.h>

#include "base/memory.h"

/* A place for the rows that the start may obey. */
struct starting {
    struct mode_equations *equations;
    struct jets *gamma;
    int all;                    /* rows of Phi, Phid and Gamma */
    struct ball_rows every;     /* [all] */
    struct ball_rows chosen;    /* [unknowns] */
    int *row;                   /* [unknowns] rows of `every` that are solved */
    int unknowns, *unknown;     /* slots */
};

static bool run_every(struct starting *s, acb_srcptr slot, slong precision)
{
    struct mode_equations *e = s->equations;
    int gammas = s->all - 2 * e->m;
    if (!mode_equations_run(e, slot, false, precision) ||
        !jets_run(s->gamma, slot, false, precision))
        return false;
    ball_rows_zero(&s->every);
    for (int i = 0; i < e->m; i++)
        for (int k = 0; k < 2; k++) {
            const struct ball_rows *from = k ? &e->Phid : &e->Phi;
            if (k == 0 && e->mode->velocity_level[i])
                continue;
            acb_set(s->every.value + 2 * i + k, from->value + i);
            for (int d = 0; d < e->slots; d++)
                acb_set(acb_mat_entry(s->every.by, 2 * i + k, d),
                        acb_mat_entry(from->by, i, d));
        }
    for (int i = 0; i < gammas; i++)
        ball_rows_add(&s->every, 2 * e->m + i, jets_output(s->gamma, i, PART_VALUE, 0), 1,
                 precision);
    return true;
}

static bool run_chosen(void *context, acb_srcptr slot, slong precision)
{
    struct starting *s = context;
    if (!run_every(s, slot, precision))
        return false;
    for (int i = 0; i < s->unknowns; i++) {
        acb_set(s->chosen.value + i, s->every.value + s->row[i]);
        for (int d = 0; d < s->equations->slots; d++)
            acb_set(acb_mat_entry(s->chosen.by, i, d),
                    acb_mat_entry(s->every.by, s->row[i], d));
    }
    return true;
}

/* Puts what is given into slots, and lists the others. */
static bool load_given(struct enclosure *enclosure, struct starting *s, acb_ptr slot,
                       acb_mat_t tangents, acb_srcptr near)
{
    const struct model *model = enclosure->model;
    struct mode_equations *e = s->equations;
    int n = e->n, ns = e->ns, moving = 2 * n + ns;
    formula *f = memory_new(moving, sizeof *f);
    for (int i = 0; i < moving; i++)
        f[i] = i < n ? model->q0[i] : i < 2 * n ? model->v0[i - n] : model->s0[i - 2 * n];
    struct jets *jets = mode_equations_formulas(e, f, moving);
    bool good = jets_run(jets, slot, false, enclosure->precision);
    for (int i = 0; good && i < moving; i++) {
        struct jet_part_view view = jets_output(jets, i, PART_VALUE, 0);
        bool solved = f[i].tape == NULL && (model->start_rows > 0 ||
                                            (e->m > 0 && i < 2 * n));
        if (view.value)
            acb_set(slot + e->q + i, view.value);
        if (solved) {
            acb_get_mid(slot + e->q + i, near + i);
            s->unknown[s->unknowns++] = e->q + i;
        }
        for (int k = 0; k < view.slots; k++)
            for (int j = 0; j < enclosure->p; j++)
                if (view.slot[k] == e->rho + enclosure->parameter[j])
                    acb_set(acb_mat_entry(tangents, e->q + i, j), view.by + k);
    }
    jets_free(jets);
    free(f);
    return good;
}

static enum status solve_level(struct enclosure *enclosure, struct starting *s,
                               acb_ptr slot, acb_mat_t tangents)
{
    double t = enclosure_time(acb_realref(enclosure->t0));
    if (!run_every(s, slot, enclosure->precision))
        return diagnose(enclosure->diagnosis, NOT_FINITE, t, "start: a formula is not "
                        "defined");
    s->row = memory_new(s->unknowns, sizeof *s->row);
    ball_rows_init(&s->chosen, s->unknowns, s->equations->slots);
    const struct balls_system system = {.rows = &s->chosen, .unknown = s->unknown,
                                        .context = s, .run = run_chosen};
    enum status status = OK;
    if (balls_choose_rows(s->every.by, s->unknown, s->unknowns, s->unknowns, s->row) <
            s->unknowns ||
        (s->unknowns > 0 && !balls_newton(&system, slot, enclosure->precision)))
        status = diagnose(enclosure->diagnosis, SINGULAR, t, "start: no configuration is "
                          "shown to exist near the approximate one");
    else if (s->unknowns > 0 && !balls_tangents(&system, tangents, enclosure->precision))
        status = diagnose(enclosure->diagnosis, SINGULAR, t, "start: derivatives");
    /* Rows that were not solved must contain zero, too. */
    else if (!ball_rows_hold(&s->every, tangents, enclosure->p, enclosure->precision))
        status = diagnose(
            enclosure->diagnosis, INCONSISTENT, t,
            "start: Phi, Phid or Gamma, or a derivative of these, is not zero");
    free(s->row);
    ball_rows_clear(&s->chosen);
    return status;
}

/* Values and tangents along the moving start are brought back to fixed time: X = dx - x'
   dt0, Z = -g dt0. */
static enum status at_fixed_time(struct enclosure *enclosure, struct mode_equations *e,
                          acb_srcptr slot, const acb_mat_t tangents)
{
    struct solved_point point;
    int moving = 2 * e->n + e->ns;
    slong precision = enclosure->precision;
    acb_ptr state = enclosure->state;
    _acb_vec_zero(state, enclosure->lanes * enclosure->states);
    _acb_vec_set(state, slot + e->q, moving);
    solved_point_open(&point, e, enclosure->p);
    bool good = enclosure_solve(enclosure, &point, enclosure->t0, state, enclosure->u);
    enum status status = OK;
    if (good)
        _acb_vec_set(enclosure->u, point.slot + e->a, e->unknowns);
    for (int j = 0; good && j < enclosure->p; j++)
        for (int i = 0; i < enclosure->states; i++) {
            acb_ptr x = state + (1 + j) * enclosure->states + i;
            if (i < moving)
                acb_set(x, acb_mat_entry(tangents, e->q + i, j));
            acb_submul(x, point.rate + i, enclosure->dt0 + j, precision);
        }
    if (good)
        status = guards_near_side(enclosure, &point);
    else
        status = diagnose(enclosure->diagnosis, SINGULAR,
                          enclosure_time(acb_realref(enclosure->t0)),
                          "start: the equations of motion are not shown to be regular");
    solved_point_close(&point);
    return status;
}

/* a, lambda of the approximate motion, which tell the branch. */
static void guess_unknowns(struct enclosure *enclosure, const struct candidate *first)
{
    int unknowns = enclosure->model->n + first->multipliers;
    for (int i = 0; i < unknowns; i++)
        acb_set_arb(enclosure->u + i, first->rate + i * (first->order + 1));
}

enum status enclosure_start(struct enclosure *enclosure, const struct candidate *first)
{
    const struct model *model = enclosure->model;
    struct mode_equations *e = enclosure_equations(enclosure, model->start);
    struct starting s = {.equations = e, .all = 2 * e->m + model->start_rows,
                         .unknown = memory_new(2 * e->n + e->ns, sizeof(int))};
    acb_ptr slot = _acb_vec_init(e->slots), near = _acb_vec_init(enclosure->states);
    acb_mat_t tangents;
    acb_mat_init(tangents, e->slots, enclosure->p);
    ball_rows_init(&s.every, s.all, e->slots);
    s.gamma = mode_equations_formulas(e, model->Gamma, model->start_rows);
    for (int i = 0; i < enclosure->states; i++)
        acb_set_arb(near + i, first->state + i);
    acb_set(slot, enclosure->t0);
    _acb_vec_set(slot + e->rho, enclosure->rho, e->p);
    for (int j = 0; j < enclosure->p; j++) {
        acb_set(acb_mat_entry(tangents, 0, j), enclosure->dt0 + j);
        acb_one(acb_mat_entry(tangents, e->rho + enclosure->parameter[j], j));
    }
    double t = enclosure_time(acb_realref(enclosure->t0));
    enum status status = OK;
    if (!load_given(enclosure, &s, slot, tangents, near))
        status = diagnose(enclosure->diagnosis, NOT_FINITE, t, "start: given values");
    if (status == OK)
        status = solve_level(enclosure, &s, slot, tangents);
    for (int k = 0; k < model->events; k++)
        enclosure->far[k] = model->event[k]->crossed;
    guess_unknowns(enclosure, first);
    if (status == OK)
        status = at_fixed_time(enclosure, e, slot, tangents);
    jets_free(s.gamma);
    ball_rows_clear(&s.every);
    free(s.unknown);
    _acb_vec_clear(slot, e->slots);
    _acb_vec_clear(near, enclosure->states);
    acb_mat_clear(tangents);
    return status;
}

/* --- a start in the midst of a motion
   --------------------------------------------------- */

/* The number of a parameter of the enclosure among those of the columns. */
static int column_of_parameter(const struct columns *columns, int parameter)
{
    for (int j = 0; j < columns->p; j++)
        if (columns->parameter[j] == parameter)
            return j;
    return -1;
}

void enclosure_begin_at(struct enclosure *enclosure, const struct columns *columns,
                        const struct enclosed_point *point, const struct event *after)
{
    const struct model *model = enclosure->model;
    int n = model->n, s = 2 * n, z = s + model->ns;
    for (int lane = 0; lane < enclosure->lanes; lane++) {
        int j = lane == 0 ? -1 : column_of_parameter(columns,
                                                     enclosure->parameter[lane - 1]);
        for (int i = 0; i < enclosure->states; i++) {
            int c = i < n ? column(columns, GROUP_Q, i, j)
                  : i < s ? column(columns, GROUP_V, i - n, j)
                  : i < z ? column(columns, GROUP_S, i - s, j)
                          : column(columns, GROUP_Z, i - z, j);
            acb_set_arb(enclosure->state + lane * enclosure->states + i, point->x + c);
        }
    }
    for (int i = 0; i < n + point->mode->m; i++)
        acb_set_arb(enclosure->u + i, point->x + (i < n ? column(columns, GROUP_A, i, -1)
                                       : column(columns, GROUP_LAMBDA, i - n, -1)));
    enclosure->mode = point->mode;
    acb_set_arb(enclosure->t_e, point->t);
    while (enclosure->sampled < enclosure->samples &&
           !arb_gt(enclosure->sample + enclosure->sampled, point->t))
        enclosure->sampled++;
    enclosure->after = after;
    if (after)
        contact_after(enclosure, after);
    enclosure->started = true;
}
