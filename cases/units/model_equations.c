/*
 * model_equations.c - equations between the dimensions of a model (model_equations.h)
 *
 * If two equations contradict each other the later one is the finding, so that their
 * order tells where a slip is found. The equations of motion come before the events,
 * and what nothing depends on, energy and terminal costs, comes last. The start, which
 * gives most coordinates a unit directly, comes first or behind the events.
 */
#include "units/model_equations.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"

static const struct rational one_time = {1, 1}, one_less = {-1, 1};

static struct form per(struct analysis *analysis, const struct form *a,
                       const struct form *b)
{
    return form_combine(&analysis->equations, a, one_time, b, one_less);
}

static struct form times(struct analysis *analysis, const struct form *a,
                         const struct form *b)
{
    return form_combine(&analysis->equations, a, one_time, b, one_time);
}

static struct form unknown(struct analysis *analysis, int index)
{
    return form_of(&analysis->equations, index);
}

static struct form new_unknown(struct analysis *analysis)
{
    return unknown(analysis, equations_unknown(&analysis->equations));
}

static struct form coordinate(struct analysis *analysis, int i)
{
    return unknown(analysis, analysis->q + i);
}

static struct form velocity(struct analysis *analysis, int i)
{
    struct form q = coordinate(analysis, i);
    return per(analysis, &q, &analysis->time);
}

/* --- saying ------------------------------------------------------------------------- */

/* The formulas that follow are those of this mode and event; either may be NULL. */
static void enter(struct analysis *analysis, const struct mode *mode,
                  const struct event *event)
{
    analysis->mode = mode;
    analysis->event = event;
    analysis->context = event ? 1 + analysis->model->modes + event->index
                        : mode ? 1 + mode->index : 0;
    const char *name = event ? event->name : mode ? mode->name : "";
    snprintf(analysis->where, sizeof analysis->where, *name ? "%s %.90s: " : "%s%s",
             !*name ? "" : event ? "event" : "mode", name);
}

/* The formula that follows has this name. */
static void name_it(struct analysis *analysis, const char *prefix, const char *name,
                    const char *suffix)
{
    snprintf(analysis->what, sizeof analysis->what, "%s%.90s%s", prefix, name, suffix);
}

/* A formula whose measure is known is of the dimension `want`, that of `because`. */
static void expect(struct analysis *analysis, const struct measure *measure,
                   const struct form *want, const char *because)
{
    char is[DIMENSION_TEXT], should[DIMENSION_TEXT];
    if (measure->kind != MEASURE_FORM ||
        equations_equal(&analysis->equations, &measure->form, want))
        return;
    form_text(analysis, &measure->form, is);
    form_text(analysis, want, should);
    finding_say(analysis, "%s, but %s is %s", is, because, should);
}

/* The formula f, called as name_it() has told, is of the dimension `want`. */
static struct measure expect_formula(struct analysis *analysis, formula f,
                                     const struct form *want, const char *because)
{
    struct measure measure = measure_of(analysis, f);
    expect(analysis, &measure, want, because);
    return measure;
}

/* Formulas like f_s [count], by the names of what they belong to. */
static void expect_each(struct analysis *analysis, const formula *f, int count,
                        char *const *name, const char *prefix, const char *suffix,
                        struct form (*want)(struct analysis *analysis, int index),
                        const char *because)
{
    for (int i = 0; i < count; i++) {
        char text[80];
        if (!f[i].tape)
            continue;
        struct form form = want(analysis, i);
        name_it(analysis, prefix, name[i], suffix);
        snprintf(text, sizeof text, because, name[i]);
        expect_formula(analysis, f[i], &form, text);
    }
}

/* --- equations of motion ------------------------------------------------------------ */

/* Rows of the equations of motion of a mode: M a + Phi_q' lambda = F. */
struct motion_rows {
    struct form *force;         /* [n] dimension of each row */
    formula *first;             /* [n] the first term of the row that says something */
    char (*name)[60];           /* [n] its name, like "M.y.y*ay" */
    int *index;                 /* [n] scratch */
};

