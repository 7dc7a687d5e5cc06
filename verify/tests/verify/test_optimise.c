/*
 * test_optimise.c - minimisation of costs through events (verify/optimise): minima that
 * are known, bounds, units, lines of evaluations.
 */
#include "case.h"
#include "base/memory.h"
#include "minimising.h"
#include "random_formulas.h"

TestSuite(optimise, .timeout = 120);

/* --- through events ----------------------------------------------------------------- */

/* The direct method, at a smaller tolerance, finds no gradient there either. */
static void expect_minimum(const char *name, const char *over, const char *cost)
{
    struct minimising m;
    solving_of_case(&m.s, name, "index1");
    minimising_of(&m, over, cost);
    struct optimisation *o = minimised(&m);
    expect_arrival(o);
    const struct evaluation *first = o->evaluation[0], *best = o->evaluation[o->best];
    cr_expect(first->events > 0 && best->events > 0, "%s", name);
    m.s.request.rtol = 1e-12;
    m.s.request.atol = 1e-15;
    double sum = 0;
    for (int k = 0; k < o->n; k++)
        m.s.value[m.s.parameter[k]] = best->value[k];
    struct trajectory *direct = solve(&m.s);
    cr_expect_eq(direct->events, best->events);
    for (int k = 0; k < o->n; k++) {
        int at = (1 + k) * m.s.model->nz + m.request.cost;
        sum = hypot(sum, direct->psi[at] * o->scale[k]);
    }
    cr_expect_lt(sum, 1e-6 * first->norm, "%s: %g of %g", name, sum, first->norm);
    trajectory_free(direct);
    optimisation_free(o);
    solving_end(&m.s);
}

Test(optimise, the_springs_of_the_five_bar_arrive_through_impacts)
{
    expect_minimum("five-bar-nine", "L01,L02", "path");
    expect_minimum("five-bar-nine", "L01,L02", "pull");
    expect_minimum("five-bar-nine", "k1,k2", "path");
}

/* --- stationary points -------------------------------------------------------------- */

/* A point that moves by u and meets a wall: terminal costs of its parameters, each with
   its own kind of point where its slope is zero. */
static void record_landscape(struct model *model)
{
    COORDINATES(x);
    PARAMETERS(u, w);
    COSTS(hill, saddle, flat, bowl, trough, quartic);
    NOMINAL(u, 0, "m/s", "velocity");
    NOMINAL(w, 0.2, "1", "weight");
    struct mode *mode = model_mode(model, "fly");
    model->M[0][0] = EQ(1);
    model->F[0] = EQ(0);
    struct event *wall = model_event(model, "wall", mode, mode, EQ(x - 1), RISING);
    wall->v_plus[0] = EQ(-vx/2);
    model->w[0] = EQ(cos(u));
    model->w[1] = EQ(pow(w - 1, 2) - u*u);
    model->w[2] = EQ(3);
    model->w[3] = EQ(pow(w - 1, 2) + u*u);
    model->w[4] = EQ(pow(w - 1, 2));
    model->w[5] = EQ(pow(w - 1, 4) + pow(u - 2, 2));
    model->q0[0] = EQ(0);
    model->v0[0] = EQ(u);
    model->t_end = EQ(2);
}

static void expect_end(const char *cost, const char *over, double u, bool maximise,
                       enum stop stop, const char *words)
{
    struct minimising m;
    char reason[400];
    solving_of_record(&m.s, "landscape", record_landscape, "ode");
    m.s.value[model_parameter_index(m.s.model, "u")] = u;
    minimising_of(&m, over, cost);
    m.request.maximise = maximise;
    struct optimisation *o = minimised(&m);
    optimisation_reason(o, reason, sizeof reason);
    cr_expect_eq(o->stop, stop, "%s: stop %d: %s", cost, (int)o->stop, reason);
    cr_expect_not_null(strstr(reason, words), "%s: no '%s' in: %s", cost, words, reason);
    optimisation_free(o);
    solving_end(&m.s);
}

