/*
 * body.c - rigid bodies in space by Euler parameters (Haug 1989, section 9.3) or natural
 * coordinates (Garcia de Jalon, Bayo 1994, section 2.2); see body.h.
 */
#include "elements/body.h"

#include <stdio.h>

/* The functions that depend on the coordinates of a body. */
struct body_kind {
    /* kinetic energy of rotation, with principal moments J */
    formula (*turning_energy)(const struct model *model, const struct body *body,
                              const formula J[3]);
    /* writes the constraints among the coordinates; returns the first row */
    int (*constrain)(struct model *model, const struct body *body);
    /* turning coordinates q of a body whose orientation has the Euler parameters e */
    void (*stand)(const formula e[4], formula *q);
};

static formula half(formula a)
{
    return is_zero(a) ? a : quotient(a, integer(a.tape, 2));
}

static formula twice(formula a)
{
    return is_zero(a) ? a : mul(integer(a.tape, 2), a);
}

/* out = column k of A, body axis k */
static void body_axis(const struct body *body, int k, formula out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = body->A[i][k];
}

/* Declares `names` and returns a body with its centre; turning coordinates follow it. */
static struct body declare(struct model *model, const char *names, int turning)
{
    struct body body = {.first = model->n, .turning = turning};
    model_coordinates(model, names);
    for (int i = 0; i < 3; i++)
        body.centre.r[i] = variable(model->tape, BLOCK_Q, body.first + i);
    return body;
}

/* Turning coordinate k. */
static formula turning(const struct model *model, const struct body *body, int k)
{
    return variable(model->tape, BLOCK_Q, body->first + 3 + k);
}

/* The rate of turning coordinate k. */
static formula turning_rate(const struct model *model, const struct body *body, int k)
{
    return variable(model->tape, BLOCK_V, body->first + 3 + k);
}

/* --- Euler parameters --------------------------------------------------------------- */

/* Index and sign of entry (j, k) of the matrix G, which gives omega in body axes,
   omega_j = 2 sum_k G_jk e_k', and of E, which gives the rates of turning about axis j
   of space, e_k' = sum_j E_jk omega_j / 2; Haug 1989, (9.3.15)-(9.3.16). */
static const struct { int index, sign; }
    G[3][4] = {{{1, -1}, {0, 1}, {3, 1}, {2, -1}},
               {{2, -1}, {3, -1}, {0, 1}, {1, 1}},
               {{3, -1}, {2, 1}, {1, -1}, {0, 1}}},
    E[3][4] = {{{1, -1}, {0, 1}, {3, -1}, {2, 1}},
               {{2, -1}, {3, 1}, {0, 1}, {1, -1}},
               {{3, -1}, {2, -1}, {1, 1}, {0, 1}}};

static formula with_sign(int sign, formula a)
{
    return sign < 0 ? negate(a) : a;
}

/* A = |e|^2 times a rotation matrix, for any e. */
static void euler_directions(const formula e[4], formula A[3][3])
{
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        formula along = add(power(e[0], 2), power(e[1 + i], 2));
        formula across = add(power(e[1 + j], 2), power(e[1 + k], 2));
        formula product = mul(e[1 + i], e[1 + j]), swirl = mul(e[0], e[1 + k]);
        A[i][i] = sub(along, across);
        A[i][j] = twice(sub(product, swirl));
        A[j][i] = twice(add(product, swirl));
    }
}

/* T = omega'J omega/2 + tr(J) (e.e')^2 */
static formula euler_energy(const struct model *model, const struct body *body,
                            const formula J[3])
{
    formula e[4], rate[4], T = {NULL, 0};
    for (int k = 0; k < 4; k++) {
        e[k] = turning(model, body, k);
        rate[k] = turning_rate(model, body, k);
    }
    for (int j = 0; j < 3; j++)
        T = add(T, half(mul(J[j], power(body->omega[j], 2))));
    return add(T, mul(sum(J, 3), power(dot(e, rate, 4), 2)));
}

static int euler_constrain(struct model *model, const struct body *body)
{
    formula e[4];
    for (int k = 0; k < 4; k++)
        e[k] = turning(model, body, k);
    return model_constraint(model, half(sub(dot(e, e, 4), integer(model->tape, 1))));
}

static void euler_stand(const formula e[4], formula *q)
{
    for (int k = 0; k < 4; k++)
        q[k] = e[k];
}

static const struct body_kind euler = {euler_energy, euler_constrain, euler_stand};