/* A term of row i, called as name_it() has told, with the dimension `form`. */
static void add_term(struct analysis *analysis, struct motion_rows *rows, int i,
                     formula f, const struct form *form, const char *name)
{
    struct measure measure = {MEASURE_FORM, *form};
    char because[80];
    analysis->at = f;
    snprintf(because, sizeof because, "%s", rows->name[i]);
    expect(analysis, &measure, &rows->force[i], because);
    if (!rows->first[i].tape) {
        rows->first[i] = f;
        snprintf(rows->name[i], sizeof rows->name[i], "%.59s", name);
    }
}

static void add_mass(struct analysis *analysis, struct motion_rows *rows, int i, int j)
{
    char *const *name = analysis->model->coordinate;
    formula f = analysis->mode->M[i][j].tape ? analysis->mode->M[i][j]
                                             : analysis->mode->M[j][i];
    char text[100];
    if (!f.tape)
        return;
    snprintf(analysis->what, sizeof analysis->what, "M.%.45s.%.45s", name[i], name[j]);
    struct measure measure = measure_of(analysis, f);
    if (measure.kind != MEASURE_FORM)
        return;
    struct form a = velocity(analysis, j);
    a = per(analysis, &a, &analysis->time);
    a = times(analysis, &a, &measure.form);
    snprintf(text, sizeof text, "%.60s*a%.30s", analysis->what, name[j]);
    name_it(analysis, "", text, "");
    add_term(analysis, rows, i, f, &a, text);
}

static void add_forces(struct analysis *analysis, struct motion_rows *rows)
{
    const struct model *model = analysis->model;
    for (int i = 0; i < model->n; i++) {
        for (int j = 0; j < model->n; j++)
            add_mass(analysis, rows, i, j);
        name_it(analysis, "F.", model->coordinate[i], "");
        struct measure measure = measure_of(analysis, analysis->mode->F[i]);
        if (measure.kind == MEASURE_FORM)
            add_term(analysis, rows, i, analysis->mode->F[i], &measure.form,
                     analysis->what);
    }
}

/* The derivative of f by each variable of `block` that it contains, times `factor`, is a
   term of that row. */
static void add_derivatives(struct analysis *analysis, struct motion_rows *rows,
                            formula f, int block, const struct form *factor,
                            const char *name)
{
    int count = variables_of(analysis, f, block, rows->index);
    for (int k = 0; k < count; k++) {
        int i = rows->index[k];
        struct form x = block == BLOCK_V ? velocity(analysis, i)
                                         : coordinate(analysis, i);
        struct form term = per(analysis, factor, &x);
        char text[100];
        snprintf(text, sizeof text, "%.60s by %s%.30s", name, block == BLOCK_V ? "v" : "",
                 analysis->model->coordinate[i]);
        name_it(analysis, "", text, "");
        add_term(analysis, rows, i, f, &term, text);
    }
}

static void add_energies(struct analysis *analysis, struct motion_rows *rows)
{
    const struct mode *mode = analysis->mode;
    struct form energy = new_unknown(analysis), power;
    name_it(analysis, "", "T", "");
    expect_formula(analysis, mode->T, &energy, "the energy");
    name_it(analysis, "", "V", "");
    expect_formula(analysis, mode->V, &energy, "T");
    /* d/dt T_v is an energy per velocity and time, T_q and V_q one per coordinate */
    power = per(analysis, &energy, &analysis->time);
    add_derivatives(analysis, rows, mode->T, BLOCK_V, &power, "d/dt T");
    add_derivatives(analysis, rows, mode->T, BLOCK_Q, &energy, "T");
    add_derivatives(analysis, rows, mode->V, BLOCK_Q, &energy, "V");
    for (int k = 0; k < mode->loads; k++) {
        const struct load *load = &mode->load[k];
        name_it(analysis, "", "place of a force", "");
        struct measure place = measure_of(analysis, load->place);
        name_it(analysis, "", "a force", "");
        struct measure force = measure_of(analysis, load->force);
        if (place.kind != MEASURE_FORM || force.kind != MEASURE_FORM)
            continue;
        struct form work = times(analysis, &place.form, &force.form);
        add_derivatives(analysis, rows, load->place, load->rate ? BLOCK_V : BLOCK_Q,
                        &work, "work of a force");
    }
}

