/* mode_equations.c - equations of motion of a mode in balls; see mode_equations.h. */
#include "mode_equations.h"

#include <stdlib.h>

#include "base/memory.h"

/* --- the program -------------------------------------------------------------------- */

static void place_slots(struct mode_equations *e)
{
    e->q = 1;
    e->v = e->q + e->n;
    e->s = e->v + e->n;
    e->a = e->s + e->ns;
    e->lambda = e->a + e->n;
    e->w = e->lambda + e->multipliers;
    e->mu = e->w + (e->least_norm ? e->n : 0);
    e->rho = e->mu + (e->least_norm ? e->rank : 0);
    e->slots = e->rho + e->p;
    e->unknowns = e->rho - e->a;
}

static void find_guards(struct mode_equations *e)
{
    const struct model *model = e->model;
    e->event = memory_new(model->events, sizeof *e->event);
    e->condition = memory_new(model->events + 1, sizeof *e->condition);
    for (int i = 0; i < model->events; i++) {
        const struct event *event = model->event[i];
        if (event->from != e->mode)
            continue;
        e->event[e->guards] = event;
        e->condition[e->guards + 1] = e->condition[e->guards] + event->conditions;
        e->guards++;
    }
}

int mode_equations_guard(const struct mode_equations *e, const struct event *event)
{
    for (int g = 0; g < e->guards; g++)
        if (e->event[g]->index == event->index)
            return g;
    return -1;
}

static formula operand(formula f, int row)
{
    return (formula){f.tape, row};
}

static bool is_opposite(formula a, formula b)
{
    if (is_zero(a) || is_zero(b))
        return false;
    struct tape_row x = tape_row(a.tape, a.row), y = tape_row(b.tape, b.row);
    return (x.op == OP_NEG && same_formula(operand(a, x.a), b)) ||
           (x.op == OP_SUB && y.op == OP_SUB &&
            same_formula(operand(a, x.a), operand(b, y.b)) &&
            same_formula(operand(a, x.b), operand(b, y.a)));
}

bool same_up_to_sign(formula a, formula b)
{
    return same_formula(a, b) || is_opposite(a, b) || is_opposite(b, a);
}

/* Is the guard a constraint of a mode, or its opposite? An event that removes the
   constraint leaves it zero, with one derivative or two (contact.c). */
static bool is_constraint(const struct model *model, formula guard)
{
    for (int i = 0; i < model->modes; i++)
        for (int k = 0; k < model->mode[i]->m; k++)
            if (!model->mode[i]->velocity_level[k] &&
                same_up_to_sign(model->mode[i]->Phi[k], guard))
                return true;
    return false;
}

/* All formulas of the mode; `output` has room for them. Returns their number. */
static int list_outputs(struct mode_equations *e, struct jet_output *output)
{
    const struct mode *mode = e->mode;
    int count = 0;
    for (int i = 0; i < e->n; i++)
        for (int k = 0; k < e->n; k++)
            if (mode->M[i][k].tape) {
                e->M_row[e->M_entry] = i;
                e->M_column[e->M_entry++] = k;
                output[count++] = (struct jet_output){mode->M[i][k], PART_VALUE};
            }
    e->F_output = count;
    for (int i = 0; i < e->n; i++)
        output[count++] = (struct jet_output){mode->F[i], PART_VALUE};
    e->f_output = count;
    for (int i = 0; i < e->ns; i++)
        output[count++] = (struct jet_output){mode->f_s[i], PART_VALUE};
    for (int i = 0; i < e->nz; i++)
        output[count++] = (struct jet_output){mode->g[i], PART_VALUE};
    e->Phi_output = count;
    for (int i = 0; i < e->m; i++)
        output[count++] = (struct jet_output){
            mode->Phi[i], PART_VALUE | PART_RATE | PART_GRADIENT |
                          (mode->velocity_level[i] ? 0 : PART_SECOND)};
    e->guard_output = count;
    for (int i = 0; i < e->guards; i++)
        output[count++] = (struct jet_output){
            e->event[i]->guard,
            PART_VALUE | (is_constraint(e->model, e->event[i]->guard) ? PART_SECOND : 0)};
    return count;
}

/* Lists the conditions of the guards. Returns their number. */
static int list_conditions(const struct mode_equations *e, struct jet_output *output)
{
    int count = 0;
    for (int i = 0; i < e->guards; i++)
        for (int k = 0; k < e->event[i]->conditions; k++)
            output[count++] = (struct jet_output){e->event[i]->condition[k], PART_VALUE};
    return count;
}

