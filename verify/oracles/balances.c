/*
 * balances.c - energy and momentum balances on a motion in MPFR (balances.h)
 */
#include "oracles/balances.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "arithmetic/mp.h"
#include "arithmetic/series.h"
#include "base/memory.h"
#include "certificates/certificate.h"
#include "formula/diff.h"

enum { EVALUATION = 1 };

/* A motion, and numbers of its precision. */
struct measured {
    const struct model *model;      /* a branch of the model, with terms of the laws */
    const struct mp_trajectory *motion;
    mpfr_ptr rho, x, sum;           /* rho [p] parameters; x a block of a point; sum
                                       [1] */
};

/* --- formulas at a point ------------------------------------------------------------ */

static struct mp_series *series_of(const struct measured *m, const formula *f, int count,
                                   struct program **program)
{
    unsigned char stage[BLOCK_LIMIT] = {0};
    for (int b = 0; b < BLOCKS; b++)
        stage[b] = EVALUATION;
    *program = program_seal(m->model->tape, f, count, stage);
    struct mp_series *series = mp_series_new(*program, 0, m->motion->precision, 1,
                                             PROGRAM_STAGES);
    mp_series_load(series, 0, BLOCK_RHO, 0, m->rho, 1);
    return series;
}

static void load_group(const struct measured *m, struct mp_series *series, int block,
                       const struct mp_point *point, enum column_group group)
{
    const int *begin = m->motion->columns.begin;
    int size = begin[group + 1] - begin[group];
    for (int i = 0; i < size; i++)
        mpfr_set(m->x + i, point->x[begin[group] + i], MPFR_RNDN);
    if (size > 0)
        mp_series_load(series, 0, block, 0, m->x, 1);
}

static void load_point(const struct measured *m, struct mp_series *series,
                       const struct mp_point *point)
{
    mp_series_load(series, 0, BLOCK_T, 0, point->t, 1);
    load_group(m, series, BLOCK_Q, point, GROUP_Q);
    load_group(m, series, BLOCK_V, point, GROUP_V);
    load_group(m, series, BLOCK_S, point, GROUP_S);
    load_group(m, series, BLOCK_A, point, GROUP_A);
    load_group(m, series, BLOCK_LAMBDA, point, GROUP_LAMBDA);
}

/* Notes a gap; a law of something that is not a number does not hold. */
static void note(const struct measured *m, struct balance_found *found, double *size,
                 const struct mp_point *point, double largest)
{
    double gap = mpfr_nan_p(m->sum) ? INFINITY : fabs(mpfr_get_d(m->sum, MPFR_RNDN));
    *size = fmax(*size, largest);
    if (gap > found->worst) {
        found->worst = gap;
        found->t = mpfr_get_d(point->t, MPFR_RNDN);
    }
}

/* Has there been anything to compare? */
static bool relative_to(struct balance_found *found, double size)
{
    found->worst /= size > 0 ? size : 1;
    return size > 0 || found->worst > 0;
}

/* --- the rate of the energy --------------------------------------------------------- */

/* E_t, E_q v, E_v a, E_s f_s term by term, and the power; to be freed. */
static formula *terms_of_rate(const struct model *model, const struct mode *mode,
                              int *count)
{
    int n = model->n, ns = model->ns;
    struct tape *tape = model->tape;
    formula *term = memory_new(2 + 2 * n + ns, sizeof *term);
    gradient(model->energy, BLOCK_T, 1, term);
    gradient(model->energy, BLOCK_Q, n, term + 1);
    gradient(model->energy, BLOCK_V, n, term + 1 + n);
    gradient(model->energy, BLOCK_S, ns, term + 1 + 2 * n);
    for (int i = 0; i < n; i++) {
        term[1 + i] = mul(term[1 + i], variable(tape, BLOCK_V, i));
        term[1 + n + i] = mul(term[1 + n + i], variable(tape, BLOCK_A, i));
    }
    for (int k = 0; k < ns; k++)
        term[1 + 2 * n + k] = mul(term[1 + 2 * n + k], mode->f_s[k]);
    term[1 + 2 * n + ns] = negate(mode->power);
    *count = 2 + 2 * n + ns;
    return term;
}

