/*
 * constraints.c - rank of the constraint Jacobian by complete pivoting, redundant
 * constraints, projection onto the constraints, and invariants (taylor.h).
 *
 * At every point the rank of Phi_q is measured anew, by elimination with complete
 * pivoting, and the best independent rows are taken; accelerations and multipliers of
 * minimum norm do not depend on the choice. The rows that are not taken are a check.
 */
#include <math.h>

#include "taylor.h"

/* Copies an m x n derivative of the constraints into the rows of taylor->Phi_q,
   `stride` columns each: Phid by v, or Phi by q with zero rows for constraints at
   velocity level. */
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
    /* The rows R follow those of Newton [n] and range [m]: Phidd_i for independent
       constraints, mu_i for the others. */
    for (int i = 0; i < m; i++) {
        int row = taylor->order_of_rows[i];
        taylor->row[first + row] = first + row + (i < taylor->rank ? 0 : m);
    }
}

/* log2 of the size by which terms of Phidd are measured in a lane, at least log2 1 */
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

/* --- back onto the constraints ------------------------------------------------------ */

/* Evaluates `constraint` at the point (t, y), y [lanes][width], in every lane. */
static void load_lanes(struct taylor *taylor, mpfr_srcptr t, mpfr_srcptr y)
{
    struct mp_series *series = taylor->constraint;
    int n = taylor->n;
    for (int lane = 0; lane < taylor->lanes; lane++, y += taylor->width) {
        int own = lane > 0 ? lane - 1 : 0;
        mp_series_load(series, own, lane > 0 ? TANGENT(BLOCK_T) : BLOCK_T, 0,
                       lane > 0 ? NULL : t, 1);
        mp_series_load(series, own, lane > 0 ? TANGENT(BLOCK_Q) : BLOCK_Q, 0, y, 1);
        mp_series_load(series, own, lane > 0 ? TANGENT(BLOCK_V) : BLOCK_V, 0, y + n, 1);
        mp_series_load(series, own, lane > 0 ? TANGENT(BLOCK_S) : BLOCK_S, 0, y + 2 * n,
                       1);
        mp_series_run(series, own, lane > 0 ? STAGE_DIRECTION : STAGE_STATE, 0);
    }
}

/* Factors the Gram matrix A A' of the independent rows A of Phi_q (`velocity`: of Phid
   by v), with unit rows for the other constraints. False: the matrix is singular. */
static bool factor_gram(struct taylor *taylor, bool velocity)
{
    int n = taylor->n, m = taylor->m;
    const int *row = taylor->order_of_rows;
    load_jacobian(taylor, velocity, n);
    int rank = rank_of(taylor, n);
    load_jacobian(taylor, velocity, n);
    if (taylor->gram == NULL)
        taylor->gram = mp_lu_new(m, taylor->precision);
    mp_zero(taylor->gram->a, m * m);
    for (int i = 0; i < m; i++)
        mpfr_set_ui(taylor->gram->a + i * m + i, 1, MPFR_RNDN);
    for (int i = 0; i < rank; i++)
        for (int k = 0; k < rank; k++)
            mp_dot(taylor->gram->a + row[i] * m + row[k], NULL, 1,
                   taylor->Phi_q + row[i] * n, 1, taylor->Phi_q + row[k] * n, 1, n,
                   MP_MAX_LIMBS);
    for (int i = rank; i < m; i++)
        mp_zero(taylor->Phi_q + row[i] * n, n);
    return mp_lu_factor(taylor->gram) == m;
}

/* x -= A' (A A')^-1 b, where b is Phi or Phid of a lane: the least change of x [n] */
static void project_lane(struct taylor *taylor, int lane, bool velocity, mpfr_ptr x)
{
    int n = taylor->n, m = taylor->m;
    int first = (lane > 0 ? 2 * m + 1 + 2 * m * n : 0) + (velocity ? m : 0);
    for (int i = 0; i < m; i++)
        mpfr_set(taylor->rhs + i,
                 mp_series_output(taylor->constraint, lane > 0 ? lane - 1 : 0, first + i),
                 MPFR_RNDN);
    mp_lu_solve(taylor->gram, taylor->rhs);
    for (int k = 0; k < n; k++)
        mp_dot(x + k, x + k, -1, taylor->Phi_q + k, n, taylor->rhs, 1, m, MP_MAX_LIMBS);
}

