/*
 * test_reference_redundant.c - constraints of which some depend on others: multipliers of
 * minimum norm, and their derivatives.
 *
 * In five-bar-redundant, row 5 is row 2 once more and row 6 is L_A1 (row 4) + (row 1). So
 * lambda in the range of Phi_q means lambda_5 = lambda_2, lambda_6 = L_A1 lambda_4 +
 * lambda_1, and the forces are those of five-bar when its multipliers are
 * lambda_1 + lambda_6, lambda_2 + lambda_5, lambda_3, lambda_4 + L_A1 lambda_6.
 */
#include "case.h"

#include "comparing.h"
#include "referring.h"

#include <math.h>
#include <stdlib.h>

#include "formula/diff.h"
#include "oracles/oracle.h"

enum { SAMPLES = 4, X2 = 2 };
static const char *const sample[SAMPLES] = {"0.1", "0.45", "0.7", "0.95"};

/* The same with x2 in the place of the 1: how forces are shared out changes along the
   motion. (Off the constraints these rows do not depend on each other.) */
static void record_moving(struct model *model)
{
    case_find("five-bar-redundant")->record(model);
    formula L_A1 = variable(model->tape, BLOCK_RHO, 4);
    formula x2 = variable(model->tape, BLOCK_Q, X2);
    cr_assert_eq(model_parameter_index(model, "L_A1"), 4);
    model->Phi[5] = add(mul(L_A1, model->Phi[3]), mul(x2, model->Phi[0]));
}
CASE(test_moving, .name = "test-moving", .record = record_moving);

static void one_second(struct referring *r, const struct case_desc *desc, int digits)
{
    referring_of_case(r, desc, digits);
    r->request.samples = SAMPLES;
    r->request.sample = sample;
    r->request.t_end = "1";
}

/* --- multipliers -------------------------------------------------------------------- */

/* Two runs at the same point, plain and redundant, and what the relations need. */
struct pair {
    const struct mp_trajectory *plain, *redundant;
    const struct mp_point *at_plain, *at;
    bool moving;                /* row 6 has x2 */
    int by_L;                   /* index of L_A1 among the parameters */
    mpfr_t L, one;
    double range, forces;       /* least digits so far */
};

static mpfr_srcptr lambda(const struct pair *pair, int i, int j)
{
    return number_at(pair->redundant, pair->at, GROUP_LAMBDA, i - 1, j);
}

static mpfr_srcptr x2(const struct pair *pair, int j)
{
    return number_at(pair->redundant, pair->at, GROUP_Q, X2, j);
}

/* lambda_6 = L lambda_4 + (1 or x2) lambda_1, or its derivative by parameter j; frozen:
   what a pseudo-inverse that is not differentiated would have. */
static double digits_of_lambda_6(const struct pair *p, int j, bool frozen)
{
    mpfr_srcptr share = p->moving ? x2(p, -1) : p->one;
    mpfr_srcptr f[4][2] = {{p->L, lambda(p, 4, j)}, {share, lambda(p, 1, j)}};
    int terms = 2;
    if (j == p->by_L && !frozen) {
        f[terms][0] = p->one;
        f[terms++][1] = lambda(p, 4, -1);
    }
    if (j >= 0 && p->moving && !frozen) {
        f[terms][0] = x2(p, j);
        f[terms++][1] = lambda(p, 1, -1);
    }
    return digits_of_sum(lambda(p, 6, j), terms, f);
}

static void check_range(struct pair *p, int j)
{
    mpfr_srcptr duplicate[1][2] = {{p->one, lambda(p, 2, j)}};
    p->range = fmin(p->range, digits_of_sum(lambda(p, 5, j), 1, duplicate));
    p->range = fmin(p->range, digits_of_lambda_6(p, j, false));
}

/* The multipliers of five-bar from those of minimum norm. */
static void check_forces(struct pair *p, int j)
{
    mpfr_srcptr share = p->moving ? x2(p, -1) : p->one;
    mpfr_srcptr f[4][3][2] = {
        {{p->one, lambda(p, 1, j)}, {share, lambda(p, 6, j)}, {p->one, p->one}},
        {{p->one, lambda(p, 2, j)}, {p->one, lambda(p, 5, j)}},
        {{p->one, lambda(p, 3, j)}},
        {{p->one, lambda(p, 4, j)}, {p->L, lambda(p, 6, j)}, {p->one, p->one}},
    };
    int terms[4] = {2, 2, 1, 2};
    if (j >= 0 && p->moving) {
        f[0][2][0] = x2(p, j);
        f[0][2][1] = lambda(p, 6, -1);
        terms[0] = 3;
    }
    if (j == p->by_L) {
        f[3][2][1] = lambda(p, 6, -1);
        terms[3] = 3;
    }
    for (int i = 0; i < 4; i++)
        p->forces = fmin(p->forces,
                         digits_of_sum(number_at(p->plain, p->at_plain, GROUP_LAMBDA, i,
                                                 j), terms[i], f[i]));
    mpfr_srcptr same[1][2] = {{p->one, p->one}};
    for (int i = 0; i < 6; i++)
        for (enum column_group group = GROUP_Q; group <= GROUP_V; group++) {
            same[0][1] = number_at(p->redundant, p->at, group, i, j);
            mpfr_srcptr want = number_at(p->plain, p->at_plain, group, i, j);
            p->forces = fmin(p->forces, digits_of_sum(want, 1, same));
        }
}

static void check_point(struct pair *p, const struct mp_point *plain,
                        const struct mp_point *redundant)
{
    p->at_plain = plain;
    p->at = redundant;
    for (int j = -1; j < p->plain->columns.p; j++) {
        check_range(p, j);
        check_forces(p, j);
    }
}

