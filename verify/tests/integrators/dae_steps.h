/*
 * dae_steps.h - the problems of dae.h in equal steps, and under the step-size control.
 */
#ifndef SALTUS_DAE_STEPS_H
#define SALTUS_DAE_STEPS_H

#include <criterion/criterion.h>

#include "dae.h"
#include "integrators/methods.h"
#include "integrators/radau.h"

/* n steps h of radau with some number of stages; x in and out. unknowns: w at the end, by
   columns [DAE_MOST]; may be NULL. */
static inline void dae_steps_of(int stages, struct dae *dae, double t, double h, int n,
                                double *x, double (*unknowns)[DAE_MOST])
{
    double dx[DAE_DIM], e[DAE_DIM], *const err[] = { e };
    void *work = integrator_radau.alloc_implicit(&dae->equations);

    radau_use_stages(work, stages);
    cr_assert_eq(dae_rhs(dae, t, x, dx), OK);
    for (int i = 0; i < n; i++) {
        enum status status = integrator_radau.step(work, &dae->ode, t + i*h, h, x, dx, x,
                                                   dx, err);

        cr_assert_eq(status, OK, "%s: %s in step %d of %d", dae->problem->name,
                     status_text(status), i, n);
    }
    for (int j = 0; unknowns && j <= dae->equations.columns; j++)
        memcpy(unknowns[j], integrator_radau.unknowns(work, j),
               (size_t)dae->problem->unknowns*sizeof(double));
    integrator_radau.release(work);
}

static inline void dae_fixed_steps(struct dae *dae, double t, double h, int n, double *x,
                                   double (*unknowns)[DAE_MOST])
{
    dae_steps_of(3, dae, t, h, n, x, unknowns);
}

struct dae_run {
    double rtol, atol;
    int groups;
    const int *begin;
    long most_tries;
    double first;               /* first step; 0: control_first */
    bool aims;                  /* the order follows the tolerance; false: the lowest */
    /* called after each accepted step; may be NULL */
    void (*watch)(void *context, double t, const double *x);
    void *context;
    long steps, refused, failed;    /* results */
    double reached;
};

static inline void *dae_work(const struct dae *dae, const struct integrator *method)
{
    return method->alloc ? method->alloc(dae->ode.dim)
                         : method->alloc_implicit(&dae->equations);
}

/* From t to t_end with any integrator, as the core does it; x in and out. */
static inline void dae_integrate(struct dae *dae, const struct integrator *method,
                                 double t, double t_end, double *x, struct dae_run *run)
{
    double dx[DAE_DIM], x1[DAE_DIM], dx1[DAE_DIM], e0[DAE_DIM], e1[DAE_DIM];
    double *const err[] = { e0, e1 };
    size_t size = (size_t)dae->ode.dim*sizeof *x;
    void *work = dae_work(dae, method);
    struct control control;

    cr_assert_eq(control_init(&control, run->rtol, run->atol, run->groups, run->begin),
                 OK);
    if (method->aim && run->aims)
        control.order = method->aim(work, run->rtol);
    control_restart(&control, x);
    cr_assert_eq(dae_rhs(dae, t, x, dx), OK);
    double h = fabs(run->first) > 0 ? run->first
             : control_first(&control, method, &dae->ode, t, t_end, x, dx, x1, dx1);
    for (long tries = 0; fabs(t_end - t) > 0 && tries < run->most_tries; tries++) {
        bool last = fabs(h) >= fabs(t_end - t);

        if (last)
            h = t_end - t;
        enum status status = method->step(work, &dae->ode, t, h, x, dx, x1, dx1, err);
        if (method->error_order)
            control.order = method->error_order(work);
        double error = status == OK ? control_error(&control, method, x1, err)
                                    : INFINITY;
        double done = h;
        run->failed += status != OK;
        h = control_next(&control, method, h, error, x1);
        if (error > 1)
            continue;
        t = last ? t_end : t + done;
        memcpy(x, x1, size);
        memcpy(dx, dx1, size);
        if (run->watch)
            run->watch(run->context, t, x);
    }
    run->steps = control.steps;
    run->refused = control.rejections;
    run->reached = t;
    control_clear(&control);
    method->release(work);
}

#endif
