/*
 * identity.c - FNV-1a of the formulas of a case and of text (identity.h)
 */
#include "sweep/identity.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "program/program.h"

/* FNV-1a of 64 bits (Fowler, Noll, Vo). */
static const uint64_t basis = 14695981039346656037u;

static void put_byte(uint64_t *hash, unsigned char byte)
{
    *hash = (*hash ^ byte) * 1099511628211u;
}

static void put_text(uint64_t *hash, const char *text)
{
    for (; *text; text++)
        put_byte(hash, (unsigned char)*text);
    put_byte(hash, 0);
}

static void put_number(uint64_t *hash, long number)
{
    uint64_t bits = (uint64_t)number;
    for (int k = 0; k < 8; k++)
        put_byte(hash, (unsigned char)(bits >> 8 * k));
}

uint64_t text_identity(const char *text)
{
    uint64_t hash = basis;
    put_text(&hash, text);
    return hash;
}

/* --- formulas, in one list ---------------------------------------------------------- */

struct list {
    formula *f;
    int count, room;
    uint64_t hash;          /* hash of everything that is no formula */
};

static void list_add(struct list *list, const formula *f, int count)
{
    list->f = memory_grow(list->f, &list->room, list->count + count, sizeof *list->f);
    memory_copy(list->f + list->count, f, count, sizeof *f);
    list->count += count;
    /* a formula that was never set differs from the formula 0: a start that is to be
       found */
    for (int i = 0; i < count; i++)
        put_byte(&list->hash, f[i].tape != NULL);
}

static void add_mode(struct list *list, const struct model *model,
                     const struct mode *mode)
{
    for (int i = 0; i < model->n; i++)
        list_add(list, mode->M[i], model->n);
    list_add(list, mode->F, model->n);
    list_add(list, mode->Phi, mode->m);
    list_add(list, mode->f_s, model->ns);
    list_add(list, mode->g, model->nz);
    for (int i = 0; i < mode->m; i++)
        put_number(&list->hash, mode->velocity_level[i]);
}

static void add_event(struct list *list, const struct model *model,
                      const struct event *event)
{
    const long word[] = {event->from->index,   event->to->index, event->direction,
                         event->terminal,      event->velocity,  event->impulses,
                         event->joints};
    for (size_t k = 0; k < sizeof word / sizeof *word; k++)
        put_number(&list->hash, word[k]);
    list_add(list, &event->guard, 1);
    if (event->conditions > 0)
        list_add(list, event->condition, event->conditions);
    list_add(list, event->q_plus, model->n);
    list_add(list, event->v_plus, model->n);
    list_add(list, event->s_plus, model->ns);
    list_add(list, event->cost, model->nz);
    list_add(list, event->J, event->rows);
}

static void add_model(struct list *list, const struct model *model)
{
    for (int k = 0; k < model->p; k++)
        list_add(list, &model->parameter[k].nominal, 1);
    for (int k = 0; k < model->modes; k++)
        add_mode(list, model, model->mode[k]);
    for (int k = 0; k < model->events; k++)
        add_event(list, model, model->event[k]);
    put_number(&list->hash, model->start->index);
    put_number(&list->hash, (long)model->reset);
    list_add(list, &model->t0, 1);
    list_add(list, &model->t_end, 1);
    list_add(list, model->q0, model->n);
    list_add(list, model->q_guess, model->n);
    list_add(list, model->v0, model->n);
    list_add(list, model->v_guess, model->n);
    list_add(list, model->s0, model->ns);
    list_add(list, model->s_guess, model->ns);
    list_add(list, model->Gamma, model->start_rows);
    list_add(list, model->stop, model->stops);
    list_add(list, model->w, model->nz);
}

/* Puts a constant by its text, any other row by numbers: block and index of a variable,
   the slots of operands. Nothing depends on the order in which rows were recorded. */
static void put_row(uint64_t *hash, const struct program *program, int slot)
{
    const struct program_row *row = &program->row[slot];
    put_number(hash, row->op);
    if (row->op == OP_CONSTANT) {
        put_text(hash, tape_constant(program->tape, row->a));
    } else {
        put_number(hash, row->a);
        put_number(hash, row->b);
    }
}

uint64_t model_identity(const struct model *model)
{
    unsigned char stage[BLOCK_LIMIT];
    struct list list = {.hash = basis};
    add_model(&list, model);
    memset(stage, 1, sizeof stage);
    struct program *program = program_seal(model->tape, list.f, list.count, stage);
    for (int slot = 0; slot < program->slots; slot++)
        put_row(&list.hash, program, slot);
    for (int k = 0; k < program->outputs; k++)
        put_number(&list.hash, program->output[k]);
    program_free(program);
    free(list.f);
    return list.hash;
}
