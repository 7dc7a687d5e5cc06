/* enclosure.c - enclosure of a hybrid motion: its state, points, end; see enclosure.h. */
#include "enclosure_parts.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"

/* --- points ------------------------------------------------------------------------- */

void solved_point_open(struct solved_point *point, struct mode_equations *e, int p)
{
    point->equations = e;
    point->slot = _acb_vec_init(e->slots);
    point->rate = _acb_vec_init(2 * e->n + e->ns + e->nz);
    acb_mat_init(point->tangents, e->slots, p + 1);
    acb_mat_init(point->rates, e->ns + e->nz, p + 1);
}

void solved_point_close(struct solved_point *point)
{
    const struct mode_equations *e = point->equations;
    _acb_vec_clear(point->slot, e->slots);
    _acb_vec_clear(point->rate, 2 * e->n + e->ns + e->nz);
    acb_mat_clear(point->tangents);
    acb_mat_clear(point->rates);
}

void solved_rate(const struct solved_point *point, int i, int column, acb_t rate)
{
    const struct mode_equations *e = point->equations;
    if (i < e->n)
        acb_set(rate, acb_mat_entry(point->tangents, e->v + i, column));
    else if (i < 2 * e->n)
        acb_set(rate, acb_mat_entry(point->tangents, e->a + i - e->n, column));
    else
        acb_set(rate, acb_mat_entry(point->rates, i - 2 * e->n, column));
}

bool enclosure_solve(const struct enclosure *enclosure, struct solved_point *point,
                     const acb_t t, acb_srcptr state, acb_srcptr near)
{
    struct mode_equations *e = point->equations;
    slong precision = enclosure->precision;
    int moving = 2 * e->n + e->ns;
    acb_set(point->slot, t);
    _acb_vec_set(point->slot + e->q, state, moving);
    _acb_vec_set(point->slot + e->a, near, e->unknowns);
    _acb_vec_set(point->slot + e->rho, enclosure->rho, e->p);
    if (!mode_equations_solve(e, point->slot, precision))
        return false;
    acb_mat_zero(point->tangents);
    for (int j = 0; j < enclosure->p; j++) {
        for (int i = 0; i < moving; i++)
            acb_set(acb_mat_entry(point->tangents, e->q + i, j),
                    state + (1 + j) * enclosure->states + i);
        acb_one(acb_mat_entry(point->tangents, e->rho + enclosure->parameter[j], j));
    }
    mode_equations_along(e, point->slot, point->tangents, enclosure->p);
    if (!mode_equations_tangents(e, point->tangents, point->rates, precision))
        return false;
    for (int i = 0; i < enclosure->states; i++)
        acb_set(point->rate + i,
                i < e->n ? point->slot + e->v + i
                : i < 2 * e->n ? point->slot + e->a + i - e->n
                               : e->f.value + i - 2 * e->n);
    return true;
}

static bool rows_hold(const struct enclosure *enclosure, const struct solved_point *point,
                      const struct ball_rows *rows)
{
    return ball_rows_hold(rows, point->tangents, enclosure->p, enclosure->precision);
}

bool constraints_hold(const struct enclosure *enclosure, const struct solved_point *point)
{
    return rows_hold(enclosure, point, &point->equations->Phi) &&
           rows_hold(enclosure, point, &point->equations->Phid) &&
           rows_hold(enclosure, point, &point->equations->Phidd);
}

static void point_open(struct enclosed_point *point, const struct columns *columns)
{
    arb_init(point->t);
    point->x = _arb_vec_init(columns->count);
}

static void point_close(struct enclosed_point *point, const struct columns *columns)
{
    arb_clear(point->t);
    _arb_vec_clear(point->x, columns->count);
}

static void put(arb_ptr x, const struct columns *columns, enum column_group group, int i,
                int j, const acb_t value)
{
    arb_set(x + column(columns, group, i, j), acb_realref(value));
}

