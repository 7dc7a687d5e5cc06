/* reset.c - resets: Newton's method for the residual J(w) = 0 of an event, redundant
   rows, and the derivative along the moving event; see reset.h. */
#include "reset.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"

/* The equations of the event in one of their two forms (plan.h). */
struct form {
    const struct reset_plan *plan;
    struct mp_series *program, *matrix;
    struct mp_lu *lu;
    int *row;               /* [rows] rows of J: the first `unknowns` are solved */
    int checks;             /* number of rows after these that must then hold */
};

struct reset {
    const struct model *model;
    const struct event *event;
    int lanes;
    mpfr_prec_t precision;
    struct form independent, dependent;
    struct form *form;      /* the form in use */
    mpfr_ptr w;             /* [unknowns] (q+, v+, s+, impulse, mu) */
    mpfr_ptr rhs;           /* [unknowns] Newton step of w, or its derivative */
    int *order;             /* [rows] order of independent rows; work */
    double *scale;          /* [rows] work */
    mpfr_ptr J_w;           /* [rows * w] work */
    mpfr_ptr moving;        /* [2n + ns + nz + n + m] derivative of (q, v, s, z, a,
                               lambda) along the moving event */
};

static void form_open(const struct reset *reset, const struct reset_plan *plan,
                      mpfr_srcptr rho, mpfr_srcptr unit, struct form *form)
{
    int parameters = reset->lanes - 1;
    if (plan->program == NULL)
        return;
    *form = (struct form){
        .plan = plan,
        .program = mp_series_new(plan->program, 0, reset->precision,
                                 parameters > 0 ? parameters : 1, STAGE_DIRECTION),
        .matrix = mp_series_new(plan->matrix, 0, reset->precision, 1, PROGRAM_STAGES),
        .lu = mp_lu_new(plan->unknowns, reset->precision),
        .row = memory_new(plan->rows, sizeof *form->row),
    };
    for (int i = 0; i < plan->rows; i++)
        form->row[i] = i;
    struct mp_series *const each[] = {form->program, form->matrix};
    for (int i = 0; i < 2; i++) {
        mp_series_load(each[i], 0, BLOCK_RHO, 0, rho, 1);
        mp_series_run(each[i], 0, STAGE_RHO, 0);
    }
    for (int j = 0; j < parameters; j++)
        mp_series_load(form->program, j, TANGENT(BLOCK_RHO), 0,
                       unit + j * reset->model->p, 1);
}

static void form_close(struct form *form)
{
    mp_series_free(form->program);
    mp_series_free(form->matrix);
    mp_lu_free(form->lu);
    free(form->row);
}

struct reset *reset_new(const struct model *model, const struct event_plan *plan,
                        mpfr_srcptr rho, int parameters, mpfr_srcptr unit,
                        mpfr_prec_t precision)
{
    struct reset *reset = memory_new(1, sizeof *reset);
    int rows = plan->event->rows, w = plan->event->w;
    size_t unknowns = (size_t)(w + plan->event->impulses);
    size_t moving = (size_t)(3 * model->n + model->ns + model->nz + model->m);
    *reset = (struct reset){
        .model = model,
        .event = plan->event,
        .lanes = 1 + parameters,
        .precision = precision,
        .w = mp_vector_new(unknowns, precision),
        .rhs = mp_vector_new(unknowns, precision),
        .moving = mp_vector_new(moving, precision),
        .order = memory_new(rows, sizeof *reset->order),
        .scale = memory_new(rows, sizeof *reset->scale),
        .J_w = mp_vector_new((size_t)(rows * w), precision),
    };
    form_open(reset, &plan->independent, rho, unit, &reset->independent);
    form_open(reset, &plan->dependent, rho, unit, &reset->dependent);
    reset->form = &reset->independent;
    reset->independent.checks = rows - w;
    return reset;
}

void reset_free(struct reset *reset)
{
    if (reset == NULL)
        return;
    form_close(&reset->independent);
    form_close(&reset->dependent);
    mp_vector_free(reset->w);
    mp_vector_free(reset->rhs);
    mp_vector_free(reset->moving);
    mp_vector_free(reset->J_w);
    free(reset->order);
    free(reset->scale);
    free(reset);
}

