/*
 * dependent_rows.h - mechanisms with rows T Phi added to the constraints of a plain one.
 *
 * The added rows, T = T(c) known here, change no motion. The multipliers of least norm
 * are
 *
 *     lambda = [I; T] y,   (I + T'T) y = the multipliers of the plain mechanism.
 */
#ifndef SALTUS_DEPENDENT_ROWS_H
#define SALTUS_DEPENDENT_ROWS_H

#include "case.h"
#include "run.h"

#include <string.h>

enum { MOST_PLAIN = 4, MOST_EXTRA = 2, MOST_COLUMNS = 8 };

/* --- mechanisms --------------------------------------------------------------------- */

/* A pendulum that hangs from a much heavier one: two rows. */
static void double_pendulum(struct model *model)
{
    COORDINATES(x1, y1, x2, y2);
    PARAMETERS(c, g, l1, l2, m1, m2);
    NOMINAL(c, 1.3, "1", "how the added rows depend on the others");
    NOMINAL(g, 9.81, "m/s^2", "gravity");
    NOMINAL(l1, 1, "m", "length");
    NOMINAL(l2, 0.7, "m", "length");
    NOMINAL(m1, 2, "kg", "mass");
    NOMINAL(m2, 0.03, "kg", "mass");
    model->M[0][0] = model->M[1][1] = EQ(m1);
    model->M[2][2] = model->M[3][3] = EQ(m2);
    model->F[1] = EQ(-m1*g);
    model->F[3] = EQ(-m2*g);
    model->Phi[0] = EQ((x1*x1 + y1*y1 - l1*l1)/2);
    model->Phi[1] = EQ(((x2 - x1)*(x2 - x1) + (y2 - y1)*(y2 - y1) - l2*l2)/2);
    model->q0[0] = EQ(0.5*l1);
    model->q_guess[1] = EQ(-1);
    model->q0[2] = EQ(0.6);
    model->q_guess[3] = EQ(-2);
    model->v0[0] = EQ(0.1);
    model->v0[2] = EQ(c/10);
    model->t_end = EQ(1);
}

static void record_twice(struct model *model)
{
    double_pendulum(model);
    model->Phi[2] = model->Phi[0];
}

static void record_sum(struct model *model)
{
    double_pendulum(model);
    formula c = variable(model->tape, BLOCK_RHO, 0);
    model->Phi[2] = add(mul(c, model->Phi[0]), model->Phi[1]);
}

/* Every row twice, in units of its own. */
static void record_scaled(struct model *model)
{
    double_pendulum(model);
    formula c = variable(model->tape, BLOCK_RHO, 0);
    model->Phi[2] = mul(integer(model->tape, 1000), model->Phi[0]);
    model->Phi[3] = quotient(mul(power(c, 2), model->Phi[1]), integer(model->tape, 2));
}

/* A parallelogram of two equal bars and a coupler: three rows. The third bar, of length
   `middle`, is superfluous, but its row depends on the others only where they hold. */
static void parallelogram(struct model *model, bool third, const char *middle)
{
    COORDINATES(x1, y1, x2, y2);
    PARAMETERS(c, g, l, d, m1, m2, own);
    NOMINAL(c, 0.4, "rad", "initial angle");
    NOMINAL(g, 9.81, "m/s^2", "gravity");
    NOMINAL(l, 1.2, "m", "length of the bars");
    NOMINAL(d, 2, "m", "length of the coupler and distance of the pivots");
    NOMINAL(m1, 1, "kg", "mass");
    NOMINAL(m2, 3, "kg", "mass");
    FIXED(own, 1.2, "m", "length of the third bar");
    model->M[0][0] = model->M[1][1] = EQ(m1);
    model->M[2][2] = model->M[3][3] = EQ(m2);
    model->F[1] = EQ(-m1*g);
    model->F[3] = EQ(-m2*g);
    model->Phi[0] = EQ((x1*x1 + y1*y1 - l*l)/2);
    model->Phi[1] = EQ(((x2 - d)*(x2 - d) + y2*y2 - l*l)/2);
    model->Phi[2] = EQ(((x2 - x1)*(x2 - x1) + (y2 - y1)*(y2 - y1) - d*d)/2);
    formula bar = model_read(model, middle, __FILE__, __LINE__);
    if (third)
        model->Phi[3] = sub(EQ(((x1 + x2 - d)*(x1 + x2 - d) + (y1 + y2)*(y1 + y2))/8),
                            quotient(power(bar, 2), integer(model->tape, 2)));
    model->q0[0] = EQ(l*sin(c));
    model->q_guess[1] = EQ(-1);
    model->q_guess[2] = EQ(2.5);
    model->q_guess[3] = EQ(-1.1);
    model->v0[0] = EQ(0.5);
    model->t_end = EQ(2);
}

