/*
 * test_domain_edges.c - a motion that meets a branch cut, a pole or the end of a domain
 * ends by name, in every formulation, by complex step and in MPFR; one that passes by
 * does not.
 */
#include <string.h>

#include "formula/domain_edges.h"
#include "formula/read.h"
#include "referring.h"
#include "sampling.h"
#include "solving.h"

#include "base/memory.h"
#include "edge_models.h"
#include "motion/reference_motion.h"
#include "plugins/registry.h"

struct edge_row {
    const char *name;
    void (*record)(struct model *);
    enum status status;
    double t;
    const char *place;          /* of the message */
    bool touch;
};
/* By how much times may be off; of a touch as the square root of what index 3 leaves of q
   at rtol 1e-13, some 1e-11. */
static const double crosses = 1e-6, touches = 1e-5;

#define ROW(name, status, t, place) {#name, record_##name, status, t, place, false}
#define TOUCH(name, status, t, place) {#name, record_##name, status, t, place, true}
static const struct edge_row rows[] = {
    ROW(cut_in_cost, BRANCH_CUT, meets_cut, "cost reach of mode one: atan2(y, x)"),
    ROW(cut_in_force, BRANCH_CUT, meets_cut, "force F of z of mode one: atan2(y, x)"),
    ROW(cut_that_acts, BRANCH_CUT, 0.5, "force F of x of mode one: atan2(y, x)"),
    ROW(cut_in_rate, BRANCH_CUT, meets_cut, "rate f_s of s of mode one: atan2(y, x)"),
    ROW(cut_in_guard, BRANCH_CUT, meets_cut, "the guard of turn of mode one"),
    ROW(cut_in_reset, BRANCH_CUT, 0.5, "reset of v.x of event wall: atan2(y, -x)"),
    ROW(cut_at_end, BRANCH_CUT, 0.5, "terminal cost reach"),
    ROW(cut_of_parameters, BRANCH_CUT, 0, "cost reach of mode one: atan2(c - k, -k)"),
    ROW(cut_there_and_back, BRANCH_CUT, 0.99, "cost reach of mode one"),
    TOUCH(cut_touched, BRANCH_CUT, 1, "cost reach of mode one"),
    ROW(cut_along_its_line, BRANCH_CUT, 0.5, "cost reach of mode one: atan2(y, x)"),
    ROW(cut_of_nothing, BRANCH_CUT, 0.5, "cost reach of mode one: atan2("),
    ROW(pole_in_cost, POLE, 0.5, "cost reach of mode one: 1/(x - c)"),
    ROW(pole_in_force, POLE, 0.5, "force F of y of mode one: k/(x - c)"),
    ROW(pole_in_guard, POLE, 0.5, "the guard of wall of mode one"),
    ROW(pole_in_reset, POLE, 0.5, "reset of v.x of event wall"),
    ROW(pole_of_tangent, POLE, 0.5, "cost reach of mode one: tan("),
    ROW(root_in_force, DOMAIN_EDGE, 0.5, "force F of y of mode one: sqrt(c - x)"),
    ROW(logarithm_in_rate, DOMAIN_EDGE, 0.5, "rate f_s of s of mode one: log(c - x)"),
    ROW(arc_sine_in_cost, DOMAIN_EDGE, 0.5, "cost reach of mode one: asin(x/c)"),
    ROW(magnitude, DOMAIN_EDGE, 0.5, "cost reach of mode one: sqrt("),
    ROW(pole_of_multiplier, POLE, 0.75, "cost reach of mode one: 1/(N - c/2)"),
};
enum { ROWS = sizeof rows / sizeof *rows };

static void expect(const struct edge_row *row, const char *formulation,
                   const char *solver, enum status status,
                   const struct diagnosis *diagnosis)
{
    cr_expect_eq(status, row->status, "%s, %s, %s: %s (%s), not %s", row->name,
                 formulation, solver, status_text(status), diagnosis->place,
                 status_text(row->status));
    if (status != row->status)
        return;
    cr_expect_float_eq(diagnosis->t, row->t, row->touch ? touches : crosses,
                       "%s, %s, %s: at %.9g, not %.9g (%s)", row->name, formulation,
                       solver, diagnosis->t, row->t, diagnosis->place);
    cr_expect_not_null(strstr(diagnosis->place, row->place), "%s, %s, %s: \"%s\"",
                       row->name, formulation, solver, diagnosis->place);
}

