/*
 * bodies.h - bodies in space for tests: how they are run, and what is observed of them.
 */
#ifndef SALTUS_BODIES_H
#define SALTUS_BODIES_H

/* A point of a mechanism here, a point of a trajectory in run.h. */
#define point place_of
#include "elements/friction.h"
#undef point

#include "case.h"
#include "observing.h"

typedef struct body body_maker(struct model *model, const char *name);

/* In Euler parameters, in direction vectors. */
static body_maker *const makers[2] = {body_euler, body_natural};

static inline formula number_of(struct model *model, double x)
{
    char text[40];
    snprintf(text, sizeof text, "%.17g", x);
    return constant(model->tape, text);
}

/* J omega in space */
static inline void angular_momentum(const struct body *body, const formula J[3],
                                    formula out[3])
{
    formula L[3];
    for (int k = 0; k < 3; k++)
        L[k] = mul(J[k], body->omega[k]);
    body_direction(body, L, out);
}

/* What `record` lets see is evaluated along the run. */
enum { MOST_SEEN = 64 };
static struct {
    formula f[MOST_SEEN];
    int count;
} seen;

static inline void see(formula f)
{
    cr_assert_lt(seen.count, MOST_SEEN);
    seen.f[seen.count++] = f;
}

static inline void see_all(const formula *f, int count)
{
    for (int i = 0; i < count; i++)
        see(f[i]);
}

static inline struct trajectory *run_of(struct solving *s,
                                        void (*record)(struct model *))
{
    seen.count = 0;
    solving_of_record(s, "bodies", record, "index1");
    return solve(s);
}

#endif