/* Both runs, compared at all samples and events. */
static void check_pair(struct pair *p, const struct case_desc *desc, bool moving)
{
    struct referring plain, redundant;
    one_second(&plain, case_find("five-bar"), 56);
    one_second(&redundant, desc, 56);
    struct mp_trajectory *a = refer(&plain), *b = refer(&redundant);
    *p = (struct pair){.plain = a, .redundant = b, .moving = moving,
                       .by_L = by_name(&redundant, "L_A1"), .range = INFINITY,
                       .forces = INFINITY};
    mpfr_inits2(a->precision, p->L, p->one, (mpfr_ptr)0);
    mpfr_sqrt_ui(p->L, 2, MPFR_RNDN);
    mpfr_set_ui(p->one, 1, MPFR_RNDN);
    cr_assert_eq(a->events, 1);
    cr_assert_eq(b->events, 1);
    for (int i = 0; i < SAMPLES; i++)
        check_point(p, &a->sample[i], &b->sample[i]);
    check_point(p, &a->event[0].before, &b->event[0].before);
    check_point(p, &a->event[0].after, &b->event[0].after);
    p->at = &b->sample[1];
    double frozen = digits_of_lambda_6(p, p->by_L, true);
    cr_expect_lt(frozen, 2, "a frozen pseudo-inverse has %.1f digits", frozen);
    cr_expect_lt(b->worst_Phi, 1e-51);      /* of all six rows */
    cr_expect_lt(b->worst_Phid, 1e-51);
    mpfr_clears(p->L, p->one, (mpfr_ptr)0);
    mp_trajectory_free(a);
    mp_trajectory_free(b);
    referring_end(&plain);
    referring_end(&redundant);
}

/* 50 digits: of the 56 carried the condition of the motion takes a few. */
Test(reference_redundant, multipliers_have_minimum_norm_and_the_forces_of_the_plain_case)
{
    struct pair p;
    check_pair(&p, case_find("five-bar-redundant"), false);
    cr_expect_gt(p.range, 50, "in the range of Phi_q to %.1f digits", p.range);
    cr_expect_gt(p.forces, 50, "forces and motion agree to %.1f digits", p.forces);
    check_pair(&p, &case_test_moving, true);
    cr_expect_gt(p.range, 50, "moving: in the range of Phi_q to %.1f digits", p.range);
    cr_expect_gt(p.forces, 50, "moving: forces agree to %.1f digits", p.forces);
}

/* Differences of 45 digits leave 30, less the condition. (five-bar-redundant itself has
   certified values.) */
Test(reference_redundant, derivatives_agree_with_differences_of_trajectories)
{
    char where[100];
    struct referring r;
    one_second(&r, &case_test_moving, 45);
    double digits = variational_against_differences(&r, where, sizeof where);
    cr_expect_gt(digits, 24, "%.1f digits at %s", digits, where);
    referring_end(&r);
}

/* --- against the native oracle ------------------------------------------------------ */

static struct run_point *in_double(const struct mp_trajectory *t, int first, int count)
{
    struct run_point *out = calloc((size_t)count, sizeof *out);
    for (int i = 0; i < count; i++) {
        const struct mp_point *point = &t->sample[first + i];
        out[i] = (struct run_point){.mode = point->mode,
                                .t = mpfr_get_d(point->t, MPFR_RNDN)};
        out[i].x = calloc((size_t)t->columns.count, sizeof(double));
        for (int c = 0; c < t->columns.count; c++)
            out[i].x[c] = mpfr_get_d(point->x[c], MPFR_RNDN);
    }
    return out;
}

/* The multipliers of the reference at its samples, rounded to double, as a run would have
   them; `spoil` moves one of them. */
static double native_digits(double spoil)
{
    struct referring r;
    struct results *native, *got;
    one_second(&r, case_find("five-bar-redundant"), 30);
    r.request.parameters = 0;
    struct mp_trajectory *t = refer(&r);
    struct trajectory run = {.columns = t->columns, .samples = SAMPLES,
                             .sample = in_double(t, 0, SAMPLES)};
    run.sample[2].x[column(&run.columns, GROUP_LAMBDA, 0, -1)] += spoil;
    const struct run_request request = {.model = r.model,
                                        .formulation = formulation_find("index1")};
    cr_assert_eq(native_evaluate(&request, &run, &native, &r.diagnosis), OK, "%s",
                 r.diagnosis.place);
    cr_assert_eq(native_of_model(&request, &run, &got, &r.diagnosis), OK, "%s",
                 r.diagnosis.place);
    int count, missing;
    struct comparison *comparison = compare_to(got, native, 17, &count, &missing);
    double least = 17;
    for (int k = 0; k < count; k++)
        least = fmin(least, comparison[k].digits);
    cr_expect_eq(missing, 0);
    cr_expect_geq(count, SAMPLES * (6 + 6), "a and lambda are looked at");
    free(comparison);
    results_free(native);
    results_free(got);
    for (int i = 0; i < SAMPLES; i++)
        free(run.sample[i].x);
    free(run.sample);
    mp_trajectory_free(t);
    referring_end(&r);
    return least;
}

/* 13 digits: a state in double, through systems of condition below 100. */
Test(reference_redundant, gram_schmidt_in_quadruple_precision_finds_the_same_multipliers)
{
    double digits = native_digits(0);
    cr_expect_gt(digits, 13, "%.2f digits", digits);
    cr_expect_lt(native_digits(1e-6), 8, "a change of a millionth is seen");
}
