/* Faults made on purpose: they touch what they say, are caught, and are counted. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formula/substitute.h"
#include "mechanisms/catalogue.h"
#include "mutants/mutants.h"
#include "mutants/second_judge.h"
#include "sampling.h"

/* --- a row of a tape ---------------------------------------------------------------- */

static double at(const struct tape *tape, formula f, double x)
{
    unsigned char stage[BLOCK_LIMIT];
    memset(stage, 1, sizeof stage);
    struct program *program = program_seal(tape, &f, 1, stage);
    double *rows = calloc((size_t)program->slots, sizeof *rows);
    program_init(program, rows);
    program_load(program, BLOCK_Q, &x, rows);
    program_run(program, 1, rows);
    double value = rows[program->output[0]];
    free(rows);
    program_free(program);
    return value;
}

Test(mutants, a_row_is_replaced_wherever_it_is_reached_and_nowhere_else)
{
    struct tape *tape = tape_new();
    formula x = variable(tape, BLOCK_Q, 0), square = mul(x, x);
    formula f[2] = {add(square, apply(OP_SIN, square)), add(x, x)}, kept = f[1];
    formula right = f[0];
    substitute_rows(tape, f, 2, &square, 1, &x, f);
    cr_expect_float_eq(at(tape, f[0], 0.7), 0.7 + sin(0.7), 1e-15);
    cr_expect_float_eq(at(tape, right, 0.7), 0.49 + sin(0.49), 1e-15);
    cr_expect(same_formula(f[1], kept));
    tape_free(tape);
}

Test(mutants, every_row_that_formulas_reach_is_listed_once_operands_first)
{
    struct tape *tape = tape_new();
    formula x = variable(tape, BLOCK_Q, 0), y = variable(tape, BLOCK_Q, 1);
    formula f[2] = {mul(add(x, y), x), add(x, y)};
    int *row, rows = rows_reached(tape, f, 2, &row);
    cr_assert_eq(rows, 4);
    const int expected[] = {x.row, y.row, f[1].row, f[0].row};
    cr_expect_arr_eq(row, expected, sizeof expected);
    free(row);
    tape_free(tape);
}

/* --- a run -------------------------------------------------------------------------- */

static void open_subject(struct mutant_job *subject, const char *case_name,
                         const char *formulation)
{
    struct diagnosis diagnosis = {.t = NAN};
    cr_assert_eq(mutant_job_open(subject, case_find(case_name),
                                 formulation_find(formulation),
                                 ORACLE_CERTIFIED | ORACLE_COMPLEX_STEP |
                                     ORACLE_CLOSED_FORM, &diagnosis),
                 OK, "%s", diagnosis.place);
}

Test(mutants, a_run_with_nothing_wrong_is_held_by_every_oracle)
{
    static const char *const name[] = {"pendulum-stop", "pendulum-wall", "event-bolus"};
    for (int k = 0; k < 3; k++)
        for (int events = 0; events < 2; events++) {
            struct mutant_job subject;
            struct findings findings;
            const struct wrong nothing = {.at_events = events == 1};
            open_subject(&subject, name[k], k == 1 ? "index1" : "ode");
            mutant_job_try(&subject, &nothing, &findings);
            cr_expect_not(findings.refused);
            cr_expect_not(findings.effect, "%s: further samples change something",
                          name[k]);
            cr_expect_eq(subject.wants, 3);
            for (int i = 0; i < subject.wants; i++)
                cr_expect_not(findings.by[i].caught, "%s", subject.want[i].oracle);
            mutant_job_close(&subject);
        }
}

static void negate_first(void *context, struct tape *tape, const char *what,
                         const char *of, formula *f, int count)
{
    int *calls = context;
    (void)tape;
    (void)of;
    if (strcmp(what, "motion") == 0 && (*calls)++ == 0)
        f[count - 1] = negate(f[count - 1]);
}

Test(mutants, a_wrong_derivative_leaves_the_motion_right)
{
    struct mutant_job subject;
    struct findings findings;
    int calls = 0;
    const struct wrong wrong = {.derivative = {negate_first, &calls}};
    open_subject(&subject, "pendulum-stop", "ode");
    mutant_job_try(&subject, &wrong, &findings);
    cr_expect_gt(calls, 0);
    cr_expect(findings.by[0].caught);
    cr_expect_not_null(strstr(findings.by[0].first.name, ".dz"), "%s",
                       findings.by[0].first.name);
    mutant_job_close(&subject);
}