/* The orders of its index take most of a tight run's time of a DAE, and the time of a
   crossing is as sharp as this without them. */
static const double dae_rtol = 1e-9;

/* true: the formulation applies. */
static bool begin(struct solving *s, const struct edge_row *row,
                  const struct formulation *formulation)
{
    const char *why;
    solving_of_record(s, row->name, row->record, "index1");
    bool applies = formulation_applies(formulation, s->model, &why);
    struct model *model = s->model;
    if (applies)
        solving_of_model(s, model, formulation->name);
    else
        model_free(model);
    s->request.samples = 0;
    s->request.max_steps = 20000;
    if (formulation->kind == DAE && !row->touch)
        s->request.rtol = dae_rtol;
    return applies;
}

typedef enum status run_function(const struct run_request *request,
                                 struct trajectory **out, struct diagnosis *diagnosis);

/* Each row in each formulation to which it applies, by a run of that kind; in make test
   in one of `turns` formulations. */
static void expect_of_runs(run_function *run, const char *what, int turns)
{
    for (int k = 0; k < ROWS; k++)
        for (int f = 0; formulations[f]; f++) {
            struct solving s;
            struct trajectory *trajectory = NULL;
            struct diagnosis diagnosis = {.t = NAN};
            if (!in_test_all() && (k + f) % turns > 0)
                continue;
            if (!begin(&s, &rows[k], formulations[f]))
                continue;
            enum status status = run(&s.request, &trajectory, &diagnosis);
            expect(&rows[k], formulations[f]->name, what, status, &diagnosis);
            trajectory_free(trajectory);
            solving_end(&s);
        }
}

Test(edges, end_a_run_in_every_formulation)
{
    expect_of_runs(run_once, "double", 1);
}

Test(edges, end_a_run_by_complex_step)
{
    expect_of_runs(complex_step_run, "complex step", 3);
}

static void expect_in_mpfr(const struct edge_row *row)
{
    static struct case_desc desc;
    struct referring r;
    struct mp_trajectory *trajectory;
    desc = (struct case_desc){.name = row->name, .record = row->record};
    referring_of_case(&r, &desc, 30);
    r.diagnosis = (struct diagnosis){.t = NAN};
    enum status status = reference_run(&r.request, &trajectory, &r.diagnosis);
    expect(row, "exact", "MPFR", status, &r.diagnosis);
    mp_trajectory_free(trajectory);
    referring_end(&r);
}

Test(edges, end_a_run_in_mpfr)
{
    for (int k = 0; k < ROWS; k++)
        expect_in_mpfr(&rows[k]);
}

/* Steps shrink before the cut is met where both operands of atan2 come to zero. */
Test(edges, that_steps_do_not_reach_are_named_in_mpfr)
{
    static const struct edge_row row =
        ROW(cut_at_its_end, BRANCH_CUT, meets_cut, "cost reach of mode one: atan2(y, ");
    expect_in_mpfr(&row);
}

/* The formula beside a monitor that is zero all the time is watched at all tolerances. */
Test(edges, of_a_line_are_found_at_every_tolerance)
{
    static const double rtol[] = {1e-6, 1e-9, 1e-12, 1e-13};
    static const char *const formulation[] = {"ode", "index1", "implicit"};
    for (int k = 0; k < 4; k++)
        for (int i = 0; i < 3; i++) {
            struct solving s;
            solving_of_record(&s, "line", record_cut_along_its_line, formulation[i]);
            s.request.rtol = rtol[k];
            s.request.samples = 0;
            refuse(&s, BRANCH_CUT);
            cr_expect_float_eq(s.diagnosis.t, 0.5, 1e-6, "%s at %g: %.9g", formulation[i],
                               rtol[k], s.diagnosis.t);
            solving_end(&s);
        }
}

