/*
 * native_constraint.c - constraints and their differences (native_constraint.h).
 *
 * Nothing here is differentiated by rule. First derivatives of constraints are central
 * differences of order 8 with step 1e-4 (error h^8 and resolution/h: thirty digits); the
 * second derivative along the motion has step 1e-3 (resolution/h^2: 28 digits). These are
 * steps of the largest component: in fast motions steps of time are shorter. The second
 * derivative goes along a parabola in s, whose rate changes while q moves on a line.
 * Constraints that are polynomials of degree 8 or less have the rounding error alone.
 */
#include "oracles/native/native_constraint.h"

#include <stdlib.h>

#include "base/memory.h"

/* Evaluates the rows, and tells which are at velocity level; returns how many. */
int native_rows(const struct native_point *point, struct native_rows rows,
                quad_complex *Phi, bool *velocity_level)
{
    struct model *model = native_record(point->of, point->x);
    const struct event *event = rows.event < 0 ? NULL : model->event[rows.event];
    int m = 0;
    for (int i = 0; event && i < event->impulses; i++, m++) {
        Phi[m] = event->Psi[i];
        velocity_level[m] = event->Psi_velocity_level[i];
    }
    const struct mode *mode = model->mode[event ? rows.joints : rows.mode];
    bool joined = !event || event->joints;
    for (int i = 0; joined && i < NATIVE_ROWS && native_is_set(mode->Phi[i]); i++, m++) {
        Phi[m] = mode->Phi[i];
        velocity_level[m] = mode->velocity_level[i];
    }
    native_free(model);
    return m;
}

/* A direction in (t, q, v, s); NULL is zero. */
struct direction_of {
    int t;
    const quad_complex *x[4];           /* q, v, s at NATIVE_Q .. NATIVE_S */
    const quad_complex *s_bends;        /* second derivative of s along it */
};

/* The largest component of the direction, at least 1. */
static quad length_of(const struct native_point *point,
                      const struct direction_of *direction)
{
    quad largest = 1;
    for (int b = NATIVE_Q; b <= NATIVE_S; b++)
        for (int i = 0; direction->x[b] && i < point->size[b]; i++) {
            quad size = fabsf128(quad_real(direction->x[b][i]));
            largest = size > largest ? size : largest;
        }
    return largest;
}

/* A function that is differenced: values [NATIVE_ROWS] at a point; returns how many. */
typedef int differenced(const struct native_point *point, struct native_rows rows,
                        quad_complex *value);

static int constraint_values(const struct native_point *point, struct native_rows rows,
                             quad_complex *Phi)
{
    bool ignored[NATIVE_ROWS];
    return native_rows(point, rows, Phi, ignored);
}

/* The rates f_s of s in a mode. */
static int auxiliary_rates(const struct native_point *point, struct native_rows rows,
                           quad_complex *f_s)
{
    struct model *model = native_record(point->of, point->x);
    for (int i = 0; i < point->ns; i++)
        f_s[i] = model->mode[rows.mode]->f_s[i];
    native_free(model);
    return point->ns;
}

/* Moves a point from where `point` is. */
static void move_by(struct native_point *moved, const struct native_point *point,
                    const struct direction_of *direction, quad h)
{
    native_point_copy(moved, point);
    moved->x[NATIVE_T][0] += h * direction->t;
    for (int b = NATIVE_Q; b <= NATIVE_S; b++)
        for (int i = 0; direction->x[b] && i < moved->size[b]; i++)
            moved->x[b][i] += h * direction->x[b][i];
    for (int i = 0; direction->s_bends && i < moved->ns; i++)
        moved->x[NATIVE_S][i] += h * h / 2 * direction->s_bends[i];
}

/* Differentiates all values along a direction, once or twice. */
static void along(const struct native_point *point, struct native_rows rows,
                  differenced *values, const struct direction_of *direction, int order,
                  quad_complex *out)
{
    static const int weight[2][5][2] = {        /* weights as fractions, at distance 0, 1,
                                                   2, 3, 4 */
        {{0, 1}, {4, 5}, {-1, 5}, {4, 105}, {-1, 280}},
        {{-205, 72}, {8, 5}, {-1, 5}, {8, 315}, {-1, 560}},
    };
    quad h = 1 / (length_of(point, direction) * (order == 1 ? 10000 : 1000));
    quad_complex *value = memory_new(NATIVE_ROWS + point->ns, sizeof *value);
    struct native_point *moved = native_point_like(point);
    for (int k = -4; k <= 4; k++) {
        const int *fraction = weight[order - 1][abs(k)];
        quad factor = (quad)fraction[0] / fraction[1] / (order == 1 ? h : h * h);
        if (order == 1 && k == 0)
            continue;
        move_by(moved, point, direction, k * h);
        int m = values(moved, rows, value);
        for (int i = 0; i < m; i++)
            out[i] = (k == -4 ? 0 : out[i]) +
                     (order == 1 && k < 0 ? -factor : factor) * value[i];
    }
    native_point_free(moved);
    free(value);
}