static void add_constraints(struct analysis *analysis, struct motion_rows *rows)
{
    const struct mode *mode = analysis->mode;
    for (int k = 0; k < mode->m; k++) {
        char name[40];
        snprintf(name, sizeof name, "Phi.%d", k + 1);
        name_it(analysis, "", name, "");
        struct measure measure = measure_of(analysis, mode->Phi[k]);
        if (measure.kind != MEASURE_FORM)
            continue;
        struct form lambda = unknown(analysis, analysis->lambda[mode->index] + k);
        struct form factor = times(analysis, &measure.form, &lambda);
        snprintf(name, sizeof name, "lambda.%d*Phi.%d", k + 1, k + 1);
        add_derivatives(analysis, rows, mode->Phi[k],
                        mode->velocity_level[k] ? BLOCK_V : BLOCK_Q, &factor, name);
    }
}

static struct form rate_of_state(struct analysis *analysis, int k)
{
    struct form s = unknown(analysis, analysis->s + k);
    return per(analysis, &s, &analysis->time);
}

static struct form rate_of_cost(struct analysis *analysis, int k)
{
    struct form z = unknown(analysis, analysis->z + k);
    return per(analysis, &z, &analysis->time);
}

static void add_mode(struct analysis *analysis, struct mode *mode,
                     struct motion_rows *rows)
{
    const struct model *model = analysis->model;
    enter(analysis, mode, NULL);
    for (int i = 0; i < model->n; i++) {
        rows->force[i] = new_unknown(analysis);
        rows->first[i] = (formula){NULL, 0};
    }
    add_forces(analysis, rows);
    add_energies(analysis, rows);
    add_constraints(analysis, rows);
    expect_each(analysis, mode->f_s, model->ns, model->auxiliary, "f_s.", "",
                rate_of_state, "%.60s per time");
    expect_each(analysis, mode->g, model->nz, model->cost, "g.", "", rate_of_cost,
                "%.60s per time");
}

/* --- events ------------------------------------------------------------------------- */

static struct form state(struct analysis *analysis, int k)
{
    return unknown(analysis, analysis->s + k);
}

static struct form cost(struct analysis *analysis, int k)
{
    return unknown(analysis, analysis->z + k);
}

/* Psi_q' J is a momentum: what a force is in a time, in the mode after the event. */
static void add_impulses(struct analysis *analysis, struct motion_rows *to)
{
    const struct event *event = analysis->event;
    const struct dimension one = dimension_one();
    const struct form number = form_known(&one);
    for (int k = 0; k < event->impulses; k++) {
        char name[40];
        snprintf(name, sizeof name, "E of impulse %d", k + 1);
        name_it(analysis, "", name, "");
        expect_formula(analysis, event->E[k], &number, "a ratio of velocities");
        snprintf(name, sizeof name, "Psi of impulse %d", k + 1);
        name_it(analysis, "", name, "");
        struct measure measure = measure_of(analysis, event->Psi[k]);
        if (measure.kind != MEASURE_FORM)
            continue;
        struct form J = unknown(analysis, analysis->impulse[event->index] + k);
        struct form factor = times(analysis, &measure.form, &J);
        factor = per(analysis, &factor, &analysis->time);
        add_derivatives(analysis, to, event->Psi[k],
                        event->Psi_velocity_level[k] ? BLOCK_V : BLOCK_Q, &factor,
                        analysis->what);
    }
    for (int k = 0; event->joints && k < event->to->m; k++) {
        struct form J = unknown(analysis, analysis->impulse[event->index] +
                                          event->impulses + k);
        struct form lambda = unknown(analysis, analysis->lambda[event->to->index] + k);
        lambda = times(analysis, &lambda, &analysis->time);
        equations_equal(&analysis->equations, &J, &lambda);
    }
}

