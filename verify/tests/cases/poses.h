/*
 * poses.h - where bodies in space are and how they move, in numbers.
 */
#ifndef SALTUS_POSES_H
#define SALTUS_POSES_H

#include <math.h>
#include <string.h>

#include "bodies.h"
#include "random_formulas.h"

/* Where a body is, how it stands (columns of R: its axes), and how it moves. */
struct pose {
    double r[3], R[3][3], v[3], omega[3];
};

static inline void cross(const double a[3], const double b[3], double out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

static inline void rotation(const double e[4], double R[3][3])
{
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        R[i][i] = 1 - 2 * (e[1 + j] * e[1 + j] + e[1 + k] * e[1 + k]);
        R[i][j] = 2 * (e[1 + i] * e[1 + j] - e[0] * e[1 + k]);
        R[j][i] = 2 * (e[1 + i] * e[1 + j] + e[0] * e[1 + k]);
    }
}

/* |e| = 1 with e_0 well away from zero */
static inline void random_e(struct random *random, double e[4])
{
    double size = 0;
    for (int k = 0; k < 4; k++) {
        e[k] = k == 0 ? 1 : random_between(random, -0.7, 0.7);
        size += e[k] * e[k];
    }
    for (int k = 0; k < 4; k++)
        e[k] /= sqrt(size);
}

static inline void random_vector(struct random *random, double size, double x[3])
{
    for (int i = 0; i < 3; i++)
        x[i] = random_between(random, -size, size);
}

/* Euler parameters of R, e_0 > 0. */
static inline void e_of(double R[3][3], double e[4])
{
    e[0] = sqrt(1 + R[0][0] + R[1][1] + R[2][2]) / 2;
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        e[1 + i] = (R[k][j] - R[j][k]) / (4 * e[0]);
    }
}

/* The start of a body, all of it given: e' = E'omega/2, or A_k' = omega x A_k. */
static inline void give(struct model *model, const struct body *body, struct pose *pose)
{
    double q[12], v[12], e[4];
    e_of(pose->R, e);
    memcpy(q, pose->r, sizeof pose->r);
    memcpy(v, pose->v, sizeof pose->v);
    const double *w = pose->omega;
    double rate[4] = {(-e[1] * w[0] - e[2] * w[1] - e[3] * w[2]) / 2,
                      (e[0] * w[0] + e[3] * w[1] - e[2] * w[2]) / 2,
                      (-e[3] * w[0] + e[0] * w[1] + e[1] * w[2]) / 2,
                      (e[2] * w[0] - e[1] * w[1] + e[0] * w[2]) / 2};
    if (body->turning == 4) {
        memcpy(q + 3, e, sizeof e);
        memcpy(v + 3, rate, sizeof rate);
    }
    for (int k = 0; k < 3 && body->turning == 9; k++) {
        double axis[3] = {pose->R[0][k], pose->R[1][k], pose->R[2][k]};
        memcpy(q + 3 + 3 * k, axis, sizeof axis);
        cross(w, axis, v + 3 + 3 * k);
    }
    for (int i = 0; i < 3 + body->turning; i++) {
        model->q0[body->first + i] = number_of(model, q[i]);
        model->v0[body->first + i] = number_of(model, v[i]);
    }
}

static inline void turn_about_z(double angle, double R[3][3])
{
    const double e[4] = {cos(angle / 2), 0, 0, sin(angle / 2)};
    rotation(e, R);
}

static inline void product(double A[3][3], double B[3][3], double out[3][3])
{
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            out[i][k] = 0;
            for (int j = 0; j < 3; j++)
                out[i][k] += A[i][j] * B[j][k];
        }
}

static inline void image(double A[3][3], const double x[3], double out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = A[i][0] * x[0] + A[i][1] * x[1] + A[i][2] * x[2];
}

#endif
