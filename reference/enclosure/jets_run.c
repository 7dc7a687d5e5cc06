/* jets_run.c - jets evaluated in balls, instruction by instruction. */
#include "jets_parts.h"

#include "base/memory.h"

/* Constants are decimal text, which Arb reads with an error bound. */
static void load_constants(struct jets *jets, slong precision)
{
    for (int i = 0; i < jets->nodes; i++) {
        const struct node *x = &jets->node[i];
        if (x->part[PLACE_VALUE] < 0)
            continue;
        acb_ptr to = jets->component[x->part[PLACE_VALUE]].x;
        if (x->kind == NODE_CONSTANT && arb_set_str(acb_realref(to), x->text, precision))
            slip("the constant %s has no enclosure", x->text);
        if (x->kind == NODE_PI)
            arb_const_pi(acb_realref(to), precision);
    }
    jets->precision = precision;
}

static void do_load(struct jets *jets, const struct instruction *it, acb_srcptr slot)
{
    acb_ptr x = jets->component[it->to].x;
    if (it->x < 0) {
        acb_one(x);
        return;
    }
    acb_set(x, slot + it->x);
    acb_one(x + 1);
    if (it->factor == 0) {
        acb_mul_2exp_si(x, x, -1);
        acb_mul_2exp_si(x + 1, x + 1, -1);
    }
}

static void do_add(struct jets *jets, const struct instruction *it, slong precision)
{
    const struct component *from = &jets->component[it->x],
                           *to = &jets->component[it->to];
    if (it->set)
        for (int i = 0; i <= to->slots; i++)
            acb_zero(to->x + i);
    for (int i = 0; i <= from->slots; i++) {
        acb_ptr x = to->x + (i == 0 ? 0 : 1 + it->x_place[i - 1]);
        if (it->factor == 1)
            acb_add(x, x, from->x + i, precision);
        else if (it->factor == -1)
            acb_sub(x, x, from->x + i, precision);
        else
            acb_mul_2exp_si(x, from->x + i, -1);
    }
}

static void do_mul(struct jets *jets, const struct instruction *it, slong precision)
{
    const struct component *a = &jets->component[it->x], *b = &jets->component[it->y];
    const struct component *to = &jets->component[it->to];
    if (it->set)
        for (int i = 0; i <= to->slots; i++)
            acb_zero(to->x + i);
    acb_addmul(to->x, a->x, b->x, precision);
    if (!acb_is_zero(b->x))
        for (int i = 0; i < a->slots; i++)
            acb_addmul(to->x + 1 + it->x_place[i], a->x + 1 + i, b->x, precision);
    if (!acb_is_zero(a->x))
        for (int i = 0; i < b->slots; i++)
            acb_addmul(to->x + 1 + it->y_place[i], b->x + 1 + i, a->x, precision);
}

/* True: a box is clear of all numbers <= 0. */
static bool avoids_cut(const acb_t x)
{
    return arb_is_positive(acb_realref(x)) || !arb_contains_zero(acb_imagref(x));
}

/* A denominator: on a real box its sign is noted. */
static bool good_denominator(struct instruction *it, const acb_t x, bool complex_box,
                             acb_t work)
{
    if (!complex_box) {
        it->sign = arb_is_negative(acb_realref(x)) ? -1 : 1;
        return arb_is_nonzero(acb_realref(x));
    }
    acb_mul_si(work, x, it->sign, 64);
    return avoids_cut(work);
}

static bool is_analytic(struct jets *jets, struct instruction *it, const acb_t x,
                        bool complex_box, slong precision)
{
    switch (it->node->function) {
    case INVERSE:
        return good_denominator(it, x, complex_box, jets->work);
    case SQUARE_ROOT: case LOGARITHM:
        return avoids_cut(x);
    case ARC_TANGENT:
        acb_mul(jets->work, x, x, precision);
        acb_add_ui(jets->work, jets->work, 1, precision);
        return avoids_cut(jets->work);
    default:
        return true;
    }
}