/* Values are projected before derivatives, since the derivatives' residuals depend on
   them. */
void taylor_project(struct taylor *taylor, mpfr_srcptr t, mpfr_ptr y)
{
    if (taylor->plan->dependent.program == NULL)
        return;
    for (int velocity = 0; velocity < 2; velocity++)
        for (int derivatives = 0; derivatives < 2; derivatives++) {
            load_lanes(taylor, t, y);
            if (!factor_gram(taylor, velocity == 1))
                return;
            int end = derivatives == 1 ? taylor->lanes : 1;
            for (int lane = derivatives; lane < end; lane++)
                project_lane(taylor, lane, velocity == 1,
                             y + lane * taylor->width + velocity * taylor->n);
        }
}

/* The diagonal of the factor of A A' holds the squares. */
double taylor_dependence(const struct taylor *taylor)
{
    double least = INFINITY, most = -INFINITY;
    for (int i = 0; taylor->gram != NULL && i < taylor->m; i++) {
        double size = mp_log2(taylor->gram->a + i * taylor->m + i);
        least = fmin(least, size);
        most = fmax(most, size);
    }
    return most > -INFINITY ? 0.5 * (least - most) : 0;
}

/* The coefficients of a pole of any order p at a distance r have the ratios
   c_k / c_(k-1) = (1 + (p - 1)/k) / r. Then k c_k / c_(k-1) - (k - 1)
   c_(k-1) / c_(k-2) is 1/r. */
void taylor_pole(const struct taylor *taylor, int lane, mpfr_ptr t_s)
{
    int k = taylor->order, largest = 0;
    for (int i = 1; i < taylor->n; i++)
        if (mpfr_cmpabs(taylor_y(taylor, lane, i) + k,
                        taylor_y(taylor, lane, largest) + k) > 0)
            largest = i;
    mpfr_srcptr c = taylor_y(taylor, lane, largest) + k;
    mpfr_t other;
    mpfr_init2(other, taylor->precision);
    mpfr_div(t_s, c, c - 1, MPFR_RNDN);
    mpfr_mul_si(t_s, t_s, k, MPFR_RNDN);
    mpfr_div(other, c - 1, c - 2, MPFR_RNDN);
    mpfr_mul_si(other, other, k - 1, MPFR_RNDN);
    mpfr_sub(t_s, t_s, other, MPFR_RNDN);
    mpfr_ui_div(t_s, 1, t_s, MPFR_RNDN);
    mpfr_add(t_s, t_s, taylor->t, MPFR_RNDN);
    mpfr_clear(other);
}

double taylor_last_term(const struct taylor *taylor, int lane, double h)
{
    int order = taylor->order;
    double first = -INFINITY, last = -INFINITY;
    for (int i = 0; i < taylor->n; i++) {
        first = fmax(first, mp_log2(taylor_y(taylor, lane, i)));
        last = fmax(last, mp_log2(taylor_y(taylor, lane, i) + order));
    }
    return last + order * h - first;
}

/* --- violated constraints ----------------------------------------------------------- */

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
        double off = mp_log2(taylor_output(taylor, lane, first + row, 0));
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

/* |output `row`| in parts of its largest term, and of 1. The terms are the
   derivatives, outputs from `first` on, times x [n]. */
static double relative(const struct taylor *taylor, int row, int first, mpfr_srcptr x)
{
    const struct mp_series *series = taylor->constraint;
    double size = 0;
    for (int j = 0; j < taylor->n; j++)
        size = fmax(size,
                    mp_log2(mp_series_output(series, 0, first + j)) + mp_log2(x + j));
    return exp2(mp_log2(mp_series_output(series, 0, row)) - size);
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
        int Phi_q = 2 * m + 1 + i * n, Phid_v = Phi_q + m * n;
        *Phi = fmax(*Phi, relative(taylor, i, Phi_q, y));
        *Phid = fmax(*Phid, relative(taylor, m + i, Phid_v, y + n));
    }
    mpfr_set(energy, mp_series_output(series, 0, 2 * m), MPFR_RNDN);
}
