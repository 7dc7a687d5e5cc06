/*
 * constraints.c - the rank of the constraints, those that depend on others, and how well
 * all of them hold (taylor.h).
 *
 * At every point the rank of Phi_q is measured anew, by elimination with complete
 * pivoting, and the best independent rows are taken; accelerations and multipliers of
 * minimum norm do not depend on which. Rows that are not taken are a check.
 */
#include <math.h>

#include "taylor.h"

/* Of an m x n derivative of the constraints, into the rows of Phi_q with `stride`
   columns: by v in Phid, or by q in Phi without the rows at velocity level. */
static void load_jacobian(struct taylor *taylor, bool velocity, int stride)
{
    int n = taylor->n, m = taylor->m, first = 2 * m + 1 + (velocity ? m * n : 0);
    for (int i = 0; i < m; i++)
        for (int k = 0; k < n; k++) {
            mpfr_ptr entry = taylor->Phi_q + i * stride + k;
            if (!velocity && taylor->plan->mode->velocity_level[i])
                mpfr_set_zero(entry, 1);
            else
                mpfr_set(entry,
                         mp_series_output(taylor->constraint, 0, first + i * n + k),
                         MPFR_RNDN);
        }
}

static int rank_of(struct taylor *taylor, int columns)
{
    return mp_independent(taylor->Phi_q, taylor->m, columns, taylor->order_of_rows,
                          taylor->scale);
}

void taylor_choose(struct taylor *taylor)
{
    int n = taylor->n, m = taylor->m, first = n + m;
    if (taylor->plan->dependent.program == NULL)
        return;
    taylor_load_point(taylor, taylor->constraint);
    load_jacobian(taylor, true, n);
    taylor->rank = rank_of(taylor, n);
    taylor_use(taylor, taylor->rank < m ? &taylor->dependent : &taylor->independent);
    if (taylor->rank == m)
        return;
    /* after Newton [n] and range [m]: Phidd_i of the independent rows, mu_i of the
       others */
    for (int i = 0; i < m; i++) {
        int row = taylor->order_of_rows[i];
        taylor->row[first + row] = first + row + (i < taylor->rank ? 0 : m);
    }
}

/* log2 of what the terms of Phidd are measured by in a lane, at least 1 */
static double size_of(const struct taylor *taylor, int lane)
{
    double size = 0;
    for (int i = 0; i < 2 * taylor->n; i++)
        size = fmax(size, mp_log2(taylor_y(taylor, lane, i)));
    size *= lane == 0 ? 2 : 1;          /* velocities enter squared */
    for (int i = 0; i < taylor->n; i++)
        size = fmax(size, mp_log2(taylor_u(taylor, lane, i)));
    return size;
}

const char *taylor_parameter(const struct taylor *taylor, int lane)
{
    int p = taylor->model->p, only = 0, several = 0;
    mpfr_srcptr unit = taylor->unit + (lane - 1) * p;
    for (int j = 0; j < p; j++)
        if (!mpfr_zero_p(unit + j) && several++ == 0)
            only = j;
    return several > 1 ? "(w)" : taylor->model->parameter[only].name;
}

enum status taylor_check_rows(struct taylor *taylor, int lane,
                              struct diagnosis *diagnosis)
{
    int first = taylor->n + taylor->m;
    if (taylor->motion != &taylor->dependent)
        return OK;
    double size = size_of(taylor, 0) + (lane > 0 ? size_of(taylor, lane) : 0);
    double tolerance = size - 0.5 * taylor->digits * MP_BITS_PER_DIGIT;
    double t = mpfr_get_d(taylor->t, MPFR_RNDN);
    for (int i = taylor->rank; i < taylor->m; i++) {
        int row = taylor->order_of_rows[i];
        double off = mp_log2(taylor_output(taylor, lane, first + row));
        if (off <= tolerance)
            continue;
        if (lane == 0)
            return diagnose(diagnosis, RANK_LOSS, t,
                            "mode %s: constraint %d depends on the others, and no "
                            "acceleration satisfies all (Phidd is off by %.3g)",
                            taylor->plan->mode->name, row + 1, exp2(off));
        return diagnose(diagnosis, INADMISSIBLE, t,
                        "mode %s: constraint %d depends on the others and cannot follow "
                        "%s (dPhidd is off by %.3g)",
                        taylor->plan->mode->name, row + 1, taylor_parameter(taylor, lane),
                        exp2(off));
    }
    return OK;
}

bool taylor_admissible(struct taylor *taylor, int lane, bool velocity)
{
    int n = taylor->n, m = taylor->m, first = 2 * m + 1 + 2 * m * n + (velocity ? m : 0);
    double size = -INFINITY;
    load_jacobian(taylor, velocity, n);
    int rank = rank_of(taylor, n);
    load_jacobian(taylor, velocity, n + 1);
    for (int i = 0; i < m; i++)
        size = fmax(size, mp_log2(mp_series_output(taylor->constraint, lane - 1,
                                                   first + i)));
    for (int i = 0; i < m; i++) {
        mpfr_ptr b = taylor->Phi_q + i * (n + 1) + n;
        if (!velocity && taylor->plan->mode->velocity_level[i])
            mpfr_set_zero(b, 1);
        else
            mpfr_mul_2si(b, mp_series_output(taylor->constraint, lane - 1, first + i),
                         -(long)ceil(size), MPFR_RNDN);
    }
    return rank_of(taylor, n + 1) == rank;
}

void taylor_invariants(struct taylor *taylor, mpfr_srcptr t, mpfr_srcptr y, double *Phi,
                       double *Phid, mpfr_ptr energy)
{
    int n = taylor->n, m = taylor->m;
    struct mp_series *series = taylor->constraint;
    mp_series_load(series, 0, BLOCK_T, 0, t, 1);
    mp_series_load(series, 0, BLOCK_Q, 0, y, 1);
    mp_series_load(series, 0, BLOCK_V, 0, y + n, 1);
    mp_series_load(series, 0, BLOCK_S, 0, y + 2 * n, 1);
    mp_series_run(series, 0, STAGE_STATE, 0);
    *Phi = *Phid = 0;
    for (int i = 0; i < m; i++) {
        *Phi = fmax(*Phi, fabs(mpfr_get_d(mp_series_output(series, 0, i), MPFR_RNDN)));
        *Phid = fmax(*Phid,
                     fabs(mpfr_get_d(mp_series_output(series, 0, m + i), MPFR_RNDN)));
    }
    mpfr_set(energy, mp_series_output(series, 0, 2 * m), MPFR_RNDN);
}
