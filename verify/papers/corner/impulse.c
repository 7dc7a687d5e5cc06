/*
 * impulse.c - the linear system (91) of Corner, Sandu, Sandu 2019 for the
 * sensitivities after an impulse through constraints, one printed piece at a time
 * (formulas.h).
 *
 * With dq = Q+ + v+ tau, dv- = V- + a- tau along the moving event, tau = dt_e/drho:
 *
 *     [M  Phi_q']  [V+ + a+ tau]   [M dv-]   d [M (v+ - v-) + Phi_q' L]
 *     [Phi_q   0]  [    dL     ] = [  0  ] - d [Phi_q v+ + Phi_t      ]
 *
 * where d differentiates by q along dq, by t along tau and by rho, at fixed v+, v- and
 * impulse L. Derivatives are by complex step, numbers before the event and judges too.
 */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "linear/dense_lu.h"
#include "papers/corner/formulas.h"

/* --- a case of its own -------------------------------------------------------------- */

#include "case.h"

/* A mass in air is caught by a rope whose hook moves at constant speed. No case of the
   catalogue has an impulse through a constraint that depends on time. */
static void record_caught(struct model *model)
{
    COORDINATES(x, y);
    PARAMETERS(m, u, g, l, c);
    TIME(t);

    NOMINAL(m, 2, "kg", "mass");
    NOMINAL(u, 0.5, "m/s", "speed of the hook");
    NOMINAL(g, 9.81, "m/s^2", "gravity");
    NOMINAL(l, 1, "m", "length of the rope");
    NOMINAL(c, 0.6, "N s/m", "resistance of the air");

    struct mode *free_flight = model_mode(model, "free");
    struct mode *caught = NULL;
    LET(rope, ((x - u*t)*(x - u*t) + y*y - l*l)/2);
    for (int k = 0; k < 2; k++) {
        model->M[0][0] = EQ(m);
        model->M[1][1] = EQ(m);
        model->F[0] = EQ(-c*vx);
        model->F[1] = EQ(-m*g - c*vy);
        if (k == 0)
            caught = model_mode(model, "caught");
    }
    model->Phi[0] = EQ(rope);

    struct event *catch = model_event(model, "catch", free_flight, caught, EQ(rope),
                                      RISING);
    event_impulse_joints(catch);

    model->q0[0] = EQ(-0.4);
    model->q0[1] = EQ(-0.3);
    model->v0[0] = EQ(-0.8);
    model->v0[1] = EQ(0);
    model->t_end = EQ(0.6);
}

const struct case_desc caught_moving = {
    .name = "caught-moving",
    .title = "a mass is caught by a rope whose hook moves",
    .source = "made for the ledger",
    .declared = "all values",
    .classes = "impulse",
    .record = record_caught};

/* --- the system --------------------------------------------------------------------- */

/* The system at one event. Formulas: M (v+ - v-) + Phi_q' L [n], Phi_q v+ [m], Phi_t [m],
   M [n*n], Phi_q [m*n]; v+ is BLOCK_V, v+ - v- BLOCK_V_PLUS, L BLOCK_IMPULSE. */
struct system_91 {
    const struct tried *tried;
    const struct event_record *record;
    int n, m;
    struct model *branch;
    struct probe probe;
    double *value, *derivative;     /* [formulas] */
    double *jump;                   /* [n] v+ - v- */
    struct dense_lu lu;
};

static int write_formulas(const struct system_91 *system, formula *f)
{
    struct tape *tape = system->branch->tape;
    const struct mode *mode = system->branch->mode[system->record->after.mode->index];
    int n = system->n, m = system->m;
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < n; k++) {
            formula jump = variable(tape, BLOCK_V_PLUS, k);
            f[i] = add(f[i], mul(mode->M[i][k], jump));
            f[n + 2 * m + i * n + k] = mode->M[i][k];
        }
        for (int k = 0; k < m; k++)
            f[i] = add(f[i], mul(mode->Phi_q[k * n + i],
                                 variable(tape, BLOCK_IMPULSE, k)));
    }
    ledger_Phi_t(system->branch, mode, f + n + m);
    for (int k = 0; k < m; k++)
        for (int i = 0; i < n; i++)
            f[n + k] = add(f[n + k], mul(mode->Phi_q[k * n + i],
                                         variable(tape, BLOCK_V, i)));
    memory_copy(f + n + 2 * m + n * n, mode->Phi_q, m * n, sizeof *f);
    return n + 2 * m + n * n + m * n;
}

