/*
 * start_exclusion.c - no configuration exists: Phi has no zero on a box about the guess,
 * which is cut into boxes on which a row has none, or which the interval Newton operator
 * maps beside itself (Krawczyk 1969; Hansen, Walster 2004, chapter 11).
 */
#include "enclosure_parts.h"

#include <stdlib.h>

#include "base/memory.h"

enum { MOST_BOXES = 20000, DEPTH = 400 };

/* Coordinates that the start does not give, in a box that is looked at. */
struct excluding {
    struct enclosure *enclosure;
    struct mode_equations *equations;
    int unknowns, *unknown;     /* slots */
    int *row;                   /* [unknowns] of Phi, chosen */
    bool velocities;            /* all of q and v are given: Phid must be zero, too */
    acb_ptr slot;
    long boxes;
};

/* States s that rows of the start determine are not looked for. */
static bool states_are_given(const struct model *model)
{
    for (int i = 0; i < model->ns; i++)
        if (model->s0[i].tape == NULL && model->start_rows > 0)
            return false;
    return true;
}

/* Given values, and a box of `reach` max(1, |guess|) about guesses. */
static bool load(struct excluding *x, double reach)
{
    const struct model *model = x->enclosure->model;
    struct mode_equations *e = x->equations;
    int n = e->n, all = 2 * n + e->ns;
    formula *f = memory_new(all, sizeof *f);
    for (int i = 0; i < all; i++)
        f[i] = i >= 2 * n ? model->s0[i - 2 * n] : i >= n ? model->v0[i - n]
             : model->q0[i].tape ? model->q0[i] : model->q_guess[i];
    struct jets *jets = mode_equations_formulas(e, f, all);
    acb_set(x->slot, x->enclosure->t0);
    _acb_vec_set(x->slot + e->rho, x->enclosure->rho, e->p);
    bool good = jets_run(jets, x->slot, false, x->enclosure->precision);
    x->velocities = true;
    for (int i = 0; good && i < all; i++) {
        struct jet_part_view view = jets_output(jets, i, PART_VALUE, 0);
        acb_ptr to = x->slot + e->q + i;
        if (view.value)
            acb_set(to, view.value);
        if (i < 2 * n && (i < n ? model->q0[i] : model->v0[i - n]).tape == NULL)
            x->velocities = false;
        if (i >= n || model->q0[i].tape)
            continue;
        arb_t width;
        arb_init(width);
        arb_abs(width, acb_realref(to));
        if (arf_cmp_ui(arb_midref(width), 1) < 0)
            arb_one(width);
        mag_t radius;
        mag_init(radius);
        arb_get_mag(radius, width);
        mag_set_d(arb_radref(width), reach);
        mag_mul(radius, radius, arb_radref(width));
        arb_add_error_mag(acb_realref(to), radius);
        x->unknown[x->unknowns++] = e->q + i;
        mag_clear(radius);
        arb_clear(width);
    }
    jets_free(jets);
    free(f);
    return good;
}

/* Is a row without zero? Rows at velocity level, and Phid, tell only of velocities. */
static bool without_zero(const struct excluding *x)
{
    const struct mode_equations *e = x->equations;
    for (int i = 0; i < e->m; i++) {
        bool of_velocities = e->mode->velocity_level[i];
        if ((!of_velocities || x->velocities) && !acb_contains_zero(e->Phi.value + i))
            return true;
        if (x->velocities && !acb_contains_zero(e->Phid.value + i))
            return true;
    }
    return false;
}

/* Rows of Phi that tell of positions, independent at the box. */
static int choose_rows(const struct excluding *x)
{
    const struct mode_equations *e = x->equations;
    acb_mat_t by;
    acb_mat_init(by, e->m, e->slots);
    for (int i = 0; i < e->m; i++)
        for (int k = 0; !e->mode->velocity_level[i] && k < e->slots; k++)
            acb_set(acb_mat_entry(by, i, k), acb_mat_entry(e->Phi.by, i, k));
    int rank = balls_choose_rows(by, x->unknown, x->unknowns, x->unknowns, x->row);
    acb_mat_clear(by);
    return rank;
}

/* The interval Newton operator on the box [unknowns]: what is left of it. False: nothing.
   *smaller: it has become so by a third, at least in one component. */
