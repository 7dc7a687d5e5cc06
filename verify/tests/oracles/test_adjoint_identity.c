/* The identity mu' Y + G as an oracle: it holds in every kind of formulation, fails at
   the place of each fault of a sweep, and has nothing to say where there is no cost. */
#include <stdlib.h>

#include "adjoint/adjoint_faults.h"
#include "solving.h"
#include "verdict/verdict_rows.h"

TestSuite(adjoint_identity, .timeout = 300);

/* The identity's opinion of a run, by a sweep with faults. */
struct opinion {
    struct results *want, *got;
    enum status status;
    struct diagnosis diagnosis;
    struct rows rows;
    struct row *row;
};

static void ask(const char *case_name, const char *formulation, unsigned faults,
                struct opinion *opinion)
{
    struct solving s;
    *opinion = (struct opinion){.diagnosis = {.t = NAN}, .rows = {.digits = NAN}};
    solving_of_desc(&s, case_find(case_name), formulation);
    struct trajectory *trajectory = solve(&s);
    opinion->status = adjoint_identity_evaluate(&s.request, trajectory, faults,
                                                &opinion->want, &opinion->got,
                                                &opinion->diagnosis);
    if (opinion->status == OK) {
        opinion->row = rows_add(&opinion->rows, ROW_JUDGED, case_name, formulation,
                                "adjoint-identity");
        row_compare(&opinion->rows, opinion->row, opinion->got, opinion->want,
                    double_digits);
    }
    trajectory_free(trajectory);
    solving_end(&s);
}

static void forget(struct opinion *opinion)
{
    rows_clear(&opinion->rows);
    results_free(opinion->want);
    results_free(opinion->got);
}

static void expect_held(const char *case_name, const char *formulation)
{
    struct opinion o;
    ask(case_name, formulation, 0, &o);
    cr_assert_eq(o.status, OK, "%s, %s: %s", case_name, formulation, o.diagnosis.place);
    cr_expect(o.row->held, "%s, %s: %s: %s for %s", case_name, formulation,
              o.row->first.name, o.row->first.got, o.row->first.want);
    forget(&o);
}

Test(adjoint_identity, holds_through_events_in_every_kind_of_formulation)
{
    static const char *const formulation[] = {"ode", "index1", "baumgarte", "augmented",
                                              "penalty", "modified-lagrange"};
    for (size_t k = 0; k < sizeof formulation / sizeof *formulation; k++) {
        expect_held("pendulum-wall", formulation[k]);
        expect_held("five-bar-events", formulation[k]);
        expect_held("pendulum-friction", formulation[k]);
    }
    expect_held("impact-oscillator", "ode");
    expect_held("event-chain", "ode");
    expect_held("five-bar-redundant", "baumgarte");
}

/* An end that moves with the parameters, by an event and by the model. */
Test(adjoint_identity, holds_where_the_end_moves)
{
    expect_held("stone-throw", "ode");
    expect_held("clocked-oscillator", "ode");
}

static const struct entry *find(const struct results *results, const char *name)
{
    for (int k = 0; k < results->count; k++)
        if (strcmp(results->entry[k].name, name) == 0)
            return &results->entry[k];
    return NULL;
}

Test(adjoint_identity, names_both_sides_of_every_event_and_every_sample)
{
    struct opinion o;
    ask("pendulum-wall", "index1", 0, &o);
    const struct entry *before = find(o.want, "before.1.dpsi.swing/dg");
    const struct entry *after = find(o.want, "after.1.dpsi.swing/dg");
    const struct entry *sample = find(o.want, "dpsi.swing/dg");
    cr_assert(before && after && sample);
    cr_expect_eq(before->t, after->t);
    cr_expect_eq(mpfr_cmp(before->value, sample->value), 0);
    forget(&o);
}

static void expect_seen(const char *case_name, unsigned fault, const char *first)
{
    struct opinion o;
    ask(case_name, "ode", fault, &o);
    cr_assert_eq(o.status, OK, "%s", o.diagnosis.place);
    cr_expect_not(o.row->held, "%s, fault %u", case_name, fault);
    cr_expect_eq(strncmp(o.row->first.name, first, strlen(first)), 0, "%s, fault %u: %s",
                 case_name, fault, o.row->first.name);
    forget(&o);
}

