/* The second differentiation (reference/equations/derive.h) against the first
   (formula/diff.h), on every case of the catalogue, and both against differences, for
   every operation. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <criterion/criterion.h>

#include "arithmetic/mp.h"
#include "arithmetic/series.h"
#include "base/memory.h"
#include "equations/derive.h"
#include "formula/diff.h"
#include "mechanisms/catalogue.h"

enum { PRECISION_BITS = 512, MOST_INDEX = 512, DIGITS = 50 };

/* --- evaluation --------------------------------------------------------------------- */

/* A number in [1/4, 3/4) for variable `index` of `block`. */
static double sample_of(int seed, int block, int index)
{
    unsigned x = 2654435761u * (unsigned)(seed * 7919 + block * 1031 + index + 1);
    x ^= x >> 15;
    x *= 2246822519u;
    x ^= x >> 13;
    return 0.25 + 0.5 * (x / 4294967296.0);
}

/* Values of formulas, [count]; rho [parameters] are given, x [1] is q of index 0 where it
   is not NULL, all else is random. */
static mpfr_ptr evaluate(struct tape *tape, const formula *f, int count, int seed,
                         mpfr_srcptr rho, int parameters, mpfr_srcptr x)
{
    unsigned char stage[BLOCK_LIMIT];
    for (int b = 0; b < BLOCK_LIMIT; b++)
        stage[b] = 1;
    struct program *program = program_seal(tape, f, count, stage);
    struct mp_series *series = mp_series_new(program, 0, PRECISION_BITS, 1,
                                             PROGRAM_STAGES);
    mpfr_ptr value = mp_vector_new(MOST_INDEX, PRECISION_BITS);
    for (int b = 0; b < BLOCKS; b++) {
        for (int i = 0; i < MOST_INDEX; i++)
            mpfr_set_d(value + i, sample_of(seed, b, i), MPFR_RNDN);
        if (b == BLOCK_RHO && rho)
            mp_copy(value, rho, parameters);
        if (b == BLOCK_Q && x)
            mpfr_set(value, x, MPFR_RNDN);
        mp_series_load(series, 0, b, 0, value, 1);
    }
    mp_series_run(series, 0, 1, 0);
    mpfr_ptr out = mp_vector_new((size_t)count, PRECISION_BITS);
    for (int i = 0; i < count; i++)
        mpfr_set(out + i, mp_series_output(series, 0, i), MPFR_RNDN);
    mp_vector_free(value);
    mp_series_free(series);
    program_free(program);
    return out;
}

/* --- every case --------------------------------------------------------------------- */

/* log10 of the largest difference of two halves of x [2 * count] over the largest number;
   *finite counts numbers. A number is finite in both or in none. */
static double difference(mpfr_ptr x, int count, long *finite, const char *where)
{
    double largest = 0, worst = 0;
    mpfr_t gap;
    mpfr_init2(gap, PRECISION_BITS);
    for (int i = 0; i < count; i++) {
        bool numbers = mpfr_number_p(x + i);
        cr_assert_eq(numbers, mpfr_number_p(x + count + i) != 0, "%s %d", where, i);
        if (!numbers)
            continue;
        ++*finite;
        mpfr_sub(gap, x + i, x + count + i, MPFR_RNDN);
        largest = fmax(largest, fabs(mpfr_get_d(x + i, MPFR_RNDN)));
        worst = fmax(worst, fabs(mpfr_get_d(gap, MPFR_RNDN)));
    }
    mpfr_clear(gap);
    return worst > 0 ? log10(worst / fmax(largest, 1)) : -INFINITY;
}

static void expect_agreement(const struct model *model, mpfr_srcptr rho, const char *name,
                             const formula *one, const formula *other, int count,
                             long *finite)
{
    formula *both = memory_new(2 * count, sizeof *both);
    memory_copy(both, one, count, sizeof *both);
    memory_copy(both + count, other, count, sizeof *both);
    char where[160];
    snprintf(where, sizeof where, "%s, %s", model->desc->name, name);
    for (int seed = 1; seed <= 2; seed++) {
        mpfr_ptr x = evaluate(model->tape, both, 2 * count, seed, rho, model->p, NULL);
        double gap = difference(x, count, finite, where);
        cr_expect(gap < -DIGITS, "%s: they differ by 1e%.1f", where, gap);
        mp_vector_free(x);
    }
    free(both);
}

static void check_mode(const struct model *model, mpfr_srcptr rho,
                       const struct mode *mode, long *finite)
{
    int n = model->n, m = mode->m;
    struct derived_mode own;
    derive_mode(model, mode, &own);
    expect_agreement(model, rho, "Phid", mode->Phid, own.Phid, m, finite);
    expect_agreement(model, rho, "Phidd", mode->Phidd, own.Phidd, m, finite);
    expect_agreement(model, rho, "Phi_q", mode->Phi_q, own.Phi_q, m * n, finite);
    expect_agreement(model, rho, "lambda_force", mode->lambda_force, own.lambda_force, n,
                     finite);
    derived_mode_clear(&own);
}

static void check_model(const struct model *model)
{
    long finite = 0, in_modes;
    formula *nominal = memory_new(model->p, sizeof *nominal);
    for (int j = 0; j < model->p; j++)
        nominal[j] = model->parameter[j].nominal;
    mpfr_ptr rho = evaluate(model->tape, nominal, model->p, 1, NULL, 0, NULL);
    for (int k = 0; k < model->modes; k++)
        check_mode(model, rho, model->mode[k], &finite);
    in_modes = finite;
    cr_expect(model->m == 0 || finite > 0, "%s: no number", model->desc->name);
    for (int k = 0; k < model->events; k++) {
        const struct event *event = model->event[k];
        formula *J = memory_new(event->rows, sizeof *J);
        derive_reset(model, event, J);
        expect_agreement(model, rho, event->name, event->J, J, event->rows, &finite);
        free(J);
    }
    cr_expect(model->events == 0 || finite > in_modes, "%s: no number of an event",
              model->desc->name);
    mp_vector_free(rho);
    free(nominal);
}

