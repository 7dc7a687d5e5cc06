/*
 * model_complete.c - symbolic derivation of a model: total time derivatives of the
 * constraints, their forces and Jacobians, the reset of every event as one residual, and
 * checks that need no numbers.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "formula/diff.h"
#include "formula/substitute.h"
#include "formula/tape.h"
#include "model_internal.h"
#include "simple_zero.h"

/* --- derivatives along the motion --------------------------------------------------- */

formula along_motion(void *context, int block, int index)
{
    const struct motion *motion = context;
    struct tape *tape = motion->model->tape;
    switch (block) {
    case BLOCK_T: return integer(tape, 1);
    case BLOCK_Q: return variable(tape, BLOCK_V, index);
    case BLOCK_V: return variable(tape, BLOCK_A, index);
    case BLOCK_S: return motion->mode->f_s[index];
    default: return (formula){NULL, 0};     /* rho does not move */
    }
}

void mode_time_derivative(const struct model *model, const struct mode *mode,
                          const formula *f, int count, formula *out)
{
    struct motion motion = {model, mode};
    tangent_along(f, count, along_motion, &motion, out);
}

static void append_entries(struct entries *entries, const int *column, int count)
{
    if (count == 0)
        return;
    entries->column = memory_grow(entries->column, &entries->room, entries->count + count,
                                  sizeof *entries->column);
    memory_copy(entries->column + entries->count, column, count, sizeof *column);
    entries->count += count;
}

/* Phi_q (Phi_v for rows at velocity level), and the places of its entries. */
static void constraint_jacobian(const struct model *model, struct mode *mode)
{
    int n = model->n, m = mode->m;
    struct entries *at = &mode->Phi_q_entries;
    int *column = memory_new(n, sizeof *column);
    mode->Phi_q = memory_new(m * n, sizeof(formula));
    at->begin = memory_new(m + 1, sizeof *at->begin);
    for (int i = 0; i < m; i++) {
        int count = gradient_entries(mode->Phi[i],
                                     mode->velocity_level[i] ? BLOCK_V : BLOCK_Q, n,
                                     mode->Phi_q + i * n, column);
        append_entries(at, column, count);
        at->begin[i + 1] = at->count;
    }
    free(column);
}

/* row [n] += Phi_s f_s,v for one row of Phi, with f_s,v [ns*n]. False: there is
   nothing to add. */
static bool add_moving_states(const struct model *model, formula Phi,
                              const formula *f_s_v, formula *Phi_s, formula *row)
{
    int n = model->n;
    bool added = false;
    gradient(Phi, BLOCK_S, model->ns, Phi_s);
    for (int k = 0; k < model->ns; k++)
        for (int j = 0; j < n && !is_zero(Phi_s[k]); j++)
            if (!is_zero(f_s_v[k * n + j])) {
                row[j] = add(row[j], mul(Phi_s[k], f_s_v[k * n + j]));
                added = true;
            }
    return added;
}

/* Lists the places of the entries of a matrix, row by row. */
static void find_entries(const formula *matrix, int rows, int columns,
                         struct entries *at)
{
    at->begin = memory_new(rows + 1, sizeof *at->begin);
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < columns; j++)
            if (!is_zero(matrix[i * columns + j]))
                append_entries(at, &j, 1);
        at->begin[i + 1] = at->count;
    }
}

