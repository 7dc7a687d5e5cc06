/*
 * test_finite.c - what is undefined or infinite leaves no solver as a number: a matrix of
 * places where a formula stands, of formulas that have no value or no derivative, and of
 * arithmetics.
 *
 * One motion, y = 1 - t with an event at y = 1/2, holds the formula at one of its places,
 * each in a text of its own. Each cell must be refused by the status that is asked for,
 * with the place, or give a number where there is one.
 */
#include <string.h>

#include "adjoint/adjoint.h"
#include "cases/model_texts.h"
#include "reference/proving.h"
#include "referring.h"
#include "running.h"
#include "sampling.h"
#include "solving.h"

TestSuite(finite, .init = make_folder_with_code, .fini = remove_folder, .timeout = 600);

/* --- the matrix --------------------------------------------------------------------- */

enum place {
    MASS,
    FORCE,
    CONSTRAINT,
    RATE,
    INTEGRAND,
    GUARD,
    CONDITION,
    RESET_Q,
    RESET_V,
    RESET_S,
    EVENT_COST,
    TERMINAL_COST,
    START,
    START_ROW,
    END,
    PLACES
};

/* What a diagnosis must say of a formula there. */
static const char *const place_word[PLACES] = {
    [MASS] = "M",
    [FORCE] = "force F of y",
    [CONSTRAINT] = "constraint 1",
    [RATE] = "rate f_s of s",
    [INTEGRAND] = "cost J of mode m",
    [GUARD] = "guard of e",
    [CONDITION] = "condition 1 of event e",
    [RESET_Q] = "reset of q.y of event e",
    [RESET_V] = "reset of v.y of event e",
    [RESET_S] = "reset of s.s of event e",
    [EVENT_COST] = "cost J of event e",
    [TERMINAL_COST] = "terminal cost J",
    [START] = "start of v.y",
    [START_ROW] = "start row 1",
    [END] = "end",
};

/* Kinds of edge. */
enum kind {
    ROOT_OF_STATE,
    ROOT_OF_PARAMETER,
    POWER_OF_STATE,
    LOGARITHM_OF_STATE,
    ARC_SINE,
    LOGARITHM_OF_ZERO,
    QUOTIENT,
    NEGATIVE_POWER,
    OVERFLOWS,
    NO_DERIVATIVE,
    KINDS
};

/* A kind: its formula, whether y is in it, and how it ends in double and in MPFR. */
static const struct edge_kind {
    const char *formula;
    bool of_state;
    enum status in_double, in_mpfr;
    bool by_domain; /* refused by the domain, at a known place */
} edge_kind[KINDS] = {
    [ROOT_OF_STATE] = {"sqrt(y - 5)", true, NOT_FINITE, NOT_FINITE, true},
    [ROOT_OF_PARAMETER] = {"sqrt(-a)", false, NOT_FINITE, NOT_FINITE, true},
    [POWER_OF_STATE] = {"pow(y - 5, 2*a)", true, NOT_FINITE, NOT_FINITE, true},
    [LOGARITHM_OF_STATE] = {"log(-a - y*y)", true, NOT_FINITE, NOT_FINITE, true},
    [ARC_SINE] = {"asin(2*a)", false, NOT_FINITE, NOT_FINITE, true},
    [LOGARITHM_OF_ZERO] = {"log(z)", false, NOT_FINITE, NOT_FINITE, false},
    [QUOTIENT] = {"1/z", false, POLE, POLE, true},
    [NEGATIVE_POWER] = {"pow(z, -1)", false, POLE, POLE, true},
    [OVERFLOWS] = {"exp(900*a)/exp(900*a + 1)", false, NOT_FINITE, OK, false},
    [NO_DERIVATIVE] = {"sqrt(z)", false, NOT_FINITE, NOT_FINITE, false},
};

/* --- texts -------------------------------------------------------------------------- */

