/*
 * functions.c - the walk over a model: each of its quantities becomes a function, and
 * each derivative of it that is not zero another one (functions.h).
 */
#include "export/functions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "formula/diff.h"
#include "formula/read.h"
#include "formula/substitute.h"
#include "formula/tape.h"
#include "file/formula_texts.h"

enum {
    USES_T = 1 << BLOCK_T, USES_Q = 1 << BLOCK_Q, USES_V = 1 << BLOCK_V,
    USES_S = 1 << BLOCK_S, USES_A = 1 << BLOCK_A, USES_LAMBDA = 1 << BLOCK_LAMBDA,
    OF_PARAMETERS = 1 << BLOCK_RHO,
    OF_PLACE = USES_T | USES_Q | USES_S | OF_PARAMETERS,
    OF_STATE = OF_PLACE | USES_V,
    OF_FORCES = OF_STATE | USES_LAMBDA,
    OF_MOTION = OF_FORCES | USES_A,
    UNKNOWNS = 1 << BLOCK_V_PLUS | 1 << BLOCK_IMPULSE,
    OF_EVENT = 1 << BLOCK_Q_PLUS | 1 << BLOCK_S_PLUS | UNKNOWNS
};

static const char *const argument[BLOCKS] = {
    [BLOCK_T] = "t", [BLOCK_Q] = "q", [BLOCK_V] = "v", [BLOCK_S] = "s", [BLOCK_A] = "a",
    [BLOCK_LAMBDA] = "lambda", [BLOCK_RHO] = "rho", [BLOCK_Q_PLUS] = "q_plus",
    [BLOCK_V_PLUS] = "v_plus", [BLOCK_S_PLUS] = "s_plus", [BLOCK_IMPULSE] = "impulse"};

const char *block_argument(int block)
{
    return argument[block];
}

/* --- one quantity ------------------------------------------------------------------- */

/* A quantity of a mode, an event or the model, [rows], [rows][columns] or a number. */
struct quantity {
    const char *owner;          /* name before that of the quantity; NULL: the model's */
    const char *name, *about;
    int rows, columns;          /* 0: not an array in this direction */
    unsigned arguments, by;     /* blocks that it may depend on; by which it is
                                   differentiated */
    int multipliers, impulses;  /* sizes of the blocks that are not the model's */
};

static char *joined(const char *first, const char *second)
{
    size_t size = (first ? strlen(first) + 1 : 0) + strlen(second) + 1;
    char *text = memory_new((int)size, 1);
    snprintf(text, size, "%s%s%s", first ? first : "", first ? "_" : "", second);
    return text;
}

static struct function *append(struct functions *functions, const struct quantity *q,
                               char *name, char *about)
{
    const struct model *model = functions->model;
    functions->list = memory_grow(functions->list, &functions->room, functions->count + 1,
                                  sizeof *functions->list);
    struct function *function = &functions->list[functions->count++];
    *function = (struct function){
        .name = name, .about = about, .arguments = q->arguments, .value = -1, .by = -1,
        .dimensions = q->columns > 0 ? 2 : q->rows > 0 ? 1 : 0,
        .size = {q->rows, q->columns},
        .sizes = {[BLOCK_T] = 1, [BLOCK_Q] = model->n, [BLOCK_V] = model->n,
                  [BLOCK_S] = model->ns, [BLOCK_A] = model->n,
                  [BLOCK_LAMBDA] = q->multipliers, [BLOCK_RHO] = model->p,
                  [BLOCK_Q_PLUS] = model->n, [BLOCK_V_PLUS] = model->n,
                  [BLOCK_S_PLUS] = model->ns, [BLOCK_IMPULSE] = q->impulses}};
    return function;
}

static void add_entry(struct function *function, struct entry entry)
{
    if (is_zero(entry.f))
        return;
    function->entry = memory_grow(function->entry, &function->room, function->count + 1,
                                  sizeof *function->entry);
    function->entry[function->count++] = entry;
}

