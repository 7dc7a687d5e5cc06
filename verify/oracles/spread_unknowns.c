/*
 * spread_unknowns.c - condition of accelerations and multipliers by errors of the state.
 *
 * Derivatives by parameters do not tell: a stiff spring moves its ends until its force is
 * that of the rest, so the force hardly depends on its stiffness, while every error of
 * position is multiplied by it. So each q, v, s is moved by itself, by a complex step in
 * the equations of the complex-step oracle, at the points that an oracle has.
 */
#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "oracles/complex_model.h"
#include "oracles/oracle.h"
#include "quantity/quantity.h"
#include "size.h"

static const double step = 0x1p-100;
/* Digits of a state that are left in double. */
static const double run_digits = 12;

struct spreader {
    const struct run_request *request;
    const struct columns *columns;
    struct complex_model *model;
    struct complex_values *values;
    struct entry **at;          /* [columns->count] entries of the place; NULL: there is
                                   none */
    double *largest, *state_noise;  /* [columns->width] noise of q, v, s: the largest so
                                       far, and that of the place */
    double *noise;       /* [columns->width] of a and lambda */
};

/* --- a place: the entries of one sample, or of one side of an event --------------- */

/* The column that an entry after `from` of the place can be. */
static int column_after(const struct columns *columns, const char *history, int from)
{
    char name[80];
    for (int c = from; c < columns->count; c++) {
        column_name(columns, c, name, sizeof name);
        if (strcmp(name, history) == 0)
            return c;
    }
    return -1;
}

/* Entries from `first` on; returns where the next place may begin, *found if this is
   one. */
static int read_place(struct spreader *s, struct results *want, int first, bool *found)
{
    const struct columns *columns = s->columns;
    int k = first, from = 0;
    memset(s->at, 0, (size_t)columns->count * sizeof *s->at);
    for (; k < want->count && want->entry[k].point == want->entry[first].point; k++) {
        int c = column_after(columns, want->entry[k].history, from);
        if (c < 0)
            break;
        s->at[c] = &want->entry[k];
        from = c + 1;
    }
    *found = k > first;
    return *found ? k : first + 1;
}

static double number_at(const struct spreader *s, int c)
{
    return s->at[c] ? mpfr_get_d(s->at[c]->value, MPFR_RNDN) : 0;
}

/* |x| + sum of |rho dx/drho| */
static double noise_of(const struct spreader *s, int c)
{
    const struct columns *columns = s->columns;
    double sum = fabs(number_at(s, c));
    for (int j = 0; j < columns->p; j++) {
        int d = c + (j + 1) * columns->width;
        double rho = s->request->value ? s->request->value[columns->parameter[j]] : 0;
        double size = s->at[d] && s->at[d]->rho > 0 ? s->at[d]->rho : fabs(rho);
        sum += size * fabs(number_at(s, d));
    }
    return sum;
}

/* --- moving the state ------------------------------------------------------------- */

struct part {
    enum column_group group;
    int block, count;
};

static void state_parts(const struct model *model, struct part part[3])
{
    part[0] = (struct part){GROUP_Q, BLOCK_Q, model->n};
    part[1] = (struct part){GROUP_V, BLOCK_V, model->n};
    part[2] = (struct part){GROUP_S, BLOCK_S, model->ns};
}

static void load_state(struct spreader *s, const struct part *part)
{
    double complex **x = s->values->x;
    const struct columns *columns = s->columns;
    for (int b = 0; b < 3; b++)
        for (int i = 0; i < part[b].count; i++)
            x[part[b].block][i] = number_at(s, column(columns, part[b].group, i, -1));
    for (int i = 0; i < s->request->model->n; i++)
        x[BLOCK_A][i] = number_at(s, column(columns, GROUP_A, i, -1));
    for (int i = 0; i < s->request->model->m; i++)
        x[BLOCK_LAMBDA][i] = number_at(s, column(columns, GROUP_LAMBDA, i, -1));
}