/* The point of all programs of the mode. link [2 slots + 2n] is what it holds. */
static struct jet_point point_of(const struct mode_equations *e, int *link)
{
    int *rate = link, *second = rate + e->slots, *eta = second + e->slots;
    struct jet_point point = {.slots = e->slots, .rate = rate, .second = second,
                              .state_rate = e->mode->f_s, .etas = 2 * e->n, .eta = eta};
    for (int i = 0; i < BLOCKS; i++)
        point.first[i] = -1;
    point.first[BLOCK_T] = 0;
    point.first[BLOCK_Q] = e->q;
    point.first[BLOCK_V] = e->v;
    point.first[BLOCK_S] = e->s;
    point.first[BLOCK_A] = e->a;
    if (e->multipliers == e->m)
        point.first[BLOCK_LAMBDA] = e->lambda;
    point.first[BLOCK_RHO] = e->rho;
    for (int i = 0; i < e->slots; i++)
        rate[i] = second[i] = RATE_NONE;
    rate[0] = RATE_ONE;
    for (int i = 0; i < e->n; i++) {
        rate[e->q + i] = e->v + i;
        rate[e->v + i] = e->a + i;
        second[e->q + i] = e->a + i;
        eta[i] = e->q + i;
        eta[e->n + i] = e->v + i;
    }
    for (int i = 0; i < e->ns; i++)
        rate[e->s + i] = RATE_STATE - i;
    return point;
}

static struct jets *program_of(const struct mode_equations *e,
                               const struct jet_output *output, int outputs)
{
    int *link = memory_new(2 * e->slots + 2 * e->n, sizeof *link);
    const struct jet_point point = point_of(e, link);
    struct jets *jets = jets_new(e->model->tape, &point, output, outputs);
    free(link);
    return jets;
}

static void make_program(struct mode_equations *e)
{
    int most = e->n * e->n + e->n + e->ns + e->nz + e->m + e->guards +
               e->condition[e->guards];
    struct jet_output *output = memory_new(most, sizeof *output);
    int outputs = list_outputs(e, output);
    e->jets = program_of(e, output, outputs);
    outputs = list_conditions(e, output);
    e->condition_jets = outputs > 0 ? program_of(e, output, outputs) : NULL;
    free(output);
}

struct jets *mode_equations_formulas(const struct mode_equations *e, const formula *f,
                                     int count)
{
    struct jet_output *output = memory_new(count, sizeof *output);
    for (int i = 0; i < count; i++)
        output[i] = (struct jet_output){f[i], PART_VALUE};
    struct jets *jets = program_of(e, output, count);
    free(output);
    return jets;
}

/* Does one of `count` formulas depend on slots from .. to - 1? */
static bool depends(const struct mode_equations *e, int output, int count, int from,
                    int to)
{
    for (int i = 0; i < count; i++) {
        struct jet_part_view f = jets_output(e->jets, output + i, PART_VALUE, 0);
        for (int k = 0; k < f.slots; k++)
            if (f.slot[k] >= from && f.slot[k] < to)
                return true;
    }
    return false;
}

/* May R depend on unknowns in another way than linearly? F may, and Phidd by the rates of
   rates of states that Phi depends on. */
static bool depends_on_unknowns(const struct mode_equations *e)
{
    return depends(e, e->F_output, e->n, e->a, e->rho) ||
           (depends(e, e->Phi_output, e->m, e->s, e->a) &&
            depends(e, e->f_output, e->ns, e->a, e->rho));
}

