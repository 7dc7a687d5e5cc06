/*
 * statements.c - statements of Corner, Sandu, Sandu 2019 about structure, tried by
 * running them: (19), (23), (28), (62), Remark 8, section 7 (formulas.h).
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "motion/samples.h"
#include "oracles/oracle.h"
#include "papers/corner/formulas.h"

/* The decimal places to which a number is zero. */
static double digits_to_zero(double x)
{
    const struct match match = {fabs(x), 1};
    return match_digits(&match);
}

/* --- (23) --------------------------------------------------------------------------- */

static double of_entry(const struct entry *entry)
{
    return mpfr_get_d(entry->value, MPFR_RNDN);
}

/* Adds all derivatives of two results with the same entries; `sign` stands before those
   of `got`. */
static void add_derivatives(struct match *match, double sign, const struct results *got,
                            const struct results *want)
{
    for (int k = 0; k < want->count; k++)
        for (int i = 0; i < got->count; i++) {
            const struct entry *number = &got->entry[i], *right = &want->entry[k];
            const struct quantity quantity = quantity_parse(right->name);
            if (!is_derivative(&quantity) || number->point != right->point ||
                strcmp(number->name, right->name) != 0)
                continue;
            double x = sign * of_entry(number), y = of_entry(right);
            match_add(match, &x, &y, 1);
        }
}

void try_23(const void *study, const struct printed_formula *row, struct trial *trial)
{
    const struct ledger *ledger = study;
    const struct tried *tried = &ledger->motion[SWING];
    const struct closed_form *form = closed_form_find(tried->run.model->desc->name);
    struct diagnosis diagnosis;
    struct results *closed, *step = results_of_trajectory(tried->exact);
    struct match minus = {0}, plus = {0};
    (void)row;
    if (!form || closed_form_evaluate(form, &tried->run.request, 30, &closed,
                                      &diagnosis) != OK)
        slip("corner (23): no closed form");
    add_derivatives(&minus, -1, step, closed);
    add_derivatives(&plus, 1, step, closed);
    results_free(closed);
    results_free(step);
    trial->printed = match_digits(&minus);
    trial->corrected = match_digits(&plus);
    trial_judge(trial, "closed form");
    trial_tell(trial, "With the minus sign of (23) beside rho + i h of (21) the "
               "derivatives of %s are wrong by up to %.3g, with plus by %.1e; the "
               "largest is %.3g.", tried->run.model->desc->name, minus.error, plus.error,
               plus.size);
}

/* --- (28) --------------------------------------------------------------------------- */

/* The run without events: every guard is a constant on its near side. */
static struct trajectory *without_events(const struct tried *tried, struct model *branch,
                                         int samples, const double *sample)
{
    struct run_request request = tried->run.request;
    struct trajectory *trajectory;
    for (int k = 0; k < branch->events; k++)
        branch->event[k]->guard =
            integer(branch->tape, branch->event[k]->direction == RISING ? -1 : 1);
    request.model = branch;
    request.samples = samples;
    request.sample = sample;
    struct diagnosis why = {.t = NAN};
    if (run_once(&request, &trajectory, &why) != OK)
        slip("corner: no run without events: %s", why.place);
    return trajectory;
}

/* The changes of sign between neighbouring samples: *product of the product of all
   guards, *single of any guard by itself. */
static void count_signs(const struct tried *tried, const struct trajectory *smooth,
                        int *product, int *single)
{
    const struct model *model = tried->run.model;
    int events = model->events;
    formula *guard = memory_new(events, sizeof *guard);
    double *before = memory_new(2 * events, sizeof *before), *r = before + events;
    struct probe probe;
    for (int k = 0; k < events; k++)
        guard[k] = model->event[k]->guard;
    probe_init(&probe, model, tried->run.value, guard, events);
    *product = *single = 0;
    for (int k = 0; k < smooth->samples; k++) {
        double product_before = 1, product_now = 1;
        probe_at(&probe, &smooth->columns, &smooth->sample[k]);
        probe_evaluate(&probe, r, NULL);
        for (int i = 0; k > 0 && i < events; i++) {
            *single += before[i] * r[i] < 0;
            product_before *= before[i];
            product_now *= r[i];
        }
        *product += product_before * product_now < 0;
        memory_copy(before, r, events, sizeof *r);
    }
    probe_clear(&probe);
    free(guard);
    free(before);
}

enum { FEWEST_STEPS = 4, MOST_STEPS = 4096 };

/* Changes of sign at the ends of 4, 8, ..., 4096 steps; the fewest steps at which a guard
   by itself is seen to change its sign, 0: never. */
