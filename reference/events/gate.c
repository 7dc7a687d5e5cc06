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

/* The number to name, of `values` values and derivatives behind them, `count` in all: a
   value; else an infinite derivative, which others that are no numbers come from (zero
   times infinity); -1: all are finite. */
static int number_to_name(mpfr_srcptr x, int values, int count)
{
    int undefined = -1;
    for (int k = 0; k < values; k++)
        if (!mpfr_number_p(x + k))
            return k;
    for (int k = count - 1; k >= values; k--)
        if (mpfr_nan_p(x + k) && (undefined < 0 || mpfr_nan_p(x + undefined)))
            undefined = k;
        else if (mpfr_inf_p(x + k))
            undefined = k;
    return undefined;
}

enum status run_gate_state(struct run *run, mpfr_srcptr y, const char *before,
                           const char *after)
{
    int k = number_to_name(y, run->width, (1 + run->parameters) * run->width);
    char name[100];
    if (k < 0)
        return OK;
    const struct gate gate = gate_of(run, y + k, k / run->width, "");
    gate_component(run->model, k % run->width, name, sizeof name);
    return gate_refuse(&gate, run->diagnosis, "%s%s%s", before, name, after);
}

enum status run_gate_costs(struct run *run, const struct mp_series *end)
{
    int nz = run->model->nz;
    mpfr_srcptr psi = (mpfr_srcptr)run->out->psi;
    int k = number_to_name(psi, nz, (1 + run->parameters) * nz);
    char reason[200] = "";
    if (k < 0)
        return OK;
    if (k < nz)
        mp_series_blame(end, run->model->names, 0, reason, sizeof reason);
    const struct gate gate = gate_of(run, psi + k, k / nz, reason);
    return gate_refuse(&gate, run->diagnosis, "terminal cost %s",
                       run->model->cost[k % nz]);
}

enum status run_gate_number(struct run *run, mpfr_srcptr x, int lane, const char *what,
                            const char *of)
{
    const struct gate gate = gate_of(run, x, lane, "");
    return mpfr_number_p(x) ? OK : gate_refuse(&gate, run->diagnosis, "%s%s", what, of);
}
