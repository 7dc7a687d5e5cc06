/*
 * polish.c - the BFGS method on the gradient alone (Nocedal, Wright 2006, section 6.1),
 * within bounds.
 *
 * Near a minimum the cost is as flat as rounding, and a line search by it ends where the
 * gradient has half of the digits. The gradient itself has all of them: here a step is
 * good that makes its norm smaller while the cost stays within its noise.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "optimise/descent.h"

struct polishing {
    struct optimisation *o;
    int n;
    double *H;                  /* [n][n] approximate inverse of the Hessian by u */
    double *s, *y, *Hy;         /* [n] step, change of the gradient, H y */
    double *u, *d;              /* [n] the next point, the direction */
    bool begun;                 /* H has the curvature of a pair */
};

static double inner(int n, const double *a, const double *b)
{
    double sum = 0;
    for (int k = 0; k < n; k++)
        sum += a[k] * b[k];
    return sum;
}

/* s and y between two evaluations. */
static void take_pair(struct polishing *p, const struct evaluation *from,
                      const struct evaluation *to)
{
    descent_point(p->o, from, p->s);
    descent_point(p->o, to, p->u);
    descent_gradient(p->o, from, p->y);
    descent_gradient(p->o, to, p->Hy);
    for (int k = 0; k < p->n; k++) {
        p->s[k] = p->u[k] - p->s[k];
        p->y[k] = p->Hy[k] - p->y[k];
    }
}

/* H+ = (I - s y'/s'y) H (I - y s'/s'y) + s s'/s'y, from (s'y/y'y) I. Without positive
   curvature between the two, H stays. */
static void update(struct polishing *p, const struct evaluation *from,
                   const struct evaluation *to)
{
    int n = p->n;
    take_pair(p, from, to);
    double sy = inner(n, p->s, p->y), yy = inner(n, p->y, p->y);
    double ss = inner(n, p->s, p->s);
    if (!(sy > 1e-10 * sqrt(ss * yy)))
        return;
    for (int k = 0; k < n && !p->begun; k++)
        p->H[k * n + k] = sy / yy;
    p->begun = true;
    for (int i = 0; i < n; i++)
        p->Hy[i] = inner(n, p->H + i * n, p->y);
    double factor = (1 + inner(n, p->y, p->Hy) / sy) / sy;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            p->H[i * n + j] += factor * p->s[i] * p->s[j] -
                               (p->Hy[i] * p->s[j] + p->s[i] * p->Hy[j]) / sy;
}

static bool is_alike(const struct optimisation *o, const struct evaluation *e)
{
    return e->status == OK && strcmp(e->names, o->evaluation[o->best]->names) == 0;
}

/* Pairs of successive evaluations on the way to the answer. */
static void take_history(struct polishing *p)
{
    const struct optimisation *o = p->o;
    const struct evaluation *last = NULL;
    for (int k = 0; k < o->asked; k++)
        if (is_alike(o, o->evaluation[k])) {
            if (last)
                update(p, last, o->evaluation[k]);
            last = o->evaluation[k];
        }
}

/* d = -H g among the variables that are not held, at most as long as their sizes. */
static void choose_direction(struct polishing *p, const struct evaluation *at)
{
    int n = p->n;
    descent_gradient(p->o, at, p->y);
    for (int k = 0; k < n; k++)
        if (descent_held(p->o, at, k))
            p->y[k] = 0;
    double longest = 1;
    for (int i = 0; i < n; i++) {
        p->d[i] = descent_held(p->o, at, i) ? 0 : -inner(n, p->H + i * n, p->y);
        longest = fmax(longest, fabs(p->d[i]));
    }
    for (int i = 0; i < n; i++)
        p->d[i] /= longest;
}

static bool is_better(const struct optimisation *o, const struct evaluation *e,
                      const struct evaluation *at)
{
    return is_alike(o, e) && e->norm < at->norm &&
           descent_value(o, e) <= descent_value(o, at) + descent_noise(o, at);
}

/* One step from the answer, shortened while it is not better; false: none is. */
static bool step(struct polishing *p)
{
    enum { TRIES = 4 };
    struct optimisation *o = p->o;
    const struct evaluation *at = o->evaluation[o->best];
    double length = 1;
    choose_direction(p, at);
    for (int k = 0; k < TRIES; k++, length /= 4) {
        descent_point(o, at, p->u);
        for (int i = 0; i < p->n; i++)
            p->u[i] = fmin(fmax(p->u[i] + length * p->d[i], o->lower[i]), o->upper[i]);
        const struct evaluation *e = descent_evaluate(o, p->u);
        if (!e || e == at)
            return false;
        if (is_alike(o, e))
            update(p, at, e);
        if (!is_better(o, e, at))
            continue;
        o->best = descent_index(o, e);
        return true;
    }
    return false;
}

void polish(struct optimisation *o)
{
    int n = o->n;
    struct polishing p = {.o = o, .n = n, .H = memory_new(n * n, sizeof *p.H)};
    p.s = memory_new(5 * n, sizeof *p.s);
    p.y = p.s + n;
    p.Hy = p.y + n;
    p.u = p.Hy + n;
    p.d = p.u + n;
    take_history(&p);
    while (p.begun && o->stop == STOP_NOT_YET && step(&p))
        if (descent_arrived(o, o->evaluation[o->best]))
            o->stop = STOP_GRADIENT;
    free(p.s);
    free(p.H);
}
