/*
 * classes.c - event classes of a case, from its formulas (classes.def)
 */
#include "coverage/classes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "linear/row_selection.h"
#include "mechanisms/catalogue.h"
#include "monitors/constraints.h"
#include "motion/run_exact.h"

const struct class_info class_info[CLASSES] = {
#define CLASS(ID, word, meaning) [CLASS_##ID] = {word, meaning},
#include "coverage/classes.def"
#undef CLASS
};

#define SET(ID) (1u << CLASS_##ID)

class_set classes_declared(const struct case_desc *desc)
{
    class_set set = 0;
    const char *word = desc->classes ? desc->classes : "";
    while (*(word += strspn(word, " ,"))) {
        size_t length = strcspn(word, " ,");
        for (int k = 0; k < CLASSES; k++)
            if (strlen(class_info[k].word) == length &&
                strncmp(class_info[k].word, word, length) == 0)
                set |= 1u << k;
        word += length;
    }
    return set;
}

int case_class_words(const char **name, int room)
{
    enum { WORDS = 64, LONGEST = 80 };
    static char store[WORDS][LONGEST];
    int count = 0;
    for (int k = 0; catalogue[k]; k++) {
        const char *word = catalogue[k]->classes ? catalogue[k]->classes : "";
        for (; *(word += strspn(word, " ,")); word += strcspn(word, ",")) {
            bool known = false;
            if (count == WORDS || count == room)
                return count;
            snprintf(store[count], LONGEST, "%.*s", (int)strcspn(word, ","), word);
            for (int i = 0; i < count && !known; i++)
                known = strcmp(store[i], store[count]) == 0;
            if (!known) {
                name[count] = store[count];
                count++;
            }
        }
    }
    return count;
}

/* --- guards ------------------------------------------------------------------------- */

static class_set classes_of_guard(formula guard)
{
    unsigned char stage[BLOCK_LIMIT];
    memset(stage, 1, sizeof stage);
    struct program *program = program_seal(guard.tape, &guard, 1, stage);
    bool velocity = program_uses(program, BLOCK_V);
    class_set set = 0;
    if (program_uses(program, BLOCK_T))
        set |= SET(TIME_GUARD);
    if (program_uses(program, BLOCK_RHO))
        set |= SET(PARAMETER_GUARD);
    if (velocity || program_uses(program, BLOCK_Q) || program_uses(program, BLOCK_S))
        set |= SET(STATE_GUARD);
    if (velocity)
        set |= SET(VELOCITY_GUARD);
    if (program_uses(program, BLOCK_LAMBDA))
        set |= SET(MULTIPLIER_GUARD);
    program_free(program);
    return set;
}

/* --- resets ------------------------------------------------------------------------- */

static bool is_variable(formula f, int block, int index)
{
    struct tape_row row = tape_row(f.tape, f.row);
    return row.op == OP_VARIABLE && row.a == block && row.b == index;
}

/* Do the formulas set any of the values to another one than before the event? */
static bool jumps(const formula *plus, int block, int count)
{
    for (int i = 0; i < count; i++)
        if (plus[i].tape && !is_variable(plus[i], block, i))
            return true;
    return false;
}

static class_set classes_of_reset(const struct model *model, const struct event *event)
{
    class_set set = 0;
    if (event->velocity != VELOCITY_EXPLICIT ||
        jumps(event->v_plus, BLOCK_V, model->n))
        set |= SET(VELOCITY_JUMP);
    if (event->velocity == VELOCITY_IMPULSIVE)
        set |= SET(IMPULSE);
    if (jumps(event->q_plus, BLOCK_Q, model->n) ||
        jumps(event->s_plus, BLOCK_S, model->ns))
        set |= SET(POSITION_JUMP);
    return set;
}

/* --- equations on both sides -------------------------------------------------------- */

static bool differ(const formula *a, const formula *b, int count)
{
    for (int i = 0; i < count; i++)
        if (!same_formula(a[i], b[i]))
            return true;
    return false;
}

