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

#include "cases/model_texts.h"
#include "referring.h"
#include "solving.h"

TestSuite(finite, .timeout = 600);

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
    referring_of_model(&r, a->model, 30);
    r.request.parameters = a->derivatives ? r.request.parameters : 0;
    a->status = reference_run(&r.request, &trajectory, &a->diagnosis);
    a->J = a->status == OK ? mpfr_get_d(trajectory->psi[0], MPFR_RNDN) : NAN;
    mp_trajectory_free(trajectory);
    mpfr_free_cache();
}

enum arithmetic { DOUBLE, MPFR, ARITHMETICS };
static const struct {
    const char *name;
    void (*run)(struct attempt *);
    bool wide; /* exp(900) does not overflow */
} arithmetic[ARITHMETICS] = {
    [DOUBLE] = {"double", in_double, false},
    [MPFR] = {"MPFR", in_mpfr, true},
};

/* --- cells -------------------------------------------------------------------------- */

/* A condition is asked for its sign, not for its derivative. */
static enum status expected(enum place place, enum kind kind, enum arithmetic which,
                            bool derivatives)
{
    bool asked = derivatives && place != CONDITION;
    if (kind == NO_DERIVATIVE && place == GUARD && which == DOUBLE)
        return NOT_FINITE; /* the guard's rate is taken with all that may move */
    if (kind == NO_DERIVATIVE && !asked)
        return OK;
    return arithmetic[which].wide ? edge_kind[kind].in_mpfr : edge_kind[kind].in_double;
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
    cr_expect_eq(a.status, want, "%s, %s, %s%s: %s, not %s: %s", place_word[place],
                 edge_kind[kind].formula, arithmetic[which].name,
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

static void try_all(enum arithmetic which, bool derivatives)
{
    for (int place = 0; place < PLACES; place++)
        for (int kind = 0; kind < KINDS; kind++)
            if (stands(place, kind))
                try_cell(place, kind, which, derivatives);
}

Test(finite, in_double)
{
    try_all(DOUBLE, true);
    try_all(DOUBLE, false);
}

Test(finite, in_mpfr)
{
    try_all(MPFR, true);
    try_all(MPFR, false);
}
