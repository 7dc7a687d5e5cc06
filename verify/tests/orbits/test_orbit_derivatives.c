/*
 * test_orbit_derivatives.c - derivatives of periodic motions: beside differences of whole
 * searches, of segments by complex step, of nodes; wrong jump rules are seen.
 */
#include <stdlib.h>

#include "base/memory.h"
#include "faults/terms.h"
#include "orbiting.h"
#include "orbits/floquet.h"
#include "orbits/segment_oracle.h"
#include "orbits/shooting.h"

static const struct subject {
    const char *name, *formulation;
    double t_end;
} subjects[] = {
    {"impact-oscillator", "ode", 200}, {"pwlin", "ode", 40}, {"rimless-wheel", "ode", 30},
    {"simplest-walker", "ode", 13}, {"compass-gait", "ode", 12},
    {"five-bar-forced", "index1", 8}};
enum { SUBJECTS = sizeof subjects / sizeof *subjects };

static void orbiting_of(struct orbiting *o, const struct subject *subject)
{
    orbiting_of_case(o, subject->name, subject->formulation, subject->t_end);
}

/* --- differences of whole searches -------------------------------------------------- */

/* The numbers of an orbit that do not depend on its phase: the period, and the states
   after its events by their names. */
static int numbers_of(const struct orbit *orbit, const struct orbit *like, double *x)
{
    int count = 0;
    x[count++] = orbit->period;
    for (int e = 0; e < like->events; e++) {
        const struct orbit_event *event = event_of(orbit, like->event[e].event->name);
        memory_copy(x + count, event->after, orbit->width, sizeof *x);
        count += orbit->width;
    }
    return count;
}

static int derivatives_of(const struct orbit *orbit, int j, double *dx)
{
    int count = 0, width = orbit->width;
    dx[count++] = orbit->dperiod[j];
    for (int e = 0; e < orbit->events; e++) {
        memory_copy(dx + count, orbit->event[e].dafter + j * width, width, sizeof *dx);
        count += width;
    }
    return count;
}

/* difference = (x(rho + h) - x(rho - h))/2h of whole searches. */
static void difference_of(struct orbiting *o, const struct orbit *like, int index,
                          double h, double *difference)
{
    double x[2][64], rho = o->s.value[index];
    int count = 0;
    for (int k = 0; k < 2; k++) {
        o->s.value[index] = k ? rho + h : rho - h;
        count = numbers_of(orbiting_find(o), like, x[k]);
    }
    o->s.value[index] = rho;
    for (int i = 0; i < count; i++)
        difference[i] = (x[1][i] - x[0][i]) / (2 * h);
}

/* Those with the step and half of it, extrapolated. */
static void expect_difference(struct orbiting *o, const struct orbit *like, int j)
{
    double dx[64], coarse[64], fine[64];
    int index = o->s.parameter[j], count = derivatives_of(like, j, dx);
    double h = 1e-4 * fmax(fabs(o->s.value[index]), 0.1);
    difference_of(o, like, index, h, coarse);
    difference_of(o, like, index, h / 2, fine);
    for (int i = 0; i < count; i++) {
        double want = fine[i] + (fine[i] - coarse[i]) / 3;
        cr_expect_lt(relative(dx[i], want, 1), 3e-7, "%s, number %d by %s: %.12g, by "
                     "differences %.12g", o->s.model->desc->name, i,
                     o->s.model->parameter[index].name, dx[i], want);
    }
}

Test(orbit_derivatives, agree_with_differences_of_searches)
{
    for (int k = 0; k < SUBJECTS; k++) {
        struct orbiting o, moved;
        orbiting_of(&o, &subjects[k]);
        orbiting_of(&moved, &subjects[k]);
        moved.s.request.parameters = 0;
        const struct orbit *orbit = orbiting_find(&o);
        memory_copy(moved.s.parameter, o.s.parameter, orbit->parameters,
                    sizeof *moved.s.parameter);
        for (int j = 0; j < orbit->parameters; j++)
            expect_difference(&moved, orbit, j);
        orbiting_end(&moved);
        orbiting_end(&o);
    }
}