/* --- seeded faults ------------------------------------------------------------------ */

static struct seeded_task seeded_on(const char *case_name)
{
    struct seeded_task task = {.desc = case_find(case_name),
                               .task = {.run = seeded_run, .weight = 1}};
    struct task *one = &task.task;
    cr_assert_not_null(task.desc, "no case %s", case_name);
    pool_run("test", &one, 1, 1);
    return task;
}

/* Small cases that between them feel every fault there is. */
static const char *const telling[] = {
    "event-chain", "impact-oscillator", "pendulum-wall", "stone-throw", "car-axis",
    "pendulum-friction", "compass-gait-absolute", "clocked-oscillator", "mass-drop",
    "at-rest",
};
enum { TELLING = sizeof telling / sizeof *telling };

static bool sees(const struct seeded_result *result, const char *judge)
{
    for (int i = 0; i < MUTANT_JOB_ORACLES; i++)
        if (result->oracle[i] && result->findings.by[i].caught &&
            strcmp(result->oracle[i], judge) == 0)
            return true;
    return false;
}

/* Whether a seeded fault was caught, by whomever and by the judges of its kind. */
struct seen {
    bool caught, by_identity, by_differences;
};

Test(mutants, every_seeded_fault_that_applies_is_caught_and_none_is_missed)
{
    struct seen *seen = calloc((size_t)seeded_count, sizeof *seen);
    for (int c = 0; c < TELLING; c++) {
        struct seeded_task task = seeded_on(telling[c]);
        cr_assert_not(task.skipped, "%s: %s", telling[c], task.why.place);
        for (int k = 0; k < seeded_count; k++) {
            const struct seeded_result *result = &task.result[k];
            cr_expect_neq(result->outcome, OUTCOME_MISSED, "fault %d missed in %s: %s",
                          seeded[k].number, telling[c], seeded[k].title);
            seen[k].caught |= result->outcome == OUTCOME_CAUGHT;
            seen[k].by_identity |= sees(result, "adjoint-identity");
            seen[k].by_differences |= sees(result, second_judge_name);
        }
        free(task.result);
    }
    for (int k = 0; k < seeded_count; k++) {
        int number = seeded[k].number;
        const char *title = seeded[k].title;
        cr_expect(seen[k].caught, "fault %d: %s", number, title);
        cr_expect_eq(seen[k].by_identity, seeded[k].wrong.sweep != 0, "fault %d: %s",
                     number, title);
        cr_expect_eq(seen[k].by_differences, seeded[k].second != 0, "fault %d: %s",
                     number, title);
    }
    free(seen);
}

Test(mutants, friction_not_differentiated_is_seen_as_numbers_and_not_as_a_refusal)
{
    struct seeded_task task = seeded_on("pendulum-friction");
    for (int k = 0; k < seeded_count; k++)
        if (seeded[k].number == 22) {
            cr_expect_eq(task.result[k].outcome, OUTCOME_CAUGHT);
            cr_expect_not(task.result[k].findings.refused);
        }
    free(task.result);
}

Test(mutants, each_number_of_the_list_has_its_place)
{
    int last = 0;
    for (int k = 0; k < seeded_count; k++) {
        cr_expect(seeded[k].number == last || seeded[k].number == last + 1,
                  "after %d: %d", last, seeded[k].number);
        last = seeded[k].number;
    }
    cr_expect_eq(last, 24);
}

/* --- second derivatives ------------------------------------------------------------- */

/* Judges second derivatives of a case with faults, on an open job; `wrong`: relative
   error with which the judge's numbers are made wrong before. */
static bool second_with(struct mutant_job *subject, unsigned faults, double wrong,
                        struct findings *findings)
{
    struct second_judge judge = {.job = subject};
    bool tried = second_judge_try(&judge, faults, findings);
    if (tried && wrong > 0) {
        for (int k = 0; k < judge.judge.results->count; k++) {
            mpfr_ptr value = judge.judge.results->entry[k].value;
            mpfr_mul_d(value, value, 1 + wrong, MPFR_RNDN);
        }
        findings->by[0] = mutant_job_compare(subject, judge.right.results, &judge.judge);
    }
    second_judge_close(&judge);
    return tried;
}