/* row NULL: all of them */
static struct mode_equations *make(const struct model *model, const struct mode *mode,
                                   int rank, const int *row, bool least_norm)
{
    struct mode_equations *e = memory_new(1, sizeof *e);
    *e = (struct mode_equations){.model = model,
                                 .mode = mode,
                                 .n = model->n,
                                 .m = mode->m,
                                 .ns = model->ns,
                                 .nz = model->nz,
                                 .p = model->p,
                                 .rank = rank,
                                 .least_norm = least_norm,
                                 .multipliers = least_norm ? mode->m : rank};
    e->row = memory_new(rank, sizeof *e->row);
    for (int k = 0; k < rank; k++)
        e->row[k] = row ? row[k] : k;
    e->M_row = memory_new(e->n * e->n, sizeof *e->M_row);
    e->M_column = memory_new(e->n * e->n, sizeof *e->M_column);
    place_slots(e);
    e->unknown = memory_new(e->unknowns, sizeof *e->unknown);
    for (int i = 0; i < e->unknowns; i++)
        e->unknown[i] = e->a + i;
    find_guards(e);
    make_program(e);
    e->iterated = depends_on_unknowns(e);
    ball_rows_init(&e->R, e->unknowns, e->slots);
    ball_rows_init(&e->f, e->ns + e->nz, e->slots);
    ball_rows_init(&e->guard, e->guards, e->slots);
    ball_rows_init(&e->guard_second, e->guards, e->slots);
    ball_rows_init(&e->conditions, e->condition[e->guards], e->slots);
    ball_rows_init(&e->Phi, e->m, e->slots);
    ball_rows_init(&e->Phid, e->m, e->slots);
    ball_rows_init(&e->Phidd, e->m, e->slots);
    return e;
}

struct mode_equations *mode_equations_new(const struct model *model,
                                          const struct mode *mode)
{
    return make(model, mode, mode->m, NULL, false);
}

struct mode_equations *mode_equations_independent(const struct model *model,
                                                  const struct mode *mode, int rank,
                                                  const int *row)
{
    return make(model, mode, rank, row, false);
}

struct mode_equations *mode_equations_least_norm(const struct model *model,
                                                 const struct mode *mode, int rank,
                                                 const int *row)
{
    return make(model, mode, rank, row, true);
}

void mode_equations_free(struct mode_equations *e)
{
    if (e == NULL)
        return;
    ball_rows_clear(&e->R);
    ball_rows_clear(&e->f);
    ball_rows_clear(&e->guard);
    ball_rows_clear(&e->guard_second);
    ball_rows_clear(&e->conditions);
    ball_rows_clear(&e->Phi);
    ball_rows_clear(&e->Phid);
    ball_rows_clear(&e->Phidd);
    jets_free(e->jets);
    if (e->condition_jets)
        jets_free(e->condition_jets);
    free(e->M_row);
    free(e->M_column);
    free(e->event);
    free(e->row);
    free(e->unknown);
    free(e->condition);
    free(e);
}

/* --- evaluation --------------------------------------------------------------------- */

static void take(struct mode_equations *e, struct ball_rows *rows, int output,
                 enum jet_part part, slong precision)
{
    ball_rows_zero(rows);
    for (int i = 0; i < rows->rows; i++)
        ball_rows_add(rows, i, jets_output(e->jets, output + i, part, 0), 1, precision);
}

/* Phi, Phid, and the rows Phidd of R. PART_SECOND is half the second derivative. */
static void take_constraints(struct mode_equations *e, slong precision)
{
    ball_rows_zero(&e->Phi);
    ball_rows_zero(&e->Phid);
    ball_rows_zero(&e->Phidd);
    for (int i = 0; i < e->m; i++) {
        int output = e->Phi_output + i;
        struct jet_part_view value = jets_output(e->jets, output, PART_VALUE, 0);
        struct jet_part_view rate = jets_output(e->jets, output, PART_RATE, 0);
        bool velocity = e->mode->velocity_level[i];
        ball_rows_add(&e->Phi, i, value, 1, precision);
        ball_rows_add(&e->Phid, i, velocity ? value : rate, 1, precision);
        ball_rows_add(&e->Phidd, i,
                      velocity ? rate : jets_output(e->jets, output, PART_SECOND, 0),
                      velocity ? 1 : 2, precision);
    }
    for (int k = 0; k < e->rank; k++) {
        acb_set(e->R.value + e->n + k, e->Phidd.value + e->row[k]);
        for (int i = 0; i < e->slots; i++)
            acb_set(acb_mat_entry(e->R.by, e->n + k, i),
                    acb_mat_entry(e->Phidd.by, e->row[k], i));
    }
}

/* Phi_q of constraint c by coordinate i; Phi_v of one at velocity level. */
static struct jet_part_view direction(const struct mode_equations *e, int c, int i)
{
    return jets_output(e->jets, e->Phi_output + c, PART_GRADIENT,
                       e->mode->velocity_level[c] ? e->n + i : i);
}