/* Phi_q [m * n], by columns of differences; Phi_v for rows at velocity level. */
int native_jacobian(const struct native_point *point, struct native_rows rows,
                    quad_complex *Phi_q)
{
    int n = point->n;
    quad_complex column[NATIVE_ROWS], Phi[NATIVE_ROWS];
    bool velocity_level[NATIVE_ROWS], any = false;
    int m = native_rows(point, rows, Phi, velocity_level);
    for (int i = 0; i < m; i++)
        any = any || velocity_level[i];
    if (m == 0)
        return 0;
    quad_complex *unit = memory_new(n, sizeof *unit);
    for (int j = 0; j < n; j++) {
        unit[j] = 1;
        along(point, rows, constraint_values,
              &(struct direction_of){.x = {[NATIVE_Q] = unit}}, 1, column);
        for (int i = 0; i < m; i++)
            Phi_q[i * n + j] = column[i];
        if (any)
            along(point, rows, constraint_values,
              &(struct direction_of){.x = {[NATIVE_V] = unit}}, 1,
                  column);
        for (int i = 0; i < m; i++)
            if (velocity_level[i])
                Phi_q[i * n + j] = column[i];
        unit[j] = 0;
    }
    free(unit);
    return m;
}

/* Sets d f_s/dv_j [ns]; false: s does not depend on velocities. */
static bool rates_by_velocity(const struct native_point *point, struct native_rows rows,
                              int j, quad_complex *f_s_v)
{
    quad_complex *unit = memory_new(point->n, sizeof *unit);
    bool any = false;
    unit[j] = 1;
    along(point, rows, auxiliary_rates,
          &(struct direction_of){.x = {[NATIVE_V] = unit}}, 1, f_s_v);
    for (int k = 0; k < point->ns; k++)
        any = any || f_s_v[k] != 0;
    free(unit);
    return any;
}

void native_velocity_jacobian(const struct native_point *point, struct native_rows rows,
                              const quad_complex *Phi_q, quad_complex *Phid_v)
{
    int n = point->n;
    bool velocity_level[NATIVE_ROWS];
    quad_complex Phi[NATIVE_ROWS], column[NATIVE_ROWS];
    quad_complex *f_s_v = memory_new(point->ns, sizeof *f_s_v);
    int m = native_rows(point, rows, Phi, velocity_level);
    for (int i = 0; i < m * n; i++)
        Phid_v[i] = Phi_q[i];
    for (int j = 0; j < n && m > 0 && point->ns > 0; j++) {
        if (!rates_by_velocity(point, rows, j, f_s_v))
            continue;
        along(point, rows, constraint_values,
              &(struct direction_of){.x = {[NATIVE_S] = f_s_v}}, 1, column);
        for (int i = 0; i < m; i++)
            if (!velocity_level[i])
                Phid_v[i * n + j] += column[i];
    }
    free(f_s_v);
}

void native_gamma(const struct native_point *point, struct native_rows rows,
                  quad_complex *gamma)
{
    quad_complex Phi[NATIVE_ROWS], first[NATIVE_ROWS];
    bool velocity_level[NATIVE_ROWS];
    quad_complex *f_s = memory_new(2 * point->ns, sizeof *f_s), *bends = f_s + point->ns;
    struct direction_of motion = {.t = 1, .x = {[NATIVE_Q] = point->x[NATIVE_V],
                                                [NATIVE_S] = f_s}};
    int m = native_rows(point, rows, Phi, velocity_level);
    auxiliary_rates(point, rows, f_s);
    if (point->ns > 0)
        along(point, rows, auxiliary_rates, &motion, 1, bends);
    along(point, rows, constraint_values, &motion, 1, first);
    motion.s_bends = bends;
    along(point, rows, constraint_values, &motion, 2, gamma);
    for (int i = 0; i < m; i++)
        if (velocity_level[i])
            gamma[i] = first[i];
    free(f_s);
}

/* Phid at the point. */
void native_Phid(const struct native_point *point, struct native_rows rows,
                 quad_complex *Phid)
{
    quad_complex Phi[NATIVE_ROWS];
    bool velocity_level[NATIVE_ROWS];
    quad_complex *f_s = memory_new(point->ns, sizeof *f_s);
    struct direction_of motion = {.t = 1, .x = {[NATIVE_Q] = point->x[NATIVE_V],
                                                [NATIVE_S] = f_s}};
    int m = native_rows(point, rows, Phi, velocity_level);
    auxiliary_rates(point, rows, f_s);
    along(point, rows, constraint_values, &motion, 1, Phid);
    for (int i = 0; i < m; i++)
        if (velocity_level[i])
            Phid[i] = Phi[i];
    free(f_s);
}
