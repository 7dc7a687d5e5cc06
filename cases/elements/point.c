/*
 * point.c - mass points, uniform bars, springs, dampers and distance constraints; see
 * point.h.
 */
#include "elements/point.h"

#include <stdio.h>

/* --- places ------------------------------------------------------------------------- */

struct point point_free(struct model *model, const char *name, int dimension, int *first)
{
    char names[200];
    int at = model->n;
    snprintf(names, sizeof names, dimension == 3 ? "x%s, y%s, z%s" : "x%s, y%s", name,
             name, name);
    model_coordinates(model, names);
    struct point point = {0};
    for (int k = 0; k < dimension; k++)
        point.r[k] = variable(model->tape, BLOCK_Q, at + k);
    if (first)
        *first = at;
    return point;
}

struct point point_at(formula x, formula y, formula z)
{
    return (struct point){{x, y, z}};
}

struct point point_between(const struct point *a, const struct point *b, formula w)
{
    struct point point;
    for (int k = 0; k < 3; k++)
        point.r[k] = add(a->r[k], mul(w, sub(b->r[k], a->r[k])));
    return point;
}

/* --- vectors ------------------------------------------------------------------------ */

void vector_difference(const formula a[3], const formula b[3], formula out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = sub(a[k], b[k]);
}

void vector_cross(const formula a[3], const formula b[3], formula out[3])
{
    const formula cross[3] = {
        sub(mul(a[1], b[2]), mul(a[2], b[1])),
        sub(mul(a[2], b[0]), mul(a[0], b[2])),
        sub(mul(a[0], b[1]), mul(a[1], b[0])),
    };
    for (int k = 0; k < 3; k++)
        out[k] = cross[k];
}

formula vector_dot(const formula a[3], const formula b[3])
{
    return dot(a, b, 3);
}

void vector_rate(const struct model *model, const formula r[3], formula out[3])
{
    mode_time_derivative(model, model->pen, r, 3, out);
}

formula distance_between(const struct point *a, const struct point *b)
{
    formula d[3];
    vector_difference(a->r, b->r, d);
    return apply(OP_SQRT, vector_dot(d, d));
}

/* --- masses
   -------------------------------------------------------------------------- */

/* Potential of a weight: -m g.r */
static void weight(struct model *model, formula m, const formula g[3], const formula r[3])
{
    if (g)
        model_potential(model, negate(mul(m, vector_dot(g, r))));
}

void mass_point(struct model *model, formula m, const formula g[3],
                const struct point *at)
{
    formula v[3];
    vector_rate(model, at->r, v);
    formula two = integer(model->tape, 2);
    model_kinetic(model, quotient(mul(m, vector_dot(v, v)), two));
    weight(model, m, g, at->r);
    model_draw(model, at->r, at->r);
}

void bar_uniform(struct model *model, formula m, const formula g[3],
                 const struct point *a, const struct point *b)
{
    formula va[3], vb[3];
    vector_rate(model, a->r, va);
    vector_rate(model, b->r, vb);
    formula squares = add(add(vector_dot(va, va), vector_dot(va, vb)),
                          vector_dot(vb, vb));
    formula half = quotient(m, integer(model->tape, 2));
    model_kinetic(model, quotient(mul(m, squares), integer(model->tape, 6)));
    weight(model, half, g, a->r);
    weight(model, half, g, b->r);
    model_draw(model, a->r, b->r);
}

/* --- forces ------------------------------------------------------------------------- */

void spring(struct model *model, formula k, formula L0, const struct point *a,
            const struct point *b)
{
    formula d[3], stretch = sub(distance_between(a, b), L0);
    formula two = integer(model->tape, 2), squares = mul(stretch, stretch);
    vector_difference(a->r, b->r, d);
    if (is_zero(L0))
        squares = vector_dot(d, d);
    model_potential(model, quotient(mul(k, squares), two));
    model_draw(model, a->r, b->r);
}

void damper(struct model *model, formula c, const struct point *a, const struct point *b)
{
    formula length = distance_between(a, b);
    model_force(model, length, negate(mul(c, model_rate(model, length))));
}

void force_at(struct model *model, const formula force[3], const struct point *at)
{
    for (int k = 0; k < 3; k++)
        if (!is_zero(force[k]))
            model_force(model, at->r[k], force[k]);
}

/* --- constraints -------------------------------------------------------------------- */

int distance_constraint(struct model *model, formula L, const struct point *a,
                        const struct point *b)
{
    formula d[3];
    vector_difference(a->r, b->r, d);
    formula squares = sub(vector_dot(d, d), mul(L, L));
    return model_constraint(model, quotient(squares, integer(model->tape, 2)));
}

int coincidence(struct model *model, int dimension, const struct point *a,
                const struct point *b)
{
    int first = model_constraint(model, sub(a->r[0], b->r[0]));
    for (int k = 1; k < dimension; k++)
        model_constraint(model, sub(a->r[k], b->r[k]));
    return first;
}