static bool newton(struct excluding *x, acb_ptr box, bool *smaller)
{
    struct mode_equations *e = x->equations;
    slong precision = 64;
    acb_mat_t A, step;
    acb_mat_init(A, x->unknowns, x->unknowns);
    acb_mat_init(step, x->unknowns, 1);
    bool left = true;
    *smaller = false;
    if (choose_rows(x) < x->unknowns)
        goto done;
    for (int i = 0; i < x->unknowns; i++)
        for (int k = 0; k < x->unknowns; k++)
            acb_set(acb_mat_entry(A, i, k),
                    acb_mat_entry(e->Phi.by, x->row[i], x->unknown[k]));
    for (int i = 0; i < x->unknowns; i++)
        acb_get_mid(x->slot + x->unknown[i], box + i);
    if (!mode_equations_run(e, x->slot, false, precision))
        goto done;
    for (int i = 0; i < x->unknowns; i++)
        acb_set(acb_mat_entry(step, i, 0), e->Phi.value + x->row[i]);
    if (!balls_solve(step, A, step, precision))
        goto done;
    for (int i = 0; left && i < x->unknowns; i++) {
        arb_ptr own = acb_realref(box + i), to = acb_realref(acb_mat_entry(step, i, 0));
        mag_t before;
        mag_init_set(before, arb_radref(own));
        arb_sub(to, acb_realref(x->slot + x->unknown[i]), to, precision);
        left = arb_intersection(own, own, to, precision);
        mag_mul_ui(before, before, 2);
        mag_div_ui(before, before, 3);
        *smaller = *smaller || (left && mag_cmp(arb_radref(own), before) < 0);
        mag_clear(before);
    }
done:
    acb_mat_clear(A);
    acb_mat_clear(step);
    return left;
}

/* Shows that the box has no configuration. */
static bool exclude(struct excluding *x, acb_ptr box, int depth)
{
    struct mode_equations *e = x->equations;
    bool smaller = true;
    while (smaller) {
        if (++x->boxes > MOST_BOXES || depth == 0)
            return false;
        for (int i = 0; i < x->unknowns; i++)
            acb_set(x->slot + x->unknown[i], box + i);
        if (!mode_equations_run(e, x->slot, false, 64))
            break;
        if (without_zero(x))
            return true;
        if (x->unknowns == 0)
            return false;
        if (!newton(x, box, &smaller))
            return true;
    }
    int widest = 0;
    for (int i = 1; i < x->unknowns; i++)
        if (mag_cmp(arb_radref(acb_realref(box + i)),
                    arb_radref(acb_realref(box + widest))) > 0)
            widest = i;
    acb_ptr half = _acb_vec_init(x->unknowns);
    bool good = x->unknowns > 0;
    for (int side = -1; good && side <= 1; side += 2) {
        arb_t shift;
        arb_init(shift);
        _acb_vec_set(half, box, x->unknowns);
        arb_ptr own = acb_realref(half + widest);
        mag_mul_2exp_si(arb_radref(own), arb_radref(own), -1);
        arf_set_mag(arb_midref(shift), arb_radref(own));
        arb_mul_si(shift, shift, side, 64);
        arf_add(arb_midref(own), arb_midref(own), arb_midref(shift), ARF_PREC_EXACT,
                ARF_RND_DOWN);
        good = exclude(x, half, depth - 1);
        arb_clear(shift);
    }
    _acb_vec_clear(half, x->unknowns);
    return good;
}

bool enclosure_start_excluded(const struct enclosure_request *request, double reach,
                              long *boxes)
{
    struct enclosure *enclosure;
    *boxes = 0;
    if (enclosure_new(request, &enclosure, NULL) != OK)
        return false;
    struct mode_equations *e = enclosure_equations(enclosure, request->model->start);
    struct excluding x = {.enclosure = enclosure, .equations = e,
                          .unknown = memory_new(e->n, sizeof(int)),
                          .row = memory_new(e->n, sizeof(int)),
                          .slot = _acb_vec_init(e->slots)};
    bool good = states_are_given(request->model) && load(&x, reach);
    acb_ptr box = _acb_vec_init(x.unknowns);
    for (int i = 0; i < x.unknowns; i++)
        acb_set(box + i, x.slot + x.unknown[i]);
    good = good && exclude(&x, box, DEPTH);
    *boxes = x.boxes;
    _acb_vec_clear(box, x.unknowns);
    _acb_vec_clear(x.slot, e->slots);
    free(x.unknown);
    free(x.row);
    enclosure_free(enclosure);
    return good;
}