/* --- segments and nodes ------------------------------------------------------------- */

/* Multiple shooting at an orbit, and the request that it stands on. */
struct shot {
    struct orbiting o;
    struct orbit_guess guess;
    struct shooting shooting;
};

static void shoot(struct shot *shot, const struct subject *subject)
{
    orbiting_of(&shot->o, subject);
    struct diagnosis *diagnosis = &shot->o.s.diagnosis;
    struct orbit_request *request = &shot->o.request;
    request->run = shot->o.s.request;
    request->run.without_costs = true;
    cr_assert_eq(orbit_guess_make(request, &shot->guess, diagnosis), OK);
    cr_assert_eq(shooting_init(&shot->shooting, request, &shot->guess, false, diagnosis),
                 OK);
    cr_assert_eq(shooting_solve(&shot->shooting, diagnosis), OK, "%s", diagnosis->place);
}

static void shot_end(struct shot *shot)
{
    shooting_clear(&shot->shooting);
    orbit_guess_clear(&shot->guess);
    orbiting_end(&shot->o);
}

/* F_x and F_p of Dankowicz (20)-(24), each end of each segment. */
Test(orbit_derivatives, segments_agree_with_complex_step)
{
    for (int k = 0; k < SUBJECTS; k++) {
        struct shot shot;
        char where[128];
        shoot(&shot, &subjects[k]);
        for (int i = 0; i < shot.shooting.nodes; i++) {
            struct solving s = shot.o.s;
            s.request = segment_request(&shot.shooting.segment[i], &shot.o.request);
            struct trajectory *run = solve(&s);
            double digits = digits_of_complex_step(&s, run, where, sizeof where);
            cr_expect_geq(digits, 11, "%s, segment %d: %.1f digits, %s",
                          subjects[k].name, i, digits, where);
            trajectory_free(run);
        }
        shot_end(&shot);
    }
}

/* Searches from the nodes of the orbit itself, with the parameter moved. The first step
   is across the motion, so that the nodes move as their derivatives say. */
static void move(struct shot *shot, int index, double h, const double *u, double *moved)
{
    struct shooting *s = &shot->shooting;
    double rho = shot->o.s.value[index];
    shot->o.s.value[index] = rho + h;
    memory_copy(s->u, u, s->unknowns, sizeof *u);
    s->steps = 0;
    for (int k = 0; k < s->nodes; k++)
        s->segment[k].value[index] = rho + h;
    cr_assert_eq(shooting_solve(s, &shot->o.s.diagnosis), OK, "%s",
                 shot->o.s.diagnosis.place);
    memory_copy(moved, s->u, s->unknowns, sizeof *moved);
    shot->o.s.value[index] = rho;
    for (int k = 0; k < s->nodes; k++)
        s->segment[k].value[index] = rho;
}

static void expect_nodes(struct shot *shot, int j)
{
    struct shooting *s = &shot->shooting;
    int n = s->unknowns, index = shot->o.s.parameter[j];
    double *u = memory_new(4 * n, sizeof *u), *du = u + n, *a = du + n, *b = a + n;
    double h = 1e-5 * fmax(fabs(shot->o.s.value[index]), 0.1);
    memory_copy(u, s->u, n, sizeof *u);
    cr_assert(shooting_by_parameter(s, j, du));
    move(shot, index, h, u, a);
    move(shot, index, -h, u, b);
    for (int i = 0; i < n; i++)
        cr_expect_lt(relative(du[i], (a[i] - b[i]) / (2 * h), 1), 1e-5,
                     "%s, unknown %d by %s: %.12g, by differences %.12g",
                     shot->o.s.model->desc->name, i,
                     shot->o.s.model->parameter[index].name, du[i],
                     (a[i] - b[i]) / (2 * h));
    memory_copy(s->u, u, n, sizeof *u);
    s->steps = 0;
    cr_assert_eq(shooting_solve(s, &shot->o.s.diagnosis), OK);
    free(u);
}