/* Phid_v = Phi_q + Phi_s f_s,v, and the places of its entries. */
static void velocity_jacobian(const struct model *model, struct mode *mode)
{
    int n = model->n, ns = model->ns, m = mode->m;
    bool differs = false;
    formula *Phid_v = NULL;
    if (ns > 0 && m > 0) {
        formula *f_s_v = memory_new(ns * n, sizeof *f_s_v);
        formula *Phi_s = memory_new(ns, sizeof *Phi_s);
        Phid_v = memory_new(m * n, sizeof *Phid_v);
        memory_copy(Phid_v, mode->Phi_q, m * n, sizeof *Phid_v);
        jacobian(mode->f_s, ns, BLOCK_V, n, f_s_v);
        for (int i = 0; i < m; i++)
            if (!mode->velocity_level[i])
                differs |= add_moving_states(model, mode->Phi[i], f_s_v, Phi_s,
                                             Phid_v + i * n);
        free(f_s_v);
        free(Phi_s);
    }
    if (differs) {
        mode->Phid_v = Phid_v;
        find_entries(Phid_v, m, n, &mode->Phid_v_entries);
        return;
    }
    free(Phid_v);
    mode->Phid_v = mode->Phi_q;
    mode->Phid_v_entries = mode->Phi_q_entries;
}

/* Completes M, which may be written by one triangle, and lists the places of its
   entries. */
static void complete_mass(const struct model *model, struct mode *mode)
{
    int n = model->n;
    struct entries *at = &mode->M_entries;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            if (mode->M[i][j].tape && !mode->M[j][i].tape)
                mode->M[j][i] = mode->M[i][j];
    mode_complete_energies(model, mode);
    at->begin = memory_new(n + 1, sizeof *at->begin);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++)
            if (!is_zero(mode->M[i][j]))
                append_entries(at, &j, 1);
        at->begin[i + 1] = at->count;
    }
}

/* out [n] = Phi_q' x for the variables x of `block`, by one reverse sweep. */
static void constraint_force(const struct model *model, const formula *Phi,
                             const bool *velocity_level, int count, int block,
                             formula *out)
{
    formula position = {NULL, 0}, velocity = {NULL, 0};
    for (int i = 0; i < count; i++) {
        formula term = mul(variable(model->tape, block, i), Phi[i]);
        if (velocity_level[i])
            velocity = add(velocity, term);
        else
            position = add(position, term);
    }
    formula *extra = memory_new(model->n, sizeof *extra);
    gradient(position, BLOCK_Q, model->n, out);
    gradient(velocity, BLOCK_V, model->n, extra);
    for (int i = 0; i < model->n; i++)
        out[i] = add(out[i], extra[i]);
    free(extra);
}

/* Phid and Phidd of rows: a row at position level is differentiated twice, at velocity
   level once. */
static void constraint_rates(const struct model *model, const struct mode *mode,
                             const formula *Phi, const bool *velocity_level, int count,
                             formula *Phid, formula *Phidd)
{
    mode_time_derivative(model, mode, Phi, count, Phid);
    for (int i = 0; i < count; i++)
        if (velocity_level[i])
            Phid[i] = Phi[i];
    if (Phidd)
        mode_time_derivative(model, mode, Phid, count, Phidd);
}

static void complete_mode(const struct model *model, struct mode *mode)
{
    int m = mode->m;
    mode->Phid = memory_new(m, sizeof(formula));
    mode->Phidd = memory_new(m, sizeof(formula));
    mode->lambda_force = memory_new(model->n, sizeof(formula));
    complete_mass(model, mode);

    constraint_rates(model, mode, mode->Phi, mode->velocity_level, m, mode->Phid,
                     mode->Phidd);
    constraint_jacobian(model, mode);
    velocity_jacobian(model, mode);
    constraint_force(model, mode->Phi, mode->velocity_level, m, BLOCK_LAMBDA,
                     mode->lambda_force);
}

/* --- resets ------------------------------------------------------------------------- */

/* The residual w - value; w - (its component before the event) where no value is
   given. */
static formula explicit_row(const struct model *model, formula value, int plus, int block,
                            int i)
{
    if (!value.tape)
        value = variable(model->tape, block, i);
    return sub(variable(model->tape, plus, i), value);
}

/* Phi+_q v+ + Phi+_t = 0 for the velocities that are not given, Corner et al. 2019
   (81). Returns the number of rows. */
