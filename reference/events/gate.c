/*
 * gate.c - the gate of numbers (cases/model/gate.h) of a run in MPFR.
 */
#include "gate.h"

#include "mp_run.h"

/* The name of the parameter of a lane; NULL: lane 0 has the values. */
static const char *parameter_of(const struct run *run, int lane)
{
    return lane == 0 ? NULL : column_parameter(&run->out->columns, lane - 1);
}

static struct gate gate_of(const struct run *run, mpfr_srcptr x, int lane,
                           const char *reason)
{
    return (struct gate){mpfr_get_d(run->t, MPFR_RNDN), mpfr_get_d(x, MPFR_RNDN),
                         parameter_of(run, lane), reason};
}

enum status run_gate_state(struct run *run, mpfr_srcptr y, const char *before,
                           const char *after)
{
    for (int k = 0; k < (1 + run->parameters) * run->width; k++) {
        char name[100];
        if (mpfr_number_p(y + k))
            continue;
        const struct gate gate = gate_of(run, y + k, k / run->width, "");
        gate_component(run->model, k % run->width, name, sizeof name);
        return gate_refuse(&gate, run->diagnosis, "%s%s%s", before, name, after);
    }
    return OK;
}

enum status run_gate_costs(struct run *run, const struct mp_series *end)
{
    int nz = run->model->nz;
    for (int k = 0; k < (1 + run->parameters) * nz; k++) {
        char reason[200] = "";
        mpfr_srcptr psi = run->out->psi[k];
        if (mpfr_number_p(psi))
            continue;
        if (k < nz)
            mp_series_blame(end, run->model->names, 0, reason, sizeof reason);
        const struct gate gate = gate_of(run, psi, k / nz, reason);
        return gate_refuse(&gate, run->diagnosis, "terminal cost %s",
                           run->model->cost[k % nz]);
    }
    return OK;
}

enum status run_gate_number(struct run *run, mpfr_srcptr x, int lane, const char *what,
                            const char *of)
{
    const struct gate gate = gate_of(run, x, lane, "");
    return mpfr_number_p(x) ? OK : gate_refuse(&gate, run->diagnosis, "%s%s", what, of);
}