Test(optimise, a_stationary_point_is_told_by_its_second_derivatives)
{
    expect_end("hill", "u", 0, false, STOP_NO_MINIMUM,
               "stationary, but along u a maximum");
    expect_end("hill", "u", 0, true, STOP_GRADIENT, "gradient norm");
    expect_end("hill", "u", 2, false, STOP_GRADIENT, "gradient norm");
    expect_end("saddle", "u,w", 0, false, STOP_NO_MINIMUM,
               "stationary, but along u a maximum");
    expect_end("flat", "u,w", 0, false, STOP_FLAT, "flat: neither first nor second");
    expect_end("bowl", "u,w", 0, false, STOP_GRADIENT, "gradient norm");
    expect_end("bowl", "u", 0, true, STOP_NO_MINIMUM, "along u a minimum");
    expect_end("trough", "u,w", 0, false, STOP_GRADIENT, "flat along u; ");
    expect_end("quartic", "u,w", 0, false, STOP_GRADIENT, "gradient norm");
}

/* --- through events, by other methods ----------------------------------------------- */

Test(optimise, all_methods_of_the_gradient_go_to_one_minimum)
{
    static const char *const method[] = {"adjoint", "discrete-adjoint", "direct"};
    double found[3][2];
    for (int i = 0; i < 3; i++) {
        struct minimising m;
        solving_of_case(&m.s, "five-bar-nine", "index1");
        minimising_of(&m, "L01,L02", "path");
        m.request.method = method[i];
        struct optimisation *o = minimised(&m);
        expect_arrival(o);
        memcpy(found[i], o->evaluation[o->best]->value, sizeof found[i]);
        optimisation_free(o);
        solving_end(&m.s);
    }
    for (int i = 1; i < 3; i++)
        for (int k = 0; k < 2; k++)
            cr_expect_float_eq(found[i][k], found[0][k], 1e-7, "%s", method[i]);
}

/* --- known minima ------------------------------------------------------------------- */

/* x(1) = a, y(1) = unit b: the minimum is at a = 3, b = 1/unit, where the cost is 7. */
static void record_bowl(struct model *model)
{
    COORDINATES(x, y);
    PARAMETERS(a, b, unit);
    COSTS(bowl);
    NOMINAL(a, 1, "m/s", "speed");
    NOMINAL(b, 2, "m/s", "speed");
    FIXED(unit, 1, "1", "unit of b");
    model_mode(model, "flight");
    model->M[0][0] = EQ(1);
    model->M[1][1] = EQ(1);
    model->w[0] = EQ(7 + (x - 3)*(x - 3) + 20*(y - 1)*(y - 1) + (x - 3)*(y - 1));
    model->q0[0] = EQ(0);
    model->q0[1] = EQ(0);
    model->v0[0] = EQ(a);
    model->v0[1] = EQ(unit*b);
    model->t_end = EQ(1);
}

static void bowl_of(struct minimising *m)
{
    solving_of_record(&m->s, "bowl", record_bowl, "ode");
    minimising_of(m, "a,b", "bowl");
}

Test(optimise, a_quadratic_has_its_minimum_where_it_is)
{
    struct minimising m;
    bowl_of(&m);
    struct optimisation *o = minimised(&m);
    expect_arrival(o);
    const struct evaluation *best = o->evaluation[o->best];
    cr_expect_float_eq(best->value[0], 3, 1e-7);
    cr_expect_float_eq(best->value[1], 1, 1e-7);
    cr_expect_float_eq(best->psi, 7, 1e-12);
    cr_expect_lt(o->count, 30);
    optimisation_free(o);
    solving_end(&m.s);
}

