/*
 * test_look.c - what is looked at after a step is what guards and constraints are there.
 */
#include "events/hybrid.h"
#include "mechanisms/catalogue.h"
#include "running.h"
#include "sampling.h"
#include "systems.h"

TestSuite(look, .init = make_folder_with_cache, .fini = remove_folder, .timeout = 1200);

static void same_bits(const double *a, const double *b, int count, const char *what,
                      const struct mode_system *ms)
{
    cr_expect(memcmp(a, b, (size_t)count * sizeof *a) == 0, "%s of mode %s", what,
              ms->mode->name);
}

static void same_guards(struct opened *b, struct mode_system *ms, double t)
{
    const struct look *look = &ms->look;
    int n = look->n;
    double r[64], *rate = b->x + look->dim;
    const struct jump_direction motion = {
        .t = 1, .q = rate, .v = rate + n, .s = rate + 2 * n, .parameter = -1};
    system_guards(ms, t, b->x, NULL, NULL, r);
    same_bits(look->r, r, look->guards, "guards", ms);
    for (int k = 0; k < look->guards; k++) {
        double rd = guard_tangent(b->system, ms, k, &motion);
        cr_expect_float_eq(look->rd[k], rd, 1e-13 * (1 + fabs(rd)),
                           "guard %d of mode %s: %.17g, %.17g", k, ms->mode->name,
                           look->rd[k], rd);
    }
}

static void same_constraints(struct opened *b, struct mode_system *ms, double t)
{
    const struct look *look = &ms->look;
    struct constraints *c = &ms->constraints;
    int n = look->n, m = c->m;
    constraints_at(c, t, b->x, b->x + n, b->x + 2 * n);
    for (int i = 0; i < m; i++) {
        double Phi = constraints_value(c, c->Phi + i);
        double Phid = constraints_value(c, c->Phid + i);
        same_bits(look->Phi + i, &Phi, 1, "Phi", ms);
        same_bits(look->Phid + i, &Phid, 1, "Phid", ms);
    }
    for (int k = 0; k < c->Phi_q.at->count; k++) {
        double entry = constraints_entry(c, &c->Phi_q, k);
        same_bits(look->Phi_q + k, &entry, 1, "Phi_q", ms);
    }
}

/* Guards alone are compiled for themselves, and do not look at the rate. */
static void same_guards_alone(struct opened *b, struct mode_system *ms, double t)
{
    struct look *look = &ms->look;
    double r[64] = {0};
    if (look->guards == 0)
        return;
    for (int k = 0; k < look->dim; k++)
        b->x[look->dim + k] = NAN;
    cr_assert(look_guards(look, t, b->x, r));
    same_bits(look->r, r, look->guards, "guards alone", ms);
}

/* Interpreted, then compiled. Returns how many values were compared. */
static int compare_mode(struct opened *b, struct mode_system *ms, struct random *random)
{
    struct look *look = &ms->look;
    int outputs = look->program->outputs;
    double t = random_between(random, 0, 2);
    double *before = calloc((size_t)outputs + 1, sizeof *before);
    b->x = realloc(b->x, (size_t)(2 * look->dim + 1) * sizeof *b->x);
    fill(random, b->x, 2 * look->dim);
    look_at(look, t, b->x);
    same_guards(b, ms, t);
    same_constraints(b, ms, t);
    memcpy(before, look->value, (size_t)outputs * sizeof *before);
    look_use_code(look, CODE_ALWAYS);
    cr_assert(look->function != NULL);
    memset(look->value, 0, (size_t)outputs * sizeof *before);
    look_at(look, t, b->x);
    same_bits(look->value, before, outputs, "compiled values", ms);
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

Test(look, sees_what_the_programs_of_guards_and_constraints_see)
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

Test(look, sees_it_in_the_whole_catalogue)
{
    struct random random = random_start();
    if (!in_test_all())
        return;
    for (int k = 0; catalogue[k]; k++)
        if (has_motion(catalogue[k]))
            compare_case(catalogue[k]->name, "index1", &random);
}