/* --- loading ------------------------------------------------------------------------ */

/* Loads (q+, v+, s+, impulse, mu) or, along a direction, their derivatives; x NULL:
   zeros */
static void load_after(const struct reset *reset, struct mp_series *series, int lane,
                       bool direction, mpfr_srcptr x)
{
    int n = reset->model->n, ns = reset->model->ns;
    const int block[] = {BLOCK_Q_PLUS, BLOCK_V_PLUS, BLOCK_S_PLUS, BLOCK_IMPULSE,
                         BLOCK_MU};
    const int at[] = {0, n, 2 * n, 2 * n + ns, reset->event->w};
    for (int i = 0; i < 5; i++)
        mp_series_load(series, lane, direction ? TANGENT(block[i]) : block[i], 0,
                       x ? x + at[i] : NULL, 1);
    mp_series_run(series, lane, direction ? STAGE_DIRECTION_UNKNOWN : STAGE_UNKNOWN, 0);
}

/* --- the values after --------------------------------------------------------------- */

/* Chooses the best independent rows, if more velocities are given, or follow from
   constraints, than there are. Returns the rank. */
static int choose_rows(struct reset *reset)
{
    int w = reset->event->w, rows = reset->event->rows;
    for (int i = 0; i < rows * w; i++)
        mpfr_set(reset->J_w + i, mp_series_output(reset->independent.matrix, 0, i),
                 MPFR_RNDN);
    return mp_independent(reset->J_w, rows, w, reset->independent.row, reset->scale);
}

/* Measures the rank of Psi_q at q+ for impulses through rows Psi, and chooses the
   form. In the form for dependent rows, the velocity conditions of the best
   independent rows are solved, mu of the others is zero, and the velocity conditions
   of the others must hold. */
static void choose_form(struct reset *reset)
{
    int n = reset->model->n, ns = reset->model->ns, w = reset->event->w;
    int k = reset->event->impulses, fixed = 2 * n + ns + k;
    for (int i = 0; i < k; i++)
        for (int j = 0; j < n; j++)
            mpfr_set(reset->J_w + i * n + j,
                     mp_series_output(reset->independent.matrix, 0,
                                      (n + j) * w + w - k + i), MPFR_RNDN);
    int rank = mp_independent(reset->J_w, k, n, reset->order, reset->scale);
    reset->form = rank < k ? &reset->dependent : &reset->independent;
    if (rank == k)
        return;
    for (int i = 0; i < k; i++) {
        int velocity = fixed + reset->order[i];
        reset->dependent.row[fixed + i] = i < rank ? velocity : velocity + k;
        if (i >= rank)
            reset->dependent.row[fixed + k + i - rank] = velocity;
    }
    reset->dependent.checks = k - rank;
}

static enum status factor(struct reset *reset, double t, struct diagnosis *diagnosis)
{
    const struct event *event = reset->event;
    int rank = event->w;
    load_after(reset, reset->independent.matrix, 0, false, reset->w);
    if (reset->dependent.plan != NULL)
        choose_form(reset);
    else if (event->rows > event->w)
        rank = choose_rows(reset);
    const struct form *form = reset->form;
    int unknowns = form->plan->unknowns;
    if (form == &reset->dependent)
        load_after(reset, form->matrix, 0, false, reset->w);
    for (int i = 0; i < unknowns; i++)
        for (int k = 0; k < unknowns; k++)
            mpfr_set(form->lu->a + i * unknowns + k,
                     mp_series_output(form->matrix, 0, form->row[i] * unknowns + k),
                     MPFR_RNDN);
    if (!mp_finite(form->lu->a, unknowns * unknowns))
        return diagnose(diagnosis, NOT_FINITE, t, "event %s: Jacobian of the reset",
                        event->name);
    if (rank < event->w || mp_lu_factor(form->lu) < unknowns)
        return diagnose(diagnosis, SINGULAR, t,
                        "event %s: the reset does not determine what comes after it",
                        event->name);
    return OK;
}

/* log2 of the largest residual of the rows of J that were not solved; `first`: output
   of row 0. -INFINITY: all rows were solved. */