/* lambda - Phi_q w, w - Phi_q' mu */
static void take_least_norm(struct mode_equations *e, acb_srcptr slot, slong precision)
{
    int first = e->n + e->rank;
    for (int c = 0; c < e->m; c++) {
        ball_rows_add_variable(&e->R, first + c, slot, e->lambda + c, 1, precision);
        for (int i = 0; i < e->n; i++)
            ball_rows_add_product(&e->R, first + c, direction(e, c, i), slot, e->w + i,
                                  -1, precision);
    }
    first += e->m;
    for (int i = 0; i < e->n; i++) {
        ball_rows_add_variable(&e->R, first + i, slot, e->w + i, 1, precision);
        for (int k = 0; k < e->rank; k++)
            ball_rows_add_product(&e->R, first + i, direction(e, e->row[k], i), slot,
                                  e->mu + k, -1, precision);
    }
}

/* Conditions are asked at their events alone, and need not have a value elsewhere: where
   they have none nothing is known of their signs. */
static void take_conditions(struct mode_equations *e, acb_srcptr slot, bool complex_box,
                            slong precision)
{
    if (!e->condition_jets)
        return;
    bool known = jets_run(e->condition_jets, slot, complex_box, precision);
    ball_rows_zero(&e->conditions);
    for (int i = 0; i < e->conditions.rows; i++) {
        if (known)
            ball_rows_add(&e->conditions, i,
                          jets_output(e->condition_jets, i, PART_VALUE, 0), 1, precision);
        else
            acb_indeterminate(e->conditions.value + i);
    }
}

bool mode_equations_run(struct mode_equations *e, acb_srcptr slot, bool complex_box,
                        slong precision)
{
    if (!jets_run(e->jets, slot, complex_box, precision))
        return false;
    ball_rows_zero(&e->R);
    for (int i = 0; i < e->M_entry; i++)
        ball_rows_add_product(&e->R, e->M_row[i], jets_output(e->jets, i, PART_VALUE, 0),
                              slot, e->a + e->M_column[i], 1, precision);
    for (int i = 0; i < e->n; i++)
        ball_rows_add(&e->R, i, jets_output(e->jets, e->F_output + i, PART_VALUE, 0), -1,
                 precision);
    for (int c = 0; c < e->multipliers; c++)
        for (int i = 0; i < e->n; i++)
            ball_rows_add_product(&e->R, i,
                                  direction(e, e->least_norm ? c : e->row[c], i), slot,
                                  e->lambda + c, 1, precision);
    take_constraints(e, precision);
    if (e->least_norm)
        take_least_norm(e, slot, precision);
    take(e, &e->f, e->f_output, PART_VALUE, precision);
    take(e, &e->guard, e->guard_output, PART_VALUE, precision);
    take(e, &e->guard_second, e->guard_output, PART_SECOND, precision);
    take_conditions(e, slot, complex_box, precision);
    return true;
}

/* --- unknowns ----------------------------------------------------------------------- */

static bool run_real(void *context, acb_srcptr slot, slong precision)
{
    return mode_equations_run(context, slot, false, precision);
}

static struct balls_system system_of(struct mode_equations *e)
{
    return (struct balls_system){.rows = &e->R, .unknown = e->unknown,
                                 .linear = !e->iterated, .context = e, .run = run_real};
}

bool mode_equations_solve(struct mode_equations *e, acb_ptr slot, slong precision)
{
    const struct balls_system system = system_of(e);
    return balls_newton(&system, slot, precision);
}

bool mode_equations_tangents(struct mode_equations *e, acb_mat_t tangents,
                             acb_mat_t rates, slong precision)
{
    const struct balls_system system = system_of(e);
    bool good = balls_tangents(&system, tangents, precision);
    if (good)
        acb_mat_mul(rates, e->f.by, tangents, precision);
    return good;
}

void mode_equations_along(const struct mode_equations *e, acb_srcptr slot,
                          acb_mat_t tangents, int column)
{
    for (int i = 0; i < e->slots; i++)
        acb_zero(acb_mat_entry(tangents, i, column));
    acb_one(acb_mat_entry(tangents, 0, column));
    for (int i = 0; i < e->n; i++) {
        acb_set(acb_mat_entry(tangents, e->q + i, column), slot + e->v + i);
        acb_set(acb_mat_entry(tangents, e->v + i, column), slot + e->a + i);
    }
    for (int i = 0; i < e->ns; i++)
        acb_set(acb_mat_entry(tangents, e->s + i, column), e->f.value + i);
}