static void put_point(const struct enclosure *enclosure, struct enclosed_point *out,
                      const struct solved_point *point, const acb_t t, acb_srcptr state)
{
    const struct columns *columns = &enclosure->out->columns;
    const struct mode_equations *e = point->equations;
    out->mode = e->mode;
    arb_set(out->t, acb_realref(t));
    for (int j = -1; j < enclosure->p; j++) {
        for (int i = e->q; i < e->lambda + e->m; i++) {
            acb_srcptr x = j < 0 ? point->slot + i : acb_mat_entry(point->tangents, i, j);
            if (i < e->v)
                put(out->x, columns, GROUP_Q, i - e->q, j, x);
            else if (i < e->s)
                put(out->x, columns, GROUP_V, i - e->v, j, x);
            else if (i < e->a)
                put(out->x, columns, GROUP_S, i - e->s, j, x);
            else if (i < e->lambda)
                put(out->x, columns, GROUP_A, i - e->a, j, x);
            else
                put(out->x, columns, GROUP_LAMBDA, i - e->lambda, j, x);
        }
        for (int i = 0; i < e->nz; i++)
            put(out->x, columns, GROUP_Z, i, j,
                state + (1 + j) * enclosure->states + 2 * e->n + e->ns + i);
    }
}

/* A point where constraints depend on others, with all multipliers. out NULL: it is
   looked at alone. */
static enum status record_least_norm(struct enclosure *enclosure,
                                     struct mode_equations *e, struct enclosed_point *out,
                                     const acb_t t, acb_srcptr state)
{
    struct solved_point point;
    acb_ptr near = _acb_vec_init(e->unknowns);
    solved_point_open(&point, e, enclosure->p);
    enum status status = OK;
    if (!enclosure_solve(enclosure, &point, t, state, near))
        status = diagnose(enclosure->diagnosis, SINGULAR, enclosure_time(acb_realref(t)),
                          "multipliers of least norm are not shown to exist");
    else if (!constraints_hold(enclosure, &point))
        status = diagnose(enclosure->diagnosis, INCONSISTENT,
                          enclosure_time(acb_realref(t)), "a constraint that seems to "
                          "depend on others is not zero");
    else if (out)
        put_point(enclosure, out, &point, t, state);
    solved_point_close(&point);
    _acb_vec_clear(near, e->unknowns);
    return status;
}

enum status dependent_hold(struct enclosure *enclosure, const struct mode *mode,
                           const acb_t t, acb_srcptr state)
{
    struct mode_equations *e = enclosure->least_norm[mode->index];
    return e ? record_least_norm(enclosure, e, NULL, t, state) : OK;
}

enum status enclosure_record(struct enclosure *enclosure, struct enclosed_point *out,
                             const struct solved_point *point, const acb_t t,
                             acb_srcptr state)
{
    struct mode_equations *least_norm =
        enclosure->least_norm[point->equations->mode->index];
    if (least_norm)
        return record_least_norm(enclosure, least_norm, out, t, state);
    put_point(enclosure, out, point, t, state);
    return OK;
}

void enclosed_event_open(struct enclosed_event *event, const struct columns *columns)
{
    *event = (struct enclosed_event){.tau = _arb_vec_init(columns->p)};
    point_open(&event->before, columns);
    point_open(&event->after, columns);
}

struct enclosed_motion *enclosed_motion_new(const struct model *model, int parameters,
                                            const int *parameter, int samples, int events)
{
    struct enclosed_motion *motion = memory_new(1, sizeof *motion);
    motion->parameter = memory_new(parameters, sizeof *motion->parameter);
    memory_copy(motion->parameter, parameter, parameters, sizeof *motion->parameter);
    columns_init(&motion->columns, model, parameters, motion->parameter);
    motion->sample = memory_new(samples, sizeof *motion->sample);
    motion->event = memory_new(events, sizeof *motion->event);
    motion->sample_room = motion->samples = samples;
    motion->event_room = motion->events = events;
    for (int i = 0; i < samples; i++)
        point_open(&motion->sample[i], &motion->columns);
    for (int i = 0; i < events; i++)
        enclosed_event_open(&motion->event[i], &motion->columns);
    motion->rho = _arb_vec_init(model->p);
    motion->psi = _arb_vec_init(model->nz * (1 + parameters));
    return motion;
}