/* The derivative of a function by a block, unless it is zero. */
static void add_derivative(struct functions *functions, const struct quantity *q,
                           int value, int by)
{
    char about[80];
    const struct function of = functions->list[value];
    int size = of.sizes[by], *index = memory_new(size, sizeof *index);
    formula *out = memory_new(size, sizeof *out);
    snprintf(about, sizeof about, "d %s/d%s", q->name, argument[by]);
    struct function *function = append(functions, q, joined(of.name, argument[by]),
                                       memory_text(about, strlen(about)));
    function->value = value;
    function->by = by;
    if (by != BLOCK_T)
        function->size[function->dimensions++] = size;
    for (int k = 0; k < of.count; k++) {
        struct entry entry = of.entry[k];
        int count = gradient_entries(entry.f, by, size, out, index);
        for (int i = 0; i < count; i++) {
            entry.f = out[index[i]];
            if (by != BLOCK_T)
                entry.at[of.dimensions] = index[i];
            add_entry(function, entry);
            out[index[i]] = (formula){NULL, 0};
        }
    }
    free(out);
    free(index);
    if (function->count == 0) {
        free(function->name);
        free(function->about);
        functions->count--;
    }
}

/* Adds the quantity and its derivatives; f [rows*columns], row by row. A quantity without
   components is none. */
static void add_quantity(struct functions *functions, const struct quantity *q,
                         const formula *f, int count)
{
    if (count == 0)
        return;
    int value = functions->count, columns = q->columns > 0 ? q->columns : 1;
    struct function *function = append(functions, q, joined(q->owner, q->name),
                                       memory_text(q->about, strlen(q->about)));
    for (int i = 0; i < count; i++)
        add_entry(function, (struct entry){{q->rows > 0 ? i / columns : 0,
                                            q->columns > 0 ? i % columns : 0}, f[i]});
    for (int by = 0; by < BLOCKS; by++)
        if (q->by >> by & 1)
            add_derivative(functions, q, value, by);
}

/* --- modes -------------------------------------------------------------------------- */

static formula without_a(void *context, int block, int index)
{
    return block == BLOCK_A ? (formula){NULL, 0} : variable(context, block, index);
}

/* gamma of Phidd = Phid_v a + gamma: Phidd without its accelerations. */
static formula *gamma_of(const struct model *model, const struct mode *mode)
{
    formula *gamma = memory_new(mode->m, sizeof *gamma);
    substitute(model->tape, mode->Phidd, mode->m, without_a, model->tape, gamma);
    return gamma;
}

static void add_mode(struct functions *functions, const struct mode *mode)
{
    const struct model *model = functions->model;
    int n = model->n, m = mode->m, ns = model->ns, nz = model->nz;
    formula *M = memory_new(n * n, sizeof *M), *gamma = gamma_of(model, mode);
    for (int i = 0; i < n; i++)
        memory_copy(M + i * n, mode->M[i], n, sizeof *M);
    const struct { const char *name, *about; int rows, columns; unsigned of, by;
                   const formula *f; } all[] = {
        {"M", "mass matrix", n, n, OF_PLACE, OF_PLACE, M},
        {"F", "forces", n, 0, OF_FORCES, OF_FORCES, mode->F},
        {"Phi", "constraints", m, 0, OF_STATE, OF_STATE & ~(USES_Q | USES_V), mode->Phi},
        {"Phi_q", "their Jacobian: d Phi/dq, d Phi/dv of a row at velocity level", m, n,
         OF_PLACE, OF_PLACE, mode->Phi_q},
        {"Phid", "d/dt Phi along the motion; Phi of a row at velocity level", m, 0,
         OF_STATE, OF_STATE, mode->Phid},
        {"gamma", "of Phidd = Phid_v a + gamma", m, 0, OF_STATE, OF_STATE, gamma},
        {"f_s", "rates of the auxiliary states", ns, 0, OF_MOTION, OF_MOTION, mode->f_s},
        {"g", "rates of the costs", nz, 0, OF_MOTION, OF_MOTION, mode->g}};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        const struct quantity q = {
            .owner = functions->mode[mode->index], .name = all[k].name,
            .about = all[k].about, .rows = all[k].rows, .columns = all[k].columns,
            .arguments = all[k].of, .by = all[k].by, .multipliers = m};
        add_quantity(functions, &q, all[k].f, q.rows * (q.columns > 0 ? q.columns : 1));
    }
    free(gamma);
    free(M);
}

/* --- events ------------------------------------------------------------------------- */

/* Blocks of variables that the formulas depend on. */
static unsigned blocks_used(const struct model *model, const formula *f, int count)
{
    struct order order;
    unsigned used = 0;
    order_from(&order, model->tape, f, count);
    for (int i = 0; i < order.count; i++) {
        struct tape_row row = tape_row(model->tape, order.entry[i].row);
        if (row.op == OP_VARIABLE)
            used |= 1u << row.a;
    }
    order_clear(&order);
    return used;
}

