/*
 * model_branch.c - the same mechanism on a tape of its own (formula/tape.h, tape_branch).
 *
 * A model is constant: who derives formulas from it does so on a branch. Modes, events
 * and all arrays of formulas are made again, so that each formula of the branch has the
 * tape of the branch; names, texts and patterns of entries are those of the model.
 */
#include <stdlib.h>

#include "base/memory.h"
#include "formula/domain_edges.h"
#include "formula/tape.h"
#include "model_internal.h"

static void move(struct tape *tape, formula *f)
{
    if (f->tape)
        f->tape = tape;
}

static formula *moved(struct tape *tape, const formula *f, int count)
{
    formula *own = memory_new(count, sizeof *own);
    memory_copy(own, f, count, sizeof *own);
    for (int i = 0; i < count; i++)
        move(tape, &own[i]);
    return own;
}

/* A matrix [rows][columns] moved; hardly any entry of it is there. */
static formula *moved_entries(struct tape *tape, const formula *f,
                              const struct entries *at, int rows, int columns)
{
    formula *own = memory_new(rows * columns, sizeof *own);
    for (int i = 0; i < rows; i++)
        for (int k = at->begin[i]; k < at->begin[i + 1]; k++) {
            int place = i * columns + at->column[k];
            own[place] = f[place];
            move(tape, &own[place]);
        }
    return own;
}

static formula **moved_square(struct tape *tape, formula *const *M,
                              const struct entries *at, int n)
{
    formula **own = memory_new(1 + n, sizeof *own);
    formula *block = *own++ = memory_new(n * n, sizeof *block);     /* to be freed */
    for (int i = 0; i < n; i++) {
        own[i] = block + (size_t)i * (size_t)n;
        for (int k = at->begin[i]; k < at->begin[i + 1]; k++) {
            own[i][at->column[k]] = M[i][at->column[k]];
            move(tape, &own[i][at->column[k]]);
        }
    }
    return own;
}

static struct edges *moved_edges(struct tape *tape, const struct edges *edges)
{
    struct edges *own = memory_new(1, sizeof *own);
    *own = *edges;
    own->edge = memory_new(own->count, sizeof *own->edge);
    memory_copy(own->edge, edges->edge, own->count, sizeof *own->edge);
    for (int k = 0; k < own->count; k++) {
        move(tape, &own->edge[k].row);
        move(tape, &own->edge[k].zero);
        move(tape, &own->edge[k].beside);
    }
    own->domain = memory_new(own->domains, sizeof *own->domain);
    memory_copy(own->domain, edges->domain, own->domains, sizeof *own->domain);
    for (int k = 0; k < own->domains; k++) {
        move(tape, &own->domain[k].row);
        move(tape, &own->domain[k].inside);
    }
    return own;
}

static void free_edges(struct edges *edges)
{
    free(edges->edge);
    free(edges->domain);
    free(edges);
}

/* --- modes -------------------------------------------------------------------------- */

static struct mode *branch_mode(const struct model *model, struct tape *tape,
                                const struct mode *mode)
{
    int n = model->n, m = mode->m;
    struct mode *own = memory_new(1, sizeof *own);
    *own = *mode;
    own->M = moved_square(tape, mode->M, &mode->M_entries, n);
    own->F = moved(tape, mode->F, n);
    own->Phi = moved(tape, mode->Phi, m);
    own->f_s = moved(tape, mode->f_s, model->ns);
    own->g = moved(tape, mode->g, model->nz);
    own->Phid = moved(tape, mode->Phid, m);
    own->Phidd = moved(tape, mode->Phidd, m);
    own->lambda_force = moved(tape, mode->lambda_force, n);
    own->Phi_q = moved_entries(tape, mode->Phi_q, &mode->Phi_q_entries, m, n);
    own->Phid_v = mode->Phid_v == mode->Phi_q
                      ? own->Phi_q
                      : moved_entries(tape, mode->Phid_v, &mode->Phid_v_entries, m, n);
    own->load = memory_new(mode->loads, sizeof *own->load);
    memory_copy(own->load, mode->load, mode->loads, sizeof *own->load);
    for (int k = 0; k < mode->loads; k++) {
        move(tape, &own->load[k].place);
        move(tape, &own->load[k].force);
    }
    move(tape, &own->T);
    move(tape, &own->V);
    move(tape, &own->power);
    own->edges = moved_edges(tape, mode->edges);
    return own;
}

static void free_mode(struct mode *mode)
{
    formula *const array[] = {mode->F, mode->Phi, mode->f_s, mode->g, mode->Phid,
                              mode->Phidd, mode->lambda_force, mode->Phi_q};
    for (size_t k = 0; k < sizeof array / sizeof *array; k++)
        free(array[k]);
    if (mode->Phid_v != mode->Phi_q)
        free(mode->Phid_v);
    free(mode->M[-1]);
    free(mode->M - 1);
    free(mode->load);
    free_edges(mode->edges);
    free(mode);
}

/* --- events ------------------------------------------------------------------------- */