/* Writes the formula f, if it stands at this place, after what is there without it. */
static void put(char *text, int size, const char *before, bool here, const char *f,
                const char *after)
{
    int length = (int)strlen(text);
    snprintf(text + length, (size_t)(size - length), "%s%s%s%s", before,
             here ? " + " : "", here ? f : "", after);
}

static void write_model(enum place place, const char *f, char *text, int size)
{
    const struct {
        enum place place;
        const char *before, *after;
    } part[] = {
        {MASS, "  m:\n    M: {x: {x: 1}, y: {y: \"1", "\"}}\n"},
        {FORCE, "    F: {y: \"0*a", "\"}\n"},
        {CONSTRAINT, "    Phi: [\"x", "\"]\n"},
        {RATE, "    f_s: {s: \"1", "\"}\n"},
        {INTEGRAND, "    g: {J: \"1",
         "\"}\n"
         "  after:\n    M: {x: {x: 1}, y: {y: 1}}\n"},
        {GUARD, "events:\n  e:\n    guard: \"y - 0.5",
         "\"\n    direction: falling\n"
         "    from: m\n    to: after\n"},
        {CONDITION, "    conditions: [\"1", "\"]\n"},
        {RESET_Q, "    reset: {y_plus: \"y", "\", "},
        {RESET_V, "vy_plus: \"vy", "\", "},
        {RESET_S, "s_plus: \"s", "\"}\n"},
        {EVENT_COST, "    cost: {J: \"1", "\"}\n"},
        {START, "initial:\n  state: {y: 1, vy: \"-1", "\""},
        {START_ROW, place == START_ROW ? "}\n  guess: {s: 0}\n  rows: [\"s" : ", s: 0",
         place == START_ROW ? "\"]\n" : "}\n"},
        {END, "end: \"0.9*a", "\"\n"},
        {TERMINAL_COST, "terminal_cost: {J: \"y", "\"}\n"},
    };
    snprintf(text, (size_t)size,
             "parameters: {a: {nominal: 1}, z: {nominal: 0}}\ncoordinates: [x, y]\n"
             "auxiliary: [s]\ncosts: [J]\nmodes:\n");
    for (size_t k = 0; k < sizeof part / sizeof *part; k++)
        put(text, size, part[k].before, part[k].place == place, f, part[k].after);
}

static struct model *finite_model(enum place place, enum kind kind)
{
    char text[1500];
    struct diagnosis diagnosis;
    write_model(place, edge_kind[kind].formula, text, sizeof text);
    struct model *model = model_of_text(text, &diagnosis);
    cr_assert_not_null(model, "%s\n%s", diagnosis.place, text);
    return model;
}

/* --- arithmetics -------------------------------------------------------------------- */

/* A motion in one arithmetic, with derivatives or without. */
struct attempt {
    struct model *model;
    bool derivatives;
    int digits;                 /* of MPFR; 0: 30 */
    enum status status;
    struct diagnosis diagnosis;
    double J; /* psi of J, where the status is OK */
};

/* A request without samples, of a model whose end may be undefined. */
static void ask(struct solving *s, const struct attempt *a)
{
    *s = (struct solving){.model = a->model};
    cr_assert_eq(model_nominal_values(a->model, s->value, &s->diagnosis), OK);
    s->request = (struct run_request){.model = a->model,
                                      .formulation = formulation_find("index1"),
                                      .rtol = 1e-10,
                                      .atol = 1e-13,
                                      .value = s->value,
                                      .t_end = NAN,
                                      .parameter = s->parameter,
                                      .code = CODE_NEVER};
    if (a->derivatives)
        s->request.parameters = model_sensitivities(a->model, s->parameter);
}

static void in_double(struct attempt *a)
{
    struct solving s;
    struct trajectory *trajectory = NULL;
    ask(&s, a);
    a->status = run_once(&s.request, &trajectory, &a->diagnosis);
    a->J = a->status == OK ? trajectory->psi[0] : NAN;
    trajectory_free(trajectory);
}

