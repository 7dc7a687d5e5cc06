/*
 * test_native.c - the native oracle agrees with the tape in every case, and differs as
 * soon as one formula of a copy is changed.
 */
#include "case.h"

#include "sampling.h"
#include "solving.h"

#include <stdlib.h>
#include <string.h>

/* The number that is furthest below the digits asked for, less what its condition costs,
   and by how many. */
static double native_margin(struct solving *s, double asked, char *where, int size)
{
    struct trajectory *t = solve(s);
    struct results *native, *tape;
    cr_assert_eq(native_evaluate(&s->request, t, &native, &s->diagnosis), OK);
    cr_assert_eq(native_of_model(&s->request, t, &tape, &s->diagnosis), OK);
    int count, missing;
    const struct comparing how = {.cap = 17, .floor = 1e-3};
    struct comparison *comparison = results_compare(tape, native, &how, &count, &missing);
    cr_assert_eq(missing, 0);
    double least = INFINITY;
    for (int k = 0; k < count; k++) {
        double margin = comparison[k].digits - asked + log10(comparison[k].condition);
        if (!(margin >= least)) {
            least = margin;
            snprintf(where, (size_t)size, "%s at t = %.6g, %.2f digits",
                     comparison[k].want->name, comparison[k].want->t,
                     comparison[k].digits);
        }
    }
    free(comparison);
    results_free(native);
    results_free(tape);
    trajectory_free(t);
    return least;
}

/* The native oracle has no differentiation, so no elements. */
static bool of_elements(const struct case_desc *desc)
{
#undef CASE
#define CASE(id)
#define DRAFT(id)
#define DRAFT_OF_ELEMENTS(id)
#define CASE_OF_ELEMENTS(id) \
    extern const struct case_desc case_##id; \
    if (desc == &case_##id) \
        return true;
#include "mechanisms/catalogue.def"
#undef CASE_OF_ELEMENTS
#undef DRAFT
#undef DRAFT_OF_ELEMENTS
#undef CASE
    return false;
}

/* Of dependent constraints the multipliers of the run itself are judged
   (test_reference_redundant.c); through singular configurations index1 does not get. The
   torture set is refused in parts. */
static bool is_native(const struct case_desc *desc)
{
    return !strstr(desc->classes, "redundant") && !strstr(desc->classes, "singular") &&
           !strstr(desc->classes, "torture") && has_motion(desc) && !of_elements(desc);
}

/* Double against quadruple, through a linear system of condition below 100: rounding
   leaves 12.9 to 13.8 digits of five-bar-events, by the last digits of the state it is
   at. */
Test(native, every_case_compiled_as_c_agrees_with_its_tape)
{
    char where[160];
    struct sampling *sampling = sampling_new(is_native);
    for (int k = 0; catalogue[k]; k++) {
        struct solving s;
        if (!sampling_has(sampling, catalogue[k]))
            continue;
        struct model *model = model_new(catalogue[k], NULL);
        cr_assert_not_null(model);
        solving_of_model(&s, model, model->m > 0 ? "index1" : "ode");
        double margin = native_margin(&s, 13, where, sizeof where);
        cr_expect_geq(margin, 0, "%s: %s", catalogue[k]->name, where);
        solving_end(&s);
    }
    sampling_free(sampling);
}

/* --- one formula changed ------------------------------------------------------------ */

enum change { NOTHING, IN_M, IN_F, IN_PHI, IN_GUARD, IN_RESET, IN_COST, CHANGES };
static enum change change;

/* 1 + 1e-6 times the formula */
static formula spoiled(const struct model *model, formula f)
{
    return mul(f, constant(model->tape, "1.000001"));
}

static void record_spoiled(struct model *model)
{
    case_find("pendulum-wall")->record(model);
    formula *const f[CHANGES] = {
        [IN_M] = &model->mode[0]->M[1][1], [IN_F] = &model->mode[0]->F[1],
        [IN_PHI] = &model->mode[0]->Phi[0], [IN_GUARD] = &model->event[0]->guard,
        [IN_RESET] = &model->event[0]->v_plus[0], [IN_COST] = &model->mode[0]->g[0],
    };
    if (change == IN_PHI)       /* a factor would change nothing but lambda */
        *f[IN_PHI] = add(*f[IN_PHI], mul(constant(model->tape, "1e-6"),
                                         variable(model->tape, BLOCK_Q, 0)));
    else if (change != NOTHING)
        *f[change] = spoiled(model, *f[change]);
}

Test(native, one_formula_changed_by_a_millionth_is_seen)
{
    char where[160];
    struct case_desc desc = *case_find("pendulum-wall");
    desc.record = record_spoiled;
    for (change = NOTHING; change < CHANGES; change++) {
        struct solving s;
        struct model *model = model_new(&desc, NULL);
        cr_assert_not_null(model);
        solving_of_model(&s, model, "index1");
        s.request.rtol = 1e-9;
        s.request.atol = 1e-12;
        double asked = change == NOTHING ? 13 : 7;
        double margin = native_margin(&s, asked, where, sizeof where);
        if (change == NOTHING)
            cr_expect_geq(margin, 0, "%s", where);
        else
            cr_expect_leq(margin, 0, "change %d: %s", (int)change, where);
        solving_end(&s);
    }
}

Test(native, a_case_that_was_not_compiled_natively_is_refused)
{
    struct case_desc desc = *case_find("bouncing-ball");
    desc.name = "unknown-ball";
    struct solving s;
    struct results *results;
    solving_of_model(&s, model_new(&desc, NULL), "ode");
    struct trajectory *t = solve(&s);
    cr_expect_eq(native_evaluate(&s.request, t, &results, &s.diagnosis), NOT_APPLICABLE);
    cr_expect_null(results);
    trajectory_free(t);
    solving_end(&s);
}
