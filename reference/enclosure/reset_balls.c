/* reset_balls.c - resets in balls; see reset_balls.h. */
#include "reset_balls.h"

#include <stdlib.h>

#include "base/memory.h"

/* --- programs ----------------------------------------------------------------------- */

static void place_slots(struct reset_balls *r)
{
    r->q = 1;
    r->v = r->q + r->n;
    r->s = r->v + r->n;
    r->a = r->s + r->ns;
    r->lambda = r->a + r->n;
    r->rho = r->lambda + r->event->from->m;
    r->after = r->rho + r->p;
    r->slots = r->after + 2 * r->n + r->ns + r->impulses;
    r->unknowns = 2 * r->n + r->ns + r->impulses;
}

/* The point before the event, or (`plus`) after it, where q, v, s of formulas are q+, v+,
   s+. link has room for what the point holds. */
static struct jet_point point_of(const struct reset_balls *r, bool plus, int *link)
{
    int *rate = link, *second = rate + r->slots, *eta = second + r->slots;
    int q = plus ? r->after : r->q, v = q + r->n, s = v + r->n;
    const struct mode *mode = plus ? r->event->to : r->event->from;
    struct jet_point point = {.slots = r->slots, .rate = rate, .second = second,
                              .state_rate = mode->f_s, .etas = 2 * r->n, .eta = eta};
    for (int i = 0; i < BLOCKS; i++)
        point.first[i] = -1;
    point.first[BLOCK_T] = 0;
    point.first[BLOCK_Q] = q;
    point.first[BLOCK_V] = v;
    point.first[BLOCK_S] = s;
    point.first[BLOCK_RHO] = r->rho;
    if (!plus) {
        point.first[BLOCK_A] = r->a;
        point.first[BLOCK_LAMBDA] = r->lambda;
        point.first[BLOCK_Q_PLUS] = r->after;
        point.first[BLOCK_V_PLUS] = r->after + r->n;
        point.first[BLOCK_S_PLUS] = r->after + 2 * r->n;
        point.first[BLOCK_IMPULSE] = r->after + 2 * r->n + r->ns;
    }
    for (int i = 0; i < r->slots; i++)
        rate[i] = second[i] = RATE_NONE;
    rate[0] = RATE_ONE;
    for (int i = 0; i < r->n; i++) {
        rate[q + i] = v + i;
        eta[i] = q + i;
        eta[r->n + i] = v + i;
    }
    for (int i = 0; i < r->ns; i++)
        rate[s + i] = RATE_STATE - i;
    return point;
}

static int list(struct jet_output *output, int count, const formula *f, int length,
                unsigned parts)
{
    for (int i = 0; i < length; i++)
        output[count + i] = (struct jet_output){f ? f[i] : (formula){NULL, 0}, parts};
    return count + length;
}

static int list_mass(struct jet_output *output, int count, const struct mode *mode, int n)
{
    for (int i = 0; i < n; i++)
        count = list(output, count, mode->M[i], n, PART_VALUE);
    return count;
}

static void make_before(struct reset_balls *r, struct jet_output *output, int *link)
{
    const struct event *event = r->event;
    int count = 0;
    r->given_q = count;
    count = list(output, count, event->q_plus, r->n, PART_VALUE);
    r->given_v = count;
    count = list(output, count, event->v_plus, r->n, PART_VALUE);
    r->given_s = count;
    count = list(output, count, event->s_plus, r->ns, PART_VALUE);
    r->E = count;
    count = list(output, count, event->E, r->impulses, PART_VALUE);
    r->cost = count;
    count = list(output, count, event->cost, r->nz, PART_VALUE);
    r->Psi_before = count;
    count = list(output, count, event->Psi, r->impulses, PART_VALUE | PART_RATE);
    r->M_before = count;
    if (event->velocity == VELOCITY_IMPULSIVE)
        count = list_mass(output, count, event->from, r->n);
    const struct jet_point point = point_of(r, false, link);
    r->before_jets = jets_new(r->model->tape, &point, output, count);
}