static void in_mpfr(struct attempt *a)
{
    struct referring r;
    struct mp_trajectory *trajectory = NULL;
    referring_of_model(&r, a->model, a->digits > 0 ? a->digits : 30);
    r.request.parameters = a->derivatives ? r.request.parameters : 0;
    a->status = reference_run(&r.request, &trajectory, &a->diagnosis);
    a->J = a->status == OK ? mpfr_get_d(trajectory->psi[0], MPFR_RNDN) : NAN;
    mp_trajectory_free(trajectory);
    mpfr_free_cache();
}

/* The derivative by each parameter is a run of its own; without them there is one run,
   of the values. */
static void by_complex_step(struct attempt *a)
{
    struct solving s;
    struct trajectory *trajectory = NULL;
    ask(&s, a);
    a->status = complex_step_run(&s.request, &trajectory, &a->diagnosis);
    a->J = a->status == OK ? trajectory->psi[0] : NAN;
    trajectory_free(trajectory);
}

static void compiled(struct attempt *a)
{
    struct solving s;
    struct trajectory *trajectory = NULL;
    ask(&s, a);
    s.request.code = CODE_ALWAYS;
    a->status = run_once(&s.request, &trajectory, &a->diagnosis);
    a->J = a->status == OK ? trajectory->psi[0] : NAN;
    trajectory_free(trajectory);
}

/* The first of two runs beside each other. */
static void in_lanes(struct attempt *a)
{
    struct solving s;
    struct batch_run run[2] = {{0}};
    ask(&s, a);
    s.request.code = CODE_ALWAYS;
    for (int k = 0; k < 2; k++)
        run[k].value = s.value;
    struct batch *batch = batch_new(&s.request, 0);
    batch_run(batch, run, 2);
    a->status = run[0].status;
    a->diagnosis = run[0].diagnosis;
    a->J = a->status == OK ? run[0].trajectory->psi[0] : NAN;
    for (int k = 0; k < 2; k++)
        trajectory_free(run[k].trajectory);
    batch_free(batch);
}

static void in_balls(struct attempt *a)
{
    struct referring r;
    struct proof *proof = NULL;
    referring_of_model(&r, a->model, 0);
    r.request.parameters = a->derivatives ? r.request.parameters : 0;
    a->status = prove(&r.request, 10, &proof, &a->diagnosis);
    a->J = a->status == OK ? arf_get_d(arb_midref(proof->motion->psi), ARF_RND_NEAR)
                           : NAN;
    proof_free(proof);
    mpfr_free_cache();
}

enum arithmetic { DOUBLE, COMPILED, LANES, COMPLEX, MPFR, BALLS, ARITHMETICS };
static const struct {
    const char *name;
    void (*run)(struct attempt *);
    bool wide; /* exp(900) does not overflow */
} arithmetic[ARITHMETICS] = {
    [DOUBLE] = {"double", in_double, false},
    [COMPILED] = {"compiled", compiled, false},
    [LANES] = {"lanes", in_lanes, false},
    [COMPLEX] = {"complex step", by_complex_step, false},
    [MPFR] = {"MPFR", in_mpfr, true},
    [BALLS] = {"balls", in_balls, true},
};

/* --- cells -------------------------------------------------------------------------- */

/* A condition is asked for its sign, not for its derivative; but a complex step has moved
   the parameter of any formula that depends on parameters alone. */
static enum status expected(enum place place, enum kind kind, enum arithmetic which,
                            bool derivatives)
{
    bool asked = derivatives && (place != CONDITION || which == COMPLEX);
    if (kind == NO_DERIVATIVE && place == GUARD && which == DOUBLE)
        return NOT_FINITE; /* the guard's rate is taken with all that may move */
    if (kind == NO_DERIVATIVE && !asked)
        return OK;
    return arithmetic[which].wide ? edge_kind[kind].in_mpfr : edge_kind[kind].in_double;
}

/* A square root of 0 is not analytic: balls refuse it, derivatives or not, and say that
   they decide nothing where the motion exists. */
