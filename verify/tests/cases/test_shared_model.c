/*
 * test_shared_model.c - a completed model is constant: nothing that runs or judges writes
 * on it, and threads that run one model at once have what each has alone, to the bit.
 */
#include <math.h>
#include <pthread.h>
#include <string.h>

#include "identical.h"
#include "referring.h"
#include "sampling.h"
#include "solving.h"

#include "base/memory.h"
#include "formula/diff.h"
#include "formula/tape.h"
#include "program/program.h"

TestSuite(shared_model, .timeout = 600);

/* --- branches ----------------------------------------------------------------------- */

static struct model *pendulum(void)
{
    struct diagnosis diagnosis;
    struct model *model = model_new(case_find("pendulum-wall"), &diagnosis);
    cr_assert_not_null(model);
    return model;
}

Test(shared_model, a_branch_has_the_rows_of_its_base_and_others)
{
    struct tape *base = tape_new();
    formula x = variable(base, BLOCK_Q, 0), y = variable(base, BLOCK_Q, 1);
    formula product = mul(x, constant(base, "0.25"));
    int rows = tape_rows(base);
    tape_complete(base);
    struct tape *branch = tape_branch(base), *other = tape_branch(base);
    formula again = mul(variable(branch, BLOCK_Q, 0), constant(branch, "0.25"));
    cr_expect_eq(again.row, product.row);
    cr_expect(same_formula(again, product), "a row of the base is one of the branch");
    formula more = add(again, y);               /* y is of the base */
    cr_expect_eq(more.tape, branch);
    cr_expect_geq(more.row, rows);
    cr_expect_eq(tape_rows(base), rows);
    cr_expect(tape_has(branch, product) && tape_has(branch, more));
    cr_expect_not(tape_has(base, more));
    cr_expect_not(tape_has(other, more));
    formula twin = sub(y, constant(other, "0.25"));
    cr_expect_eq(twin.row, more.row, "both have taken the next row, for different ones");
    cr_expect_not(same_formula(twin, more));
    tape_free(other);
    tape_free(branch);
    tape_free(base);
}

Test(shared_model, a_branch_of_a_branch_finds_the_rows_of_both)
{
    struct tape *base = tape_new();
    formula x = variable(base, BLOCK_Q, 0);
    struct tape *one = tape_branch(base);
    formula sine = apply(OP_SIN, x.tape == base ? (formula){one, x.row} : x);
    struct tape *two = tape_branch(one);
    cr_expect_eq(apply(OP_SIN, variable(two, BLOCK_Q, 0)).row, sine.row);
    cr_expect_eq(constant(two, "7.5").row, constant(one, "7.5").row,
                 "the next row of each");
    cr_expect_not(tape_has(two, constant(one, "8.5")),
                  "what the base gets after it was branched");
    tape_free(two);
    tape_free(one);
    tape_free(base);
}

Test(shared_model, a_word_that_would_write_on_a_model_is_a_slip)
{
    struct model *model = pendulum();
    struct slip_trap trap;
    int rows = tape_rows(model->tape);
    slip_trap_set(&trap);
    if (setjmp(trap.place) == 0) {
        constant(model->tape, "0.123456789");
        cr_assert(false, "it was written");
    }
    cr_expect_not_null(strstr(trap.message, "complete"), "%s", trap.message);
    slip_trap_remove(&trap);
    formula slope[2];
    slip_trap_set(&trap);
    if (setjmp(trap.place) == 0) {
        jacobian(&model->event[0]->guard, 1, BLOCK_Q, 2, slope);
        cr_assert(false, "it was differentiated there");
    }
    slip_trap_remove(&trap);
    cr_expect_eq(tape_rows(model->tape), rows);
    model_free(model);
}

/* --- the branch of a model ---------------------------------------------------------- */

/* What of a model formulas can be reached through: each is of the branch, by its row. */
static void expect_moved(const formula *of, const formula *branched, int count,
                         const struct model *branch, const char *what)
{
    for (int i = 0; i < count; i++) {
        cr_expect_eq(is_zero(of[i]), is_zero(branched[i]), "%s[%d]", what, i);
        if (is_zero(of[i]))
            continue;
        cr_expect_eq(of[i].row, branched[i].row, "%s[%d]", what, i);
        cr_expect_eq(branched[i].tape, branch->tape, "%s[%d]", what, i);
    }
}