Test(orbit_derivatives, nodes_move_as_they_say)
{
    for (int k = 0; k < SUBJECTS; k++) {
        struct shot shot;
        shoot(&shot, &subjects[k]);
        for (int j = 0; j < shot.o.s.request.parameters; j++)
            expect_nodes(&shot, j);
        shot_end(&shot);
    }
}

/* Runs once round the orbit from h d beside the first node. end [width] */
static void go_round(struct shot *shot, const double complex *d, bool imaginary, double h,
                     double *end)
{
    struct shooting *s = &shot->shooting;
    double *z = memory_new(s->segment[0].width, sizeof *z);
    for (int c = 0; c < s->segment[0].count; c++) {
        double complex own = d[s->segment[0].component[c]];
        z[c] = s->u[c] + h * (imaginary ? cimag(own) : creal(own));
    }
    for (int k = 0; k < s->nodes; k++) {
        const struct orbit_segment *next = &s->segment[shooting_next(s, k)];
        double length = s->part[k] * shooting_period(s);
        cr_assert_eq(segment_run(&s->segment[k], z, length, &shot->o.s.diagnosis), OK,
                     "%s", shot->o.s.diagnosis.place);
        const struct run_point *point = segment_point(&s->segment[k], true);
        for (int i = 0; i < next->count; i++)
            z[i] = segment_value(&s->segment[k], point, next->component[i], -1);
        for (int i = 0; i < next->width && k + 1 == s->nodes; i++)
            end[i] = segment_value(&s->segment[k], point, i, -1);
    }
    free(z);
}

/* How far a motion beside the orbit is, after a period, from where its vector times its
   multiplier has it, by the size of the vector. */
static double off_its_multiplier(struct shot *shot, double complex value,
                                 const double complex *vector, bool imaginary)
{
    enum { MOST = 64 };
    static const double h = 1e-5;
    double ahead[MOST], back[MOST], off = 0, size = 0;
    int width = shot->shooting.segment[0].width;
    cr_assert_leq(width, MOST);
    go_round(shot, vector, imaginary, h, ahead);
    go_round(shot, vector, imaginary, -h, back);
    for (int i = 0; i < width; i++) {
        double complex want = value * vector[i];
        double got = (ahead[i] - back[i]) / (2 * h);
        off = fmax(off, fabs(got - (imaginary ? cimag(want) : creal(want))));
        size = fmax(size, cabs(vector[i]));
    }
    return off / size;
}

/* Whole motions beside the orbit, constraints and events included. */
Test(orbit_derivatives, motions_beside_it_move_by_multipliers_along_vectors)
{
    for (int k = 0; k < SUBJECTS; k++) {
        struct shot shot;
        struct floquet own;
        shoot(&shot, &subjects[k]);
        floquet_make(&shot.shooting, &own);
        for (int j = 0; j < own.count; j++)
            for (int part = 0; part < 2; part++) {
                double off = off_its_multiplier(&shot, own.value[j],
                                                own.vector + j * own.width, part > 0);
                cr_expect_lt(off, 1e-6, "%s, multiplier %d = %g%+gi: %.3g off",
                             subjects[k].name, j, creal(own.value[j]),
                             cimag(own.value[j]), off);
            }
        floquet_clear(&own);
        shot_end(&shot);
    }
}

/* The derivatives of the result are those of the unknowns, in the independent components,
   and of the constraints in the others. */