static bool is_as_expected(enum status got, enum status want, enum kind kind,
                           enum arithmetic which)
{
    bool undecided = got == PRECISION || got == NOT_FINITE;
    return got == want ||
           (which == BALLS && kind == NO_DERIVATIVE && want == OK && undecided);
}

static void try_cell(enum place place, enum kind kind, enum arithmetic which,
                     bool derivatives)
{
    struct attempt a = {.model = finite_model(place, kind),
                        .derivatives = derivatives,
                        .diagnosis = {.t = NAN}};
    enum status want = expected(place, kind, which, derivatives);
    arithmetic[which].run(&a);
    const char *said = a.status == OK ? "" : a.diagnosis.place;
    cr_expect(is_as_expected(a.status, want, kind, which), "%s, %s, %s%s: %s, not %s: %s",
              place_word[place], edge_kind[kind].formula, arithmetic[which].name,
              derivatives ? "" : " without derivatives", status_text(a.status),
              status_text(want), said);
    if (a.status == OK)
        cr_expect(isfinite(a.J), "%s, %s, %s: J = %g", place_word[place],
                  edge_kind[kind].formula, arithmetic[which].name, a.J);
    else if (edge_kind[kind].by_domain)
        cr_expect_not_null(strstr(said, place_word[place]), "%s, %s, %s: \"%s\"",
                           place_word[place], edge_kind[kind].formula,
                           arithmetic[which].name, said);
    model_free(a.model);
}

/* True: the formula may stand there. */
static bool stands(enum place place, enum kind kind)
{
    return !(edge_kind[kind].of_state && (place == END || place == START));
}

/* Tries each kind at each place; one of `turns` of them, each kind and each place among
   them, where a cell takes long. */
static void try_all(enum arithmetic which, bool derivatives,
                    unsigned turns)
{
    for (unsigned place = 0; place < PLACES; place++)
        for (unsigned kind = 0; kind < KINDS; kind++)
            if (stands(place, kind) && (in_test_all() || (place + kind) % turns == 0))
                try_cell(place, kind, which, derivatives);
}

Test(finite, in_double)
{
    try_all(DOUBLE, true, 1);
    try_all(DOUBLE, false, 1);
}

Test(finite, by_complex_step)
{
    try_all(COMPLEX, true, 1);
    try_all(COMPLEX, false, 1);
}

Test(finite, in_mpfr)
{
    try_all(MPFR, true, 1);
    try_all(MPFR, false, 1);
}

Test(finite, compiled)
{
    try_all(COMPILED, true, 5);
}

Test(finite, in_lanes)
{
    try_all(LANES, true, 5);
}

Test(finite, in_balls)
{
    try_all(BALLS, true, 1);
    try_all(BALLS, false, 3);
}

/* --- what is no cell of the matrix -------------------------------------------------- */

static const char *const falling =
    "parameters: {g: {nominal: \"%s\"}}\ncoordinates: [y]\ncosts: [J]\nmodes:\n"
    "  m: {M: {y: {y: 1}}, F: {y: \"-g\"}}\n"
    "initial: {state: {y: 1, vy: 0}}\nend: \"%s\"\nterminal_cost: {J: y}\n";

static struct model *falling_ball(const char *g, const char *end)
{
    char text[600];
    struct diagnosis diagnosis;
    snprintf(text, sizeof text, falling, g, end);
    struct model *model = model_of_text(text, &diagnosis);
    cr_assert_not_null(model, "%s", diagnosis.place);
    return model;
}

/* y = 1 - g t^2/2 at t = 2.5e300 with g = 1e-600 is -2.125. */
Test(finite, a_number_that_is_zero_in_double)
{
    struct attempt a = {.model = falling_ball("1e-600", "2.5e300"), .digits = 1000};
    static void (*const in[])(struct attempt *) = {in_double, by_complex_step};
    for (int k = 0; k < 2; k++) {
        in[k](&a);
        cr_expect_eq(a.status, NOT_APPLICABLE, "%s", status_text(a.status));
        cr_expect_not_null(strstr(a.diagnosis.place, "1e-600"), "%s", a.diagnosis.place);
    }
    in_mpfr(&a);
    cr_expect_eq(a.status, OK, "%s", a.diagnosis.place);
    cr_expect_float_eq(a.J, -2.125, 1e-15, "%.17g", a.J);
    model_free(a.model);
}