static double left_over(const struct reset *reset, int lane, int first)
{
    const struct form *form = reset->form;
    double left = -INFINITY;
    for (int i = 0; i < form->checks; i++) {
        int row = form->row[form->plan->unknowns + i];
        left = fmax(left, mp_log2(mp_series_output(form->program, lane, first + row)));
    }
    return left;
}

/* rhs = -J_w^-1 (the rows that are solved, in a lane); `first`: output of row 0 */
static void solve(struct reset *reset, int lane, int first)
{
    const struct form *form = reset->form;
    for (int i = 0; i < form->plan->unknowns; i++)
        mpfr_neg(reset->rhs + i,
                 mp_series_output(form->program, lane, first + form->row[i]), MPFR_RNDN);
    mp_lu_solve(form->lu, reset->rhs);
}

/* At the solution: factors J_w for the derivatives, and tests the rows that were not
   solved. */
static enum status settle(struct reset *reset, double t, struct diagnosis *diagnosis)
{
    const struct event *event = reset->event;
    enum status status = factor(reset, t, diagnosis);
    load_after(reset, reset->form->program, 0, false, reset->w);
    double size = fmax(0, mp_log2_max(reset->w, event->w));
    double left = left_over(reset, 0, 0);
    if (status == OK && left > size - 0.5 * (double)reset->precision)
        return diagnose(diagnosis, INCONSISTENT, t,
                        "event %s: %s of mode %s contradict each other (off by %.3g)",
                        event->name, event->impulses > 0
                            ? "impulses, whose rows depend on each other,"
                            : "velocities given and constraints",
                        event->to->name, exp2(left));
    return status;
}

/* One Newton step. *done: it was the last. */
static enum status newton_step(struct reset *reset, double t, bool *done,
                               struct diagnosis *diagnosis)
{
    enum status status = factor(reset, t, diagnosis);
    if (status != OK)
        return status;
    int unknowns = reset->form->plan->unknowns;
    load_after(reset, reset->form->program, 0, false, reset->w);
    solve(reset, 0, 0);
    if (!mp_finite(reset->rhs, unknowns))
        return diagnose(diagnosis, NOT_FINITE, t, "event %s: the reset",
                        reset->event->name);
    for (int i = 0; i < unknowns; i++)
        mpfr_add(reset->w + i, reset->w + i, reset->rhs + i, MPFR_RNDN);
    double size = fmax(0, mp_log2_max(reset->w, unknowns));
    *done = mp_log2_max(reset->rhs, unknowns) < size - 0.55 * (double)reset->precision;
    return OK;
}

/* Newton's method from w = (q-, v-, s-, 0). Most resets are linear in w. */
static enum status solve_values(struct reset *reset, const struct taylor *before,
                                struct diagnosis *diagnosis)
{
    int known = before->width - before->nz;
    double t = mpfr_get_d(before->t, MPFR_RNDN);
    mp_zero(reset->w, reset->event->w + reset->event->impulses);
    for (int i = 0; i < known; i++)
        mpfr_set(reset->w + i, taylor_y(before, 0, i), MPFR_RNDN);
    struct mp_series *const each[] = {reset->independent.program,
                                      reset->independent.matrix,
                                      reset->dependent.program, reset->dependent.matrix};
    for (int i = 0; i < 4; i++)
        if (each[i])
            taylor_load_solved(before, each[i]);
    for (int iteration = 0; iteration < 100; iteration++) {
        bool done = false;
        enum status status = newton_step(reset, t, &done, diagnosis);
        if (status != OK)
            return status;
        if (done)
            return settle(reset, t, diagnosis);
    }
    return diagnose(diagnosis, NO_CONVERGENCE, t,
                    "event %s: Newton's method for the reset", reset->event->name);
}

/* --- the derivative along the moving event ------------------------------------------ */

/* out = Y- + (dY/dt) tau for Y = q, v, s, z, then a, lambda */
static void move(const struct taylor *before, int lane, mpfr_srcptr tau, mpfr_ptr out)
{
    int n = before->n;
    for (int i = 0; i < before->width + before->n + before->m; i++) {
        int s = i - 2 * n, z = s - before->ns, u = z - before->nz;
        mpfr_srcptr rate = i < n ? taylor_y(before, 0, n + i)
                         : i < 2 * n ? taylor_u(before, 0, i - n)
                         : z < 0 ? taylor_f_s(before, 0, s, 0)
                         : u < 0 ? taylor_g(before, 0, z, 0) : taylor_u(before, 0, u) + 1;
        mpfr_srcptr fixed = u < 0 ? taylor_y(before, lane, i) : taylor_u(before, lane, u);
        mpfr_fma(out + i, rate, tau, fixed, MPFR_RNDN);
    }
}

