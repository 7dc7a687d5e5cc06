/*
 * lagrange.c - Lagrange's equations from energies and loads, by symbolic differentiation
 * (lagrange.h).
 *
 *     M += T_vv      F += T_q - (T_v)_q v - (T_v)_t - (T_v)_s f_s - V_q + loads
 *
 * A kinetic energy that is not quadratic in v gives a mass matrix that depends on v, and
 * the model is refused.
 */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "elements/lagrange.h"
#include "formula/diff.h"
#include "model_internal.h"

/* --- words -------------------------------------------------------------------------- */

void model_kinetic(struct model *model, formula T)
{
    model->pen->T = add(model->pen->T, T);
}

void model_potential(struct model *model, formula V)
{
    model->pen->V = add(model->pen->V, V);
}

static void append_load(struct mode *mode, struct load load)
{
    mode->load = memory_grow(mode->load, &mode->load_room, mode->loads + 1,
                             sizeof *mode->load);
    mode->load[mode->loads++] = load;
}

void model_force(struct model *model, formula place, formula force)
{
    append_load(model->pen, (struct load){place, force, false});
}

void model_force_on_rate(struct model *model, formula rate, formula force)
{
    append_load(model->pen, (struct load){rate, force, true});
}

formula model_energy(const struct model *model)
{
    return add(model->pen->T, model->pen->V);
}

formula model_rate(const struct model *model, formula f)
{
    formula rate;
    mode_time_derivative(model, model->pen, &f, 1, &rate);
    return rate;
}

/* --- completing a mode -------------------------------------------------------------- */

/* The rate of a variable along the motion, with velocities held constant. */
static formula at_constant_v(void *context, int block, int index)
{
    return block == BLOCK_V ? (formula){NULL, 0} : along_motion(context, block, index);
}

/* Adds T_vv to M; rate [n] becomes the rate of the momenta T_v at constant v. */
static void add_inertia(const struct model *model, struct mode *mode, formula *rate)
{
    int n = model->n;
    struct motion motion = {model, mode};
    formula *momentum = memory_new(n, sizeof *momentum);
    formula *row = memory_new(n, sizeof *row);
    int *column = memory_new(n, sizeof *column);
    gradient(mode->T, BLOCK_V, n, momentum);
    for (int i = 0; i < n; i++) {
        int count = gradient_entries(momentum[i], BLOCK_V, n, row, column);
        for (int k = 0; k < count; k++) {
            int j = column[k];
            if (j >= i)                 /* one triangle gives both: symmetric to the
                                           bit */
                mode->M[i][j] = add(mode->M[i][j], row[j]);
            if (j > i)
                mode->M[j][i] = add(mode->M[j][i], row[j]);
            row[j] = (formula){NULL, 0};
        }
    }
    tangent_along(momentum, n, at_constant_v, &motion, rate);
    free(momentum);
    free(row);
    free(column);
}

void mode_complete_energies(const struct model *model, struct mode *mode)
{
    int n = model->n;
    if (is_zero(mode->T) && is_zero(mode->V) && mode->loads == 0)
        return;
    formula *rate = memory_new(n, sizeof *rate), *part = memory_new(n, sizeof *part);
    int *column = memory_new(n, sizeof *column);
    add_inertia(model, mode, rate);
    gradient(sub(mode->T, mode->V), BLOCK_Q, n, part);
    for (int i = 0; i < n; i++)
        mode->F[i] = add(mode->F[i], sub(part[i], rate[i]));
    memset(part, 0, (size_t)n * sizeof *part);
    for (int k = 0; k < mode->loads; k++) {
        const struct load *load = &mode->load[k];
        int count = gradient_entries(load->place, load->rate ? BLOCK_V : BLOCK_Q, n, part,
                                     column);
        for (int l = 0; l < count; l++) {
            int i = column[l];
            mode->F[i] = add(mode->F[i], mul(part[i], load->force));
            part[i] = (formula){NULL, 0};
        }
    }
    free(rate);
    free(part);
    free(column);
}