static class_set classes_of_change(const struct model *model, const struct mode *from,
                                   const struct mode *to)
{
    class_set set = 0;
    if (differ(from->F, to->F, model->n) || differ(from->f_s, to->f_s, model->ns))
        set |= SET(FORCE_CHANGE);
    for (int i = 0; i < model->n; i++)
        if (differ(from->M[i], to->M[i], model->n))
            set |= SET(MASS_CHANGE);
    if (from->m != to->m || differ(from->Phi, to->Phi, from->m))
        set |= SET(CONSTRAINT_CHANGE);
    return set;
}

class_set classes_of_event(const struct model *model, const struct event *event)
{
    class_set reset = classes_of_reset(model, event);
    class_set change = classes_of_change(model, event->from, event->to);
    return classes_of_guard(event->guard) | change |
           (reset ? reset : SET(IDENTITY_RESET)) |
           (event->conditions > 0 ? SET(CONDITIONAL) : 0);
}

/* --- the mechanism ------------------------------------------------------------------ */

/* The rank of Phi_q at the first point of the exact motion; m where there is none. */
static int rank_at_start(const struct model *model)
{
    double t0, t_end, *value = memory_new(model->p, sizeof *value);
    struct run_request request = {.model = model, .value = value, .rtol = 1e-6,
                                  .atol = 1e-9};
    struct trajectory *trajectory = NULL;
    const struct mode *mode = model->start;
    int rank = mode->m;
    if (model_nominal_values(model, value, NULL) == OK &&
        model_times(model, value, &t0, &t_end, NULL) == OK) {
        request.t_end = t0 + 1e-6 * (t_end - t0);
        run_exact(&request, &trajectory, NULL);
    }
    if (trajectory && trajectory->samples > 0) {
        struct constraints c;
        struct row_selection whole;
        struct model *branch = model_branch(model);
        const double *x = trajectory->sample[0].x;
        const int *begin = trajectory->columns.begin;
        constraints_init(&c, branch, branch->mode[mode->index], value);
        row_selection_init(&whole, c.m, c.n);
        constraints_at(&c, t0, x + begin[GROUP_Q], x + begin[GROUP_V],
                       x + begin[GROUP_S]);
        double *Phi_q = memory_new(c.m * c.n, sizeof *Phi_q);
        for (int i = 0; i < c.m; i++)
            constraints_row(&c, &c.Phi_q, i, Phi_q + i * c.n);
        rank = row_selection_rows(&whole, Phi_q, NULL);
        free(Phi_q);
        row_selection_clear(&whole);
        constraints_clear(&c);
        model_branch_free(branch);
    }
    trajectory_free(trajectory);
    free(value);
    return rank;
}

/* Classes that no formula shows: those of a run, of its judges, or of a mode that is not
   the first; and of a system of first order, where a velocity, or a state held by a
   constraint, is like any other state. */
static class_set unseen(const struct model *model)
{
    class_set set = SET(SIMULTANEOUS_EVENTS) | SET(TORTURE);
    if (model->n == 0)
        set |= SET(VELOCITY_JUMP) | SET(VELOCITY_GUARD) | SET(CONSTRAINT_CHANGE);
    if (model->m > 0)
        set |= SET(SINGULAR_POINTS);
    if (model->m > 0 && model->modes > 1)
        set |= SET(REDUNDANT);
    return set;
}

class_set classes_of_model(const struct model *model)
{
    class_set set = model->m > 0 ? SET(CONSTRAINED) : SET(UNCONSTRAINED);
    if (model->n == 0)
        set |= SET(FIRST_ORDER);
    if (model->start_rows > 0)
        set |= SET(START_ROWS);
    for (int k = 0; k < model->events; k++)
        set |= classes_of_event(model, model->event[k]);
    if (model->start->m > 0 && rank_at_start(model) < model->start->m)
        set |= SET(REDUNDANT);
    return set | (classes_declared(model->desc) & unseen(model));
}

enum status classes_check(const struct model *model, struct diagnosis *diagnosis)
{
    class_set declared = classes_declared(model->desc);
    class_set wrong = declared & ~classes_of_model(model);
    for (int k = 0; k < CLASSES; k++)
        if (wrong & 1u << k)
            return diagnose(diagnosis, BAD_INPUT, NAN,
                            "case %s is declared %s (%s), which its model is not",
                            model->desc->name, class_info[k].word,
                            class_info[k].meaning);
    return OK;
}