static int constrained_rows(const struct model *model, const struct event *event,
                             formula *J)
{
    const struct mode *to = event->to;
    int row = 0;
    for (int i = 0; i < model->n; i++)
        if (event->v_plus[i].tape)
            J[row++] = explicit_row(model, event->v_plus[i], BLOCK_V_PLUS, BLOCK_V, i);
    rename_after_event(model->tape, to->Phid, to->m, J + row);
    return row + to->m;
}

/* M+ v+ - M- v- + Psi+_q' J = 0 and Psid(v+) + E Psid(v-) = 0; Corner et al. 2019 (82)
   is E = 0. */
static void impulsive_rows(const struct model *model, const struct event *event,
                           formula *J)
{
    int n = model->n, k = event->impulses;
    formula *plus = memory_new(n + k, sizeof *plus);
    formula *Psid = memory_new(k, sizeof *Psid);
    formula *force = memory_new(n, sizeof *force);

    constraint_force(model, event->Psi, event->Psi_velocity_level, k, BLOCK_IMPULSE,
                     force);
    rename_after_event(model->tape, force, n, force);
    for (int i = 0; i < n; i++) {
        rename_after_event(model->tape, event->to->M[i], n, plus);
        J[i] = force[i];
        for (int j = 0; j < n; j++) {
            J[i] = add(J[i], mul(plus[j], variable(model->tape, BLOCK_V_PLUS, j)));
            J[i] = sub(J[i],
                       mul(event->from->M[i][j], variable(model->tape, BLOCK_V, j)));
        }
    }
    constraint_rates(model, event->to, event->Psi, event->Psi_velocity_level, k, Psid,
                     NULL);
    rename_after_event(model->tape, Psid, k, plus);
    constraint_rates(model, event->from, event->Psi, event->Psi_velocity_level, k, Psid,
                     NULL);
    for (int i = 0; i < k; i++)
        J[n + i] = add(plus[i], mul(event->E[i], Psid[i]));
    free(plus);
    free(Psid);
    free(force);
}

static void complete_event(const struct model *model, struct event *event)
{
    int n = model->n;
    event_apply_policy(model, event);
    event->guard = simple_zero(event->guard);
    if (event->joints)
        for (int i = 0; i < event->to->m; i++) {
            event_impulse(event, event->to->Phi[i], (formula){NULL, 0});
            event->Psi_velocity_level[event->impulses - 1] = event->to->velocity_level[i];
        }
    int velocities = n + event->impulses;
    event->w = 2 * n + model->ns + event->impulses;
    event->J = memory_new(event->w + event->to->m, sizeof *event->J);

    for (int i = 0; i < n; i++)
        event->J[i] = explicit_row(model, event->q_plus[i], BLOCK_Q_PLUS, BLOCK_Q, i);
    if (event->velocity == VELOCITY_EXPLICIT)
        for (int i = 0; i < n; i++)
            event->J[n + i] = explicit_row(model, event->v_plus[i], BLOCK_V_PLUS, BLOCK_V,
                                           i);
    else if (event->velocity == VELOCITY_CONSTRAINED)
        velocities = constrained_rows(model, event, event->J + n);
    else
        impulsive_rows(model, event, event->J + n);
    for (int k = 0; k < model->ns; k++)
        event->J[n + velocities + k] =
            explicit_row(model, event->s_plus[k], BLOCK_S_PLUS, BLOCK_S, k);
    event->rows = n + velocities + model->ns;
}

/* --- checks ------------------------------------------------------------------------- */

static enum status check_mode(const struct model *model, struct mode *mode,
                              struct diagnosis *diagnosis)
{
    while (mode->m < mode->Phi_room && mode->Phi[mode->m].tape)
        mode->m++;
    char line[160];
    for (int i = mode->m; i < mode->Phi_room; i++)
        if (mode->Phi[i].tape) {
            model_lines(model, mode->Phi[i], line, sizeof line);
            return diagnose(diagnosis, BAD_INPUT, NAN,
                            "%scase %s, mode %s: Phi[%d] is given but Phi[%d] is not",
                            line, model->desc->name, mode->name, i, mode->m);
        }
    return OK;
}

