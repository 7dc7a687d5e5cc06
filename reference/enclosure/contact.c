/*
 * contact.c - guards that are zero exactly where an arc begins, with how many
 * derivatives.
 *
 * No ball can show an exact zero; the texts of the formulas can. After an event a guard
 * is zero (lemmas 1 to 4 of README.md, with all hypotheses and proofs)
 *
 *     if it is that of the event, and depends on nothing that the reset changes;
 *     if it is a constraint of the mode that the event leaves, or the opposite of one,
 *     and depends on nothing that the reset changes: the relative velocity of what has
 *     stuck;
 *     with its rate, if that constraint is one of positions, nothing is reset, and the
 *     states in it go on at the same rates;
 *     with its first two derivatives, if it is the constraint that the event removes, the
 *     event's guard is the multiplier of this constraint, and M, F, the other constraints
 *     and the rates in them go on.
 *
 * The next derivative decides.
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

/* Does a formula of the mode depend only on what the reset of an event leaves? */
static bool stays(const struct event *event, const struct mode_equations *e, int output)
{
    struct jet_part_view f = jets_output(e->jets, output, PART_VALUE, 0);
    for (int i = 0; i < f.slots; i++)
        if (!leaves(event, e, f.slot[i]))
            return false;
    return true;
}

/* Do the states s that a formula of the mode depends on have the same rates after the
   event? Their rates are one formula in both modes, of nothing that the event changes.
   depth 2: so have the states that these rates depend on. */
static bool rates_stay(const struct event *event, const struct mode_equations *e,
                       int output, int depth)
{
    struct jet_part_view f = jets_output(e->jets, output, PART_VALUE, 0);
    for (int i = 0; i < f.slots; i++) {
        int k = f.slot[i] - e->s;
        if (k < 0 || k >= e->ns)
            continue;
        if (!same_formula(e->mode->f_s[k], event->to->f_s[k]) ||
            !stays(event, e, e->f_output + k) ||
            (depth > 1 && !rates_stay(event, e, e->f_output + k, depth - 1)))
            return false;
    }
    return true;
}

/* How much of a guard is zero, being a constraint of the mode left or the opposite of
   one: its value (lemma 2), and of a constraint of positions the rate, too (lemma 3). */
static int kept(const struct event *event, const struct mode_equations *e, formula guard)
{
    const struct mode *mode = e->mode;
    for (int k = 0; k < mode->m; k++)
        if (same_up_to_sign(mode->Phi[k], guard) && stays(event, e, e->Phi_output + k))
            return !mode->velocity_level[k] && leaves_state(event, e) &&
                           rates_stay(event, e, e->Phi_output + k, 1)
                       ? CONTACT_RATE : CONTACT_VALUE;
    return CONTACT_NONE;
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

/* Are M, F and the constraints of both modes the same but for one of `from`? */
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
    for (int i = 0; i < mode->m; i++)
        if (i != constraint && !has_constraint(to, mode->Phi[i], mode->velocity_level[i]))
            return false;
    return true;
}

/* The number of the constraint that the event removes where its multiplier is zero, while
   all else goes on (lemma 4); -1: it is another kind of event. */
static int released_constraint(const struct event *event, const struct mode_equations *e)
{
    int i = multiplier_of(event->guard);
    bool released = i >= 0 && e->rank == e->m && i < e->m &&
                    !e->mode->velocity_level[i] && leaves_state(event, e) &&
                    differ_by_constraint(e, event->to, i);
    for (int k = 0; released && k < e->m; k++)
        released = rates_stay(event, e, e->Phi_output + k, 2);
    return released ? i : -1;
}

void contact_after(struct enclosure *enclosure, const struct event *event)
{
    struct mode_equations *e = enclosure_equations(enclosure, event->from);
    bool left = stays(event, e, e->guard_output + mode_equations_guard(e, event));
    int released = released_constraint(event, e);
    for (int k = 0; k < enclosure->model->events; k++) {
        formula guard = enclosure->model->event[k]->guard;
        enclosure->contact[k] =
            released >= 0 && same_formula(guard, e->mode->Phi[released]) ? CONTACT_SECOND
            : left && same_formula(guard, event->guard) ? CONTACT_VALUE
            : kept(event, e, guard);
    }
}
