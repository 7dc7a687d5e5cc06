/*
 * model_check.c - dependence analysis: formulas of a recorded model that depend on
 * quantities they must not; no numbers are needed.
 *
 * Every formula of a model may depend on some quantities only: a mass matrix not on
 * velocities, a constraint not on accelerations. A formula that depends on more would be
 * differentiated as if it did not.
 */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "formula/diff.h"
#include "formula/tape.h"
#include "model_internal.h"

enum {
    USES_T = 1 << BLOCK_T, USES_Q = 1 << BLOCK_Q, USES_V = 1 << BLOCK_V,
    USES_S = 1 << BLOCK_S, USES_A = 1 << BLOCK_A, USES_LAMBDA = 1 << BLOCK_LAMBDA,
    USES_RHO = 1 << BLOCK_RHO, USES_TWIN = 1 << BLOCK_TWIN,
    OF_PLACE = USES_T | USES_Q | USES_S | USES_RHO,
    OF_STATE = OF_PLACE | USES_V,
    OF_MOTION = OF_STATE | USES_A | USES_LAMBDA,
    OF_EVENT = (1 << BLOCKS) - 1, USES_IMPULSE = 1 << BLOCK_IMPULSE
};

static const char *const quantity[BLOCKS] = {
    [BLOCK_T] = "time",
    [BLOCK_Q] = "coordinates",
    [BLOCK_V] = "velocities",
    [BLOCK_S] = "auxiliary states",
    [BLOCK_A] = "accelerations",
    [BLOCK_LAMBDA] = "multipliers",
    [BLOCK_RHO] = "parameters",
    [BLOCK_Q_PLUS] = "coordinates after an event",
    [BLOCK_V_PLUS] = "velocities after an event",
    [BLOCK_S_PLUS] = "states after an event",
    [BLOCK_IMPULSE] = "impulses",
    [BLOCK_QD] = "unknowns of a formulation",
    [BLOCK_SD] = "unknowns of a formulation",
    [BLOCK_MU] = "unknowns of a formulation",
    [BLOCK_TWIN] = "coordinates of another case",
    [BLOCK_WEIGHT] = "weights of a gradient",
    [BLOCK_ADJOINT] = "weights of a gradient"};

/* State of the checks of a model. */
struct checker {
    const struct model *model;
    const char *where;              /* name of the mode or event, or NULL */
    unsigned *uses;
    formula **rate_slope;           /* [modes][loads][n] d rate/dv of forces on rates */
    formula *seen;                  /* [seens] formulas that were checked */
    int seens, seen_room;
    struct diagnosis *diagnosis;
    enum status status;
};

static unsigned *uses_of_rows(const struct tape *tape)
{
    int rows = tape_rows(tape);
    unsigned *uses = memory_new(rows, sizeof *uses);
    for (int i = 0; i < rows; i++) {
        struct tape_row row = tape_row(tape, i);
        int arity = row.op == OP_POWI ? 1 : op_info[row.op].arity;
        if (row.op == OP_VARIABLE)
            uses[i] = row.a < BLOCKS ? 1u << row.a : 0;
        if (arity >= 1)
            uses[i] |= uses[row.a];
        if (arity >= 2)
            uses[i] |= uses[row.b];
    }
    return uses;
}

/* Refuses formulas that depend on other blocks than `allowed`. */
static void check(struct checker *checker, const char *what, const formula *f, int count,
                  unsigned allowed)
{
    for (int i = 0; checker->status == OK && i < count; i++) {
        if (f[i].tape) {
            checker->seen = memory_grow(checker->seen, &checker->seen_room,
                                        checker->seens + 1, sizeof *checker->seen);
            checker->seen[checker->seens++] = f[i];
        }
        unsigned more = f[i].tape ? checker->uses[f[i].row] & ~allowed : 0;
        int block = 0;
        while (block < BLOCKS && !(more >> block & 1))
            block++;
        char line[160];
        if (more)
            model_lines(checker->model, f[i], line, sizeof line);
        if (more)
            checker->status = diagnose(
                checker->diagnosis, BAD_INPUT, NAN,
                "%scase %s%s%s: %s must not depend on %s", line,
                checker->model->desc->name, checker->where ? ", " : "",
                checker->where ? checker->where : "", what, quantity[block]);
    }
}

