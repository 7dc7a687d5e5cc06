/*
 * model_fingerprint.c - fingerprint of a case: one hash for all formulas that it has
 * written.
 *
 * Certified values belong to formulas. The fingerprint is taken of the formulas in the
 * case file, before anything is derived from them: titles, comments, names, LET and
 * layout do not count, nor do derivatives. Nominal values are left out: certified files
 * hold them as numbers, and say which one has changed.
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

/* Adds a list of formulas, by its kind and the formulas that are set: one never set
   counts as not written. */
static void formulas(struct fingerprint *print, const char *what, const formula *f,
                     int count)
{
    print->hash = hash_bytes(print->hash, what, strlen(what) + 1);
    for (int i = 0; i < count; i++)
        if (f[i].tape) {
            number(print, i);
            number(print, (int64_t)print->row[f[i].row]);
        }
}

static void add_mode(struct fingerprint *print, const struct model *model,
                     const struct mode *mode)
{
    number(print, mode->index);
    for (int i = 0; i < model->n; i++) {
        number(print, i);
        formulas(print, "M", mode->M[i], model->n);
    }
    formulas(print, "F", mode->F, model->n);
    formulas(print, "Phi", mode->Phi, mode->m);
    for (int i = 0; i < mode->m; i++)
        number(print, mode->velocity_level[i]);
    formulas(print, "f_s", mode->f_s, model->ns);
    formulas(print, "g", mode->g, model->nz);
    formulas(print, "T", &mode->T, 1);
    formulas(print, "V", &mode->V, 1);
    for (int k = 0; k < mode->loads; k++) {
        number(print, mode->load[k].rate);
        formulas(print, "load", &mode->load[k].place, 1);
        formulas(print, "force", &mode->load[k].force, 1);
    }
}

static void add_event(struct fingerprint *print, const struct model *model,
                      const struct event *event)
{
    number(print, event->from->index);
    number(print, event->to->index);
    number(print, event->direction);
    number(print, event->terminal);
    number(print, event->velocity);
    number(print, event->joints);
    formulas(print, "guard", &event->guard, 1);
    formulas(print, "q_plus", event->q_plus, model->n);
    formulas(print, "v_plus", event->v_plus, model->n);
    formulas(print, "s_plus", event->s_plus, model->ns);
    formulas(print, "cost", event->cost, model->nz);
    formulas(print, "Psi", event->Psi, event->impulses);
    formulas(print, "E", event->E, event->impulses);
    for (int i = 0; i < event->impulses; i++)
        number(print, event->Psi_velocity_level[i]);
}

uint64_t model_take_fingerprint(const struct model *model)
{
    struct fingerprint print = {HASH_BEGIN, hash_rows(model->tape)};
    const int count[] = {model->n, model->ns, model->p, model->nz, model->modes,
                         model->events, model->start->index};
    for (size_t k = 0; k < sizeof count / sizeof *count; k++)
        number(&print, count[k]);
    formulas(&print, "t0", &model->t0, 1);
    formulas(&print, "t_end", &model->t_end, 1);
    formulas(&print, "q0", model->q0, model->n);
    formulas(&print, "q_guess", model->q_guess, model->n);
    formulas(&print, "v0", model->v0, model->n);
    formulas(&print, "s0", model->s0, model->ns);
    if (model->start_rows > 0) {
        formulas(&print, "v_guess", model->v_guess, model->n);
        formulas(&print, "s_guess", model->s_guess, model->ns);
        formulas(&print, "Gamma", model->Gamma, model->start_rows);
    }
    formulas(&print, "w", model->w, model->nz);
    for (int k = 0; k < model->modes; k++)
        add_mode(&print, model, model->mode[k]);
    for (int k = 0; k < model->events; k++)
        add_event(&print, model, model->event[k]);
    free(print.row);
    return print.hash;
}
