/*
 * test_refusals_everywhere.c - every refusal that a motion can cause, in every
 * formulation, by complex step and in MPFR: the status, the time and the place.
 *
 * A row is a status and the smallest model that causes it (refusing.h). Where a solver
 * says something else, or nothing, the row says what and why.
 */
#include <string.h>

#include "referring.h"
#include "solving.h"

#include "base/memory.h"
#include "motion/reference_motion.h"
#include "plugins/registry.h"
#include "refusing.h"

/* What a solver says instead. */
struct instead {
    enum status status;
    double t;
    const char *why;            /* NULL: the same as the row */
};

struct refusal {
    enum status status;
    void (*record)(struct model *);
    const char *case_name;      /* instead of a model */
    void (*prepare)(struct solving *);
    double t;                   /* NAN: it has none */
    const char *word;           /* of the place, in double */
    const char *some;           /* formulations, in double and by complex step */
    const char *some_in_mpfr;   /* and in MPFR */
    const char *mpfr_end;       /* end of the run in MPFR; NULL: that of the case */
    struct instead of_some, complex_step, mpfr;
};

static void at_low_tolerance(struct solving *s)
{
    s->request.rtol = 1e-6;
    s->request.atol = 1e-9;
}

static void in_three_steps(struct solving *s)
{
    s->request.max_steps = 3;
}

static void with_two_events(struct solving *s)
{
    s->request.max_events = 2;
}

static void by_a_rule_for_impulses(struct solving *s)
{
    s->request.rule = jump_rule_find("corner-impulse");
}

static void with_a_short_bar(struct solving *s)
{
    s->value[model_parameter_index(s->model, "L_A1")] = 0.1;
}

#define NO_TIME NAN
static const double any_time = INFINITY;

/* What stands at the places of these names in the reasons is in the head of the file that
   is named. */
static const struct refusal refusals[] = {
    {GRAZING, record_grazing, .t = 1, .word = "guard ground",
     .complex_step = {OK, NO_TIME,
                      "complex_event.c: between two samples nothing is seen"}},
    {ZENO, record_zeno, .t = 3, .word = "accumulate"},
    {SIMULTANEOUS, record_simultaneous, .t = 1, .word = "slow and fast"},
    {CONDITION_EDGE, record_condition, .t = 1, .word = "event wall"},
    {EVENT_AT_END, record_at_end, .t = 1, .word = "event wall falls on the end",
     .complex_step = {OK, NO_TIME, "it ends before what is behind the end"}},
    {GUARD_VIOLATED, record_violated, .t = 0, .word = "guard wall",
     .complex_step = {OK, NO_TIME, "complex_event.c: a change of sign is an event"}},
    {SLIDING, record_sliding, .t = 1, .word = "after event wall"},
    {SLIDING, record_penetration, .t = 1, .word = "after event wall"},
    {CHAIN_TOO_LONG, record_chain, .t = 1, .word = "more than 10 events"},
    {SINGULAR, record_singular, .t = 0, .word = "mode one",
     .some = "augmented penalty modified-lagrange",
     .some_in_mpfr = "penalty modified-lagrange",
     .of_some = {OK, NO_TIME,
                 "a penalty says what N is; in augmented, from zero, N = 0"}},
    {NOT_SPD, record_massless, .t = 0, .word = "mass",
     .complex_step = {SINGULAR, 0,
                      "complex_lu.h: a factorisation that knows of no signs"},
     .mpfr = {SINGULAR, 0, "mp.h: the same"}},
    {RANK_LOSS, record_redundant, .t = 0, .word = "mode one",
     .some = "baumgarte augmented penalty modified-lagrange",
     .of_some = {OK, NO_TIME, "they take the multipliers of least norm"},
     .mpfr = {OK, NO_TIME,
              "so does the reference; of a rank that changes: "
              "test_reference_singular.c"}},
    {UNREACHABLE, .case_name = "five-bar", .prepare = with_a_short_bar, .t = 0,
     .word = "start"},
    {INCONSISTENT, record_inconsistent, .t = 0, .word = "start"},
    {INADMISSIBLE, record_inadmissible, .t = 0, .word = " c",
     .some = "ode index1 index3 ggl implicit",
     .of_some = {RANK_LOSS, 0, "they take no dependent constraints in the first place"}},
    {NO_CONVERGENCE, record_noise, .t = any_time, .word = "guard noise",
     .complex_step = {OK, NO_TIME,
                      "complex_event.c: between two samples nothing is seen"},
     .mpfr_end = "1e-4",
     .mpfr = {OK, NO_TIME,
              "its steps are as short as the guard asks for: 10^7 for the whole run; "
              "NO_CONVERGENCE: test_reference_refusals.c"}},
    {NOT_FINITE, record_overflow, .t = 0, .word = "exp(1000*c)",
     .mpfr = {OK, NO_TIME, "it has larger exponents"}},
    {BRANCH_CUT, record_cut, .t = 1, .word = "the guard of never of mode one"},
    {POLE, record_pole, .t = 0.5, .word = "force F of y of mode one: 1/(x - c)"},
    {DOMAIN_EDGE, record_domain, .t = 0.4681785, .word = "sqrt(1 - x)"},
    {STEP_TOO_SMALL, record_explosion, .t = 1, .word = "step",
     .complex_step = {NOT_FINITE, 1, "its last tries end beyond the explosion"}},
    {TOO_MANY_STEPS, record_explosion, .prepare = in_three_steps, .t = any_time,
     .word = "3 steps", .mpfr = {STEP_TOO_SMALL, 1, "its limit is a million steps"}},
    {TOO_MANY_EVENTS, record_oscillator, .prepare = with_two_events, .t = any_time,
     .word = "2 events"},
    {PRECISION, record_uncertain, .prepare = at_low_tolerance, .t = 1,
     .word = "Lower rtol",
     .complex_step = {OK, NO_TIME, "complex_event.c: a distance of 1e-5 is one"},
     .mpfr = {OK, NO_TIME,
              "1e-5 is far from zero; of certificates: "
              "test_reference_certificate.c"}},
    {NOT_APPLICABLE, record_oscillator, .prepare = by_a_rule_for_impulses, .t = NO_TIME,
     .word = "rule corner-impulse", .complex_step = {OK, NO_TIME, "it knows of no rules"},
     .mpfr = {OK, NO_TIME, "it knows of no rules; of variants: test_reference_policy.c"}},
};