static void record_two_bars(struct model *model)
{
    parallelogram(model, false, "l");
}

static void record_three_bars(struct model *model)
{
    parallelogram(model, true, "l");
}

static void record_own_bar(struct model *model)
{
    parallelogram(model, true, "own");
}

/* A pendulum against a wall: the velocity after it is given by one coordinate, and by all
   rows. */
static void pendulum_wall(struct model *model)
{
    COORDINATES(x, y);
    PARAMETERS(c, g, l, e, m);
    NOMINAL(c, 0.7, "1", "how the added row depends on the other");
    NOMINAL(g, 9.81, "m/s^2", "gravity");
    NOMINAL(l, 1.1, "m", "length");
    NOMINAL(e, 0.8, "1", "coefficient of restitution");
    NOMINAL(m, 2, "kg", "mass");
    struct mode *swing = model_mode(model, "swing");
    model->M[0][0] = model->M[1][1] = EQ(m);
    model->F[1] = EQ(-m*g);
    model->Phi[0] = EQ((x*x + y*y - l*l)/2);
    struct event *impact = model_event(model, "wall", swing, swing, EQ(x), FALLING);
    impact->v_plus[0] = EQ(-e*vx);
    event_constrain_velocity(impact);
    model->q0[0] = EQ(l*sin(c));
    model->q_guess[1] = EQ(-1);
    model->v0[0] = EQ(0);
    model->t_end = EQ(2);
}

static void record_wall(struct model *model)
{
    pendulum_wall(model);
    formula c = variable(model->tape, BLOCK_RHO, 0);
    model->Phi[1] = mul(c, model->Phi[0]);
}

/* T and dT/dc by rows. */
struct dependence {
    double T[MOST_EXTRA * MOST_PLAIN], T_c[MOST_EXTRA * MOST_PLAIN];
};

static struct dependence of_twice(double c)
{
    (void)c;
    return (struct dependence){.T = {1, 0}};
}

static struct dependence of_sum(double c)
{
    return (struct dependence){.T = {c, 1}, .T_c = {1, 0}};
}

static struct dependence of_scaled(double c)
{
    return (struct dependence){.T = {1000, 0, 0, c * c / 2}, .T_c = {0, 0, 0, c}};
}

static struct dependence of_wall(double c)
{
    return (struct dependence){.T = {c}, .T_c = {1}};
}

static struct dependence of_bars(double c)
{
    (void)c;
    return (struct dependence){.T = {0.5, 0.5, 0}};
}

/* five-bar-redundant of the catalogue: c = L_A1 */
static struct dependence of_five_bar(double c)
{
    return (struct dependence){.T = {0, 1, 0, 0, 1, 0, 0, c},
                               .T_c = {0, 0, 0, 0, 0, 0, 0, 1}};
}

/* Without a record it is a case of the catalogue. It is differentiated by all parameters,
   of which c is the first, or by the two that are named, c and another. Digits are lost
   where velocities turn, and by five-bar, which at its end agrees with itself in another
   formulation to no more than these. */
static const struct mechanism {
    struct case_desc desc, plain_desc;
    int plain, extra;                   /* rows */
    double digits;                      /* to which two runs agree at rtol 1e-14 */
    struct dependence (*depend)(double c);
    const char *parameter[2];
} mechanism[] = {
    {.desc = {.name = "twice", .record = record_twice}, .plain = 2, .extra = 1,
     .plain_desc = {.name = "double-pendulum", .record = double_pendulum},
     .depend = of_twice, .digits = 12},
    {.desc = {.name = "sum", .record = record_sum}, .plain = 2, .extra = 1,
     .plain_desc = {.name = "double-pendulum", .record = double_pendulum},
     .depend = of_sum, .digits = 12},
    {.desc = {.name = "scaled", .record = record_scaled}, .plain = 2, .extra = 2,
     .plain_desc = {.name = "double-pendulum", .record = double_pendulum},
     .depend = of_scaled, .digits = 12},
    {.desc = {.name = "three-bars", .record = record_three_bars}, .plain = 3, .extra = 1,
     .plain_desc = {.name = "two-bars", .record = record_two_bars},
     .depend = of_bars, .digits = 12},
    {.desc = {.name = "wall-twice", .record = record_wall}, .plain = 1, .extra = 1,
     .plain_desc = {.name = "wall", .record = pendulum_wall},
     .depend = of_wall, .digits = 12},
    {.desc = {.name = "five-bar-redundant"}, .plain = 4, .extra = 2,
     .plain_desc = {.name = "five-bar"},
     .depend = of_five_bar, .digits = 11.3, .parameter = {"L_A1", "L02"}},
};
enum { MECHANISMS = sizeof mechanism / sizeof *mechanism };

