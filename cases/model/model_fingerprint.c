/*
 * model_fingerprint.c - fingerprint of a case: one hash for all that it states and that
 * can change a number of its motion, or what such a number is called.
 *
 * Certified values and proofs belong to a statement. The fingerprint is taken of what
 * the case has written, before anything is derived from it: formulas, conditions,
 * directions, flags and how they are connected, the names under which numbers stand in
 * files, the units in which they are read. Layout, LET, texts that only explain, drawings
 * and what is judged anew on every motion (balances, printed numbers, twins) do not
 * count. Nominal values are left out: files hold them as they are stated, and say which
 * one has changed.
 */
#include <stdlib.h>
#include <string.h>

#include "base/index.h"
#include "base/memory.h"
#include "model_internal.h"

/* State of the hash; row[i] is the hash of row i of the tape, wherever the row stands. */
struct fingerprint {
    uint64_t hash, *row;
};

static uint64_t with_number(uint64_t hash, int64_t number)
{
    unsigned char byte[8];
    for (int k = 0; k < 8; k++)
        byte[k] = (unsigned char)((uint64_t)number >> 8 * k);
    return hash_bytes(hash, byte, sizeof byte);
}

static uint64_t *hash_rows(const struct tape *tape)
{
    int rows = tape_rows(tape);
    uint64_t *hash = memory_new(rows, sizeof *hash);
    for (int i = 0; i < rows; i++) {
        struct tape_row row = tape_row(tape, i);
        int arity = row.op == OP_POWI ? 1 : op_info[row.op].arity;
        const char *name = row.op == OP_POWI       ? "power"
                           : row.op == OP_CONSTANT ? tape_constant(tape, row.a)
                           : row.op == OP_PI       ? "pi"
                           : row.op == OP_VARIABLE ? "variable" : op_info[row.op].text;
        hash[i] = hash_bytes(HASH_BEGIN, name, strlen(name) + 1);
        if (row.op == OP_VARIABLE)
            hash[i] = with_number(hash[i], row.a);
        if (row.op == OP_VARIABLE || row.op == OP_POWI)
            hash[i] = with_number(hash[i], row.b);
        if (arity >= 1)
            hash[i] = with_number(hash[i], (int64_t)hash[row.a]);
        if (arity >= 2)
            hash[i] = with_number(hash[i], (int64_t)hash[row.b]);
    }
    return hash;
}

static void number(struct fingerprint *print, int64_t value)
{
    print->hash = with_number(print->hash, value);
}

static void word(struct fingerprint *print, const char *text)
{
    print->hash = hash_bytes(print->hash, text, strlen(text) + 1);
}

static void words(struct fingerprint *print, char *const *text, int count)
{
    number(print, count);
    for (int i = 0; i < count; i++)
        word(print, text[i]);
}

static void flags(struct fingerprint *print, const bool *flag, int count)
{
    number(print, count);
    for (int i = 0; i < count; i++)
        number(print, flag[i]);
}

/* Adds a list of formulas, by its kind and the formulas that are set: one never set
   counts as not written. */
static void formulas(struct fingerprint *print, const char *what, const formula *f,
                     int count)
{
    word(print, what);
    number(print, count);
    for (int i = 0; i < count; i++)
        if (f[i].tape) {
            number(print, i);
            number(print, (int64_t)print->row[f[i].row]);
        }
}

static void add_mode(struct fingerprint *print, const struct model *model,
                     const struct mode *mode)
{
    word(print, mode->name);
    for (int i = 0; i < model->n; i++)
        formulas(print, "M", mode->M[i], model->n);
    formulas(print, "F", mode->F, model->n);
    formulas(print, "Phi", mode->Phi, mode->m);
    flags(print, mode->velocity_level, mode->m);
    formulas(print, "f_s", mode->f_s, model->ns);
    formulas(print, "g", mode->g, model->nz);
    formulas(print, "T", &mode->T, 1);
    formulas(print, "V", &mode->V, 1);
    number(print, mode->loads);
    for (int k = 0; k < mode->loads; k++) {
        number(print, mode->load[k].rate);
        formulas(print, "load", &mode->load[k].place, 1);
        formulas(print, "force", &mode->load[k].force, 1);
    }
    formulas(print, "power", &mode->power, 1);
}

static void add_event(struct fingerprint *print, const struct model *model,
                      const struct event *event)
{
    const int number_of[] = {event->from->index, event->to->index,     event->direction,
                             event->terminal,    (int)event->velocity, event->joints};
    word(print, event->name);
    for (size_t k = 0; k < sizeof number_of / sizeof *number_of; k++)
        number(print, number_of[k]);
    formulas(print, "guard", &event->guard, 1);
    formulas(print, "conditions", event->condition, event->conditions);
    formulas(print, "q_plus", event->q_plus, model->n);
    formulas(print, "v_plus", event->v_plus, model->n);
    formulas(print, "s_plus", event->s_plus, model->ns);
    formulas(print, "cost", event->cost, model->nz);
    formulas(print, "Psi", event->Psi, event->impulses);
    formulas(print, "E", event->E, event->impulses);
    flags(print, event->Psi_velocity_level, event->impulses);
}

static void add_names(struct fingerprint *print, const struct model *model)
{
    words(print, model->coordinate, model->n);
    words(print, model->auxiliary, model->ns);
    words(print, model->cost, model->nz);
    number(print, model->p);
    for (int j = 0; j < model->p; j++) {
        word(print, model->parameter[j].name);
        word(print, model->parameter[j].unit);
    }
}

static void add_ends(struct fingerprint *print, const struct model *model)
{
    number(print, model->start->index);
    formulas(print, "t0", &model->t0, 1);
    formulas(print, "t_end", &model->t_end, 1);
    formulas(print, "stop", model->stop, model->stops);
    if (model->at_ends != AT_ENDS_REFUSED)
        formulas(print, at_ends_text[model->at_ends], NULL, 0);
    formulas(print, "q0", model->q0, model->n);
    formulas(print, "q_guess", model->q_guess, model->n);
    formulas(print, "v0", model->v0, model->n);
    formulas(print, "v_guess", model->v_guess, model->n);
    formulas(print, "s0", model->s0, model->ns);
    formulas(print, "s_guess", model->s_guess, model->ns);
    formulas(print, "Gamma", model->Gamma, model->start_rows);
    formulas(print, "w", model->w, model->nz);
    formulas(print, "energy", &model->energy, 1);
}

uint64_t model_take_fingerprint(const struct model *model)
{
    struct fingerprint print = {HASH_BEGIN, hash_rows(model->tape)};
    add_names(&print, model);
    number(&print, model->modes);
    for (int k = 0; k < model->modes; k++)
        add_mode(&print, model, model->mode[k]);
    number(&print, model->events);
    for (int k = 0; k < model->events; k++)
        add_event(&print, model, model->event[k]);
    add_ends(&print, model);
    free(print.row);
    return print.hash;
}