static enum status check_event(const struct model *model, const struct event *event,
                               struct diagnosis *diagnosis)
{
    if (!event->guard.tape)
        return diagnose(diagnosis, BAD_INPUT, NAN, "case %s: event %s has no guard",
                        model->desc->name, event->name);
    int given = 0;
    for (int i = 0; i < model->n; i++)
        given += event->v_plus[i].tape != NULL;
    if (event->velocity == VELOCITY_CONSTRAINED && given + event->to->m < model->n)
        return diagnose(diagnosis, BAD_INPUT, NAN,
                        "case %s: event %s gives %d velocities and mode %s has %d "
                        "constraints; together they must be %d, or more where "
                        "constraints depend on others",
                        model->desc->name, event->name, given, event->to->name,
                        event->to->m, model->n);
    if (event->velocity == VELOCITY_IMPULSIVE && given > 0)
        return diagnose(
            diagnosis, BAD_INPUT, NAN,
            "case %s: event %s gives velocities and impulses; give one of them",
            model->desc->name, event->name);
    return OK;
}

/* Refuses an event that never happens, because one declared before it shares its guard
   and has no condition. */
static enum status check_choice(const struct model *model, int k,
                                struct diagnosis *diagnosis)
{
    const struct event *event = model->event[k];
    for (int i = 0; i < k; i++) {
        const struct event *before = model->event[i];
        if (before->conditions == 0 && event_shares_guard(before, event))
            return diagnose(diagnosis, BAD_INPUT, NAN,
                            "case %s: events %s and %s leave mode %s by the same guard "
                            "in the same direction, and nothing says which; make one "
                            "event of them, or give %s a condition (event_require)",
                            model->desc->name, before->name, event->name,
                            event->from->name, before->name);
    }
    return OK;
}

static enum status check_parameters(const struct model *model,
                                    struct diagnosis *diagnosis)
{
    for (int j = 0; j < model->p; j++)
        if (!model->parameter[j].unit)
            return diagnose(diagnosis, BAD_INPUT, NAN,
                            "case %s: parameter %s has no nominal value; add NOMINAL or "
                            "FIXED", model->desc->name, model->parameter[j].name);
    return OK;
}

static bool is_mode_of(const struct model *model, const struct mode *mode)
{
    for (int k = 0; k < model->modes; k++)
        if (model->mode[k] == mode)
            return true;
    return false;
}

/* Checks the modes of an event, which a case may have set after model_event. */
static enum status check_modes_of(const struct model *model, const struct event *event,
                                  struct diagnosis *diagnosis)
{
    bool from = is_mode_of(model, event->from);
    if (from && is_mode_of(model, event->to))
        return OK;
    const struct mode *wrong = from ? event->to : event->from;
    return diagnose(diagnosis, BAD_INPUT, NAN, "case %s, event %s: event->%s is %s; give "
                    "what model_mode() gives", model->desc->name, event->name,
                    from ? "to" : "from", wrong ? "no mode of this case" : "NULL");
}

/* Refuses a guess that no equation is solved from. Phid = 0 needs none for v. */
static enum status check_guesses(const struct model *model, struct diagnosis *diagnosis)
{
    const struct { const char *name; const formula *guess; int count; } part[] = {
        {"v", model->v_guess, model->n}, {"s", model->s_guess, model->ns}};
    for (int k = 0; k < 2 && model->start_rows == 0; k++)
        for (int i = 0; i < part[k].count; i++)
            if (part[k].guess[i].tape)
                return diagnose(diagnosis, BAD_INPUT, NAN, "case %s: %s_guess[%d] is "
                                "given, but no start row needs it; add the row "
                                "(model_start_row), or give %s0[%d]", model->desc->name,
                                part[k].name, i, part[k].name, i);
    return OK;
}

