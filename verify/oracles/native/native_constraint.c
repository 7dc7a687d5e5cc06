/*
 * native_constraint.c - constraints and their differences (native_constraint.h).
 *
 * Nothing here is differentiated by rule. First derivatives of constraints are central
 * differences of order 8 with step 1e-4 (error h^8 and resolution/h: thirty digits); the
 * second derivative along the motion has step 1e-3 (resolution/h^2: 28 digits). These are
 * steps of the largest component: in fast motions steps of time are shorter.
 * Constraints that are polynomials of degree 8 or less have the rounding error alone.
 */
#include "oracles/native/native_constraint.h"

#include <stdlib.h>

static void *room(int count, size_t size)
{
    void *memory = calloc((size_t)count + 1, size);
    if (!memory)
        abort();
    return memory;
}

/* Values of the rows, and which are at velocity level; returns how many. */
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
};

/* Its largest component, at least 1. */
static quad length_of(const struct native_point *point,
                      const struct direction_of *direction)
{
    quad largest = 1;
    for (int b = NATIVE_Q; b <= NATIVE_S; b++)
        for (int i = 0; direction->x[b] && i < point->size[b]; i++) {
            quad size = fabsq(quad_real(direction->x[b][i]));
            largest = size > largest ? size : largest;
        }
    return largest;
}

/* Derivative of order 1 or 2 of all rows along a direction. */
static void along(const struct native_point *point, struct native_rows rows,
                  const struct direction_of *direction, int order, quad_complex *out)
{
    static const int weight[2][5][2] = {        /* fractions, at distance 0, 1, 2, 3, 4 */
        {{0, 1}, {4, 5}, {-1, 5}, {4, 105}, {-1, 280}},
        {{-205, 72}, {8, 5}, {-1, 5}, {8, 315}, {-1, 560}},
    };
    quad h = 1 / (length_of(point, direction) * (order == 1 ? 10000 : 1000));
    quad_complex Phi[NATIVE_ROWS];
    bool ignored[NATIVE_ROWS];
    for (int i = 0; i < NATIVE_ROWS; i++)
        out[i] = 0;
    for (int k = -4; k <= 4; k++) {
        const int *fraction = weight[order - 1][abs(k)];
        quad factor = (quad)fraction[0] / fraction[1] / (order == 1 ? h : h * h);
        if (order == 1 && k == 0)
            continue;
        struct native_point *moved = native_point_like(point);
        moved->x[NATIVE_T][0] += k * h * direction->t;
        for (int b = NATIVE_Q; b <= NATIVE_S; b++)
            for (int i = 0; direction->x[b] && i < moved->size[b]; i++)
                moved->x[b][i] += k * h * direction->x[b][i];
        int m = native_rows(moved, rows, Phi, ignored);
        for (int i = 0; i < m; i++)
            out[i] += (order == 1 && k < 0 ? -factor : factor) * Phi[i];
        native_point_free(moved);
    }
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
    quad_complex *unit = room(n, sizeof *unit);
    for (int j = 0; j < n; j++) {
        unit[j] = 1;
        along(point, rows, &(struct direction_of){.x = {[NATIVE_Q] = unit}}, 1, column);
        for (int i = 0; i < m; i++)
            Phi_q[i * n + j] = column[i];
        if (any)
            along(point, rows, &(struct direction_of){.x = {[NATIVE_V] = unit}}, 1,
                  column);
        for (int i = 0; i < m; i++)
            if (velocity_level[i])
                Phi_q[i * n + j] = column[i];
        unit[j] = 0;
    }
    free(unit);
    return m;
}

/* f_s of a mode: how s moves. */
static quad_complex *auxiliary_rates(const struct native_point *point, int mode)
{
    quad_complex *f_s = room(point->ns, sizeof *f_s);
    struct model *model = native_record(point->of, point->x);
    for (int i = 0; i < point->ns; i++)
        f_s[i] = model->mode[mode]->f_s[i];
    native_free(model);
    return f_s;
}

/* What is left of Phidd when a = 0. (s moves uniformly: right for latched values, which
   are the only ones that constraints of the catalogue depend on.) */
void native_gamma(const struct native_point *point, struct native_rows rows,
                  quad_complex *gamma)
{
    quad_complex Phi[NATIVE_ROWS], first[NATIVE_ROWS];
    bool velocity_level[NATIVE_ROWS];
    quad_complex *f_s = auxiliary_rates(point, rows.mode);
    struct direction_of motion = {.t = 1, .x = {[NATIVE_Q] = point->x[NATIVE_V],
                                                [NATIVE_S] = f_s}};
    int m = native_rows(point, rows, Phi, velocity_level);
    along(point, rows, &motion, 2, gamma);
    along(point, rows, &motion, 1, first);
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
    quad_complex *f_s = auxiliary_rates(point, rows.mode);
    struct direction_of motion = {.t = 1, .x = {[NATIVE_Q] = point->x[NATIVE_V],
                                                [NATIVE_S] = f_s}};
    int m = native_rows(point, rows, Phi, velocity_level);
    along(point, rows, &motion, 1, Phid);
    for (int i = 0; i < m; i++)
        if (velocity_level[i])
            Phid[i] = Phi[i];
    free(f_s);
}