Test(orbit_derivatives, nodes_of_the_result_stay_on_the_constraints)
{
    struct orbiting o;
    orbiting_of(&o, &subjects[SUBJECTS - 1]);
    const struct orbit *orbit = orbiting_find(&o);
    int b = parameter_of(&o, "b");
    for (int k = 0; k < orbit->nodes; k++) {
        const double *x = orbit->node[k].x;
        double xB = 0.5 + o.s.value[b] * cos(x[12]);
        cr_expect_float_eq((x[4] - xB) * (x[4] - xB) + x[5] * x[5], 2, 1e-12);
        for (int j = 0; j < orbit->parameters; j++) {
            const double *dx = orbit->node[k].dx + j * orbit->width;
            double dxB = (o.s.parameter[j] == b) * cos(x[12]) -
                         o.s.value[b] * sin(x[12]) * dx[12];
            cr_expect_float_eq((x[4] - xB) * (dx[4] - dxB) + x[5] * dx[5], 0, 1e-10);
        }
    }
    orbiting_end(&o);
}

/* --- wrong rules -------------------------------------------------------------------- */

static const struct jump_rule *wrong_rule(const char *name)
{
    int k = 0;
    while (term_rules[k].rule.name && strcmp(term_rules[k].rule.name, name) != 0)
        k++;
    cr_assert_not_null(term_rules[k].rule.name, "no rule %s", name);
    return &term_rules[k].rule;
}

/* The derivatives of the right orbit by parameter j, and those of a wrong rule: how far
   apart, by their size. */
static double apart(const struct orbit *a, const struct orbit *b, int j)
{
    double x[64], y[64], most = 0;
    int count = derivatives_of(a, j, x);
    derivatives_of(b, j, y);
    for (int i = 0; i < count; i++)
        most = fmax(most, relative(y[i], x[i], 1));
    return most;
}

/* h_p with the wrong sign, as Dankowicz (21), (24) print it: F_x is right, so that
   Newton's method and multipliers are; the derivatives by what the guard depends on are
   wrong, and no others. */
Test(orbit_derivatives, the_sign_of_h_p_is_seen)
{
    struct orbiting o, wrong;
    orbiting_of(&o, &subjects[0]);
    orbiting_of(&wrong, &subjects[0]);
    wrong.s.request.rule = wrong_rule("minus-r-rho");
    const struct orbit *right = orbiting_find(&o), *orbit = orbiting_find(&wrong);
    cr_expect_lt(cabs(product_of(orbit) - product_of(right)), 1e-12);
    cr_expect_leq(abs(orbit->steps - right->steps), 1);
    for (int j = 0; j < right->parameters; j++) {
        double gap = apart(right, orbit, j);
        if (o.s.parameter[j] == parameter_of(&o, "q_c"))
            cr_expect_gt(gap, 0.1, "q_c: %.3g", gap);
        else
            cr_expect_lt(gap, 1e-12, "parameter %d: %.3g", j, gap);
    }
    orbiting_end(&wrong);
    orbiting_end(&o);
}

/* A rule without the moving event makes F_x wrong: other multipliers, and steps of
   Newton's method that are many or lead nowhere. */
Test(orbit_derivatives, wrong_jumps_make_newton_slow)
{
    static const char *const name[] = {"no-dte", "no-a-minus", "no-tau", "minus-v-plus"};
    struct orbiting o;
    orbiting_of(&o, &subjects[0]);
    const struct orbit *right = orbiting_find(&o);
    int steps = right->steps;
    double complex product = product_of(right);
    for (int k = 0; k < 4; k++) {
        o.s.request.rule = wrong_rule(name[k]);
        enum status status = orbiting_try(&o);
        cr_log_info("%s: %s, %d steps", name[k], status_text(status),
                    o.orbit ? o.orbit->steps : 0);
        cr_expect(status == NO_ORBIT || (status == OK && o.orbit->steps > steps + 3),
                  "%s: %s, %d steps", name[k], status_text(status),
                  o.orbit ? o.orbit->steps : 0);
        if (status == OK)
            cr_expect_gt(cabs(product_of(o.orbit) - product), 1e-3, "%s", name[k]);
    }
    orbiting_end(&o);
}