Test(derive, both_differentiations_agree_on_every_case)
{
    for (int k = 0; catalogue[k]; k++) {
        struct diagnosis diagnosis;
        struct model *model = model_new(catalogue[k], &diagnosis);
        cr_assert_not_null(model, "%s", diagnosis.place);
        struct model *branch = model_branch(model);
        check_model(branch);
        model_branch_free(branch);
        model_free(model);
    }
}

/* --- every operation ---------------------------------------------------------------- */

/* x is q[0], and is what moves, at the rate 1. */
static formula unit_rate(void *tape, int block, int index)
{
    return block == BLOCK_Q && index == 0 ? integer(tape, 1) : (formula){NULL, 0};
}

static struct jet unit_jet(void *tape, int block, int index)
{
    struct jet jet = {.value = variable(tape, block, index)};
    if (block == BLOCK_Q && index == 0)
        jet.first = integer(tape, 1);
    return jet;
}

/* f, f', f'' by differences of step 1e-25 at x, from values at x - h, x, x + h. */
static void by_differences(struct tape *tape, formula f, double at, mpfr_ptr out)
{
    mpfr_ptr x = mp_vector_new(2, PRECISION_BITS), value[3];
    mpfr_set_str(x + 1, "1e-25", 10, MPFR_RNDN);
    for (int k = 0; k < 3; k++) {
        mpfr_mul_si(x, x + 1, k - 1, MPFR_RNDN);
        mpfr_add_d(x, x, at, MPFR_RNDN);
        value[k] = evaluate(tape, &f, 1, 1, NULL, 0, x);
    }
    mpfr_set(out, value[1], MPFR_RNDN);
    mpfr_sub(out + 1, value[2], value[0], MPFR_RNDN);
    mpfr_div(out + 1, out + 1, x + 1, MPFR_RNDN);
    mpfr_div_ui(out + 1, out + 1, 2, MPFR_RNDN);
    mpfr_add(out + 2, value[2], value[0], MPFR_RNDN);
    mpfr_sub(out + 2, out + 2, value[1], MPFR_RNDN);
    mpfr_sub(out + 2, out + 2, value[1], MPFR_RNDN);
    mpfr_div(out + 2, out + 2, x + 1, MPFR_RNDN);
    mpfr_div(out + 2, out + 2, x + 1, MPFR_RNDN);
    for (int k = 0; k < 3; k++)
        mp_vector_free(value[k]);
    mp_vector_free(x);
}

/* Errors of the differences are 1e-50 times a fourth derivative. */
static void expect_derivatives(struct tape *tape, formula f, const char *name)
{
    static const double at = 0.375;
    struct jet jet;
    formula all[6] = {f, {NULL, 0}, {NULL, 0}};
    tangent_along(all, 1, unit_rate, tape, all + 1);
    tangent_along(all + 1, 1, unit_rate, tape, all + 2);
    derive_jets(tape, &f, 1, 2, unit_jet, tape, &jet);
    all[3] = jet.value;
    all[4] = jet.first;
    all[5] = jet.second;
    mpfr_ptr want = mp_vector_new(3, PRECISION_BITS);
    mpfr_ptr x = mp_vector_new(1, PRECISION_BITS);
    mpfr_set_d(x, at, MPFR_RNDN);
    by_differences(tape, f, at, want);
    mpfr_ptr got = evaluate(tape, all, 6, 1, NULL, 0, x);
    for (int i = 0; i < 6; i++) {
        mpfr_sub(got + i, got + i, want + i % 3, MPFR_RNDN);
        double gap = fabs(mpfr_get_d(got + i, MPFR_RNDN));
        double size = fabs(mpfr_get_d(want + i % 3, MPFR_RNDN));
        cr_expect(mpfr_number_p(got + i) && gap < 1e-46 * fmax(size, 1),
                  "%s, derivative %d by the %s differentiation: off by %.3g", name, i % 3,
                  i < 3 ? "first" : "second", gap);
    }
    formula slope;
    derive_gradient(f, BLOCK_Q, 1, &slope);
    mp_vector_free(got);
    got = evaluate(tape, &slope, 1, 1, NULL, 0, x);
    mpfr_sub(got, got, want + 1, MPFR_RNDN);
    double size = fmax(1, fabs(mpfr_get_d(want + 1, MPFR_RNDN)));
    cr_expect(fabs(mpfr_get_d(got, MPFR_RNDN)) < 1e-46 * size, "%s backward", name);
    mp_vector_free(got);
    mp_vector_free(want);
    mp_vector_free(x);
}

Test(derive, every_operation_has_the_derivatives_that_differences_show)
{
    struct tape *tape = tape_new();
    formula x = variable(tape, BLOCK_Q, 0), square = mul(x, x);
    formula a = add(quotient(x, integer(tape, 2)), quotient(square, integer(tape, 3)));
    formula b = add(square, quotient(integer(tape, 1), add(x, integer(tape, 3))));
    for (enum op op = OP_POWI + 1; op < OPS; op++)
        expect_derivatives(tape, op_info[op].arity == 2 ? apply2(op, a, b) : apply(op, a),
                           op_info[op].text);
    expect_derivatives(tape, power(a, 5), "power 5");
    expect_derivatives(tape, power(a, -3), "power -3");
    expect_derivatives(tape, apply2(OP_POW, a, constant(tape, "2.5")), "power 2.5");
    tape_free(tape);
}