static void load_direction(struct reset *reset, const struct taylor *before, int j,
                           mpfr_srcptr tau)
{
    struct mp_series *program = reset->form->program;
    int n = before->n;
    mpfr_ptr d = reset->moving;
    move(before, 1 + j, tau, d);
    mp_series_load(program, j, TANGENT(BLOCK_T), 0, tau, 1);
    mp_series_load(program, j, TANGENT(BLOCK_Q), 0, d, 1);
    mp_series_load(program, j, TANGENT(BLOCK_V), 0, d + n, 1);
    mp_series_load(program, j, TANGENT(BLOCK_S), 0, d + 2 * n, 1);
    mp_series_load(program, j, TANGENT(BLOCK_A), 0, d + before->width, 1);
    mp_series_load(program, j, TANGENT(BLOCK_LAMBDA), 0, d + before->width + n, 1);
    mp_series_run(program, j, STAGE_DIRECTION, 0);
}

static enum status apply_lane(struct reset *reset, const struct taylor *before, int j,
                              mpfr_srcptr tau, mpfr_ptr moving,
                              struct diagnosis *diagnosis)
{
    const struct event *event = reset->event;
    struct mp_series *program = reset->form->program;
    int w = event->w, rows = reset->form->plan->rows, known = before->width - before->nz;
    int tangent = rows + before->nz;
    load_direction(reset, before, j, tau);
    load_after(reset, program, j, true, NULL);
    solve(reset, j, tangent);
    load_after(reset, program, j, true, reset->rhs);
    mp_copy(moving, reset->rhs, known);
    for (int i = 0; i < before->nz; i++)
        mpfr_add(moving + known + i, reset->moving + known + i,
                 mp_series_output(program, j, tangent + rows + i), MPFR_RNDN);

    double size = fmax(0, fmax(mp_log2_max(reset->rhs, w),
                               mp_log2_max(reset->moving, before->width)));
    size += fmax(0, mp_log2_max(reset->w, w));
    double left = left_over(reset, j, tangent);
    if (left > size - 0.5 * (double)reset->precision)
        return diagnose(diagnosis, INADMISSIBLE, mpfr_get_d(before->t, MPFR_RNDN),
                        "event %s: the constraints of mode %s cannot follow %s (off by "
                        "%.3g)", event->name, event->to->name,
                        taylor_parameter(before, 1 + j), exp2(left));
    return OK;
}

enum status reset_apply(struct reset *reset, const struct taylor *before, mpfr_srcptr tau,
                        mpfr_ptr moving, struct diagnosis *diagnosis)
{
    int known = before->width - before->nz;
    enum status status = solve_values(reset, before, diagnosis);
    if (status != OK)
        return status;
    mp_copy(moving, reset->w, known);
    for (int i = 0; i < before->nz; i++)
        mpfr_add(moving + known + i, taylor_y(before, 0, known + i),
                 mp_series_output(reset->form->program, 0, reset->form->plan->rows + i),
                 MPFR_RNDN);
    for (int j = 0; status == OK && j + 1 < reset->lanes; j++)
        status = apply_lane(reset, before, j, tau + j, moving + (j + 1) * before->width,
                            diagnosis);
    return status;
}

double reset_imbalance(const struct reset *reset)
{
    const struct form *form = reset->form;
    int first = form->plan->rows * form->plan->unknowns;
    mpfr_srcptr gap = mp_series_output(form->matrix, 0, first);
    mpfr_srcptr before = mp_series_output(form->matrix, 0, first + 1);
    mpfr_srcptr impulse = mp_series_output(form->matrix, 0, first + 2);
    double energy = fabs(mpfr_get_d(before, MPFR_RNDN));
    double work = fabs(mpfr_get_d(impulse, MPFR_RNDN));
    double size = fmax(energy, work);
    return size > 0 ? fabs(mpfr_get_d(gap, MPFR_RNDN)) / size : 0;
}