void enclosed_motion_free(struct enclosed_motion *motion)
{
    if (motion == NULL)
        return;
    for (int i = 0; i < motion->sample_room; i++)
        point_close(&motion->sample[i], &motion->columns);
    for (int i = 0; i < motion->events; i++) {
        point_close(&motion->event[i].before, &motion->columns);
        point_close(&motion->event[i].after, &motion->columns);
        _arb_vec_clear(motion->event[i].tau, motion->columns.p);
    }
    _arb_vec_clear(motion->psi, motion->columns.model->nz * (1 + motion->columns.p));
    _arb_vec_clear(motion->rho, motion->columns.model->p);
    free(motion->sample);
    free(motion->event);
    free(motion->parameter);
    free(motion);
}

const struct enclosed_motion *enclosure_so_far(const struct enclosure *enclosure)
{
    return enclosure->out;
}

double enclosure_log2(const arb_t x)
{
    mag_t least;
    mag_init(least);
    arb_get_mag_lower(least, x);
    double size = mag_is_zero(least) ? -INFINITY : mag_get_d_log2_approx(least) - 1e-6;
    mag_clear(least);
    return size;
}

double enclosure_time(const arb_t t)
{
    return arf_get_d(arb_midref(t), ARF_RND_NEAR);
}

/* --- transport ---------------------------------------------------------------------- */

/* x(to) = x(from) + (to - from) x'(box), where the box contains what comes out. */
static bool carry(const struct enclosure *enclosure, const struct solved_point *point,
                  const acb_t distance, acb_srcptr state, acb_ptr box)
{
    acb_t rate;
    bool inside = true;
    acb_ptr next = _acb_vec_init(enclosure->lanes * enclosure->states);
    acb_init(rate);
    for (int lane = 0; lane < enclosure->lanes; lane++)
        for (int i = 0; i < enclosure->states; i++) {
            int k = lane * enclosure->states + i;
            if (lane == 0)
                acb_set(rate, point->rate + i);
            else
                solved_rate(point, i, lane - 1, rate);
            acb_mul(rate, rate, distance, enclosure->precision);
            acb_add(next + k, state + k, rate, enclosure->precision);
            inside = inside && acb_contains(box + k, next + k);
        }
    _acb_vec_set(box, next, enclosure->lanes * enclosure->states);
    acb_clear(rate);
    _acb_vec_clear(next, enclosure->lanes * enclosure->states);
    return inside;
}

/* Are a, lambda on the branch that the motion is on? */
static bool meets_u(const struct enclosure *enclosure, const struct solved_point *point)
{
    const struct mode_equations *e = point->equations;
    for (int i = 0; e->iterated && i < e->unknowns; i++)
        if (!acb_overlaps(point->slot + e->a + i, enclosure->u + i))
            return false;
    return true;
}

enum status enclosure_transport(struct enclosure *enclosure, const struct mode *mode,
                                const acb_t from, const acb_t to, acb_ptr state)
{
    enum { TRIES = 12 };
    int count = enclosure->lanes * enclosure->states;
    acb_t distance, over;
    acb_init(distance);
    acb_init(over);
    acb_sub(distance, to, from, enclosure->precision);
    bool done = acb_is_zero(distance), solved = true;
    enum status status = OK;
    acb_ptr box = _acb_vec_init(count);
    struct solved_point point;
    solved_point_open(&point, enclosure_equations(enclosure, mode), enclosure->p);
    acb_union(over, from, to, enclosure->precision);
    _acb_vec_set(box, state, count);
    for (int try = 0; !done && solved && status == OK && try < TRIES; try++) {
        solved = enclosure_solve(enclosure, &point, over, box, enclosure->u);
        if (solved)
            status = guards_clear_beside(enclosure, &point);
        if (solved && status == OK && !meets_u(enclosure, &point))
            solved = false;
        done = solved && status == OK && carry(enclosure, &point, distance, state, box);
        if (done) {
            _acb_vec_set(state, box, count);
            _acb_vec_set(enclosure->u, point.slot + point.equations->a,
                         point.equations->unknowns);
        }
        for (int k = 0; k < count; k++) {
            acb_union(box + k, box + k, state + k, enclosure->precision);
            mag_ptr radius = arb_radref(acb_realref(box + k));
            mag_mul_2exp_si(radius, radius, 1);
        }
    }
    if (!done && status == OK)
        status = diagnose(enclosure->diagnosis, SINGULAR, enclosure_time(acb_realref(to)),
                          "the equations of motion are not shown to be regular");
    solved_point_close(&point);
    _acb_vec_clear(box, count);
    acb_clear(distance);
    acb_clear(over);
    return status;
}