/* The sweep goes backwards, so that the first wrong place is the one before an event. */
Test(adjoint_identity, fails_where_the_fault_of_a_sweep_is)
{
    expect_seen("bouncing-ball", ADJOINT_MISSES_EVENT, "before.1.dpsi.");
    expect_seen("impact-oscillator", ADJOINT_WRONG_SIDE, "before.");
    expect_seen("impact-oscillator", ADJOINT_NO_SHARE, "before.");
    expect_seen("impact-oscillator", ADJOINT_NO_EVENT_COST, "before.");
    expect_seen("impact-oscillator", ADJOINT_JUMP_AS_IT_IS, "before.");
    expect_seen("pendulum-friction", ADJOINT_MATRIX_AS_IT_IS, "dpsi.");
    expect_seen("stone-throw", ADJOINT_NO_W_T, "before.1.dpsi.");
}

Test(adjoint_identity, does_not_mind_a_fault_that_changes_nothing)
{
    struct opinion o;
    ask("stone-throw", "ode", ADJOINT_MISSES_EVENT | ADJOINT_NO_EVENT_COST, &o);
    cr_expect(o.row->held, "the only event ends the run");
    forget(&o);
}

/* A run on other steps is not the one that the sweep goes back over. */
Test(adjoint_identity, says_that_the_run_is_another_one)
{
    struct solving s;
    struct results *want, *got;
    struct diagnosis diagnosis = {.t = NAN};
    solving_of_desc(&s, case_find("pendulum-stop"), "ode");
    struct trajectory *trajectory = solve(&s);
    s.request.rtol *= 2;
    cr_expect_eq(adjoint_identity_evaluate(&s.request, trajectory, 0, &want, &got,
                                           &diagnosis), BAD_ANSWER);
    results_free(want);
    results_free(got);
    trajectory_free(trajectory);
    solving_end(&s);
}

static enum answer_kind answer_to(const char *case_name, const char *formulation)
{
    struct solving s;
    struct oracle_answer answer = {.diagnosis = {.t = NAN}};
    solving_of_desc(&s, case_find(case_name), formulation);
    struct trajectory *trajectory = solve(&s);
    const struct inquiry inquiry = {.run = &s.request, .trajectory = trajectory};
    oracles[PLACE_ADJOINT_IDENTITY].calls->ask(&inquiry, &answer);
    answer_clear(&answer);
    trajectory_free(trajectory);
    solving_end(&s);
    return answer.kind;
}

Test(adjoint_identity, has_nothing_to_say_without_costs_or_transposed_steps)
{
    const struct oracle *oracle = &oracles[PLACE_ADJOINT_IDENTITY];
    struct truth exact = {.variant = "exact"};
    int without = 0;
    for (int k = 0; catalogue[k]; k++) {
        struct model *model = model_new(catalogue[k], NULL);
        if (!model)
            continue;
        without += model->nz == 0;
        cr_expect_eq(oracle_applies(oracle, model, &exact), model->nz > 0);
        model_free(model);
    }
    cr_expect_gt(without, 0);
    cr_expect_eq(answer_to("pendulum-wall", "implicit"), ANSWER_NONE);
}

/* One formulation of a kind; of those with redundant constraints the one that takes
   them. */
Test(adjoint_identity, is_asked_for_one_formulation_of_a_kind)
{
    cr_expect_eq(answer_to("pendulum-wall", "ode"), ANSWER_NUMBERS);
    cr_expect_eq(answer_to("pendulum-wall", "index1"), ANSWER_NUMBERS);
    cr_expect_eq(answer_to("pendulum-wall", "penalty"), ANSWER_NUMBERS);
    cr_expect_eq(answer_to("pendulum-wall", "baumgarte"), ANSWER_NONE);
    cr_expect_eq(answer_to("pendulum-wall", "modified-lagrange"), ANSWER_NONE);
    cr_expect_eq(answer_to("pendulum-wall", "augmented"), ANSWER_NONE);
    cr_expect_eq(answer_to("five-bar-redundant", "baumgarte"), ANSWER_NUMBERS);
}