/* Are the velocities after the event explicit functions? */
static bool is_explicit(const struct model *model, const struct event *event)
{
    return event->velocity == VELOCITY_EXPLICIT &&
           !(blocks_used(model, event->v_plus, model->n) & UNKNOWNS);
}

/* The equations of the velocities after an event, and their derivatives by these and by
   the impulses. */
struct equations {
    const formula *J;       /* [rows] */
    int rows, unknowns;
    formula *A;             /* [rows][unknowns] */
};

static struct equations equations_of(const struct model *model, const struct event *event)
{
    int n = model->n, k = event->impulses;
    struct equations e = {event->J + n, event->rows - n - model->ns, n + k, NULL};
    e.A = memory_new(e.rows * e.unknowns, sizeof *e.A);
    for (int i = 0; i < e.rows; i++) {
        gradient(e.J[i], BLOCK_V_PLUS, n, e.A + i * e.unknowns);
        gradient(e.J[i], BLOCK_IMPULSE, k, e.A + i * e.unknowns + n);
    }
    return e;
}

/* Are the equations a linear system A x = b, with x = (v_plus, impulse)? */
static bool are_linear(const struct model *model, const struct equations *e)
{
    return !(blocks_used(model, e->A, e->rows * e->unknowns) & UNKNOWNS);
}

static formula without_unknowns(void *context, int block, int index)
{
    return block == BLOCK_V_PLUS || block == BLOCK_IMPULSE
               ? (formula){NULL, 0} : variable(context, block, index);
}

/* Adds a quantity of an event. Its arguments are those of the motion, and of the values
   after the event those that it contains. */
static void add_of_event(struct functions *functions, const struct event *event,
                         const char *name, const char *about, int rows, int columns,
                         const formula *f)
{
    int count = (rows > 0 ? rows : 1) * (columns > 0 ? columns : 1);
    unsigned of = OF_MOTION | (blocks_used(functions->model, f, count) & OF_EVENT);
    const struct quantity q = {
        .owner = functions->event[event->index], .name = name, .about = about,
        .rows = rows, .columns = columns, .arguments = of, .by = of,
        .multipliers = event->from->m, .impulses = event->impulses};
    add_quantity(functions, &q, f, count);
}

/* Adds the equations of velocities that are no explicit functions. */
static void add_equations(struct functions *functions, const struct event *event)
{
    const struct model *model = functions->model;
    struct equations e = equations_of(model, event);
    if (are_linear(model, &e)) {
        formula *b = memory_new(e.rows, sizeof *b);
        substitute(model->tape, e.J, e.rows, without_unknowns, model->tape, b);
        for (int i = 0; i < e.rows; i++)
            b[i] = negate(b[i]);
        add_of_event(functions, event, "reset_A",
                     "reset of the velocities: A (v_plus, impulse) = b", e.rows,
                     e.unknowns, e.A);
        add_of_event(functions, event, "reset_b", "right side of that system", e.rows, 0,
                     b);
        free(b);
    } else {
        add_of_event(functions, event, "reset_residual",
                     "reset of the velocities: zero at the right v_plus and impulse",
                     e.rows, 0, e.J);
    }
    free(e.A);
}

/* given [count], and the value before the event where nothing is given. */
static formula *with_kept(const struct model *model, const formula *given, int block,
                          int count)
{
    formula *all = memory_new(count, sizeof *all);
    for (int i = 0; i < count; i++)
        all[i] = given[i].tape ? given[i] : variable(model->tape, block, i);
    return all;
}

static void add_event(struct functions *functions, const struct event *event)
{
    const struct model *model = functions->model;
    int n = model->n, ns = model->ns;
    add_of_event(functions, event, "guard", "zero at the event", 0, 0, &event->guard);
    if (event->conditions > 0)
        add_of_event(functions, event, "condition",
                     "the event happens only where all of them are positive",
                     event->conditions, 0, event->condition);
    const struct { const char *name, *about; const formula *given; int block, count; }
        part[] = {
            {"q_plus", "coordinates after the event", event->q_plus, BLOCK_Q, n},
            {"s_plus", "auxiliary states after it", event->s_plus, BLOCK_S, ns},
            {"v_plus", "velocities after it", event->v_plus, BLOCK_V,
             is_explicit(model, event) ? n : 0}};
    for (size_t k = 0; k < sizeof part / sizeof *part; k++) {
        formula *all = with_kept(model, part[k].given, part[k].block, part[k].count);
        if (part[k].count > 0)
            add_of_event(functions, event, part[k].name, part[k].about, part[k].count, 0,
                         all);
        free(all);
    }
    if (!is_explicit(model, event))
        add_equations(functions, event);
    if (model->nz > 0)
        add_of_event(functions, event, "cost", "added to the costs at the event",
                     model->nz, 0, event->cost);
}