static void factorise(struct system_91 *system)
{
    int n = system->n, m = system->m, size = n + m;
    const double *M = system->value + n + 2 * m, *Phi_q = M + n * n;
    double *K = memory_new(size * size, sizeof *K);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            K[i * size + k] = M[i * n + k];
    for (int k = 0; k < m; k++)
        for (int i = 0; i < n; i++)
            K[i * size + n + k] = K[(n + k) * size + i] = Phi_q[k * n + i];
    dense_lu_init(&system->lu, size);
    if (!dense_lu_matrix(&system->lu, K))
        slip("corner (91): singular");
    free(K);
}

static void system_init(struct system_91 *system, const struct tried *tried,
                        const char *event)
{
    const struct model *model = tried->run.model;
    const struct event_record *record =
        &tried->exact->event[ledger_event(tried->exact, event)];
    int n = model->n, m = record->after.mode->m, count = n + 2 * m + n * n + m * n;
    *system = (struct system_91){
        .tried = tried, .record = record, .n = n, .m = m, .branch = model_branch(model),
        .value = memory_new(count, sizeof(double)),
        .derivative = memory_new(count, sizeof(double)),
        .jump = memory_new(n, sizeof(double))};
    formula *f = memory_new(count, sizeof *f);
    write_formulas(system, f);
    probe_init(&system->probe, system->branch, tried->run.value, f, count);
    free(f);
    const int v = tried->exact->columns.begin[GROUP_V];
    for (int i = 0; i < n; i++)
        system->jump[i] = record->after.x[v + i] - record->before.x[v + i];
    probe_at(&system->probe, &tried->exact->columns, &record->after);
    system->probe.value[BLOCK_V_PLUS] = system->jump;
    system->probe.value[BLOCK_IMPULSE] = record->impulse;
    probe_evaluate(&system->probe, system->value, NULL);
    factorise(system);
}

static void system_clear(struct system_91 *system)
{
    dense_lu_clear(&system->lu);
    probe_clear(&system->probe);
    model_branch_free(system->branch);
    free(system->value);
    free(system->derivative);
    free(system->jump);
}

/* x [n + m] -= the derivatives of the rows; without Phi_t, those of M (v+ - v-) +
   Phi_q' L and Phi_q v+ alone. */
static void subtract(struct system_91 *system, bool with_Phi_t, double *x)
{
    int n = system->n, m = system->m;
    const double *d = system->derivative;
    probe_evaluate(&system->probe, NULL, system->derivative);
    for (int i = 0; i < n; i++)
        x[i] -= d[i];
    for (int k = 0; k < m; k++)
        x[n + k] -= d[n + k] + (with_Phi_t ? d[n + m + k] : 0);
}

/* The derivatives by q along dq [n], and by time: as printed, Phi_t,q v- stands there
   whatever dq and tau are. */
static void by_place_and_time(struct system_91 *system, const double *dq, double tau,
                              bool printed, double *x)
{
    struct probe *probe = &system->probe;
    const int v = system->tried->exact->columns.begin[GROUP_V];
    probe_still(probe);
    probe->along[BLOCK_Q] = dq;
    subtract(system, !printed, x);
    if (printed) {
        probe->along[BLOCK_Q] = system->record->before.x + v;
        probe_evaluate(probe, NULL, system->derivative);
        for (int k = 0; k < system->m; k++)
            x[system->n + k] -= system->derivative[system->n + system->m + k];
        return;
    }
    probe_still(probe);
    probe->along[BLOCK_T] = &tau;
    subtract(system, true, x);
}

/* The derivatives by parameter j: as printed M_rho v+ for M_rho (v+ - v-), and Phi_t,rho
   v-, which can be multiplied only where there are as many parameters as coordinates. */
