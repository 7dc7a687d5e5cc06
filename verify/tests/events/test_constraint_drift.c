/*
 * test_constraint_drift.c - a formulation that lets go of a constraint is told as the
 * cause of what refuses its run.
 */
#include "plugin.h"
#include "solving.h"

/* R = (M a + Phi_q' lambda - F, Phidd + sign 2 w Phid + w^2 Phi), the rate w = 10: with
   the sign -1 violations grow by exp(w t). */
static struct residual *stabilised(const struct model *model, const struct mode *mode,
                                   int sign)
{
    int n = model->n, m = mode->m;
    struct residual *residual = residual_new(ALGEBRAIC, n + m);
    residual_balance(model, mode, residual);
    for (int i = 0; i < m; i++)
        residual->R[n + i] =
            add(add(mode->Phidd[i],
                    mul(integer(model->tape, 20 * sign), mode->Phid[i])),
                mul(integer(model->tape, 100), mode->Phi[i]));
    return residual;
}

static struct residual *right(const struct model *model, const struct mode *mode,
                              const char *const *value, struct diagnosis *diagnosis)
{
    (void)value;
    (void)diagnosis;
    return stabilised(model, mode, 1);
}

static struct residual *wrong(const struct model *model, const struct mode *mode,
                              const char *const *value, struct diagnosis *diagnosis)
{
    (void)value;
    (void)diagnosis;
    return stabilised(model, mode, -1);
}

static const struct formulation critical[] = {
    {.name = "right", .title = "right", .source = "none", .kind = ALGEBRAIC,
     .capabilities = TAKES_CONSTRAINTS | TAKES_CONSTRAINT_CHANGE | KEEPS_CONSTRAINTS,
     .residual = right},
    {.name = "wrong", .title = "wrong", .source = "none", .kind = ALGEBRAIC,
     .capabilities = TAKES_CONSTRAINTS | TAKES_CONSTRAINT_CHANGE | KEEPS_CONSTRAINTS,
     .residual = wrong},
};

static enum status run_by(const char *name, const struct formulation *formulation,
                          struct diagnosis *diagnosis)
{
    struct solving s;
    struct trajectory *run = NULL;
    solving_of_case(&s, name, "index1");
    s.request.formulation = formulation;
    s.request.rtol = 1e-10;
    s.request.atol = 1e-13;
    enum status status = run_once(&s.request, &run, diagnosis);
    trajectory_free(run);
    solving_end(&s);
    return status;
}

Test(constraint_drift, is_told_before_what_it_leads_to)
{
    static const char *const name[] = {"five-bar", "five-bar-nine", "pendulum-wall"};
    for (int k = 0; k < 3; k++) {
        struct diagnosis diagnosis = {.t = NAN};
        cr_expect_eq(run_by(name[k], &critical[0], &diagnosis), OK, "%s: %s", name[k],
                     diagnosis.place);
        cr_expect_neq(run_by(name[k], &critical[1], &diagnosis), OK, "%s", name[k]);
        const char *told = strstr(diagnosis.place, "has drifted from ");
        const char *met = strstr(diagnosis.place, "though wrong is to keep it; met as: ");
        cr_expect(told && met && told < met, "%s: %s", name[k], diagnosis.place);
    }
}

/* Refusals of formulations that keep their constraints stay as they are. */
Test(constraint_drift, is_not_told_of_others)
{
    struct solving s;
    struct trajectory *run = NULL;
    solving_of_case(&s, "pendulum-wall", "index1");
    s.request.formulation = &critical[0];
    s.request.max_steps = 5;
    cr_expect_eq(run_once(&s.request, &run, &s.diagnosis), TOO_MANY_STEPS);
    cr_expect_null(strstr(s.diagnosis.place, "drifted"), "%s", s.diagnosis.place);
    trajectory_free(run);
    solving_end(&s);
}