static void make_after(struct reset_balls *r, struct jet_output *output, int *link)
{
    const struct event *event = r->event;
    int count = 0;
    r->Psi_after = count;
    count = list(output, count, event->Psi, r->impulses,
                 PART_VALUE | PART_RATE | PART_GRADIENT);
    r->Phi_after = count;
    if (event->velocity == VELOCITY_CONSTRAINED)
        count = list(output, count, event->to->Phi, event->to->m, PART_VALUE | PART_RATE);
    r->M_after = count;
    if (event->velocity == VELOCITY_IMPULSIVE)
        count = list_mass(output, count, event->to, r->n);
    const struct jet_point point = point_of(r, true, link);
    r->after_jets = jets_new(r->model->tape, &point, output, count);
}

static int rows_of_velocities(const struct reset_balls *r)
{
    int rows = r->n;
    if (r->event->velocity == VELOCITY_IMPULSIVE)
        return r->n + r->impulses;
    if (r->event->velocity == VELOCITY_EXPLICIT)
        return rows;
    rows = r->event->to->m;
    for (int i = 0; i < r->n; i++)
        rows += r->event->v_plus[i].tape != NULL;
    return rows;
}

struct reset_balls *reset_balls_new(const struct model *model,
                                            const struct event *event)
{
    struct reset_balls *r = memory_new(1, sizeof *r);
    *r = (struct reset_balls){.model = model, .event = event, .n = model->n,
                                  .ns = model->ns, .nz = model->nz, .p = model->p,
                                  .impulses = event->impulses};
    place_slots(r);
    r->velocity_rows = rows_of_velocities(r);
    if (r->velocity_rows != r->n + r->impulses) {
        free(r);
        return NULL;
    }
    int most = 2 * r->n + r->ns + r->nz + 2 * r->impulses + event->to->m + r->n * r->n;
    struct jet_output *output = memory_new(most, sizeof *output);
    int *link = memory_new(2 * r->slots + 2 * r->n, sizeof *link);
    make_before(r, output, link);
    make_after(r, output, link);
    r->unknown = memory_new(r->unknowns, sizeof *r->unknown);
    for (int i = 0; i < r->unknowns; i++)
        r->unknown[i] = r->after + i;
    ball_rows_init(&r->J, r->unknowns, r->slots);
    ball_rows_init(&r->costs, r->nz, r->slots);
    free(output);
    free(link);
    return r;
}

void reset_balls_free(struct reset_balls *r)
{
    if (r == NULL)
        return;
    jets_free(r->before_jets);
    jets_free(r->after_jets);
    free(r->unknown);
    ball_rows_clear(&r->J);
    ball_rows_clear(&r->costs);
    free(r);
}

/* --- the residual ------------------------------------------------------------------- */

/* Component i after the event less what is given for it, or less its value before. */
static void given_row(struct reset_balls *r, int row, acb_srcptr slot, int plus,
                      bool given, int output, int before, slong precision)
{
    ball_rows_add_variable(&r->J, row, slot, plus, 1, precision);
    if (given)
        ball_rows_add(&r->J, row, jets_output(r->before_jets, output, PART_VALUE, 0), -1,
                 precision);
    else
        ball_rows_add_variable(&r->J, row, slot, before, -1, precision);
}

static void given_velocities(struct reset_balls *r, int row, acb_srcptr slot,
                             bool all, slong precision)
{
    for (int i = 0; i < r->n; i++) {
        bool given = r->event->v_plus[i].tape != NULL;
        if (given || all)
            given_row(r, row++, slot, r->after + r->n + i, given, r->given_v + i,
                      r->v + i, precision);
    }
    if (all)
        return;
    const struct mode *to = r->event->to;
    for (int i = 0; i < to->m; i++)
        ball_rows_add(&r->J, row + i,
                 jets_output(r->after_jets, r->Phi_after + i,
                             to->velocity_level[i] ? PART_VALUE : PART_RATE, 0), 1,
                 precision);
}