static void expect_branch(const struct model *model, const struct model *branch)
{
    int n = model->n;
    for (int k = 0; k < model->modes; k++) {
        const struct mode *a = model->mode[k], *b = branch->mode[k];
        cr_expect_neq(a, b);
        for (int i = 0; i < n; i++)
            expect_moved(a->M[i], b->M[i], n, branch, "M");
        expect_moved(a->F, b->F, n, branch, "F");
        expect_moved(a->Phi, b->Phi, a->m, branch, "Phi");
        expect_moved(a->Phid, b->Phid, a->m, branch, "Phid");
        expect_moved(a->Phidd, b->Phidd, a->m, branch, "Phidd");
        expect_moved(a->Phi_q, b->Phi_q, a->m * n, branch, "Phi_q");
        expect_moved(a->Phid_v, b->Phid_v, a->m * n, branch, "Phid_v");
        expect_moved(a->lambda_force, b->lambda_force, n, branch, "lambda_force");
        expect_moved(a->f_s, b->f_s, model->ns, branch, "f_s");
        expect_moved(a->g, b->g, model->nz, branch, "g");
        expect_moved(&a->power, &b->power, 1, branch, "power");
    }
    for (int k = 0; k < model->events; k++) {
        const struct event *a = model->event[k], *b = branch->event[k];
        cr_expect_eq(b->from, branch->mode[a->from->index]);
        cr_expect_eq(b->to, branch->mode[a->to->index]);
        expect_moved(&a->guard, &b->guard, 1, branch, "guard");
        expect_moved(a->J, b->J, a->rows, branch, "J");
        expect_moved(a->cost, b->cost, model->nz, branch, "cost");
        expect_moved(a->condition, b->condition, a->conditions, branch, "condition");
    }
    expect_moved(model->q0, branch->q0, n, branch, "q0");
    expect_moved(&model->t_end, &branch->t_end, 1, branch, "t_end");
    cr_expect_eq(branch->start, branch->mode[model->start->index]);
}

Test(shared_model, a_branch_is_the_same_mechanism_with_formulas_of_its_own)
{
    for (int k = 0; catalogue[k]; k++) {
        struct diagnosis diagnosis;
        struct model *model = model_new(catalogue[k], &diagnosis);
        cr_assert_not_null(model, "%s: %s", catalogue[k]->name, diagnosis.place);
        struct model *branch = model_branch(model), *twice = model_branch(branch);
        expect_branch(model, branch);
        expect_branch(branch, twice);
        model_branch_free(twice);
        model_branch_free(branch);
        model_free(model);
    }
}

/* --- whoever runs or judges --------------------------------------------------------- */

/* A row that is added, or scratch of a derivative that is taken, would be a slip, which
   ends the test. */
static void run_all(const struct model *model)
{
    const char *why;
    int parameter[TEST_PARAMETERS];
    double t0, t_end, value[TEST_PARAMETERS];
    struct diagnosis diagnosis = {.t = NAN};
    cr_assert_leq(model->p, TEST_PARAMETERS);
    cr_assert_eq(model_nominal_values(model, value, &diagnosis), OK);
    cr_assert_eq(model_times(model, value, &t0, &t_end, &diagnosis), OK);
    struct run_request request = {
        .model = model, .rtol = 1e-6, .atol = 1e-9, .parameter = parameter,
        .t_end = t0 + 0.01 * (t_end - t0), .max_steps = 300};
    request.parameters = model_sensitivities(model, parameter);
    for (int k = 0; formulations[k]; k++) {
        struct trajectory *run = NULL, *steps = NULL;
        struct results *own = NULL;
        request.formulation = formulations[k];
        if (!formulation_applies(formulations[k], model, &why))
            continue;
        run_once(&request, &run, &diagnosis);
        if (run)
            complex_step_run(&request, &steps, &diagnosis);
        if (run && native_of_model(&request, run, &own, &diagnosis) == OK)
            results_free(own);
        trajectory_free(steps);
        trajectory_free(run);
    }
}

static void refer_all(const struct model *model)
{
    struct diagnosis diagnosis = {.t = NAN};
    int parameter[TEST_PARAMETERS];
    struct reference_request request = {
        .model = model, .truth = {.variant = "exact"}, .digits = 20,
        .parameter = parameter, .parameters = model_sensitivities(model, parameter)};
    struct mp_trajectory *start;
    reference_start(&request, &start, &diagnosis);
    mp_trajectory_free(start);
}

Test(shared_model, nothing_that_runs_or_judges_writes_on_a_model)
{
    struct sampling *sampling = sampling_new(has_motion);
    for (int k = 0; catalogue[k]; k++) {
        struct diagnosis diagnosis;
        if (!sampling_has(sampling, catalogue[k]))
            continue;
        struct model *model = model_new(catalogue[k], &diagnosis);
        int rows = tape_rows(model->tape);
        run_all(model);
        refer_all(model);
        cr_expect_eq(tape_rows(model->tape), rows, "%s", catalogue[k]->name);
        model_free(model);
    }
    sampling_free(sampling);
    mpfr_free_cache();
}