/* With nothing wrong no number changes, and none of the judge's is that of the Hessian:
   one that is wrong by 1e-6 leaves 6 digits. */
Test(mutants, the_judge_of_second_derivatives_holds_the_right_ones_and_no_others)
{
    static const char *const name[] = {"impact-oscillator", "clutch", "compass-gait"};
    for (int k = 0; k < 3; k++) {
        struct mutant_job subject;
        struct findings findings;
        open_subject(&subject, name[k], "ode");
        cr_expect(second_with(&subject, 0, 0, &findings));
        cr_expect_not(findings.effect, "%s", name[k]);
        cr_expect(second_with(&subject, ADJOINT_NO_SECOND_TIME, 1e-30, &findings));
        cr_expect_not(findings.by[0].caught, "%s", name[k]);
        cr_expect(second_with(&subject, ADJOINT_NO_SECOND_TIME, 1e-6, &findings));
        cr_expect(findings.by[0].caught, "%s", name[k]);
        cr_expect_float_eq(findings.by[0].worst.digits, 6, 0.5, "%s: %.1f", name[k],
                           findings.by[0].worst.digits);
        cr_expect_not_null(strstr(findings.by[0].first.name, "d2psi."), "%s",
                           findings.by[0].first.name);
        mutant_job_close(&subject);
    }
}

/* No costs, no events, an impulse without second derivatives, an event so near grazing
   that the right ones have too few digits: nothing is judged. */
Test(mutants, the_judge_of_second_derivatives_is_silent_where_it_knows_nothing)
{
    static const char *const name[][2] = {
        {"straight-flight", "ode"}, {"pendulum", "index1"},
        {"five-bar-events-redundant", "baumgarte"}, {"near-grazing-3", "ode"}};
    for (int k = 0; k < 4; k++) {
        struct mutant_job subject;
        struct findings findings;
        open_subject(&subject, name[k][0], name[k][1]);
        cr_expect_not(second_with(&subject, ADJOINT_ONE_JACOBIAN, 0, &findings), "%s",
                      name[k][0]);
        mutant_job_close(&subject);
    }
}

/* --- generated ones ----------------------------------------------------------------- */

static void judge_population(const char *case_name, int every, int *caught, int *counted)
{
    const struct case_desc *desc = case_find(case_name);
    struct mutants mutants;
    mutants_schedule(&mutants, &desc, 1, false, every);
    cr_assert_eq(mutants.populations, 1);
    struct generated *generated = &mutants.generated[0];
    for (int k = 0; k < generated->tasks; k++) {
        struct task *one = &generated->task[k].task;
        pool_run("test", &one, 1, 1);
    }
    generated_score(generated, caught, counted);
    for (int k = 0; k < mutants.cases; k++)
        mutants.seeded[k].result = NULL;
    mutants_free(&mutants);
}

Test(mutants, wrong_rows_of_derivatives_are_caught)
{
    int caught, counted;
    judge_population("pendulum-stop", 1, &caught, &counted);
    cr_expect_gt(counted, 80);
    cr_expect_eq(caught, counted, "%d of %d", caught, counted);
    judge_population("five-bar", in_test_all() ? 1 : 67, &caught, &counted);
    cr_expect_geq(caught, 0.97 * counted, "%d of %d", caught, counted);
}

/* A fault of a factor that a guard's equation does not feel is no fault; nor is one in a
   row that nobody reads. */
Test(mutants, what_cannot_be_felt_is_not_counted)
{
    const struct case_desc *desc = case_find("pendulum-stop");
    struct mutants mutants;
    mutants_schedule(&mutants, &desc, 1, false, 1);
    struct generated *generated = &mutants.generated[0];
    int scaled_guards = 0;
    for (int k = 0; k < generated->mutants; k++) {
        struct mutant *mutant = &generated->mutant[k];
        int rows = mutant->program->rows;
        if (strcmp(mutant->program->what, "guards") != 0 || mutant->mutation != SCALED ||
            mutant->row != rows - 1)
            continue;
        struct generated_task one = generated->task[0];
        struct task *task = &one.task;
        one.mutant = mutant;
        one.mutants = 1;
        pool_run("test", &task, 1, 1);
        cr_expect_eq(mutant->fate, FATE_EQUIVALENT, "%s", mutant->text);
        scaled_guards++;
    }
    cr_expect_eq(scaled_guards, 1);
    mutants_free(&mutants);
}
