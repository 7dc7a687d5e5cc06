/*
 * contact.c - guards that are zero exactly where an arc begins, with how many
 * derivatives.
 *
 * No ball can show an exact zero; the texts of the formulas can. After an event a guard
 * is zero - if it is that of the event, and depends on nothing that the reset changes; -
 * with its first two derivatives, if it is the constraint that the event removes, the
 *     event's guard is the multiplier of this constraint, and nothing else changes: (a,
 *     lambda) of the other constraints then solve the equations of the next mode, too, in
 *     which Phi, Phid and Phidd go on from zero. The third derivative decides.
 */
#include "enclosure_parts.h"

/* Does the event leave the variable of a slot as it is? */
static bool leaves(const struct event *event, const struct mode_equations *e, int slot)
{
    if (slot == 0 || slot >= e->rho)
        return true;
    if (slot >= e->a)
        return false;
    if (slot >= e->s)
        return event->s_plus[slot - e->s].tape == NULL;
    if (slot >= e->v)
        return event->velocity == VELOCITY_EXPLICIT &&
               event->v_plus[slot - e->v].tape == NULL;
    return event->q_plus[slot - e->q].tape == NULL;
}

static bool leaves_state(const struct event *event, const struct mode_equations *e)
{
    for (int slot = 0; slot < e->a; slot++)
        if (!leaves(event, e, slot))
            return false;
    return true;
}

/* Does the guard of an event depend only on what its reset leaves? */
static bool stays_on_guard(const struct event *event, const struct mode_equations *e)
{
    struct jet_part_view guard = jets_output(
        e->jets, e->guard_output + mode_equations_guard(e, event), PART_VALUE, 0);
    for (int i = 0; i < guard.slots; i++)
        if (!leaves(event, e, guard.slot[i]))
            return false;
    return true;
}

/* The number of the multiplier that a formula is; -1: it is something else. */
static int multiplier_of(formula f)
{
    const struct tape_row row = f.tape ? tape_row(f.tape, f.row)
                                       : (struct tape_row){.op = OP_CONSTANT};
    return row.op == OP_VARIABLE && row.a == BLOCK_LAMBDA ? row.b : -1;
}

static bool has_constraint(const struct mode *mode, formula Phi, bool velocity_level)
{
    for (int k = 0; k < mode->m; k++)
        if (mode->velocity_level[k] == velocity_level && same_formula(mode->Phi[k], Phi))
            return true;
    return false;
}

/* Are the equations of motion of both modes the same but for one constraint of `from`? */
static bool differ_by_constraint(const struct mode_equations *from, const struct mode *to,
                                 int constraint)
{
    const struct mode *mode = from->mode;
    if (from->iterated || to->m != mode->m - 1)
        return false;
    for (int i = 0; i < from->n; i++) {
        if (!same_formula(mode->F[i], to->F[i]))
            return false;
        for (int k = 0; k < from->n; k++)
            if (!same_formula(mode->M[i][k], to->M[i][k]))
                return false;
    }
    for (int i = 0; i < from->ns; i++)
        if (!same_formula(mode->f_s[i], to->f_s[i]))
            return false;
    for (int i = 0; i < mode->m; i++)
        if (i != constraint && !has_constraint(to, mode->Phi[i], mode->velocity_level[i]))
            return false;
    return true;
}

/* The number of the constraint that the event removes where its multiplier is zero, while
   all else goes on; -1: it is another kind of event. */
static int released_constraint(const struct event *event, const struct mode_equations *e)
{
    int i = multiplier_of(event->guard);
    bool released = i >= 0 && e->rank == e->m && i < e->m &&
                    !e->mode->velocity_level[i] && leaves_state(event, e) &&
                    differ_by_constraint(e, event->to, i);
    return released ? i : -1;
}

void contact_after(struct enclosure *enclosure, const struct event *event)
{
    struct mode_equations *e = enclosure_equations(enclosure, event->from);
    bool left = stays_on_guard(event, e);
    int released = released_constraint(event, e);
    for (int k = 0; k < enclosure->model->events; k++) {
        formula guard = enclosure->model->event[k]->guard;
        enclosure->contact[k] =
            released >= 0 && same_formula(guard, e->mode->Phi[released]) ? CONTACT_SECOND
            : left && same_formula(guard, event->guard) ? CONTACT_VALUE : CONTACT_NONE;
    }
}