/* Energies and loads, of which M and F have only the derivatives that a statement of the
   right kind has: a potential energy of velocities would lose a part. */
static void check_energies(struct checker *checker, const struct mode *mode)
{
    check(checker, "T", &mode->T, 1, OF_STATE);
    check(checker, "V", &mode->V, 1, OF_PLACE);
    for (int k = 0; k < mode->loads; k++) {
        const struct load *load = &mode->load[k];
        formula *slope = checker->rate_slope[mode->index] + k*checker->model->n;
        check(checker, load->rate ? "the rate of a force" : "the place of a force",
              &load->place, 1, load->rate ? OF_STATE : OF_PLACE);
        check(checker, "a force", &load->force, 1, OF_STATE | USES_LAMBDA);
        for (int i = 0; load->rate && i < checker->model->n; i++)
            if (checker->status == OK && slope[i].tape &&
                checker->uses[slope[i].row] & USES_V) {
                char line[160];
                model_lines(checker->model, load->place, line, sizeof line);
                checker->status = diagnose(
                    checker->diagnosis, BAD_INPUT, NAN, "%scase %s, %s: the rate of a "
                    "force must be linear in the velocities", line,
                    checker->model->desc->name, checker->where);
            }
    }
}

static void check_mode(struct checker *checker, const struct mode *mode)
{
    const struct model *model = checker->model;
    checker->where = mode->name;
    check_energies(checker, mode);
    for (int i = 0; i < model->n; i++)
        for (int k = mode->M_entries.begin[i]; k < mode->M_entries.begin[i + 1]; k++)
            check(checker, "M", &mode->M[i][mode->M_entries.column[k]], 1, OF_PLACE);
    check(checker, "F", mode->F, model->n, OF_STATE | USES_LAMBDA);
    for (int i = 0; i < mode->m; i++) {
        unsigned more = mode->velocity_level[i] ? USES_V : 0;
        check(checker, "Phi", &mode->Phi[i], 1, OF_PLACE | more);
    }
    check(checker, "f_s", mode->f_s, model->ns, OF_MOTION);
    check(checker, "g", mode->g, model->nz, OF_MOTION);
    check(checker, "power", &mode->power, 1, OF_MOTION);
    if (checker->status == OK && mode->power.tape && !model->energy.tape)
        checker->status = diagnose(checker->diagnosis, BAD_INPUT, NAN,
                                   "case %s, %s: power is the rate of an energy that is "
                                   "not stated; set model->energy",
                                   model->desc->name, mode->name);
    /* Phidd is the derivative of Phid, and takes accelerations as they are. */
    check(checker, "d/dt Phi (through s, which it contains)", mode->Phid, mode->m,
          OF_STATE);
}

/* Refuses states in an impulse row whose rate is not known with the velocities. */
static void check_moving_rows(struct checker *checker, const struct event *event)
{
    const struct model *model = checker->model;
    const struct mode *side[] = {event->from, event->to};
    formula *Psi_s = memory_new(model->ns, sizeof *Psi_s);
    for (int i = 0; i < event->impulses; i++) {
        if (event->Psi_velocity_level[i])
            continue;
        gradient(event->Psi[i], BLOCK_S, model->ns, Psi_s);
        for (int k = 0; k < model->ns; k++)
            for (int j = 0; j < 2 && !is_zero(Psi_s[k]); j++)
                check(checker, "d/dt Psi (through s, which it contains)",
                      &side[j]->f_s[k], 1, OF_STATE);
    }
    free(Psi_s);
}