static void look_at_rate(const struct measured *m, const struct mode *mode,
                         struct mp_series *series, int terms, struct balance_found *found,
                         double *size, const struct mp_point *point)
{
    double largest = 0;
    if (point->mode != mode)
        return;
    load_point(m, series, point);
    mp_series_run(series, 0, EVALUATION, 0);
    mpfr_set_zero(m->sum, 1);
    for (int k = 0; k < terms; k++) {
        mpfr_srcptr term = mp_series_output(series, 0, k);
        largest = fmax(largest, fabs(mpfr_get_d(term, MPFR_RNDN)));
        mpfr_add(m->sum, m->sum, term, MPFR_RNDN);
    }
    note(m, found, size, point, largest);
}

/* The power law of a mode; where nothing changes the energy, the reference watches it
   itself (arcs.c). */
static bool power_of(const struct measured *m, const struct mode *mode,
                     struct balance_found *found)
{
    int terms;
    double size = 0;
    struct program *program;
    if (!mode->power.tape)
        return false;
    formula *term = terms_of_rate(m->model, m->model->mode[mode->index], &terms);
    struct mp_series *series = series_of(m, term, terms, &program);
    for (int k = 0; k < m->motion->samples; k++)
        look_at_rate(m, mode, series, terms, found, &size, &m->motion->sample[k]);
    for (int k = 0; k < m->motion->events; k++) {
        look_at_rate(m, mode, series, terms, found, &size, &m->motion->event[k].before);
        look_at_rate(m, mode, series, terms, found, &size, &m->motion->event[k].after);
    }
    mp_series_free(series);
    program_free(program);
    free(term);
    snprintf(found->name, sizeof found->name, "power of %.80s", mode->name);
    return relative_to(found, size);
}

/* --- events ------------------------------------------------------------------------- */

static bool balance_of(const struct measured *m, const struct event *event,
                       const struct balance *balance, struct balance_found *found)
{
    double size = 0;
    struct program *program;
    const formula side[] = {balance->left, balance->right};
    struct mp_series *series = series_of(m, side, 2, &program);
    for (int k = 0; k < m->motion->events; k++) {
        const struct mp_event *at = &m->motion->event[k];
        if (at->event != event)
            continue;
        load_point(m, series, &at->before);
        load_group(m, series, BLOCK_Q_PLUS, &at->after, GROUP_Q);
        load_group(m, series, BLOCK_V_PLUS, &at->after, GROUP_V);
        load_group(m, series, BLOCK_S_PLUS, &at->after, GROUP_S);
        mp_series_run(series, 0, EVALUATION, 0);
        mpfr_srcptr left = mp_series_output(series, 0, 0);
        mpfr_srcptr right = mp_series_output(series, 0, 1);
        mpfr_sub(m->sum, left, right, MPFR_RNDN);
        note(m, found, &size, &at->before,
             fmax(fabs(mpfr_get_d(left, MPFR_RNDN)), fabs(mpfr_get_d(right, MPFR_RNDN))));
    }
    mp_series_free(series);
    program_free(program);
    snprintf(found->name, sizeof found->name, "%.40s at %.40s", balance->name,
             event->name);
    return relative_to(found, size);
}

/* --- all of them -------------------------------------------------------------------- */

struct balance_found *balances_find(const struct model *model,
                                    const struct mp_trajectory *motion, int *count)
{
    int most = model->modes, width = 1;
    for (int k = 0; k < model->events; k++)
        most += model->event[k]->balances;
    for (int g = 0; g < GROUPS; g++) {
        int size = motion->columns.begin[g + 1] - motion->columns.begin[g];
        width = size > width ? size : width;
    }
    int digits = (int)((double)motion->precision * MP_DIGITS_PER_BIT);
    struct model *branch = model_branch(model);
    struct measured m = {
        branch, motion, .rho = certificate_nominal(model, digits),
        .x = mp_vector_new((size_t)width, motion->precision),
        .sum = mp_vector_new(1, motion->precision)};
    struct balance_found *found = memory_new(most, sizeof *found);
    *count = 0;
    for (int k = 0; k < model->modes; k++)
        *count += power_of(&m, model->mode[k], &found[*count]);
    for (int k = 0; k < model->events; k++)
        for (int l = 0; l < model->event[k]->balances; l++)
            *count += balance_of(&m, model->event[k], &model->event[k]->balance[l],
                                 &found[*count]);
    mp_vector_free(m.rho);
    mp_vector_free(m.x);
    mp_vector_free(m.sum);
    model_branch_free(branch);
    return found;
}
