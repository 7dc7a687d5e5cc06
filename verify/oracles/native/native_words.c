/*
 * native_words.c - the words of native/case.h, which keep values.
 */
#include "oracles/native/case.h"

#include <stdlib.h>

#include "base/memory.h"

static formula unset(void)
{
    return quad_number((quad)NAN, 0);
}

bool native_is_set(formula value)
{
    return quad_real(value) == quad_real(value);
}

static void unset_all(formula *f, int count)
{
    for (int i = 0; i < count; i++)
        f[i] = unset();
}

/* --- declarations ------------------------------------------------------------------- */

static int names_in(const char *names)
{
    int count = 1;
    for (; *names; names++)
        count += *names == ',';
    return count;
}

/* Makes the arrays of a mode, as soon as their length is known. M, F, f_s, g are zero,
   Phi is unset. */
static void size_mode(const struct model *model, struct mode *mode)
{
    int n = model->n;
    if (n > 0 && !mode->M) {
        mode->M = memory_new(n, sizeof *mode->M);
        for (int i = 0; i < n; i++)
            mode->M[i] = memory_new(n, sizeof(formula));
        mode->F = memory_new(n, sizeof(formula));
    }
    if (model->ns > 0 && !mode->f_s)
        mode->f_s = memory_new(model->ns, sizeof(formula));
    if (model->nz > 0 && !mode->g)
        mode->g = memory_new(model->nz, sizeof(formula));
    if (!mode->Phi) {
        mode->Phi = memory_new(NATIVE_ROWS, sizeof(formula));
        unset_all(mode->Phi, NATIVE_ROWS);
    }
}

static void move_pen(struct model *model, struct mode *mode)
{
    size_mode(model, mode);
    model->pen = mode;
    model->M = mode->M;
    model->F = mode->F;
    model->Phi = mode->Phi;
    model->f_s = mode->f_s;
    model->g = mode->g;
}

/* Makes room for the declared variables; block NATIVE_BLOCKS stands for costs. */
void native_declare(struct model *model, enum native_block block, const char *names)
{
    int count = names_in(names);
    switch (block) {
    case NATIVE_BLOCKS:
        model->nz = count;
        model->w = memory_new(count, sizeof *model->w);
        break;
    case NATIVE_Q:
        model->n = count;
        model->q0 = memory_new(count, sizeof *model->q0);
        model->q_guess = memory_new(count, sizeof *model->q_guess);
        model->v0 = memory_new(count, sizeof *model->v0);
        model->v_guess = memory_new(count, sizeof *model->v_guess);
        break;
    case NATIVE_S:
        model->ns = count;
        model->s0 = memory_new(count, sizeof *model->s0);
        model->s_guess = memory_new(count, sizeof *model->s_guess);
        break;
    case NATIVE_RHO:
        model->p = count;
        break;
    default:
        break;
    }
    move_pen(model, model->pen);
}

formula native_next(struct model *model, enum native_block block)
{
    int i = model->next[block]++;
    return model->value[block] ? model->value[block][i] : 0;
}

/* --- modes and events --------------------------------------------------------------- */

struct mode *native_mode(struct model *model, const char *name)
{
    (void)name;
    if (model->modes == 1 && !model->named) {
        model->named = true;
        return model->pen;
    }
    int k = model->modes++;
    model->mode = realloc(model->mode, (size_t)(k + 1) * sizeof(struct mode *));
    if (!model->mode)
        memory_exhausted();
    model->mode[k] = memory_new(1, sizeof(struct mode));
    model->mode[k]->index = k;
    move_pen(model, model->mode[k]);
    return model->pen;
}

int native_constraint(struct model *model, formula Phi)
{
    int i = 0;
    while (i < NATIVE_ROWS - 1 && native_is_set(model->pen->Phi[i]))
        i++;
    model->pen->Phi[i] = Phi;
    return i;
}

struct event *native_event(struct model *model, const char *name, struct mode *from,
                           struct mode *to, formula guard, enum direction direction)
{
    int k = model->events++;
    model->event = realloc(model->event, (size_t)(k + 1) * sizeof(struct event *));
    if (!model->event)
        memory_exhausted();
    struct event *event = model->event[k] = memory_new(1, sizeof *event);
    *event = (struct event){.name = name, .from = from, .to = to, .direction = direction,
                            .guard = guard};
    event->q_plus = memory_new(model->n, sizeof(formula));
    event->v_plus = memory_new(model->n, sizeof(formula));
    event->s_plus = memory_new(model->ns, sizeof(formula));
    event->cost = memory_new(model->nz, sizeof(formula));
    unset_all(event->q_plus, model->n);
    unset_all(event->v_plus, model->n);
    unset_all(event->s_plus, model->ns);
    return event;
}

void native_impulse(struct event *event, formula Psi, formula E)
{
    event->velocity = VELOCITY_IMPULSIVE;
    event->Psi[event->impulses] = Psi;
    event->E[event->impulses++] = E;
}

void native_impulse_joints(struct event *event)
{
    event->velocity = VELOCITY_IMPULSIVE;
    event->joints = true;
}

void native_constrain_velocity(struct event *event)
{
    event->velocity = VELOCITY_CONSTRAINED;
}

void native_start_row(struct model *model, formula Gamma)
{
    if (model->start_rows < NATIVE_ROWS)
        model->Gamma[model->start_rows++] = Gamma;
}

void native_require(struct event *event, formula condition)
{
    event->condition[event->conditions++] = condition;
}