/* --- set up and tear down ----------------------------------------------------------- */

struct mode_equations *enclosure_equations(struct enclosure *enclosure,
                                           const struct mode *mode)
{
    struct mode_equations **e = &enclosure->equations[mode->index];
    if (*e == NULL)
        *e = mode_equations_new(enclosure->model, mode);
    return *e;
}

static enum status read_number(const char *text, const char *what, arb_t x,
                               slong precision, struct diagnosis *diagnosis)
{
    if (arb_set_str(x, text, precision) == 0 && arb_is_finite(x))
        return OK;
    return diagnose(diagnosis, BAD_INPUT, NAN, "%s = \"%s\" is not a number", what, text);
}

/* Nominal values are constant formulas. */
static enum status read_parameters(struct enclosure *enclosure,
                                   const struct enclosure_request *request,
                                   struct diagnosis *diagnosis)
{
    const struct model *model = enclosure->model;
    formula *f = memory_new(model->p, sizeof *f);
    for (int j = 0; j < model->p; j++)
        f[j] = model->parameter[j].nominal;
    struct mode_equations *e = enclosure_equations(enclosure, model->start);
    struct jets *jets = mode_equations_formulas(e, f, model->p);
    acb_ptr none = _acb_vec_init(e->slots);
    bool good = jets_run(jets, none, false, enclosure->precision);
    enum status status = OK;
    for (int j = 0; status == OK && j < model->p; j++) {
        struct jet_part_view value = jets_output(jets, j, PART_VALUE, 0);
        const char *name = model->parameter[j].name;
        if (request->value && request->value[j])
            status = read_number(request->value[j], name, acb_realref(enclosure->rho + j),
                                 enclosure->precision, diagnosis);
        else if (!good)
            status = diagnose(diagnosis, NOT_FINITE, NAN, "nominal value of %s", name);
        else if (value.value)
            acb_set(enclosure->rho + j, value.value);
        arb_set(enclosure->out->rho + j, acb_realref(enclosure->rho + j));
    }
    _acb_vec_clear(none, e->slots);
    jets_free(jets);
    free(f);
    return status;
}

/* An end that is given does not move with the parameters. */
static enum status read_end(struct enclosure *enclosure, const char *text,
                            struct diagnosis *diagnosis)
{
    if (text == NULL)
        return OK;
    _acb_vec_zero(enclosure->dt_end, enclosure->p);
    return read_number(text, "t_end", acb_realref(enclosure->t_end), enclosure->precision,
                       diagnosis);
}

/* Times of start and end with their derivatives. */
static enum status read_times(struct enclosure *enclosure, struct diagnosis *diagnosis)
{
    const struct model *model = enclosure->model;
    const formula f[] = {model->t0, model->t_end};
    acb_ptr const value[] = {enclosure->t0, enclosure->t_end};
    acb_ptr const by[] = {enclosure->dt0, enclosure->dt_end};
    struct mode_equations *e = enclosure_equations(enclosure, model->start);
    struct jets *jets = mode_equations_formulas(e, f, 2);
    acb_ptr slot = _acb_vec_init(e->slots);
    _acb_vec_set(slot + e->rho, enclosure->rho, model->p);
    bool good = jets_run(jets, slot, false, enclosure->precision);
    for (int k = 0; good && k < 2; k++) {
        struct jet_part_view view = jets_output(jets, k, PART_VALUE, 0);
        if (view.value)
            acb_set(value[k], view.value);
        for (int i = 0; i < view.slots; i++)
            for (int j = 0; j < enclosure->p; j++)
                if (view.slot[i] == e->rho + enclosure->parameter[j])
                    acb_set(by[k] + j, view.by + i);
    }
    _acb_vec_clear(slot, e->slots);
    jets_free(jets);
    return good ? OK : diagnose(diagnosis, NOT_FINITE, NAN, "times of start and end");
}

static enum status read_samples(struct enclosure *enclosure,
                                const struct enclosure_request *request,
                                struct diagnosis *diagnosis)
{
    enum status status = OK;
    for (int i = 0; status == OK && i < request->samples; i++)
        status = read_number(request->sample[i], "sample time", enclosure->sample + i,
                             enclosure->precision, diagnosis);
    return status;
}