static void add_event(struct analysis *analysis, const struct event *event,
                      struct motion_rows *rows_of_mode)
{
    const struct model *model = analysis->model;
    enter(analysis, event->from, event);
    name_it(analysis, "", "guard", "");
    measure_of(analysis, event->guard);
    name_it(analysis, "", "condition", "");
    for (int k = 0; k < event->conditions; k++)
        measure_of(analysis, event->condition[k]);
    expect_each(analysis, event->q_plus, model->n, model->coordinate, "", "_plus",
                coordinate, "%.60s");
    expect_each(analysis, event->v_plus, model->n, model->coordinate, "v", "_plus",
                velocity, "v%.60s");
    expect_each(analysis, event->s_plus, model->ns, model->auxiliary, "", "_plus",
                state, "%.60s");
    if (event->velocity == VELOCITY_IMPULSIVE)
        add_impulses(analysis, &rows_of_mode[event->to->index]);
    expect_each(analysis, event->cost, model->nz, model->cost, "cost.", "", cost,
                "%.60s");
    for (int k = 0; k < event->balances; k++) {
        const struct balance *balance = &event->balance[k];
        name_it(analysis, "balance ", balance->name, "");
        struct measure left = measure_of(analysis, balance->left);
        if (left.kind == MEASURE_FORM)
            expect_formula(analysis, balance->right, &left.form, "its left side");
        else
            measure_of(analysis, balance->right);
    }
}

/* --- the start and the end ---------------------------------------------------------- */

static void add_start(struct analysis *analysis)
{
    const struct model *model = analysis->model;
    enter(analysis, NULL, NULL);
    snprintf(analysis->where, sizeof analysis->where, "initial: ");
    name_it(analysis, "", "t", "");
    expect_formula(analysis, model->t0, &analysis->time, "time");
    expect_each(analysis, model->q0, model->n, model->coordinate, "", "", coordinate,
                "%.60s elsewhere");
    expect_each(analysis, model->v0, model->n, model->coordinate, "v", "", velocity,
                "v%.60s elsewhere");
    expect_each(analysis, model->s0, model->ns, model->auxiliary, "", "", state,
                "%.60s elsewhere");
    expect_each(analysis, model->q_guess, model->n, model->coordinate, "guess of ", "",
                coordinate, "%.60s elsewhere");
    expect_each(analysis, model->v_guess, model->n, model->coordinate, "guess of v", "",
                velocity, "v%.60s elsewhere");
    expect_each(analysis, model->s_guess, model->ns, model->auxiliary, "guess of ", "",
                state, "%.60s elsewhere");
    name_it(analysis, "", "a row", "");
    for (int k = 0; k < model->start_rows; k++)
        measure_of(analysis, model->Gamma[k]);
}

static void add_end(struct analysis *analysis)
{
    const struct model *model = analysis->model;
    enter(analysis, NULL, NULL);
    name_it(analysis, "", "end", "");
    expect_formula(analysis, model->t_end, &analysis->time, "time");
    name_it(analysis, "", "stops", "");
    for (int k = 0; k < model->stops; k++)
        expect_formula(analysis, model->stop[k], &analysis->time, "time");
    expect_each(analysis, model->w, model->nz, model->cost, "w.", "", cost, "%.60s");
    name_it(analysis, "", "energy", "");
    struct measure energy = measure_of(analysis, model->energy);
    for (int k = 0; k < model->modes; k++) {
        enter(analysis, model->mode[k], NULL);
        name_it(analysis, "", "power", "");
        struct measure power = measure_of(analysis, model->mode[k]->power);
        if (energy.kind != MEASURE_FORM)
            continue;
        struct form rate = per(analysis, &energy.form, &analysis->time);
        expect(analysis, &power, &rate, "energy per time");
    }
}

/* --- all of them -------------------------------------------------------------------- */

void model_equations_add(struct analysis *analysis, bool start_first)
{
    const struct model *model = analysis->model;
    int n = model->n, modes = model->modes;
    struct motion_rows *rows = memory_new(modes, sizeof *rows);
    if (start_first)
        add_start(analysis);
    for (int k = 0; k < modes; k++) {
        rows[k] = (struct motion_rows){
            .force = memory_new(n, sizeof *rows[k].force),
            .first = memory_new(n, sizeof *rows[k].first),
            .name = memory_new(n, sizeof *rows[k].name),
            .index = memory_new(n, sizeof *rows[k].index)};
        add_mode(analysis, model->mode[k], &rows[k]);
    }
    for (int k = 0; k < model->events; k++)
        add_event(analysis, model->event[k], rows);
    if (!start_first)
        add_start(analysis);
    add_end(analysis);
    for (int k = 0; k < modes; k++) {
        free(rows[k].force);
        free(rows[k].first);
        free(rows[k].name);
        free(rows[k].index);
    }
    free(rows);
}