/* Evaluation by evaluation, whatever the unit of a parameter. */
Test(optimise, units_do_not_matter)
{
    struct minimising m;
    bowl_of(&m);
    struct optimisation *o = minimised(&m);
    struct minimising other;
    bowl_of(&other);
    other.s.value[model_parameter_index(other.s.model, "unit")] = 0x1p-20;
    other.start[1] = 0x1p20 * m.start[1];
    struct optimisation *scaled = minimised(&other);
    cr_assert_eq(scaled->count, o->count);
    for (int k = 0; k < o->count; k++) {
        cr_expect_eq(scaled->evaluation[k]->value[0], o->evaluation[k]->value[0]);
        cr_expect_eq(scaled->evaluation[k]->value[1],
                     0x1p20 * o->evaluation[k]->value[1]);
    }
    optimisation_free(o);
    optimisation_free(scaled);
    solving_end(&m.s);
    solving_end(&other.s);
}

/* With a <= 2 the minimum is a = 2, b = 1 + 1/40: the gradient pushes against a alone. */
Test(optimise, a_bound_holds_what_pushes_against_it)
{
    if (!minimiser_takes_bounds())
        cr_skip_test("without NLopt");
    for (const struct algorithm *a = algorithms; a->name; a++) {
        struct minimising m;
        bowl_of(&m);
        m.lower[0] = 0;
        m.upper[0] = 2;
        m.request.algorithm = a;
        struct optimisation *o = minimised(&m);
        expect_arrival(o);
        const struct evaluation *best = o->evaluation[o->best];
        cr_expect_eq(best->value[0], 2, "%s", a->name);
        cr_expect_float_eq(best->value[1], 1.025, 1e-7, "%s", a->name);
        cr_expect_float_eq(best->gradient[0], -1.975, 1e-6, "%s", a->name);
        cr_expect_eq(optimisation_at_bound(o, 0), 1, "%s", a->name);
        cr_expect_eq(optimisation_at_bound(o, 1), 0, "%s", a->name);
        for (int k = 0; k < o->count; k++)
            cr_expect(o->evaluation[k]->value[0] >= 0 && o->evaluation[k]->value[0] <= 2);
        optimisation_free(o);
        solving_end(&m.s);
    }
}

/* A start that is a minimum needs no step. */
Test(optimise, a_start_without_gradient_is_the_answer)
{
    struct minimising m;
    bowl_of(&m);
    m.start[0] = 3;
    m.start[1] = 1;
    struct optimisation *o = minimised(&m);
    cr_expect_eq(o->stop, STOP_GRADIENT);
    cr_expect_eq(o->count, 1);
    optimisation_free(o);
    solving_end(&m.s);
}

/* The negative of the bowl has no lower end; bounds make one. */
Test(optimise, a_minimum_may_lie_in_a_corner)
{
    struct minimising m;
    if (!minimiser_takes_bounds())
        cr_skip_test("without NLopt");
    bowl_of(&m);
    m.request.maximise = true;
    m.lower[0] = m.lower[1] = 0;
    m.upper[0] = 2;
    m.upper[1] = 4;
    struct optimisation *o = minimised(&m);
    expect_arrival(o);
    for (int k = 0; k < 2; k++)
        cr_expect_neq(optimisation_at_bound(o, k), 0);
    optimisation_free(o);
    solving_end(&m.s);
}

/* --- refused points ----------------------------------------------------------------- */

/* 1/sqrt(1 - x) - 8 x has its minimum at x = 1 - 16^(-2/3), and no value from x = 1
   on. */
static void record_wall(struct model *model)
{
    COORDINATES(x);
    PARAMETERS(a);
    COSTS(wall);
    NOMINAL(a, 0.1, "m/s", "speed");
    model_mode(model, "flight");
    model->M[0][0] = EQ(1);
    model->w[0] = EQ(1/sqrt(1 - x) - 8*x);
    model->q0[0] = EQ(0);
    model->v0[0] = EQ(a);
    model->t_end = EQ(1);
}

