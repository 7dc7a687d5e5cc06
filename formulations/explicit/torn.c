/*
 * torn.c - Newton's method for tearing variables, and derivatives of torn equations, as
 * formulas; see torn.h.
 */
#include "explicit/torn.h"

#include <stdlib.h>

#include "base/memory.h"
#include "explicit/tearing.h"
#include "formula/diff.h"
#include "program/fault.h"

/* The derivative of an unknown along a column of X. */
struct column {
    const struct explicit_equations *equations;
    const formula *x;           /* [rows] */
};

static formula along_column(void *context, int block, int index)
{
    const struct column *column = context;
    return solution_unknown(column->equations, column->x, block, index);
}

/* B are the derivatives of R by the tearing variables. */
void torn_columns(struct torn *t, const struct solver *solver)
{
    const struct explicit_equations *e = t->equations;
    formula *B = memory_new(t->count, sizeof *B);
    for (int i = 0; i < e->rows; i++) {
        gradient(e->R[i], BLOCK_ITERATED, t->count, B);
        for (int j = 0; j < t->count; j++)
            t->X[j * e->rows + i] = B[j];
    }
    for (int j = 0; j < t->count; j++)
        solver_solve(solver, t->X + j * e->rows);
    free(B);
}

/* Ports at u0, and along the columns of X; they are linear in u. */
static void find_ports(struct torn *t, const formula *u0)
{
    const struct explicit_equations *e = t->equations;
    struct solution at = {.tape = t->tape, .equations = e, .u = u0};
    formula *along = memory_new(t->ports, sizeof *along);
    solution_fill(&at, e->tearing->port, t->ports, t->y0);
    for (int j = 0; j < t->count; j++) {
        struct column column = {e, t->X + j * e->rows};
        tangent_along(e->tearing->port, t->ports, along_column, &column, along);
        for (int c = 0; c < t->ports; c++)
            t->Y[c * t->count + j] = along[c];
    }
    free(along);
}

/* port [ports] at u0 - X z */
static void ports_at(const struct torn *t, const formula *z, formula *port)
{
    for (int c = 0; c < t->ports; c++)
        port[c] = sub(t->y0[c], dot(t->Y + c * t->count, z, t->count));
}

/* phi(u0 - X z) [count] at ports of the variables z of that block, and the elimination of
   I + J X there; NULL when none can be chosen beforehand. */
static struct elimination *eliminate_torn(const struct torn *t, int block,
                                          const formula *port, formula *phi)
{
    struct formula_matrix W;
    const struct explicit_equations *e = t->equations;
    formula one = integer(t->tape, 1);
    int iterated = t->count + (e->iterated ? e->m : 0);     /* ports have mu, too */
    formula *phi_z = memory_new(iterated, sizeof *phi_z);
    tearing_substitute(e->tearing, e->tearing->phi, t->count, port, NULL, phi);
    formula_matrix_init(&W, t->count, t->count);
    for (int i = 0; i < t->count; i++) {
        gradient(phi[i], block, iterated, phi_z);
        for (int j = 0; j < t->count; j++) {
            formula entry = i == j ? sub(one, phi_z[j]) : negate(phi_z[j]);
            if (!is_zero(entry))
                formula_matrix_set(&W, i, j, entry);
        }
    }
    bool *multiplier = memory_new(t->count, sizeof *multiplier);
    struct elimination *elimination = elimination_new(t->tape, &W, multiplier);
    formula_matrix_clear(&W);
    free(multiplier);
    free(phi_z);
    return elimination;
}

bool torn_newton(struct torn *t, const formula *u0, formula *next)
{
    find_ports(t, u0);
    formula *z = memory_new(t->count, sizeof *z);
    formula *port = memory_new(t->ports, sizeof *port);
    for (int j = 0; j < t->count; j++)
        z[j] = variable(t->tape, BLOCK_ITERATED, j);
    ports_at(t, z, port);
    struct elimination *W = eliminate_torn(t, BLOCK_ITERATED, port, next);
    for (int j = 0; j < t->count; j++)
        next[j] = sub(next[j], z[j]);
    if (W)
        elimination_solve(W, next);
    for (int j = 0; j < t->count; j++)
        next[j] = add(z[j], next[j]);
    elimination_free(W);
    free(z);
    free(port);
    return W;
}

bool torn_solve(struct torn *t, formula *u)
{
    formula *phi = memory_new(t->count, sizeof *phi);
    find_ports(t, u);
    ports_at(t, t->z, t->port);
    t->W = eliminate_torn(t, BLOCK_FOUND, t->port, phi);
    torn_subtract(t, t->z, u);
    free(phi);
    return t->W;
}

void torn_gradients(struct torn *t, const struct solution *known)
{
    const struct explicit_equations *e = t->equations;
    formula *by_a = memory_new(e->n, sizeof *by_a);
    formula *by_lambda = memory_new(e->multipliers, sizeof *by_lambda);
    for (int i = 0; i < t->count; i++) {
        gradient(e->tearing->phi[i], BLOCK_A, e->n, by_a);
        gradient(e->tearing->phi[i], BLOCK_LAMBDA, e->multipliers, by_lambda);
        for (int k = 0; k < e->rows; k++)
            t->J[i * e->rows + k] = e->unknown[k].block == BLOCK_A
                                        ? by_a[e->unknown[k].index]
                                        : by_lambda[e->unknown[k].index];
    }
    fault_alter(t->tape, "tearing", e->mode, t->J, t->count * e->rows);
    solution_fill(known, t->J, t->count * e->rows, t->J);
    free(by_a);
    free(by_lambda);
}

void torn_subtract(const struct torn *t, const formula *w, formula *x)
{
    int rows = t->equations->rows;
    for (int j = 0; j < t->count; j++)
        for (int i = 0; i < rows; i++)
            x[i] = sub(x[i], mul(t->X[j * rows + i], w[j]));
}

void torn_move(const struct torn *t, formula *v)
{
    int rows = t->equations->rows;
    formula *w = memory_new(t->count, sizeof *w);
    for (int i = 0; i < t->count; i++)
        w[i] = dot(t->J + i * rows, v, rows);
    elimination_solve(t->W, w);
    torn_subtract(t, w, v);
    free(w);
}

void torn_init(struct torn *t, struct tape *tape, const struct explicit_equations *e)
{
    int count = e->tearing->count, ports = e->tearing->ports;
    *t = (struct torn){.equations = e, .tape = tape, .count = count, .ports = ports};
    t->X = arena_new(&t->arena, count * e->rows, sizeof *t->X);
    t->y0 = arena_new(&t->arena, ports, sizeof *t->y0);
    t->Y = arena_new(&t->arena, ports * count, sizeof *t->Y);
    t->z = arena_new(&t->arena, count, sizeof *t->z);
    t->port = arena_new(&t->arena, ports, sizeof *t->port);
    t->J = arena_new(&t->arena, count * e->rows, sizeof *t->J);
    for (int j = 0; j < count; j++)
        t->z[j] = variable(tape, BLOCK_FOUND, j);
}

void torn_clear(struct torn *t)
{
    elimination_free(t->W);
    arena_free(&t->arena);
}