static int sweep_steps(const struct tried *tried, int *product)
{
    int seen = 0;
    double *sample = memory_new(MOST_STEPS, sizeof *sample);
    double t_end = tried->run.request.t_end, t0 = tried->exact->sample[0].t;
    *product = 0;
    for (int steps = FEWEST_STEPS; steps <= MOST_STEPS; steps *= 2) {
        int found, single;
        even_times(t0, t_end, steps, sample);
        struct model *branch = model_branch(tried->run.model);
        struct trajectory *smooth = without_events(tried, branch, steps, sample);
        count_signs(tried, smooth, &found, &single);
        *product += found;
        if (single > 0 && seen == 0)
            seen = steps;
        trajectory_free(smooth);
        model_branch_free(branch);
    }
    free(sample);
    return seen;
}

void try_28(const void *study, const struct printed_formula *row, struct trial *trial)
{
    const struct ledger *ledger = study;
    const struct tried *tried = &ledger->motion[DRAUGHT];
    const struct run_request *request = &tried->run.request;
    char worst[100] = "", other[100];
    int product, seen = sweep_steps(tried, &product);
    (void)row;
    struct model *branch = model_branch(tried->run.model);
    struct trajectory *smooth = without_events(tried, branch, request->samples,
                                               request->sample);
    double missed = paper_digits_like(smooth, tried->exact, "dq.", worst, sizeof worst);
    trial->corrected = paper_digits_like(tried->run.trajectory, tried->exact, "dq.",
                                         other, sizeof other);
    trial->printed = product > 0 ? trial->corrected : missed;
    trial_judge(trial, "complex step");
    trial_tell(trial, "The equation itself is true; tried is a search by it. On "
               "double-crossing both guards are y - h: at the ends of %d, %d, ..., %d "
               "steps of one length their product changes its sign %d times; a guard by "
               "itself is first seen to change at %d steps. A search guard by guard "
               "inside %ld steps finds %d events. Without them dq has %.1f digits (%s), "
               "with them %.1f.", FEWEST_STEPS, 2 * FEWEST_STEPS, MOST_STEPS, product,
               seen, tried->run.trajectory->steps, tried->run.trajectory->events, missed,
               worst, trial->corrected);
    trajectory_free(smooth);
    model_branch_free(branch);
}

/* --- Remark 8 ----------------------------------------------------------------------- */

/* A guard of a motion of one coordinate: r, r_q, r_q v and r_q a. */
struct guard_values {
    double r, r_q, rate, change;
};

static struct guard_values guard_at(const struct paper_run *run,
                                    const struct event *event,
                                    const struct columns *columns,
                                    const struct run_point *point)
{
    struct guard_values guard;
    struct probe probe;
    probe_init(&probe, run->model, run->value, &event->guard, 1);
    probe_at(&probe, columns, point);
    probe_by_one(&probe, BLOCK_Q, 0);
    probe_evaluate(&probe, &guard.r, &guard.r_q);
    probe.along[BLOCK_Q] = point->x + columns->begin[GROUP_V];
    probe_evaluate(&probe, NULL, &guard.rate);
    probe.along[BLOCK_Q] = point->x + columns->begin[GROUP_A];
    probe_evaluate(&probe, NULL, &guard.change);
    probe_clear(&probe);
    return guard;
}

/* The guard of the first event at a time, on the motion without events. */
static struct guard_values guard_in_flight(const char *name, double t)
{
    struct tried flight = {0};
    paper_run_init(&flight.run, name, "ode", 1, "");
    paper_run_until(&flight.run, t);
    struct model *branch = model_branch(flight.run.model);
    struct trajectory *trajectory = without_events(&flight, branch, 1,
                                                   flight.run.sample);
    struct guard_values guard = guard_at(&flight.run, flight.run.model->event[0],
                                         &trajectory->columns, paper_end(trajectory));
    trajectory_free(trajectory);
    model_branch_free(branch);
    paper_run_clear(&flight.run);
    return guard;
}

void try_remark_8(const void *study, const struct printed_formula *row,
                  struct trial *trial)
{
    struct paper_run run, near_by;
    (void)study;
    (void)row;
    paper_run_init(&run, "grazing", "ode", 1, "h");
    enum status refusal = paper_run_go(&run);
    double t = run.diagnosis.t;
    for (int k = 0; k < 3; k++) {       /* Newton: r_q v = 0 */
        struct guard_values guard = guard_in_flight("grazing", t);
        t -= guard.rate / guard.change;
    }
    struct guard_values guard = guard_in_flight("grazing", t);
    trial->printed = digits_to_zero(guard.r_q);
    trial->corrected = digits_to_zero(guard.rate);
    trial_judge(trial, "complex step of the guard");
    trial_tell(trial, "On grazing the run is refused (%s): there is no derivative. The "
               "guard is touched at t = %.10g s, with r = %.1e, r_q = %.3g, r_q v = "
               "%.1e; digits are those to which r_q and r_q v are zero.",
               status_text(refusal), t, guard.r, guard.r_q, guard.rate);
    paper_run_init(&near_by, "near-grazing-3", "ode", 1, "h");
    if (paper_run_go(&near_by) == OK && near_by.trajectory->events > 0) {
        const struct event_record *record = &near_by.trajectory->event[0];
        struct guard_values at = guard_at(&near_by, record->event,
                                          &near_by.trajectory->columns, &record->before);
        trial_tell(trial, "On near-grazing-3 r_q = %.3g, r_q v = %.3g, dt_e/dh = %.5g.",
                   at.r_q, at.rate, record->tau[0]);
    }
    paper_run_clear(&near_by);
    paper_run_clear(&run);
}

