/*
 * study.c - runs of the study of the zero problem of Dankowicz (dankowicz.h)
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "faults/terms.h"
#include "oracles/oracle.h"
#include "orbits/closed_impact_orbit.h"
#include "papers/dankowicz/dankowicz.h"

/* --- the study ---------------------------------------------------------------------- */

static const struct system {
    const char *name, *sens;
    double t_end;               /* of the run that leads to the motion */
} systems[DK_SYSTEMS] = {{"impact-oscillator", "k,c,A,w,q_c,e", 200},
                         {"rimless-wheel", "g,l,alpha,gamma", 30}};

static const struct jump_rule *wrong_rule(void)
{
    int k = 0;
    while (strcmp(term_rules[k].rule.name, "minus-r-rho") != 0)
        k++;
    return &term_rules[k].rule;
}

const char *dankowicz_name(const struct dankowicz_study *study, int system)
{
    return study->system[system].zero.run.model->desc->name;
}

/* Blocks of all segments at the solution. */
static enum status take_blocks(struct solved_problem *solved)
{
    struct zero_problem *zero = &solved->zero;
    struct diagnosis *diagnosis = &zero->run.diagnosis;
    enum status status = OK;
    for (int i = 0; i < zero->segments && status == OK; i++) {
        struct index_segment *own = &zero->segment[i];
        const struct terminal *end = &zero->terminal[i];
        blocks_by_formulas(own, end, DK_CORRECTED, &solved->corrected[i]);
        blocks_by_formulas(own, end, DK_PRINTED, &solved->printed[i]);
        status = blocks_by_complex_step(own, &solved->exact[i], diagnosis);
        if (status == OK)
            status = blocks_by_rule(own, wrong_rule(), &solved->rule[i], diagnosis);
    }
    if (status != OK)
        return zero->run.status = status;
    zero_problem_derivative(zero, solved->corrected, solved->x_p);
    zero_problem_derivative(zero, solved->printed, solved->x_p_printed);
    return OK;
}

/* Solves from the first return of the run from which Newton's method comes to an end. */
static enum status solve_problem(struct solved_problem *solved,
                                 const struct system *system, const char *only)
{
    struct zero_problem *zero = &solved->zero;
    enum status status = zero_problem_init(zero, system->name, system->sens,
                                           system->t_end, only);
    bool found = false;
    for (int k = 0; status == OK && !found && zero_problem_begin(zero, k); k++) {
        solved->returns = k;
        zero_problem_solve(zero, DK_CORRECTED, &solved->newton);
        found = solved->newton.status == OK && solved->newton.points <= DK_STEPS;
    }
    if (status == OK && !found)
        status = zero->run.status = NO_ORBIT;
    if (status != OK)
        return status;
    zero_problem_solve(zero, DK_FIXED_TIME, &solved->fixed_time);
    zero_problem_solve(zero, DK_CORRECTED, &solved->newton);
    return take_blocks(solved);
}

/* The closed form of the node after the impact, and its derivatives. */
static void take_closed(struct dankowicz_study *study)
{
    const double h = 1e-30;
    const struct zero_problem *zero = &study->system[DK_OSCILLATOR].zero;
    const struct paper_run *run = &zero->run;
    double complex rho[64], state[3], period;
    double e = paper_value(run, "e");
    double speed = -zero->x[zero_problem_node(zero, "impact") * zero->width + 1] / e;
    for (int j = 0; j < run->model->p && j < 64; j++)
        rho[j] = run->value[j];
    closed_impact_orbit(run->model, rho, speed, study->closed, &period);
    for (int j = 0; j < zero->parameters; j++) {
        int index = run->parameter[j];
        rho[index] = __builtin_complex(run->value[index], h);
        closed_impact_orbit(run->model, rho, speed, state, &period);
        rho[index] = run->value[index];
        for (int c = 0; c < zero->width; c++)
            study->closed_p[c][j] = cimag(state[c]) / h;
    }
}

/* The smooth vector field alone, over the period of its own motion. */
static enum status take_smooth(struct dankowicz_study *study)
{
    struct zero_problem *zero = &study->drive.zero;
    struct diagnosis *diagnosis = &zero->run.diagnosis;
    struct terminal end;
    enum status status = index_segment_init(&study->smooth, &zero->run, zero->mode[0], -1,
                                            zero->x, diagnosis);
    if (status == OK)
        status = index_segment_run(&study->smooth, zero->x, zero->terminal[0].t, &end,
                                   diagnosis);
    if (status == OK)
        status = blocks_by_complex_step(&study->smooth, &study->fixed_exact, diagnosis);
    if (status != OK)
        return zero->run.status = status;
    blocks_by_formulas(&study->smooth, &end, DK_FIXED_TIME, &study->fixed);
    return OK;
}