static void by_parameter(struct system_91 *system, int j, int pieces, double *x)
{
    struct probe *probe = &system->probe;
    const struct columns *columns = &system->tried->exact->columns;
    const int v = columns->begin[GROUP_V];
    if (pieces & PRINTED_MASS)
        probe->value[BLOCK_V_PLUS] = system->record->after.x + v;
    probe_by_parameter(probe, columns, j);
    subtract(system, !(pieces & PRINTED_MIXED), x);
    probe->value[BLOCK_V_PLUS] = system->jump;
    for (int k = 0; (pieces & PRINTED_MIXED) && k < columns->p; k++) {
        probe_by_parameter(probe, columns, k);
        probe_evaluate(probe, NULL, system->derivative);
        for (int i = 0; i < system->m; i++)
            x[system->n + i] -= system->derivative[system->n + system->m + i] *
                                system->record->before.x[v + k];
    }
}

/* x [n + m]: V+ and the derivative of the impulse, by parameter j. */
static void solve_91(struct system_91 *system, int j, int pieces, double *x)
{
    const struct columns *columns = &system->tried->exact->columns;
    const struct run_point *before = &system->record->before;
    const struct run_point *after = &system->record->after;
    int n = system->n;
    double rate = pieces & PRINTED_RATES ? 0 : system->record->tau[j];
    double *dq = memory_new(2 * n, sizeof *dq), *dv = dq + n;
    const double *M = system->value + n + 2 * system->m;
    for (int i = 0; i < n; i++) {
        dq[i] = after->x[column(columns, GROUP_Q, i, j)] +
                after->x[columns->begin[GROUP_V] + i] * rate;
        dv[i] = before->x[column(columns, GROUP_V, i, j)] +
                before->x[columns->begin[GROUP_A] + i] * rate;
    }
    for (int i = 0; i < n + system->m; i++)
        x[i] = 0;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            x[i] += M[i * n + k] * dv[k];
    by_place_and_time(system, dq, system->record->tau[j], pieces & PRINTED_TIME, x);
    by_parameter(system, j, pieces, x);
    dense_lu_solve(&system->lu, x);
    for (int i = 0; i < n; i++)
        x[i] -= after->x[columns->begin[GROUP_A] + i] * rate;
    free(dq);
}

/* The largest difference of V+ over all parameters beside the largest V+. */
static struct match match_91(struct system_91 *system, int pieces)
{
    const struct columns *columns = &system->tried->exact->columns;
    struct match match = {0};
    double *x = memory_new(system->n + system->m, sizeof *x);
    for (int j = 0; j < columns->p; j++) {
        solve_91(system, j, pieces, x);
        match_add(&match, x, system->record->after.x + column(columns, GROUP_V, 0, j),
                  system->n);
    }
    free(x);
    return match;
}

void try_91(const void *study, const struct printed_formula *row, struct trial *trial)
{
    static const enum ledger_motion motion[] = {FIVE_BAR_EVENTS, CAUGHT_MOVING};
    const struct ledger *ledger = study;
    struct least printed = {INFINITY, ""}, corrected = {INFINITY, ""};
    trial_judge(trial, "complex step");
    for (int k = 0; k < 2; k++) {
        const struct tried *tried = &ledger->motion[motion[k]];
        const char *name = tried->run.model->desc->name;
        struct system_91 system;
        system_init(&system, tried, "catch");
        bool possible = !(row->subject & PRINTED_MIXED) ||
                        tried->exact->columns.p == system.n;
        if (possible) {
            struct match wrong = match_91(&system, row->subject);
            struct match right = match_91(&system, 0);
            least_add(&printed, match_digits(&wrong), "%s", name);
            least_add(&corrected, match_digits(&right), "%s", name);
            trial_tell(trial, "On %s, event catch, V+ is wrong by up to %.3g, corrected "
                       "by %.1e; the largest is %.3g.", name, wrong.error, right.error,
                       right.size);
        } else
            trial_tell(trial, "On %s, %d parameters and %d velocities, the product does "
                       "not exist.", name, tried->exact->columns.p, system.n);
        system_clear(&system);
    }
    trial->printed = printed.digits;
    trial->corrected = corrected.digits;
}