/* Of what no motion causes: where it is tested. */
static const struct { enum status status; const char *where; } elsewhere[] = {
    {OK, "no refusal"},
    {BAD_INPUT, "test_events.c, test_reference_refusals.c, test_command.c"},
    {CRASHED, "test_plugin.c"},
    {TIMED_OUT, "test_plugin.c"},
    {BAD_ANSWER, "test_plugin.c"},
    {NO_DIGITS, "test_growth_of_errors.c"},
    {NO_ORBIT, "test_orbit_newton.c"},
};

/* --- what the table leaves open ----------------------------------------------------- */

Test(refusals, every_status_has_a_line)
{
    for (int status = 0; status < STATUSES; status++) {
        bool found = false;
        for (size_t k = 0; k < sizeof refusals / sizeof *refusals; k++)
            found = found || (int)refusals[k].status == status;
        for (size_t k = 0; k < sizeof elsewhere / sizeof *elsewhere; k++)
            found = found || (int)elsewhere[k].status == status;
        cr_expect(found, "%s is refused by nothing in this table",
                  status_text((enum status)status));
    }
}

/* --- a row in one formulation ------------------------------------------------------- */

static bool is_among(const char *name, const char *list)
{
    size_t length = strlen(name);
    for (const char *at = list; at && (at = strstr(at, name)); at += length)
        if ((at == list || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
            return true;
    return false;
}

static void expect(const struct refusal *row, const char *solver, const char *formulation,
                   struct instead want, enum status status,
                   const struct diagnosis *diagnosis)
{
    cr_expect_eq(status, want.status, "%s, %s, %s: %s (%s), not %s",
                 status_text(row->status), formulation, solver, status_text(status),
                 diagnosis->place, status_text(want.status));
    if (status == OK || status != want.status)
        return;
    cr_expect_eq(diagnosis->status, status);
    cr_expect_neq(diagnosis->place[0], '\0', "%s, %s: a refusal names its place",
                  formulation, solver);
    if (isnan(want.t))
        cr_expect(isnan(diagnosis->t));
    else
        cr_expect(want.t == any_time ? isfinite(diagnosis->t)
                                     : fabs(diagnosis->t - want.t) <= 1e-4,
                  "%s, %s, %s: at t = %.9g, not %.9g", status_text(row->status),
                  formulation, solver, diagnosis->t, want.t);
}

static struct instead choose(const struct instead *instead, struct instead otherwise)
{
    return instead->why ? *instead : otherwise;
}

static void in_double(const struct refusal *row, struct solving *s, struct instead want)
{
    struct trajectory *trajectory = NULL;
    struct diagnosis diagnosis = {.t = NAN};
    enum status status = run_once(&s->request, &trajectory, &diagnosis);
    expect(row, "double", s->request.formulation->name, want, status, &diagnosis);
    if (status == row->status)
        cr_expect_not_null(strstr(diagnosis.place, row->word), "%s: no \"%s\" in \"%s\"",
                           s->request.formulation->name, row->word, diagnosis.place);
    trajectory_free(trajectory);
}

static void by_complex_step(const struct refusal *row, struct solving *s,
                            struct instead want)
{
    struct trajectory *trajectory = NULL;
    struct diagnosis diagnosis = {.t = NAN};
    enum status status = complex_step_run(&s->request, &trajectory, &diagnosis);
    expect(row, "complex step", s->request.formulation->name,
           choose(&row->complex_step, want), status, &diagnosis);
    trajectory_free(trajectory);
}

/* The motion that the formulation follows. */
static void in_mpfr(const struct refusal *row, struct solving *s, struct instead want)
{
    struct reference_motion own;
    struct mp_trajectory *trajectory = NULL;
    struct diagnosis diagnosis = {.t = NAN};
    const char **value = memory_new(s->model->p, sizeof *value);
    char changed[40];
    double nominal[TEST_PARAMETERS];
    cr_assert_eq(reference_motion_of(s->request.formulation, s->model, s->option, &own,
                                     NULL), OK);
    cr_assert_eq(model_nominal_values(s->model, nominal, NULL), OK);
    for (int j = 0; j < s->model->p; j++)
        if (s->value[j] != nominal[j]) {
            snprintf(changed, sizeof changed, "%.17g", s->value[j]);
            value[j] = changed;
        }
    const struct reference_request request = {
        .model = s->model, .truth = own.truth, .digits = 30, .value = value,
        .parameters = s->request.parameters, .parameter = s->parameter,
        .t_end = row->mpfr_end, .max_events = s->request.max_events};
    enum status status = reference_run(&request, &trajectory, &diagnosis);
    expect(row, "MPFR", s->request.formulation->name, choose(&row->mpfr, want), status,
           &diagnosis);
    mp_trajectory_free(trajectory);
    free(value);
}

static struct model *model_of(const struct refusal *row)
{
    static struct case_desc desc;
    struct diagnosis diagnosis;
    desc = (struct case_desc){.name = "refused", .record = row->record};
    struct model *model = model_new(row->record ? &desc : case_find(row->case_name),
                                    &diagnosis);
    cr_assert_not_null(model, "%s", diagnosis.place);
    return model;
}

/* Few steps: what ends at a singularity is not to go there for long. */
static void try_row(const struct refusal *row, const struct formulation *formulation)
{
    const char *why;
    struct solving s;
    struct model *model = model_of(row);
    if (!formulation_applies(formulation, model, &why)) {
        cr_expect_fail("%s does not apply: %s", formulation->name, why);
        model_free(model);
        return;
    }
    const struct instead same = {row->status, row->t, "the same"};
    bool some = is_among(formulation->name, row->some);
    solving_of_model(&s, model, formulation->name);
    s.request.samples = 0;
    s.request.max_steps = 5000;
    if (row->prepare)
        row->prepare(&s);
    in_double(row, &s, some ? row->of_some : same);
    by_complex_step(row, &s, some ? row->of_some : same);
    in_mpfr(row, &s,
            is_among(formulation->name, row->some_in_mpfr) ? row->of_some : same);
    solving_end(&s);
}

Test(refusals, are_reached_in_every_formulation_by_complex_step_and_in_mpfr)
{
    for (size_t k = 0; k < sizeof refusals / sizeof *refusals; k++)
        for (int f = 0; formulations[f]; f++)
            try_row(&refusals[k], formulations[f]);
    mpfr_free_cache();
}