/* --- what passes by ----------------------------------------------------------------- */

static const struct {
    const char *name;
    void (*record)(struct model *);
} harmless[] = {{"not reached", record_cut_not_reached},
                {"passed by", record_cut_passed_by},
                {"never left", record_cut_never_left}};

Test(edges, that_are_passed_by_change_nothing)
{
    for (size_t k = 0; k < sizeof harmless / sizeof *harmless; k++) {
        static struct case_desc desc;
        char name[200];
        struct solving s;
        struct referring r;
        desc = (struct case_desc){.name = harmless[k].name, .record = harmless[k].record};
        solving_of_desc(&s, &desc, "index1");
        struct trajectory *trajectory = solve(&s);
        double digits = digits_of_complex_step(&s, trajectory, name, sizeof name);
        cr_expect_gt(digits, 9, "%s: %.1f digits of %s", desc.name, digits, name);
        trajectory_free(trajectory);
        solving_end(&s);
        referring_of_case(&r, &desc, 30);
        digits = variational_against_differences(&r, name, sizeof name);
        cr_expect_gt(digits, 8, "%s: %.1f digits of %s", desc.name, digits, name);
        referring_end(&r);
    }
}

/* --- which there are ---------------------------------------------------------------- */

static int count_edges(const char *text, struct edges *edges)
{
    struct tape *tape = tape_new();
    struct names *names = names_new();
    struct read_error error;
    names_bind(names, "x", variable(tape, BLOCK_Q, 0));
    names_bind(names, "y", variable(tape, BLOCK_Q, 1));
    names_bind(names, "k", variable(tape, BLOCK_RHO, 0));
    formula f = formula_read(tape, names, text, &error);
    cr_assert(!error.set, "%s: %s", text, error.message);
    *edges = (struct edges){0};
    edges_find(edges, &f, 1);
    int count = edges->moving;
    edges_free(edges);
    names_free(names);
    tape_free(tape);
    return count;
}

Test(edges, are_found_in_every_operation_that_is_not_analytic_everywhere)
{
    for (int op = OP_POWI + 1; op < OPS; op++) {
        struct tape *tape = tape_new();
        formula x = variable(tape, BLOCK_Q, 0), y = variable(tape, BLOCK_Q, 1);
        formula two = constant(tape, "0.5");
        formula f = op_info[op].arity == 1 ? apply((enum op)op, x)
                    : op == OP_POW         ? apply2(OP_POW, x, two)
                                           : apply2((enum op)op, x, y);
        struct edges edges = {0};
        edges_find(&edges, &f, 1);
        bool entire = strcmp(op_info[op].domain, "everywhere") == 0;
        cr_expect_eq(edges.moving > 0, !entire, "%s: %d edges, domain %s",
                     op_info[op].text, edges.moving, op_info[op].domain);
        edges_free(&edges);
        tape_free(tape);
    }
}

Test(edges, are_watched_once_and_only_where_they_may_be_met)
{
    static const struct { const char *text; int count; } of[] = {
        {"1/(1 + x*x)", 0}, {"sqrt(2 + cos(x))", 0}, {"1/exp(x)", 0},
        {"log(1 + exp(x)*y*y)", 0}, {"1/k", 0}, {"sqrt(x*x + y*y + 0.0001)", 0},
        {"atan2(x, 1 + y*y)", 0}, {"x/(y*y)", 1}, {"1/(x*sqrt(x))", 1},
        {"1/(x*y*x)", 2}, {"sqrt(x*x)", 1}, {"atan2(y, x) + atan2(y, x)*y", 1},
        {"1/x + log(x)", 1}, {"pow(x, -3)", 1}, {"pow(x, 3)", 0},
        {"sqrt(x*x + y*y)", 1}, {"tan(x) + 1/cos(x)", 1}, {"1/(2 - k*x)", 1}};
    for (size_t k = 0; k < sizeof of / sizeof *of; k++) {
        struct edges edges;
        int count = count_edges(of[k].text, &edges);
        cr_expect_eq(count, of[k].count, "%s: %d edges, not %d", of[k].text, count,
                     of[k].count);
    }
}