static int most_unknowns(const struct model *model)
{
    int most = 0;
    for (int i = 0; i < model->modes; i++)
        most = model->mode[i]->m > most ? model->mode[i]->m : most;
    return model->n + most;
}

enum status enclosure_new(const struct enclosure_request *request,
                          struct enclosure **out, struct diagnosis *diagnosis)
{
    const struct model *model = request->model;
    struct enclosure *enclosure = memory_new(1, sizeof *enclosure);
    int p = request->parameters;
    *enclosure = (struct enclosure){
        .model = model, .p = p, .lanes = 1 + p,
        .states = 2 * model->n + model->ns + model->nz, .digits = request->digits,
        .precision = (slong)(3.33 * (request->digits + 15)) + 64,
        .parameter = memory_new(p, sizeof(int)),
        .rho = _acb_vec_init(model->p),
        .equations = memory_new(model->modes, sizeof(struct mode_equations *)),
        .least_norm = memory_new(model->modes, sizeof(struct mode_equations *)),
        .ranked = memory_new(model->modes, sizeof(bool)),
        .end_costs = memory_new(model->modes, sizeof(struct jets *)),
        .reset = memory_new(model->events, sizeof(struct reset_balls *)),
        .dt0 = _acb_vec_init(p), .dt_end = _acb_vec_init(p), .tau = _acb_vec_init(p),
        .sample = _arb_vec_init(request->samples),
        .contact = memory_new(model->events, sizeof(int)),
        .far = memory_new(model->events, sizeof(bool)),
        .mode = model->start,
        .out = enclosed_motion_new(model, p, request->parameter, request->samples, 0),
    };
    memory_copy(enclosure->parameter, request->parameter, p, sizeof(int));
    enclosure->out->samples = 0;
    enclosure->samples = request->samples;
    enclosure->state = _acb_vec_init(enclosure->lanes * enclosure->states);
    enclosure->u = _acb_vec_init(most_unknowns(model));
    enclosure->t0 = _acb_vec_init(1);
    enclosure->t_end = _acb_vec_init(1);
    enclosure->t_e = _acb_vec_init(1);
    enum status status = read_parameters(enclosure, request, diagnosis);
    if (status == OK)
        status = read_times(enclosure, diagnosis);
    if (status == OK)
        status = read_end(enclosure, request->t_end, diagnosis);
    if (status == OK)
        status = read_samples(enclosure, request, diagnosis);
    if (status == OK) {
        *out = enclosure;
        return OK;
    }
    enclosure_free(enclosure);
    *out = NULL;
    return status;
}

void enclosure_free(struct enclosure *enclosure)
{
    if (enclosure == NULL)
        return;
    const struct model *model = enclosure->model;
    for (int i = 0; i < model->modes; i++) {
        mode_equations_free(enclosure->equations[i]);
        mode_equations_free(enclosure->least_norm[i]);
        jets_free(enclosure->end_costs[i]);
    }
    for (int i = 0; i < model->events; i++)
        reset_balls_free(enclosure->reset[i]);
    _acb_vec_clear(enclosure->rho, model->p);
    _acb_vec_clear(enclosure->dt0, enclosure->p);
    _acb_vec_clear(enclosure->dt_end, enclosure->p);
    _acb_vec_clear(enclosure->tau, enclosure->p);
    _acb_vec_clear(enclosure->state, enclosure->lanes * enclosure->states);
    _acb_vec_clear(enclosure->u, most_unknowns(model));
    _arb_vec_clear(enclosure->sample, enclosure->samples);
    _acb_vec_clear(enclosure->t0, 1);
    _acb_vec_clear(enclosure->t_end, 1);
    _acb_vec_clear(enclosure->t_e, 1);
    candidate_free(enclosure->pending);
    enclosed_motion_free(enclosure->out);
    free(enclosure->parameter);
    free(enclosure->equations);
    free(enclosure->least_norm);
    free(enclosure->ranked);
    free(enclosure->end_costs);
    free(enclosure->reset);
    free(enclosure->contact);
    free(enclosure->far);
    free(enclosure);
}
