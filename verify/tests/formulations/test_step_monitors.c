/*
 * test_step_monitors.c - what is looked at after a step is what guards and constraints
 * are there.
 */
#include "events/hybrid.h"
#include "mechanisms/catalogue.h"
#include "running.h"
#include "sampling.h"
#include "systems.h"

TestSuite(monitors, .init = make_folder_with_code, .fini = remove_folder,
          .timeout = 1200);

static void same_bits(const double *a, const double *b, int count, const char *what,
                      const struct mode_system *ms)
{
    cr_expect(memcmp(a, b, (size_t)count * sizeof *a) == 0, "%s of mode %s", what,
              ms->mode->name);
}

static void same_guards(struct opened *b, struct mode_system *ms, double t)
{
    const struct step_monitors *monitors = &ms->monitors;
    int n = monitors->n;
    double r[64], *rate = b->x + monitors->dim;
    const struct jump_direction motion = {
        .t = 1, .q = rate, .v = rate + n, .s = rate + 2 * n, .parameter = -1};
    system_guards(ms, t, b->x, NULL, NULL, r);
    same_bits(monitors->r, r, monitors->guards, "guards", ms);
    for (int k = 0; k < monitors->guards; k++) {
        double rd = guard_tangent(b->system, ms, k, &motion);
        cr_expect_float_eq(monitors->rd[k], rd, 1e-13 * (1 + fabs(rd)),
                           "guard %d of mode %s: %.17g, %.17g", k, ms->mode->name,
                           monitors->rd[k], rd);
    }
}

static void same_constraints(struct opened *b, struct mode_system *ms, double t)
{
    const struct step_monitors *monitors = &ms->monitors;
    struct constraints *c = &ms->constraints;
    int n = monitors->n, m = c->m;
    constraints_at(c, t, b->x, b->x + n, b->x + 2 * n);
    for (int i = 0; i < m; i++) {
        double Phi = constraints_value(c, c->Phi + i);
        double Phid = constraints_value(c, c->Phid + i);
        same_bits(monitors->Phi + i, &Phi, 1, "Phi", ms);
        same_bits(monitors->Phid + i, &Phid, 1, "Phid", ms);
    }
    for (int k = 0; k < c->Phi_q.at->count; k++) {
        double entry = constraints_entry(c, &c->Phi_q, k);
        same_bits(monitors->Phi_q + k, &entry, 1, "Phi_q", ms);
    }
}

/* Guards alone are compiled for themselves, and do not look at the rate. */
static void same_guards_alone(struct opened *b, struct mode_system *ms, double t)
{
    struct step_monitors *monitors = &ms->monitors;
    double r[64] = {0};
    if (monitors->guards == 0)
        return;
    for (int k = 0; k < monitors->dim; k++)
        b->x[monitors->dim + k] = NAN;
    cr_assert(step_monitors_guards(monitors, t, b->x, r));
    same_bits(monitors->r, r, monitors->guards, "guards alone", ms);
}

/* Interpreted, then compiled. Returns how many values were compared. */
static int compare_mode(struct opened *b, struct mode_system *ms, struct random *random)
{
    struct step_monitors *monitors = &ms->monitors;
    int outputs = monitors->program->outputs;
    double t = random_between(random, 0, 2);
    double *before = calloc((size_t)outputs + 1, sizeof *before);
    b->x = realloc(b->x, (size_t)(2 * monitors->dim + 1) * sizeof *b->x);
    fill(random, b->x, 2 * monitors->dim);
    step_monitors_at(monitors, t, b->x);
    same_guards(b, ms, t);
    same_constraints(b, ms, t);
    memcpy(before, monitors->value, (size_t)outputs * sizeof *before);
    step_monitors_use_code(monitors, CODE_ALWAYS);
    cr_assert(monitors->function != NULL);
    memset(monitors->value, 0, (size_t)outputs * sizeof *before);
    step_monitors_at(monitors, t, b->x);
    same_bits(monitors->value, before, outputs, "compiled values", ms);
    same_guards_alone(b, ms, t);
    free(before);
    return outputs;
}

static int compare_case(const char *name, const char *formulation, struct random *random)
{
    struct opened b;
    int compared = 0;
    if (!open_system(&b, name, formulation, -1))
        return 0;
    for (int k = 0; k < b.s.model->modes; k++)
        compared += compare_mode(&b, &b.system->mode[k], random);
    close_system(&b);
    return compared;
}

Test(monitors, sees_what_the_programs_of_guards_and_constraints_see)
{
    static const struct {
        const char *name, *formulation;
    } cases[] = {{"five-bar", "penalty"},     {"compass-gait-absolute", "index1"},
                 {"pendulum-wall", "penalty"}, {"event-algebra", "ode"},
                 {"clocked-oscillator", "ode"}, {"slack-rope", "index1"}};
    struct random random = random_start();
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        cr_expect_gt(compare_case(cases[k].name, cases[k].formulation, &random), 0, "%s",
                     cases[k].name);
}

Test(monitors, sees_it_in_the_whole_catalogue)
{
    struct random random = random_start();
    if (!in_test_all())
        return;
    for (int k = 0; catalogue[k]; k++)
        if (has_motion(catalogue[k]))
            compare_case(catalogue[k]->name, "index1", &random);
}