static struct event *branch_event(const struct model *model, struct tape *tape,
                                  const struct model *branch, const struct event *event)
{
    int n = model->n;
    struct event *own = memory_new(1, sizeof *own);
    *own = *event;
    own->from = branch->mode[event->from->index];
    own->to = branch->mode[event->to->index];
    move(tape, &own->guard);
    own->condition = moved(tape, event->condition, event->conditions);
    own->q_plus = moved(tape, event->q_plus, n);
    own->v_plus = moved(tape, event->v_plus, n);
    own->s_plus = moved(tape, event->s_plus, model->ns);
    own->Psi = moved(tape, event->Psi, event->impulses);
    own->E = moved(tape, event->E, event->impulses);
    own->cost = moved(tape, event->cost, model->nz);
    own->J = moved(tape, event->J, event->rows);
    own->balance = memory_new(event->balances, sizeof *own->balance);
    memory_copy(own->balance, event->balance, event->balances, sizeof *own->balance);
    for (int k = 0; k < event->balances; k++) {
        move(tape, &own->balance[k].left);
        move(tape, &own->balance[k].right);
    }
    own->edges = moved_edges(tape, event->edges);
    own->condition_edges = moved_edges(tape, event->condition_edges);
    return own;
}

static void free_event(struct event *event)
{
    formula *const array[] = {event->condition, event->q_plus, event->v_plus,
                              event->s_plus, event->Psi, event->E, event->cost, event->J};
    for (size_t k = 0; k < sizeof array / sizeof *array; k++)
        free(array[k]);
    free(event->balance);
    free_edges(event->edges);
    free_edges(event->condition_edges);
    free(event);
}

/* --- the model ---------------------------------------------------------------------- */

static void branch_start(const struct model *model, struct tape *tape,
                         struct model *own)
{
    formula *const single[] = {&own->t0, &own->t_end, &own->energy};
    for (size_t k = 0; k < sizeof single / sizeof *single; k++)
        move(tape, single[k]);
    own->q0 = moved(tape, model->q0, model->n);
    own->q_guess = moved(tape, model->q_guess, model->n);
    own->v0 = moved(tape, model->v0, model->n);
    own->v_guess = moved(tape, model->v_guess, model->n);
    own->s0 = moved(tape, model->s0, model->ns);
    own->s_guess = moved(tape, model->s_guess, model->ns);
    own->Gamma = moved(tape, model->Gamma, model->start_rows);
    own->stop = moved(tape, model->stop, model->stops);
    own->w = moved(tape, model->w, model->nz);
    own->start_edges = moved_edges(tape, model->start_edges);
    own->end_edges = moved_edges(tape, model->end_edges);
    own->steady_edges = moved_edges(tape, model->steady_edges);
    own->parameter = memory_new(model->p, sizeof *own->parameter);
    memory_copy(own->parameter, model->parameter, model->p, sizeof *own->parameter);
    for (int j = 0; j < model->p; j++)
        move(tape, &own->parameter[j].nominal);
    own->equality = memory_new(model->equalities, sizeof *own->equality);
    memory_copy(own->equality, model->equality, model->equalities, sizeof *own->equality);
    for (int k = 0; k < model->equalities; k++) {
        move(tape, &own->equality[k].own);
        move(tape, &own->equality[k].twin);
    }
}

static void branch_segments(const struct model *model, struct tape *tape,
                            struct model *own)
{
    own->segment = memory_new(model->segments, sizeof *own->segment);
    memory_copy(own->segment, model->segment, model->segments, sizeof *own->segment);
    for (int k = 0; k < model->segments; k++)
        for (int i = 0; i < 3; i++) {
            move(tape, &own->segment[k].from[i]);
            move(tape, &own->segment[k].to[i]);
        }
}

struct model *model_branch(const struct model *model)
{
    struct model *own = memory_new(1, sizeof *own);
    *own = *model;
    struct tape *tape = own->tape = tape_branch(model->tape);
    own->recording = memory_new(1, sizeof *own->recording);
    own->mode = memory_new(model->modes, sizeof *own->mode);
    own->event = memory_new(model->events, sizeof *own->event);
    for (int k = 0; k < model->modes; k++)
        own->mode[k] = branch_mode(model, tape, model->mode[k]);
    for (int k = 0; k < model->events; k++)
        own->event[k] = branch_event(model, tape, own, model->event[k]);
    own->start = own->mode[model->start->index];
    model_move_pen(own, own->mode[model->pen->index]);
    branch_start(model, tape, own);
    branch_segments(model, tape, own);
    return own;
}

void model_branch_free(struct model *branch)
{
    if (!branch)
        return;
    for (int k = 0; k < branch->modes; k++)
        free_mode(branch->mode[k]);
    for (int k = 0; k < branch->events; k++)
        free_event(branch->event[k]);
    formula *const array[] = {branch->q0, branch->q_guess, branch->v0, branch->v_guess,
                              branch->s0, branch->s_guess, branch->Gamma, branch->stop,
                              branch->w};
    for (size_t k = 0; k < sizeof array / sizeof *array; k++)
        free(array[k]);
    free_edges(branch->start_edges);
    free_edges(branch->end_edges);
    free_edges(branch->steady_edges);
    free(branch->parameter);
    free(branch->equality);
    free(branch->segment);
    free(branch->mode);
    free(branch->event);
    tape_free(branch->tape);
    free(branch->recording->written);
    free(branch->recording);
    free(branch);
}