static enum status check(const struct model *model, struct diagnosis *diagnosis)
{
    const struct read_error *error = &model->recording->error;
    const char *place = model->recording->error_place;
    if (error->set && error->column > 0)
        return diagnose(diagnosis, BAD_INPUT, NAN, "%s: column %d: %s", place,
                        error->column, error->message);
    if (error->set && model->desc->path)
        return diagnose(diagnosis, BAD_INPUT, NAN, "%s: %s", place, error->message);
    if (error->set)
        return diagnose(diagnosis, BAD_INPUT, NAN, "%s: case %s: %s", place,
                        model->desc->name, error->message);
    enum status status = check_parameters(model, diagnosis);
    if (status == OK)
        status = model_check_margins(model, diagnosis);
    if (status == OK)
        status = check_guesses(model, diagnosis);
    for (int k = 0; status == OK && k < model->events; k++)
        status = check_modes_of(model, model->event[k], diagnosis);
    for (int k = 0; status == OK && k < model->modes; k++)
        status = check_mode(model, model->mode[k], diagnosis);
    for (int k = 0; status == OK && k < model->events; k++)
        status = check_event(model, model->event[k], diagnosis);
    for (int k = 0; status == OK && k < model->events; k++)
        status = check_choice(model, k, diagnosis);
    return status;
}

/* Records a case. A slip in code that the case calls is one more error of the case. */
static void record(struct model *model)
{
    struct slip_trap trap;
    slip_trap_set(&trap);
    bool compiled = !model->desc->path;
    if (compiled)
        model_guard_begin(model);
    if (setjmp(trap.place) == 0)
        model->desc->record(model);
    else
        model_misuse(model, trap.message);
    if (compiled)
        model_guard_end();
    slip_trap_remove(&trap);
    if (!model->start)
        model_misuse(model, "model->start is NULL; give what model_mode() returns");
}

/* --- model_new ---------------------------------------------------------------------- */

struct model *model_new(const struct case_desc *desc, struct diagnosis *diagnosis)
{
    return model_new_with(desc, RESET_IMPULSIVE, diagnosis);
}

struct model *model_record(const struct case_desc *desc, struct diagnosis *diagnosis)
{
    /* C code may miss an array, a model file cannot */
    bool guarded = margin_guard(!desc->path);
    struct model *model = model_blank(desc);
    record(model);
    enum status status = check(model, diagnosis);
    margin_guard(guarded);
    if (status == OK)
        model_settle(model);
    if (status != OK) {
        model_free(model);
        return NULL;
    }
    for (int k = 0; k < model->modes; k++)
        if (model->mode[k]->m > model->m)
            model->m = model->mode[k]->m;
    model->fingerprint = model_take_fingerprint(model);
    return model;
}

struct model *model_new_with(const struct case_desc *desc, enum reset_policy reset,
                             struct diagnosis *diagnosis)
{
    struct model *model = model_record(desc, diagnosis);
    if (!model)
        return NULL;
    model->reset = reset;
    for (int k = 0; k < model->modes; k++)
        complete_mode(model, model->mode[k]);
    for (int k = 0; k < model->events; k++)
        complete_event(model, model->event[k]);
    model_find_edges(model);
    if (model_check_uses(model, diagnosis) != OK) {
        model_free(model);
        return NULL;
    }
    /* names of files of a plug-in do not outlive it */
    free(model->recording->written);
    *model->recording = (struct recording){0};
    tape_complete(model->tape);
    return model;
}

/* --- residuals ---------------------------------------------------------------------- */

struct residual *residual_new(enum residual_kind kind, int rows)
{
    struct residual *residual = memory_new(1, sizeof *residual);
    residual->kind = kind;
    residual->rows = rows;
    residual->R = memory_new(rows, sizeof *residual->R);
    residual->unknown = memory_new(rows, sizeof *residual->unknown);
    return residual;
}

void residual_free(struct residual *residual)
{
    if (!residual)
        return;
    free(residual->R);
    free(residual->unknown);
    free(residual);
}