static void check_event(struct checker *checker, const struct event *event)
{
    const struct model *model = checker->model;
    unsigned known = event->impulses > 0 ? OF_EVENT : OF_EVENT & ~USES_IMPULSE;
    checker->where = event->name;
    check(checker, "the guard", &event->guard, 1, OF_MOTION);
    check(checker, "a condition", event->condition, event->conditions, OF_MOTION);
    check(checker, "q_plus", event->q_plus, model->n, known);
    check(checker, "v_plus", event->v_plus, model->n, known);
    check(checker, "s_plus", event->s_plus, model->ns, known);
    check(checker, "E", event->E, event->impulses, known);
    check(checker, "the cost", event->cost, model->nz, known);
    for (int k = 0; k < event->balances; k++) {
        const struct balance *balance = &event->balance[k];
        check(checker, balance->name, &balance->left, 1, OF_EVENT & ~USES_IMPULSE);
        check(checker, balance->name, &balance->right, 1, OF_EVENT & ~USES_IMPULSE);
    }
    for (int i = 0; i < event->impulses; i++) {
        unsigned more = event->Psi_velocity_level[i] ? USES_V : 0;
        check(checker, "Psi", &event->Psi[i], 1, OF_PLACE | more);
    }
    check_moving_rows(checker, event);
}

/* Marks the variables of a block that the rows of an order contain; an order never set
   contains none. */
static void note_variables(const struct order *order, const struct tape *tape, int block,
                           bool *is_there)
{
    for (int i = 0; i < order->count; i++) {
        const struct tape_row *row = &tape->row[order->entry[i].row];
        if (row->op == OP_VARIABLE && row->a == block)
            is_there[row->b] = true;
    }
}

/* Marks the coordinates [n] and velocities [n] that a guard on coordinates and its
   rate depend on. False: the rate depends on unknowns, and so on everything. */
static bool note_dependence(const struct model *model, const struct event *event,
                            bool *on_q, bool *on_v)
{
    struct order order;
    bool *on_s = memory_new(model->ns, sizeof *on_s), known = true;
    formula *rates = memory_new(1 + model->ns, sizeof *rates);
    int count = 0;
    order_from(&order, model->tape, &event->guard, 1);
    note_variables(&order, model->tape, BLOCK_Q, on_q);
    note_variables(&order, model->tape, BLOCK_Q, on_v);
    note_variables(&order, model->tape, BLOCK_S, on_s);
    order_clear(&order);
    for (int k = 0; k < model->ns; k++)
        if (on_s[k])
            rates[count++] = event->from->f_s[k];
    order_from(&order, model->tape, rates, count);
    note_variables(&order, model->tape, BLOCK_Q, on_q);
    note_variables(&order, model->tape, BLOCK_V, on_v);
    for (int i = 0; i < order.count; i++) {
        const struct tape_row *row = &model->tape->row[order.entry[i].row];
        known = known && !(row->op == OP_VARIABLE &&
                           (row->a == BLOCK_A || row->a == BLOCK_LAMBDA));
    }
    order_clear(&order);
    free(rates);
    free(on_s);
    return known;
}

static bool is_changed(const struct model *model, formula plus, int block, int i)
{
    return plus.tape && !same_formula(plus, variable(model->tape, block, i));
}

/* True: the motion may go on beyond the guard of the event. An event that leaves
   forces, guard and the guard's rate as they are, leaves the guard at zero, and the
   motion goes on as it came. An event that changes the rate of a guard on coordinates
   is an impact, after which the body may not go on into the obstacle. A guard on
   velocities or unknowns is no obstacle. A state that is set at its guard is set to
   its value there. */
static bool goes_on(const struct checker *checker, const struct event *event)
{
    const struct model *model = checker->model;
    unsigned uses = checker->uses[event->guard.row];
    if (uses & (USES_V | USES_A | USES_LAMBDA) || !(uses & USES_Q))
        return true;
    bool *on_q = memory_new(2 * model->n, sizeof *on_q), *on_v = on_q + model->n;
    bool known = note_dependence(model, event, on_q, on_v);
    bool same = event->velocity == VELOCITY_EXPLICIT;
    for (int i = 0; i < model->n; i++) {
        bool depends = on_q[i] || !known, moves = on_v[i] || !known;
        same = same && !(depends && is_changed(model, event->q_plus[i], BLOCK_Q, i)) &&
               !(moves && is_changed(model, event->v_plus[i], BLOCK_V, i));
    }
    free(on_q);
    return same;
}