static void gather(struct spreader *s, enum column_group group, int block, int count)
{
    for (int i = 0; i < count; i++)
        s->noise[s->columns->begin[group] + i] += fabs(cimag(s->values->x[block][i])) /
                                                  step;
}

/* A state that is zero but for rounding has the errors of what it was (size.h). */
static void set_state_noise(struct spreader *s)
{
    for (int c = 0; c < s->columns->begin[GROUP_A]; c++) {
        double noise = noise_of(s, c);
        s->largest[c] = fmax(s->largest[c], noise);
        s->state_noise[c] = size_is_rounding(log2(noise), log2(s->largest[c]), run_digits)
                                ? s->largest[c] : noise;
    }
}

/* Moves the state; false: the equations cannot be solved here, and nothing is known. */
static bool move_state(struct spreader *s, const struct mode *mode, double t)
{
    struct part part[3];
    state_parts(s->request->model, part);
    s->values->x[BLOCK_T][0] = t;
    for (int b = 0; b < 3; b++)
        for (int i = 0; i < part[b].count; i++) {
            int c = column(s->columns, part[b].group, i, -1);
            load_state(s, part);
            s->values->x[part[b].block][i] += step * s->state_noise[c] * _Complex_I;
            if (complex_model_motion(s->model, mode->index, s->values, step) != OK)
                return false;
            gather(s, GROUP_A, BLOCK_A, s->request->model->n);
            gather(s, GROUP_LAMBDA, BLOCK_LAMBDA, mode->m);
        }
    return true;
}

static void spread_place(struct spreader *s, const struct mode *mode, double t)
{
    const int *begin = s->columns->begin;
    memset(s->noise, 0, (size_t)s->columns->width * sizeof *s->noise);
    set_state_noise(s);
    if (!move_state(s, mode, t))
        return;
    for (int c = begin[GROUP_A]; c < begin[GROUP_LAMBDA] + mode->m; c++)
        if (s->at[c])
            s->at[c]->spread = s->noise[c] + noise_of(s, c);
}

/* The mode of a place of `want`, which has the places of the trajectory. */
static const struct mode *mode_of(const struct trajectory *trajectory,
                                  const struct entry *entry, int *samples)
{
    const struct quantity quantity = quantity_parse(entry->name);
    if (quantity.place == BEFORE_EVENT || quantity.place == AFTER_EVENT) {
        if (quantity.event > trajectory->events)
            return NULL;
        const struct event_record *event = &trajectory->event[quantity.event - 1];
        return quantity.place == BEFORE_EVENT ? event->before.mode : event->after.mode;
    }
    return *samples < trajectory->samples ? trajectory->sample[(*samples)++].mode : NULL;
}

void spread_unknowns(const struct run_request *request,
                     const struct trajectory *trajectory, struct results *want)
{
    const struct columns *columns = &trajectory->columns;
    struct diagnosis ignored;
    struct spreader s = {.request = request, .columns = columns};
    if (complex_model_new(request, &s.model, &ignored) != OK)
        return;
    s.values = complex_values_new(request->model, 0);
    s.at = memory_new(columns->count, sizeof(struct entry *));
    s.noise = memory_new(columns->width, sizeof *s.noise);
    s.state_noise = memory_new(columns->width, sizeof *s.state_noise);
    s.largest = memory_new(columns->width, sizeof *s.largest);
    for (int j = 0; j < request->model->p && trajectory->value; j++)
        s.values->x[BLOCK_RHO][j] = trajectory->value[j];
    complex_model_rho(s.model, s.values);
    int samples = 0;
    for (int k = 0; k < want->count && trajectory->value;) {
        bool found;
        const struct entry *first = &want->entry[k];
        k = read_place(&s, want, k, &found);
        const struct mode *mode = found ? mode_of(trajectory, first, &samples) : NULL;
        if (mode)
            spread_place(&s, mode, first->t);
    }
    free(s.at);
    free(s.noise);
    free(s.state_noise);
    free(s.largest);
    complex_values_free(s.values);
    complex_model_free(s.model);
}