Test(optimise, a_refused_point_shortens_the_step)
{
    struct minimising m;
    solving_of_record(&m.s, "wall", record_wall, "ode");
    minimising_of(&m, "a", "wall");
    /* a parameter of this size may go far beyond the wall at once */
    m.start[0] = -3;
    struct optimisation *o = minimised(&m);
    expect_arrival(o);
    long refused = 0;
    for (int k = 0; k < STATUSES; k++)
        refused += o->refused[k];
    cr_expect_gt(refused, 0);
    cr_expect_float_eq(o->evaluation[o->best]->value[0], 1 - pow(16, -2. / 3), 1e-7);
    optimisation_free(o);
    solving_end(&m.s);
}

/* --- rows --------------------------------------------------------------------------- */

/* Rows of an earlier run stand for its evaluations: the same way, and nothing is run. */
Test(optimise, rows_are_taken_instead_of_evaluations)
{
    struct minimising m;
    bowl_of(&m);
    struct optimisation *o = minimised(&m), *again;
    again = optimisation_new(&m.request, &m.s.diagnosis);
    struct output_rows rows = optimisation_rows(again);
    enum status status;
    long events;
    for (int k = 0; k < o->count; k++) {
        char *line = evaluation_line(&o->columns, k, o->evaluation[k]);
        cr_assert(rows.is_as_written(rows.context, line, k));
        cr_assert(rows.take(rows.context, line, k, &status, &events));
        free(line);
    }
    optimisation_run(again);
    cr_expect_eq(again->count, o->count);
    cr_expect_eq(again->asked, o->asked);
    cr_expect_eq(again->best, o->best);
    optimisation_free(o);
    optimisation_free(again);
    solving_end(&m.s);
}

Test(optimise, a_row_with_another_byte_is_none)
{
    struct minimising m;
    struct random random = random_start();
    solving_of_case(&m.s, "five-bar-nine", "index1");
    minimising_of(&m, "L01,L02", "path");
    m.request.max_evaluations = 1;
    struct optimisation *o = minimised(&m);
    char *line = evaluation_line(&o->columns, 0, o->evaluation[0]);
    int length = (int)strlen(line), changed = 0;
    for (int k = 0; k < 300; k++) {
        int at = random_below(&random, length);
        char was = line[at];
        line[at] = (char)(' ' + random_below(&random, 90));
        struct evaluation *e = evaluation_read(&o->columns, 0, line);
        char *again = e ? evaluation_line(&o->columns, 0, e) : NULL;
        cr_expect(!e || strcmp(again, line) == 0, "byte %d, seed %llu: %s", at,
                  random.seed, line);
        changed += !e;
        line[at] = was;
        evaluation_free(e);
        free(again);
    }
    cr_expect_gt(changed, 0);
    free(line);
    optimisation_free(o);
    solving_end(&m.s);
}

Test(optimise, events_are_compared_by_their_numbers)
{
    static const struct { const char *before, *after, *text; } pair[] = {
        {"hit hit hit", "hit hit hit hit", "hit x3 -> x4"},
        {"hit", "hit", ""},
        {"hit", "", "hit x1 -> x0"},
        {"", "hit slip hit", "slip x0 -> x1; hit x0 -> x2"},
        {"hit slip hit", "slip hit stop", "hit x2 -> x1; stop x0 -> x1"},
        {"hit slip", "slip hit", "in another order"},
        {"hit", "hits", "hit x1 -> x0; hits x0 -> x1"},
    };
    for (size_t k = 0; k < sizeof pair / sizeof *pair; k++) {
        char text[NOTE_ROOM];
        struct evaluation *before = evaluation_new(1), *after = evaluation_new(1);
        free(before->names);
        free(after->names);
        before->names = memory_text(pair[k].before, strlen(pair[k].before));
        after->names = memory_text(pair[k].after, strlen(pair[k].after));
        evaluation_compare(before, after, text, sizeof text);
        cr_expect_str_eq(text, pair[k].text);
        evaluation_free(before);
        evaluation_free(after);
    }
}
