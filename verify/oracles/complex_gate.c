/*
 * complex_gate.c - the gate of numbers (cases/model/gate.h) of a complex-step run
 * (complex_run.h): the real part of a number is its value, the imaginary part its
 * derivative.
 */
#include <math.h>

#include "gate.h"
#include "oracles/complex_run.h"

/* Refuses a number that is not finite: a value, or a derivative. */
static enum status refuse(struct complex_run *run, double x, bool derivative,
                          const char *what, const char *of)
{
    struct diagnosis own;
    const struct gate gate = {creal(run->t), x, derivative ? run->parameter : NULL, ""};
    gate_refuse(&gate, &own, "%s%s", what, of);
    return diagnose(run->diagnosis, NOT_FINITE, gate.t, "complex step: %.400s",
                    own.place);
}

enum status complex_gate(struct complex_run *run, double complex x, const char *what,
                         const char *of)
{
    double derivative = cimag(x) / run->eps;
    if (!isfinite(creal(x)))
        return refuse(run, creal(x), false, what, of);
    return isfinite(derivative) ? OK : refuse(run, derivative, true, what, of);
}

enum status complex_gate_state(struct complex_run *run, const double *x,
                               const char *before)
{
    for (int k = 0; k < 2 * run->dim; k++) {
        char name[100];
        if (isfinite(x[k]))
            continue;
        gate_component(run->cm->model, k % run->dim, name, sizeof name);
        return refuse(run, x[k], k >= run->dim, before, name);
    }
    return OK;
}