/* --- threads ------------------------------------------------------------------------ */

enum { THREADS = 4, ROUNDS = 3 };

struct shared {
    const struct model *model;
    const char *formulation, *integrator;
    struct trajectory *trajectory[ROUNDS];
    enum status status;
    char place[480];
};

static void *run_it(void *context)
{
    struct shared *shared = context;
    int parameter[TEST_PARAMETERS];
    struct diagnosis diagnosis = {.t = NAN};
    struct run_request request = {
        .model = shared->model, .formulation = formulation_find(shared->formulation),
        .integrator = shared->integrator ? integrator_find(shared->integrator) : NULL,
        .rtol = 1e-9, .atol = 1e-12, .t_end = NAN, .parameter = parameter,
        .code = CODE_NEVER};
    request.parameters = model_sensitivities(shared->model, parameter);
    for (int k = 0; k < ROUNDS && shared->status == OK; k++)
        shared->status = run_once(&request, &shared->trajectory[k], &diagnosis);
    snprintf(shared->place, sizeof shared->place, "%s", diagnosis.place);
    return NULL;
}

static void free_trajectories(struct shared *shared)
{
    for (int k = 0; k < ROUNDS; k++)
        trajectory_free(shared->trajectory[k]);
}

static void expect_shared(const char *name, const char *const *formulation)
{
    struct diagnosis diagnosis;
    struct model *model = model_new(case_find(name), &diagnosis);
    struct shared at_once[THREADS];
    pthread_t thread[THREADS];
    for (int k = 0; k < THREADS; k++) {
        at_once[k] = (struct shared){.model = model, .formulation = formulation[k]};
        cr_assert_eq(pthread_create(&thread[k], NULL, run_it, &at_once[k]), 0);
    }
    for (int k = 0; k < THREADS; k++)
        pthread_join(thread[k], NULL);
    for (int k = 0; k < THREADS; k++) {
        struct model *own = model_new(case_find(name), &diagnosis);
        struct shared alone = {.model = own, .formulation = formulation[k]};
        run_it(&alone);
        cr_expect_eq(at_once[k].status, OK, "%s, %s: %s", name, formulation[k],
                     at_once[k].place);
        cr_expect_eq(alone.status, OK, "%s, %s: %s", name, formulation[k], alone.place);
        for (int i = 0; i < ROUNDS && alone.status == OK; i++) {
            const char *what = difference(alone.trajectory[i], at_once[k].trajectory[i]);
            cr_expect_null(what, "%s, %s: %s", name, formulation[k], what);
        }
        free_trajectories(&alone);
        free_trajectories(&at_once[k]);
        model_free(own);
    }
    model_free(model);
}

Test(shared_model, threads_that_run_one_model_have_what_each_has_alone)
{
    static const char *const constrained[THREADS] = {"index1", "penalty", "index3",
                                                     "augmented"};
    static const char *const free_ones[THREADS] = {"ode", "implicit", "ode", "ode"};
    expect_shared("pendulum-wall", constrained);
    expect_shared("five-bar-events", constrained);
    expect_shared("bouncing-ball", free_ones);
}

/* --- what results refer to ---------------------------------------------------------- */

Test(shared_model, results_refer_to_modes_and_events_of_the_model_that_was_asked_for)
{
    struct solving s;
    struct referring r;
    solving_of_case(&s, "five-bar-events", "index1");
    struct trajectory *t = solve(&s);
    cr_assert_gt(t->events, 0);
    for (int k = 0; k < t->samples; k++)
        cr_expect_eq(t->sample[k].mode, s.model->mode[t->sample[k].mode->index]);
    for (int k = 0; k < t->events; k++) {
        const struct event *event = t->event[k].event;
        cr_expect_eq(event, s.model->event[event->index]);
        cr_expect_eq(t->event[k].before.mode, event->from);
        cr_expect_eq(t->event[k].after.mode, event->to);
    }
    trajectory_free(t);
    solving_end(&s);
    referring_of_case(&r, case_find("pendulum-wall"), 30);
    for (int route = 0; route < 2; route++) {
        struct mp_trajectory *motion = route ? refer_difference(&r, false) : refer(&r);
        cr_assert_gt(motion->events, 0);
        cr_expect_eq(motion->columns.model, r.model);
        for (int k = 0; k < motion->events; k++) {
            const struct event *event = motion->event[k].event;
            cr_expect_eq(event, r.model->event[event->index]);
            cr_expect_eq(motion->event[k].after.mode, event->to);
        }
        mp_trajectory_free(motion);
    }
    referring_end(&r);
}