/* --- (19), (62) --------------------------------------------------------------------- */

void try_dimension(const void *study, const struct printed_formula *row,
                   struct trial *trial)
{
    const struct ledger *ledger = study;
    bool multipliers = row->subject;
    const struct tried *tried = &ledger->motion[multipliers ? FIVE_BAR : ARM];
    const struct columns *columns = &tried->run.trajectory->columns;
    int n = columns->model->n, m = columns->model->m, p = columns->p, counted = 0;
    for (int c = 0; c < columns->count; c++) {
        enum column_group group;
        int i, j;
        column_parts(columns, c, &group, &i, &j);
        counted += group == GROUP_Q || group == GROUP_V ||
                   (group == GROUP_LAMBDA && multipliers) || (group == GROUP_Z && i == 0);
    }
    int printed = (n + 1) * (p + 1);
    int corrected = (2 * n + (multipliers ? m : 0) + 1) * (p + 1);
    trial->printed = counted == printed ? 16 : 0;
    trial->corrected = counted == corrected ? 16 : 0;
    trial_judge(trial, "columns of a run, counted");
    trial_tell(trial, "Case %s, n = %d, m = %d, p = %d, one cost, has %d columns; %d are "
               "printed, %d corrected. Equal numbers count as 16 digits, others as 0.",
               columns->model->desc->name, n, m, p, counted, printed, corrected);
}

/* --- section 7 ---------------------------------------------------------------------- */

/* The largest |Phi| of (98) in a configuration, bars L_A1 = L_3B and L_12 = L_23. */
static double loop_error(const struct tried *tried, double L_A1, double L_12,
                         const double *q)
{
    const struct model *model = tried->run.model;
    const struct mode *mode = model->mode[0];
    const struct { const char *name; double value; } length[] = {
        {"L_A1", L_A1}, {"L_3B", L_A1}, {"L_12", L_12}, {"L_23", L_12}};
    double *rho = memory_new(model->p + mode->m, sizeof *rho), *Phi = rho + model->p;
    struct probe probe;
    memory_copy(rho, tried->run.value, model->p, sizeof *rho);
    for (int k = 0; k < 4; k++)
        rho[model_parameter_index(model, length[k].name)] = length[k].value;
    probe_init(&probe, model, rho, mode->Phi, mode->m);
    probe.value[BLOCK_Q] = q;
    probe_evaluate(&probe, Phi, NULL);
    double largest = largest_size(Phi, mode->m);
    probe_clear(&probe);
    free(rho);
    return largest;
}

/* Lengths are printed with five digits, so |Phi| is zero to no more than about four. */
void try_section_7(const void *study, const struct printed_formula *row,
                   struct trial *trial)
{
    static const double symmetric[] = {-1.5, -1, 0, -2, 1.5, -1};
    static const double shorter = 1.4142, longer = 1.8027;
    const struct ledger *ledger = study;
    const struct tried *tried = &ledger->motion[FIVE_BAR];
    (void)row;
    double right = loop_error(tried, shorter, longer, symmetric);
    double literal = loop_error(tried, longer, shorter, symmetric);
    double neither = loop_error(tried, longer, longer, symmetric);
    double spring_1 = hypot(symmetric[0] - 0.5, symmetric[1]);
    double spring_2 = hypot(symmetric[2] - 0.5, symmetric[3]);
    trial->printed = digits_to_zero(fmin(literal, neither));
    trial->corrected = digits_to_zero(right);
    trial_judge(trial, "(98)");
    trial_tell(trial, "At 1 = (%g, %g), 2 = (%g, %g), 3 = (%g, %g) springs 1-B and 2-B "
               "are %.5g and %.5g m long, printed L01 = 2.2360, L02 = 2.0615. The "
               "largest |Phi| is %.1e m^2 with L21 = L32 = %g, %.3g m^2 with the second "
               "value for LA1 = LB3 and the first for L21 = L32, %.3g m^2 with the "
               "second for all bars.", symmetric[0], symmetric[1], symmetric[2],
               symmetric[3], symmetric[4], symmetric[5], spring_1, spring_2, right,
               longer, literal, neither);
}