/* Checks drawings and comparisons with another case. */
static void check_extras(struct checker *checker)
{
    const struct model *model = checker->model;
    for (int k = 0; k < model->segments; k++) {
        check(checker, "the figure", model->segment[k].from, 3, OF_PLACE);
        check(checker, "the figure", model->segment[k].to, 3, OF_PLACE);
    }
    for (int k = 0; k < model->equalities; k++) {
        const struct equality *equality = &model->equality[k];
        check(checker, equality->name, &equality->own, 1, USES_T | USES_Q | USES_RHO);
        check(checker, equality->name, &equality->twin, 1,
              USES_T | USES_TWIN | USES_RHO);
    }
}

/* Marks the parameters that any formula depends on. */
static void mark_parameters(const struct checker *checker)
{
    const struct model *model = checker->model;
    struct order order;
    order_from(&order, model->tape, checker->seen, checker->seens);
    for (int i = 0; i < order.count; i++) {
        struct tape_row row = tape_row(model->tape, order.entry[i].row);
        if (row.op == OP_VARIABLE && row.a == BLOCK_RHO)
            model->parameter[row.b].used = true;
    }
    order_clear(&order);
}

/* The slopes of rates by velocities, which the model is completed by already. */
static formula **rate_slopes(const struct model *model)
{
    formula **slope = memory_new(model->modes, sizeof *slope);
    for (int k = 0; k < model->modes; k++) {
        const struct mode *mode = model->mode[k];
        slope[k] = memory_new(mode->loads*model->n, sizeof **slope);
        for (int i = 0; i < mode->loads; i++)
            if (mode->load[i].rate)
                gradient(mode->load[i].place, BLOCK_V, model->n, slope[k] + i*model->n);
    }
    return slope;
}

enum status model_check_uses(const struct model *model, struct diagnosis *diagnosis)
{
    formula **slope = rate_slopes(model);
    struct checker checker = {.model = model, .diagnosis = diagnosis, .status = OK,
                              .uses = uses_of_rows(model->tape), .rate_slope = slope};
    check(&checker, "t0", &model->t0, 1, USES_RHO);
    check(&checker, "t_end", &model->t_end, 1, USES_RHO);
    check(&checker, "q0", model->q0, model->n, USES_RHO);
    check(&checker, "q_guess", model->q_guess, model->n, USES_RHO);
    check(&checker, "v0", model->v0, model->n, USES_RHO);
    check(&checker, "v_guess", model->v_guess, model->n, USES_RHO);
    check(&checker, "s0", model->s0, model->ns, USES_RHO);
    check(&checker, "s_guess", model->s_guess, model->ns, USES_RHO);
    check(&checker, "Gamma", model->Gamma, model->start_rows, OF_STATE);
    check(&checker, "stop", model->stop, model->stops, USES_RHO);
    check(&checker, "w", model->w, model->nz, OF_STATE);
    check(&checker, "energy", &model->energy, 1, OF_STATE);
    check_extras(&checker);
    for (int k = 0; k < model->modes; k++)
        check_mode(&checker, model->mode[k]);
    for (int k = 0; k < model->events; k++) {
        check_event(&checker, model->event[k]);
        model->event[k]->goes_on = goes_on(&checker, model->event[k]);
        model->event[k]->timed = !(checker.uses[model->event[k]->guard.row] &
                                   (OF_MOTION & ~(unsigned)(USES_T | USES_RHO)));
    }
    mark_parameters(&checker);
    for (int k = 0; k < model->modes; k++)
        free(slope[k]);
    free(slope);
    free(checker.seen);
    free(checker.uses);
    return checker.status;
}