/* --- events of a run ---------------------------------------------------------------- */

/* Notes the kind of an event, and how well its jump is the one of (6)-(8). */
static void note_event(struct event_count *count, const struct event_record *record,
                       double e)
{
    const struct columns *columns = &count->run.trajectory->columns;
    const double *from = record->before.x, *to = record->after.x;
    const double *x = from + column(columns, GROUP_Q, 0, -1);
    int v = column(columns, GROUP_V, 0, -1), phase = column(columns, GROUP_S, 0, -1);
    bool impact = strcmp(record->event->name, "impact") == 0;
    bool wrap = strcmp(record->event->name, "phase") == 0;
    count->impacts += impact;
    count->phases += wrap;
    count->turnings += !impact && !wrap;
    count->falling += (impact || wrap) && record->rate > 0;     /* h is minus the guard */
    count->rising += !impact && !wrap && record->rate > 0;
    count->rate = fmin(count->rate, fabs(record->rate));
    count->jump = fmax(count->jump, fabs(to[x - from] - *x));
    count->jump = fmax(count->jump, fabs(to[v] - (impact ? -e : 1) * from[v]));
    count->jump = fmax(count->jump,
                       fabs(to[phase] - (from[phase] - (wrap ? 2 * M_PI : 0))));
}

/* Digits of all numbers of the run beside a closed form in ball arithmetic. */
static enum status compare_closed(struct event_count *count)
{
    struct paper_run *run = &count->run;
    struct results *want;
    const struct comparing how = {.cap = 16, .floor = 1e-3};
    int pairs, missing;
    run->status = closed_form_evaluate(closed_form_find(run->model->desc->name),
                                       &run->request, 30, &want, &run->diagnosis);
    if (run->status != OK)
        return run->status;
    struct results *got = results_of_trajectory(run->trajectory);
    struct comparison *comparison = results_compare(got, want, &how, &pairs, &missing);
    for (int k = 0; k < want->count; k++) {
        const char *name = want->entry[k].name;
        count->closed_events += strncmp(name, "event.", 6) == 0 &&
                                strcmp(strrchr(name, '.'), ".t") == 0;
    }
    count->digits = missing == 0 && got->count == want->count ? 16 : NAN;
    for (int k = 0; k < pairs; k++)
        if (comparison[k].digits < count->digits)
            count->digits = comparison[k].digits;
    free(comparison);
    results_free(got);
    results_free(want);
    return OK;
}

static enum status count_events(struct event_count *count)
{
    struct paper_run *run = &count->run;
    bool seen[8] = {false};
    count->rate = INFINITY;
    paper_run_init(run, "impact-oscillator", "ode", 1, "");
    paper_run_until(run, 60);
    if (paper_run_go(run) != OK)
        return run->status;
    double e = paper_value(run, "e");
    count->events = run->trajectory->events;
    for (int k = 0; k < count->events; k++) {
        const struct event_record *record = &run->trajectory->event[k];
        int index = record->event->index;
        note_event(count, record, e);
        count->kinds += !seen[index];
        seen[index] = true;
    }
    return compare_closed(count);
}

static enum status draw_orbit(struct dankowicz_study *study)
{
    struct zero_problem *zero = &study->system[DK_OSCILLATOR].zero;
    struct orbit_request request = {.run = zero->run.request, .samples = 120};
    request.run.parameters = 0;
    return zero->run.status = orbit_find(&request, &study->portrait,
                                         &zero->run.diagnosis);
}

enum status dankowicz_open(struct task *task, void **own, char *why, int size)
{
    (void)task;
    struct dankowicz_study *study = *own = memory_new(1, sizeof *study);
    if (count_events(&study->count) != OK)
        return paper_run_why(&study->count.run, why, size);
    for (int k = 0; k < DK_SYSTEMS; k++)
        if (solve_problem(&study->system[k], &systems[k], NULL) != OK)
            return paper_run_why(&study->system[k].zero.run, why, size);
    take_closed(study);
    if (draw_orbit(study) != OK)
        return paper_run_why(&study->system[DK_OSCILLATOR].zero.run, why, size);
    if (solve_problem(&study->drive, &systems[DK_OSCILLATOR], "phase") != OK ||
        take_smooth(study) != OK)
        return paper_run_why(&study->drive.zero.run, why, size);
    return OK;
}

void dankowicz_close(void *own)
{
    struct dankowicz_study *study = own;
    paper_run_clear(&study->count.run);
    for (int k = 0; k < DK_SYSTEMS; k++)
        zero_problem_clear(&study->system[k].zero);
    index_segment_clear(&study->smooth);
    zero_problem_clear(&study->drive.zero);
    orbit_free(study->portrait);
    free(study);
}