/* M+ v+ - M v + Psi_q' J; a row at velocity level pushes along Psi_v. */
static void momentum(struct reset_balls *r, int row, acb_srcptr slot, slong precision)
{
    int v_plus = r->after + r->n, impulse = v_plus + r->n + r->ns;
    for (int i = 0; i < r->n; i++) {
        for (int k = 0; k < r->n; k++) {
            ball_rows_add_product(&r->J, row + i,
                             jets_output(r->after_jets, r->M_after + i * r->n + k,
                                         PART_VALUE, 0), slot, v_plus + k, 1, precision);
            ball_rows_add_product(&r->J, row + i,
                             jets_output(r->before_jets, r->M_before + i * r->n + k,
                                         PART_VALUE, 0), slot, r->v + k, -1, precision);
        }
        for (int k = 0; k < r->impulses; k++) {
            int eta = r->event->Psi_velocity_level[k] ? r->n + i : i;
            ball_rows_add_product(&r->J, row + i,
                             jets_output(r->after_jets, r->Psi_after + k, PART_GRADIENT,
                                         eta), slot, impulse + k, 1, precision);
        }
    }
}

/* part with its derivatives times another part, added to a row. */
static void add_product_of_parts(struct ball_rows *rows, int i, struct jet_part_view a,
                                 struct jet_part_view b, slong precision)
{
    if (a.value == NULL || b.value == NULL)
        return;
    acb_addmul(rows->value + i, a.value, b.value, precision);
    for (int k = 0; k < a.slots; k++)
        acb_addmul(acb_mat_entry(rows->by, i, a.slot[k]), a.by + k, b.value, precision);
    for (int k = 0; k < b.slots; k++)
        acb_addmul(acb_mat_entry(rows->by, i, b.slot[k]), b.by + k, a.value, precision);
}

/* Psid+ + E Psid-, Newton's law for each row. */
static void restitution(struct reset_balls *r, int row, slong precision)
{
    for (int k = 0; k < r->impulses; k++) {
        enum jet_part part = r->event->Psi_velocity_level[k] ? PART_VALUE : PART_RATE;
        ball_rows_add(&r->J, row + k,
                      jets_output(r->after_jets, r->Psi_after + k, part, 0), 1,
                      precision);
        add_product_of_parts(&r->J, row + k,
                             jets_output(r->before_jets, r->E + k, PART_VALUE, 0),
                             jets_output(r->before_jets, r->Psi_before + k, part, 0),
                             precision);
    }
}

bool reset_balls_run(struct reset_balls *r, acb_srcptr slot, slong precision)
{
    const struct event *event = r->event;
    if (!jets_run(r->before_jets, slot, false, precision) ||
        !jets_run(r->after_jets, slot, false, precision))
        return false;
    ball_rows_zero(&r->J);
    ball_rows_zero(&r->costs);
    for (int i = 0; i < r->n; i++)
        given_row(r, i, slot, r->after + i, event->q_plus[i].tape != NULL, r->given_q + i,
                  r->q + i, precision);
    if (event->velocity == VELOCITY_IMPULSIVE) {
        momentum(r, r->n, slot, precision);
        restitution(r, 2 * r->n, precision);
    } else {
        given_velocities(r, r->n, slot, event->velocity == VELOCITY_EXPLICIT, precision);
    }
    for (int i = 0; i < r->ns; i++)
        given_row(r, r->n + r->velocity_rows + i, slot, r->after + 2 * r->n + i,
                  event->s_plus[i].tape != NULL, r->given_s + i, r->s + i, precision);
    for (int i = 0; i < r->nz; i++)
        ball_rows_add(&r->costs, i,
                      jets_output(r->before_jets, r->cost + i, PART_VALUE, 0), 1,
                      precision);
    return true;
}

/* --- solution ----------------------------------------------------------------------- */

static bool run(void *context, acb_srcptr slot, slong precision)
{
    return reset_balls_run(context, slot, precision);
}

static struct balls_system system_of(struct reset_balls *r)
{
    return (struct balls_system){.rows = &r->J, .unknown = r->unknown, .context = r,
                                 .run = run};
}

bool reset_balls_solve(struct reset_balls *r, acb_ptr slot, slong precision)
{
    const struct balls_system system = system_of(r);
    _acb_vec_zero(slot + r->after, r->unknowns);
    for (int i = 0; i < 2 * r->n + r->ns; i++)
        acb_get_mid(slot + r->after + i, slot + r->q + i);
    return balls_newton(&system, slot, precision);
}

bool reset_balls_tangents(struct reset_balls *r, acb_mat_t tangents,
                              slong precision)
{
    const struct balls_system system = system_of(r);
    return balls_tangents(&system, tangents, precision);
}