struct body body_euler(struct model *model, const char *name)
{
    char names[400];
    snprintf(names, sizeof names, "x%s, y%s, z%s, e0%s, e1%s, e2%s, e3%s", name, name,
             name, name, name, name, name);
    struct body body = declare(model, names, 4);
    formula e[4], rate[4];
    body.kind = &euler;
    for (int k = 0; k < 4; k++) {
        e[k] = turning(model, &body, k);
        rate[k] = turning_rate(model, &body, k);
    }
    euler_directions(e, body.A);
    for (int j = 0; j < 3; j++)
        for (int k = 0; k < 4; k++) {
            formula term = with_sign(G[j][k].sign, mul(e[G[j][k].index], rate[k]));
            body.omega[j] = add(body.omega[j], twice(term));
            body.turn[j][k] = half(with_sign(E[j][k].sign, e[E[j][k].index]));
        }
    return body;
}

/* --- direction vectors -------------------------------------------------------------- */

/* T = 1/2 sum_k S_k |A_k'|^2 with S_k = (tr(J)/2 - J_k), the second moment of mass
   along axis k */
static formula natural_energy(const struct model *model, const struct body *body,
                              const formula J[3])
{
    formula T = {NULL, 0}, all = sum(J, 3);
    for (int k = 0; k < 3; k++) {
        formula axis[3], rate[3];
        body_axis(body, k, axis);
        vector_rate(model, axis, rate);
        T = add(T, half(mul(sub(half(all), J[k]), vector_dot(rate, rate))));
    }
    return T;
}

static int natural_constrain(struct model *model, const struct body *body)
{
    int first = 0;
    for (int k = 0; k < 3; k++) {
        formula axis[3], next[3];
        body_axis(body, k, axis);
        body_axis(body, (k + 1) % 3, next);
        formula excess = sub(vector_dot(axis, axis), integer(model->tape, 1));
        int row = model_constraint(model, half(excess));
        first = k == 0 ? row : first;
        model_constraint(model, vector_dot(axis, next));
    }
    return first;
}

static void natural_stand(const formula e[4], formula *q)
{
    formula A[3][3];
    euler_directions(e, A);
    for (int k = 0; k < 9; k++)
        q[k] = A[k % 3][k / 3];
}

static const struct body_kind natural = {natural_energy, natural_constrain,
                                         natural_stand};

struct body body_natural(struct model *model, const char *name)
{
    char names[600];
    snprintf(names, sizeof names, "x%s, y%s, z%s, ix%s, iy%s, iz%s, jx%s, jy%s, jz%s, "
             "kx%s, ky%s, kz%s", name, name, name, name, name, name, name, name, name,
             name, name, name);
    struct body body = declare(model, names, 9);
    body.kind = &natural;
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 3; i++)
            body.A[i][k] = turning(model, &body, 3 * k + i);
    for (int k = 0; k < 3; k++) {
        int next = (k + 1) % 3, other = (k + 2) % 3;
        for (int i = 0; i < 3; i++) {
            formula rate = turning_rate(model, &body, 3 * next + i);
            body.omega[k] = add(body.omega[k], mul(rate, body.A[i][other]));
        }
        /* Turning about axis j of space: A_k' = axis x A_k. */
        for (int j = 0; j < 3; j++) {
            body.turn[j][3 * k + (j + 1) % 3] = negate(body.A[(j + 2) % 3][k]);
            body.turn[j][3 * k + (j + 2) % 3] = body.A[(j + 1) % 3][k];
        }
    }
    return body;
}

/* --- every body --------------------------------------------------------------------- */

struct body body_ground(struct model *model)
{
    struct body body = {.kind = NULL};
    for (int i = 0; i < 3; i++)
        body.A[i][i] = integer(model->tape, 1);
    return body;
}

void body_direction(const struct body *body, const formula d[3], formula out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = dot(body->A[i], d, 3);
}

struct point body_point(const struct body *body, const formula s[3])
{
    struct point point;
    body_direction(body, s, point.r);
    for (int i = 0; i < 3; i++)
        point.r[i] = add(body->centre.r[i], point.r[i]);
    return point;
}

void body_omega(const struct body *body, formula out[3])
{
    body_direction(body, body->omega, out);
}

void body_guess(struct model *model, const struct body *body, const formula centre[3],
                const formula e[4])
{
    formula *q = model->q_guess + body->first;
    for (int i = 0; i < 3; i++)
        q[i] = centre[i];
    body->kind->stand(e, q + 3);
}

void body_guess_numbers(struct model *model, const struct body *body,
                        const char *const centre[3], const char *const e[4])
{
    formula r[3], turned[4];
    for (int i = 0; i < 3; i++)
        r[i] = constant(model->tape, centre[i]);
    for (int k = 0; k < 4; k++)
        turned[k] = constant(model->tape, e[k]);
    body_guess(model, body, r, turned);
}

int body_inertia(struct model *model, const struct body *body, formula m,
                 const formula J[3], const formula g[3])
{
    mass_point(model, m, g, &body->centre);
    model_kinetic(model, body->kind->turning_energy(model, body, J));
    return body->kind->constrain(model, body);
}