/* --- multipliers of least norm ------------------------------------------------------ */

/* x = A^-1 b for a positive definite matrix [r][r]: no pivoting is needed. */
static void solve_small(int r, const double *matrix, const double *b, double *x)
{
    double A[MOST_PLAIN * MOST_PLAIN];
    memcpy(A, matrix, (size_t)(r * r) * sizeof *A);
    memcpy(x, b, (size_t)r * sizeof *x);
    for (int k = 0; k < r; k++)
        for (int i = k + 1; i < r; i++) {
            double factor = A[i * r + k] / A[k * r + k];
            for (int j = k; j < r; j++)
                A[i * r + j] -= factor * A[k * r + j];
            x[i] -= factor * x[k];
        }
    for (int i = r - 1; i >= 0; i--) {
        for (int j = i + 1; j < r; j++)
            x[i] -= A[i * r + j] * x[j];
        x[i] /= A[i * r + i];
    }
}

/* lambda, or its derivative by the parameter j when j >= 0, of the mechanism with added
   rows from what the plain one has. */
static void split(const struct mechanism *with, double c, int j, const double *plain,
                  const double *dplain, double *out)
{
    int r = with->plain;
    struct dependence of = with->depend(c);
    double A[MOST_PLAIN * MOST_PLAIN] = {0}, dA[MOST_PLAIN * MOST_PLAIN] = {0};
    double y[MOST_PLAIN], dy[MOST_PLAIN], b[MOST_PLAIN];
    for (int i = 0; i < r; i++)
        for (int l = 0; l < r; l++) {
            A[i * r + l] = i == l;
            for (int k = 0; k < with->extra; k++) {
                A[i * r + l] += of.T[k * r + i] * of.T[k * r + l];
                dA[i * r + l] += of.T_c[k * r + i] * of.T[k * r + l] +
                                 of.T[k * r + i] * of.T_c[k * r + l];
            }
        }
    solve_small(r, A, plain, y);
    for (int i = 0; i < r; i++) {
        b[i] = dplain[i];
        for (int l = 0; l < r && j == 0; l++)
            b[i] -= dA[i * r + l] * y[l];
    }
    solve_small(r, A, b, dy);
    for (int i = 0; i < r; i++)
        out[i] = j < 0 ? y[i] : dy[i];
    for (int k = 0; k < with->extra; k++) {
        out[r + k] = 0;
        for (int i = 0; i < r; i++)
            out[r + k] += of.T[k * r + i] * (j < 0 ? y[i] : dy[i]) +
                          (j == 0 ? of.T_c[k * r + i] * y[i] : 0);
    }
}

/* --- trajectories ------------------------------------------------------------------- */

/* Points of a trajectory: samples, then both sides of events. */
static inline int points(const struct trajectory *trajectory)
{
    return trajectory->samples + 2 * trajectory->events;
}

static inline const struct run_point *point_at(const struct trajectory *trajectory, int k)
{
    if (k < trajectory->samples)
        return &trajectory->sample[k];
    const struct event_record *event = &trajectory->event[(k - trajectory->samples) / 2];
    return (k - trajectory->samples) % 2 == 0 ? &event->before : &event->after;
}

/* A group of columns (j < 0: values) at point k: how many. */
static inline int load(const struct trajectory *trajectory, enum column_group group,
                       int k, int j, double *x)
{
    const struct columns *columns = &trajectory->columns;
    const struct run_point *point = point_at(trajectory, k);
    int count = group == GROUP_LAMBDA ? point->mode->m : columns->model->n;
    for (int i = 0; i < count; i++)
        x[i] = point->x[column(columns, group, i, j)];
    return count;
}

#endif