/* Coefficients 0 .. length - 1 of a function at a box, by Arb. */
static void expand(struct jets *jets, const struct node *x, acb_srcptr at, slong length,
                   slong precision)
{
    acb_poly_struct *f = jets->series, *a = jets->argument;
    acb_poly_set_coeff_acb(a, 0, at);
    acb_poly_set_coeff_si(a, 1, 1);
    switch (x->function) {
    case INVERSE:           acb_poly_inv_series(f, a, length, precision); break;
    case POWER:
        acb_poly_pow_ui_trunc_binexp(f, a, (ulong)x->b, length, precision);
        break;
    case SQUARE_ROOT:       acb_poly_sqrt_series(f, a, length, precision); break;
    case EXPONENTIAL:       acb_poly_exp_series(f, a, length, precision); break;
    case LOGARITHM:         acb_poly_log_series(f, a, length, precision); break;
    case SINE:              acb_poly_sin_series(f, a, length, precision); break;
    case COSINE:            acb_poly_cos_series(f, a, length, precision); break;
    case ARC_TANGENT:       acb_poly_atan_series(f, a, length, precision); break;
    case HYPERBOLIC_SINE:   acb_poly_sinh_series(f, a, length, precision); break;
    case HYPERBOLIC_COSINE: acb_poly_cosh_series(f, a, length, precision); break;
    }
}

/* to = f^(k)(a)/k! with derivatives (k + 1) times coefficient k + 1 times those of a. */
static void set_derivative(struct jets *jets, int to, int from, int k, slong precision)
{
    if (to < 0)
        return;
    const struct component *c = &jets->component[to], *a = &jets->component[from];
    acb_poly_get_coeff_acb(c->x, jets->series, k);
    acb_poly_get_coeff_acb(jets->work, jets->series, k + 1);
    acb_mul_ui(jets->work, jets->work, (ulong)k + 1, precision);
    for (int i = 1; i <= c->slots; i++)
        acb_mul(c->x + i, a->x + i, jets->work, precision);
}

static bool do_function(struct jets *jets, struct instruction *it, bool complex_box,
                        slong precision)
{
    const struct node *x = it->node;
    acb_srcptr at = jets->component[it->x].x;
    if (!acb_is_finite(at) || !is_analytic(jets, it, at, complex_box, precision))
        return false;
    expand(jets, x, at, x->curvature >= 0 ? 4 : x->slope >= 0 ? 3 : 2, precision);
    set_derivative(jets, it->to, it->x, 0, precision);
    set_derivative(jets, x->slope, it->x, 1, precision);
    set_derivative(jets, x->curvature, it->x, 2, precision);
    return acb_is_finite(jets->component[it->to].x);
}

bool jets_run(struct jets *jets, acb_srcptr slot, bool complex_box, slong precision)
{
    if (precision != jets->precision)
        load_constants(jets, precision);
    for (int i = 0; i < jets->instructions; i++) {
        struct instruction *it = &jets->instruction[i];
        switch (it->kind) {
        case DO_LOAD:
            do_load(jets, it, slot);
            break;
        case DO_ADD:
            do_add(jets, it, precision);
            break;
        case DO_MUL:
            do_mul(jets, it, precision);
            break;
        case DO_FUNCTION:
            if (!do_function(jets, it, complex_box, precision))
                return false;
            break;
        }
    }
    return true;
}

struct jet_part_view jets_output(const struct jets *jets, int output, enum jet_part part,
                                 int eta)
{
    int node = jets->root[output];
    int place = part == PART_VALUE ? PLACE_VALUE : part == PART_RATE ? PLACE_RATE
              : part == PART_SECOND ? PLACE_SECOND : PLACE_GRADIENT + eta;
    int at = node >= 0 ? jets->node[node].part[place] : -1;
    if (at < 0)
        return (struct jet_part_view){0};
    const struct component *c = &jets->component[at];
    return (struct jet_part_view){.value = c->x, .slots = c->slots, .slot = c->slot,
                                  .by = c->x + 1};
}