Test(finite, an_end_before_the_start)
{
    struct samples samples;
    struct diagnosis diagnosis = {.t = NAN};
    struct model *model = falling_ball("1", "-1");
    cr_expect_eq(choose_samples(model, &samples, &diagnosis), BAD_INPUT);
    cr_expect_not_null(strstr(diagnosis.place, "t = -1, is not after the start"), "%s",
                       diagnosis.place);
    model_free(model);
}

/* A condition is asked at its event: elsewhere log(-y) need not have a value. */
Test(finite, a_condition_without_a_value_before_its_event_is_proved)
{
    struct diagnosis diagnosis;
    struct model *model = model_of_text(
        "parameters: {g: {nominal: 1}}\ncoordinates: [y]\ncosts: [J]\nmodes:\n"
        "  m: {M: {y: {y: 1}}, F: {y: \"-g\"}}\nevents:\n"
        "  e: {guard: y + 2, direction: falling, conditions: [\"log(-y)\"],"
        " reset: {vy_plus: -vy}}\n"
        "initial: {state: {y: 1, vy: 0}}\nend: 3\nterminal_cost: {J: y}\n",
        &diagnosis);
    cr_assert_not_null(model, "%s", diagnosis.place);
    struct attempt a = {.model = model, .derivatives = true};
    in_balls(&a);
    double hit = sqrt(6), left = 3 - hit;
    cr_expect_eq(a.status, OK, "%s", a.diagnosis.place);
    cr_expect_float_eq(a.J, -2 + hit * left - left * left / 2, 1e-12, "%.17g", a.J);
    model_free(model);
}

/* sqrt(z) at z = 0 has no derivative, on the way back, either. */
Test(finite, by_the_adjoint_equations)
{
    for (int k = 0; adjoint_methods[k]; k++) {
        struct attempt a = {.model = finite_model(TERMINAL_COST, NO_DERIVATIVE),
                            .derivatives = true};
        struct solving s;
        struct gradient *gradient = NULL;
        ask(&s, &a);
        const struct adjoint_request request = {.run = s.request,
                                                .method = adjoint_methods[k]};
        struct adjoint *adjoint = adjoint_new(&request, &a.diagnosis);
        cr_assert_not_null(adjoint, "%s", a.diagnosis.place);
        cr_expect_eq(adjoint_run(adjoint, NULL, &gradient, &a.diagnosis), NOT_FINITE);
        cr_expect_not_null(strstr(a.diagnosis.place, "terminal cost J by z"), "%s: %s",
                           adjoint_method_name(adjoint_methods[k]), a.diagnosis.place);
        gradient_free(gradient);
        adjoint_free(adjoint);
        model_free(a.model);
    }
}

/* The nominal value of a parameter is a formula of numbers: sqrt(0) is one, sqrt(-1) is
   none. */
Test(finite, nominal_values)
{
    static const char *const nominal[] = {"sqrt(-1)", "log(0)", "asin(2)", "sqrt(0)",
                                          "asin(1)"};
    for (int k = 0; k < 5; k++) {
        struct diagnosis diagnosis = {.t = NAN};
        struct model *model = falling_ball(nominal[k], "1");
        double g;
        enum status status = model_nominal_values(model, &g, &diagnosis);
        cr_expect_eq(status, k < 3 ? NOT_FINITE : OK, "%s: %s", nominal[k],
                     status_text(status));
        if (k < 3)
            cr_expect_not_null(strstr(diagnosis.place, nominal[k]), "%s",
                               diagnosis.place);
        model_free(model);
    }
}
