/* ends.c - terminal costs: psi = z + w(t_F, q, v, s) at the end of a run, and its
   gradient. */
#include "base/memory.h"
#include "events/mp_run.h"

/* The derivative of the state along the moving end, Y + (dy/dt) dt_F, into
   run->moving. */
static void moving_end(struct run *run, const struct taylor *taylor, int j,
                       mpfr_srcptr dt)
{
    int n = taylor->n;
    mpfr_srcptr Y = run->y + (j + 1) * run->width;
    for (int i = 0; i < run->width; i++) {
        int s = i - 2 * n, z = s - taylor->ns;
        mpfr_srcptr rate = i < n ? run->y + n + i
                         : i < 2 * n ? taylor_u(taylor, 0, i - n)
                         : z < 0 ? taylor_f_s(taylor, 0, s, 0)
                                 : taylor_g(taylor, 0, z, 0);
        mpfr_fma(run->moving + i, rate, dt, Y + i, MPFR_RNDN);
    }
}

enum status run_psi(struct run *run, bool event)
{
    const struct model *model = run->model;
    int n = model->n, nz = model->nz, z = 2 * n + model->ns;
    struct taylor *taylor = run->taylor[run->mode->index];
    enum status status = taylor_expand(taylor, run->t, run->y, 1, 0, run->diagnosis);
    if (status == OK && nz > 0)
        status = run_end_edges(run);
    if (status != OK || nz == 0)
        return status;
    struct mp_series *end = mp_series_new(run->plan->end, 0, run->precision,
                                          run->parameters > 0 ? run->parameters : 1,
                                          STAGE_DIRECTION);
    mpfr_ptr psi = (mpfr_ptr)run->out->psi;
    mp_series_load(end, 0, BLOCK_RHO, 0, run->rho, 1);
    mp_series_run(end, 0, STAGE_RHO, 0);
    mp_series_load(end, 0, BLOCK_T, 0, run->t, 1);
    mp_series_load(end, 0, BLOCK_Q, 0, run->y, 1);
    mp_series_load(end, 0, BLOCK_V, 0, run->y + n, 1);
    mp_series_load(end, 0, BLOCK_S, 0, run->y + 2 * n, 1);
    mp_series_run(end, 0, STAGE_STATE, 0);
    for (int i = 0; i < nz; i++)
        mpfr_add(psi + i, run->y + z + i, mp_series_output(end, 0, i), MPFR_RNDN);

    for (int j = 0; j < run->parameters; j++) {
        mpfr_srcptr dt = event ? run->tau + j : run->dt_end + j;
        moving_end(run, taylor, j, dt);
        mp_series_load(end, j, TANGENT(BLOCK_T), 0, dt, 1);
        mp_series_load(end, j, TANGENT(BLOCK_Q), 0, run->moving, 1);
        mp_series_load(end, j, TANGENT(BLOCK_V), 0, run->moving + n, 1);
        mp_series_load(end, j, TANGENT(BLOCK_S), 0, run->moving + 2 * n, 1);
        mp_series_load(end, j, TANGENT(BLOCK_RHO), 0, run->unit + j * model->p, 1);
        mp_series_run(end, j, STAGE_DIRECTION, 0);
        for (int i = 0; i < nz; i++)
            mpfr_add(psi + (j + 1) * nz + i, run->moving + z + i,
                     mp_series_output(end, j, nz + i), MPFR_RNDN);
    }
    status = run_gate_costs(run, end);
    mp_series_free(end);
    return status;
}
