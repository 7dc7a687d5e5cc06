/* solved_point.c - the point at which equations were last solved, and the solution. */
#include "solved_point.h"

#include <string.h>

#include "base/memory.h"

void solved_point_init(struct solved_point *point, struct arena *arena, int n, int ns,
                       int m)
{
    *point = (struct solved_point){.n = n, .ns = ns, .m = m};
    point->x = arena_new(arena, 1 + 2 * n + ns, sizeof *point->x);
    point->u = arena_new(arena, n + m, sizeof *point->u);
}

static bool equal(const double *one, const double *other, int count)
{
    return count == 0 || memcmp(one, other, (size_t)count * sizeof *one) == 0;
}

bool solved_point_recall(const struct solved_point *point, double t, const double *q,
                         const double *v, const double *s, double *a, double *lambda)
{
    int n = point->n;
    const double *x = point->x + 1;
    if (!point->valid || !equal(point->x, &t, 1) || !equal(x, q, n) ||
        !equal(x + n, v, n) || !equal(x + 2 * n, s, point->ns))
        return false;
    memory_copy(a, point->u, n, sizeof *a);
    memory_copy(lambda, point->u + n, point->m, sizeof *lambda);
    return true;
}

void solved_point_keep(struct solved_point *point, double t, const double *q,
                       const double *v, const double *s, const double *a,
                       const double *lambda)
{
    int n = point->n;
    point->valid = true;
    point->x[0] = t;
    memory_copy(point->x + 1, q, n, sizeof *q);
    memory_copy(point->x + 1 + n, v, n, sizeof *v);
    memory_copy(point->x + 1 + 2 * n, s, point->ns, sizeof *s);
    memory_copy(point->u, a, n, sizeof *a);
    memory_copy(point->u + n, lambda, point->m, sizeof *lambda);
}