/* --- parameters, start and end ------------------------------------------------------ */

static void add_of_model(struct functions *functions, const char *name, const char *about,
                         int rows, unsigned of, unsigned by, const formula *f)
{
    const struct quantity q = {.name = name, .about = about, .rows = rows,
                               .arguments = of, .by = by};
    add_quantity(functions, &q, f, rows > 0 ? rows : 1);
}

/* Adds values at the start: given formulas, and guesses where there are none, of which
   the equations of the start choose the branch. */
static void add_start(struct functions *functions, const char *name, const char *about,
                      int count, const formula *given, const formula *guess)
{
    if (count == 0)
        return;
    formula *all = memory_new(count, sizeof *all);
    for (int i = 0; i < count; i++)
        all[i] = given[i].tape ? given[i] : guess[i];
    add_of_model(functions, name, about, count, OF_PARAMETERS, OF_PARAMETERS, all);
    free(all);
}

static void add_model(struct functions *functions)
{
    const struct model *model = functions->model;
    formula *nominal = memory_new(model->p, sizeof *nominal);
    for (int j = 0; j < model->p; j++)
        nominal[j] = model->parameter[j].nominal;
    if (model->p > 0)
        add_of_model(functions, "nominal", "nominal values of the parameters", model->p,
                     0, 0, nominal);
    free(nominal);
    add_of_model(functions, "start_time", "time at the start", 0, OF_PARAMETERS,
                 OF_PARAMETERS, &model->t0);
    add_of_model(functions, "end_time", "time at the end", 0, OF_PARAMETERS,
                 OF_PARAMETERS, &model->t_end);
    add_start(functions, "start_q", "coordinates at the start, given or guessed",
              model->n, model->q0, model->q_guess);
    add_start(functions, "start_v", "velocities at the start, given or guessed",
              model->n, model->v0, model->v_guess);
    add_start(functions, "start_s", "auxiliary states at the start, given or guessed",
              model->ns, model->s0, model->s_guess);
    if (model->start_rows > 0)
        add_of_model(functions, "start_rows", "zero at the start, beside Phi and Phid",
                     model->start_rows, OF_STATE, OF_STATE, model->Gamma);
    if (model->nz > 0)
        add_of_model(functions, "terminal_cost", "added to the costs at the end",
                     model->nz, OF_STATE, OF_STATE, model->w);
}

/* --- names -------------------------------------------------------------------------- */

/* A name as an identifier that differs from those before it. */
static char *identifier(const char *name, char *const *before, int count)
{
    static const char *const digits = "0123456789";
    static const char *const letters =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
    char *text = memory_new((int)strlen(name) + count + 3, 1);
    int length = 0;
    if (!*name || strchr(digits, *name))
        text[length++] = 'n';
    for (; *name; name++)
        text[length++] = strchr(letters, *name) || strchr(digits, *name) ? *name : '_';
    for (int k = 0; k < count; k++)
        if (strcmp(before[k], text) == 0) {
            text[length++] = '_';
            k = -1;
        }
    return text;
}

void functions_init(struct functions *functions, const struct model *model)
{
    struct model *branch = model_branch(model);
    branch->names = names_copy(branch->names);
    texts_name_variables(branch);
    *functions = (struct functions){
        .model = branch, .mode = memory_new(model->modes, sizeof(char *)),
        .event = memory_new(model->events, sizeof(char *))};
    for (int k = 0; k < model->modes; k++)
        functions->mode[k] = identifier(model->mode[k]->name, functions->mode, k);
    for (int k = 0; k < model->events; k++)
        functions->event[k] = identifier(model->event[k]->name, functions->event, k);
    add_model(functions);
    for (int k = 0; k < model->modes; k++)
        add_mode(functions, branch->mode[k]);
    for (int k = 0; k < model->events; k++)
        add_event(functions, branch->event[k]);
}

void functions_clear(struct functions *functions)
{
    for (int k = 0; k < functions->count; k++) {
        free(functions->list[k].name);
        free(functions->list[k].about);
        free(functions->list[k].entry);
    }
    for (int k = 0; k < functions->model->modes; k++)
        free(functions->mode[k]);
    for (int k = 0; k < functions->model->events; k++)
        free(functions->event[k]);
    free(functions->mode);
    free(functions->event);
    free(functions->list);
    names_free(functions->model->names);
    model_branch_free(functions->model);
}
