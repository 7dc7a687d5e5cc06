/*
 * jumps.c - jumps of sensitivities as Corner, Sandu, Sandu 2019 print them, tried
 * at events: (33), (35), (38), (44), (48), (82), (88), (90), (94), (95), (97)
 * (formulas.h).
 */
#include "papers/corner/formulas.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "faults/rules.h"

/* --- by jump rules ------------------------------------------------------------------ */

static const struct {
    enum ledger_motion motion;
    const char *event, *place, *numbers;    /* numbers that are compared */
    const char *printed, *corrected;        /* names of rules */
} by_rule[] = {
    [RULE_33_GENERAL] = {FIVE_BAR, "ground", "event", "dt/dy_ground",
                         "corner-33-printed", "saltation"},
    [RULE_33_POSITION] = {FIVE_BAR, "ground", "event", "dt/dL", "corner-33-printed",
                          "saltation"},
    [RULE_88] = {FIVE_BAR, "ground", "after", "dq.", "corner-dof", "saltation"},
    [RULE_90] = {FIVE_BAR, "ground", "after", "dv.", "corner-dof", "saltation"},
    [RULE_82] = {FIVE_BAR_EVENTS, "catch", "after", "dv.", "corner-impulse",
                 "saltation"},
    [RULE_91] = {FIVE_BAR_EVENTS, "catch", "after", "dv.", "corner-91-printed",
                 "corner-impulse"},
    [RULE_94] = {FIVE_BAR, "ground", "after", "dlambda.", "corner-94-printed",
                 "saltation"},
    [RULE_95] = {FIVE_BAR_PENALTY, "ground", "after", "dlambda.", "corner-94-printed",
                 "saltation"}};

/* The digits by a jump rule; the number with the fewest into worst [size]. */
static double digits_by(const struct tried *tried, const char *rule, const char *begins,
                        char *worst, int size)
{
    struct trajectory *trajectory;
    struct run_request request = tried->run.request;
    request.rule = any_rule_find(rule);
    if (!request.rule)
        slip("papers: no rule '%s'", rule);
    enum status status = run_once(&request, &trajectory, NULL);
    double digits = 0;
    if (status == OK)
        digits = paper_digits_like(trajectory, tried->exact, begins, worst, size);
    else
        snprintf(worst, (size_t)size, "%s", status_text(status));
    trajectory_free(trajectory);
    return digits;
}

void try_rule(const void *study, const struct printed_formula *row, struct trial *trial)
{
    const struct ledger *ledger = study;
    const struct tried *tried = &ledger->motion[by_rule[row->subject].motion];
    const char *event = by_rule[row->subject].event;
    char begins[60], worst[100], other[100];
    snprintf(begins, sizeof begins, "%s.%d.%s", by_rule[row->subject].place,
             ledger_event(tried->exact, event) + 1, by_rule[row->subject].numbers);
    trial->printed = digits_by(tried, by_rule[row->subject].printed, begins, worst,
                               sizeof worst);
    trial->corrected = digits_by(tried, by_rule[row->subject].corrected, begins, other,
                                 sizeof other);
    trial_judge(trial, "complex step");
    trial_tell(trial, "Case %s in %s, event %s: fewest digits of %s* by rule %s: %.1f "
               "(%s); by rule %s: %.1f (%s).", tried->run.model->desc->name,
               tried->run.request.formulation->name, event, begins,
               by_rule[row->subject].printed, trial->printed, worst,
               by_rule[row->subject].corrected, trial->corrected, other);
}

/* dt_e/drho by parameter j from the numbers before an event; its guard has no
   multipliers. */
static void times_33(struct probe *probe, const struct tried *tried,
                     const struct event_record *record, int j, double *printed,
                     double *corrected)
{
    const struct columns *columns = &tried->exact->columns;
    const struct run_point *before = &record->before;
    double moved, rate, all_moved, full_rate;
    probe_by_time(probe);
    probe_evaluate(probe, NULL, &full_rate);
    probe_only(probe, BLOCK_Q);
    probe_evaluate(probe, NULL, &rate);
    probe_by(probe, columns, before, j);
    probe_evaluate(probe, NULL, &all_moved);
    probe_only(probe, BLOCK_Q);
    probe_evaluate(probe, NULL, &moved);
    *printed = -moved / rate;
    *corrected = -all_moved / full_rate;
}

/* (33) at every event of a case with guards of all kinds, beside the rule. */
void try_33(const void *study, const struct printed_formula *row, struct trial *trial)
{
    const struct ledger *ledger = study;
    const struct tried *tried = &ledger->motion[FIVE_BAR_EVENTS];
    trial_tell(trial, "The guards of the paper are r(q), (24), as in the row above.");
    try_rule(study, row, trial);
    trial_tell(trial, "Digits of all parameters by (33) and corrected, %s:",
               tried->run.model->desc->name);
    for (int k = 0; k < tried->exact->events; k++) {
        const struct event_record *record = &tried->exact->event[k];
        struct match wrong = {0}, right = {0};
        struct probe probe;
        probe_init(&probe, tried->run.model, tried->run.value, &record->event->guard, 1);
        probe_at(&probe, &tried->exact->columns, &record->before);
        for (int j = 0; j < tried->exact->columns.p; j++) {
            double printed, corrected;
            times_33(&probe, tried, record, j, &printed, &corrected);
            match_add(&wrong, &printed, &record->tau[j], 1);
            match_add(&right, &corrected, &record->tau[j], 1);
        }
        probe_clear(&probe);
        trial->printed = fmin(trial->printed, match_digits(&wrong));
        trial->corrected = fmin(trial->corrected, match_digits(&right));
        trial_tell(trial, "%s %.1f, %.1f%s", record->event->name, match_digits(&wrong),
                   match_digits(&right), k + 1 < tried->exact->events ? ";" : ".");
    }
}

/* --- from the numbers before an event ----------------------------------------------- */

/* A printed jump: sets got [p][size], columns of a group after an event, from the numbers
   that the complex step has at the event. */
struct printed_jump {
    enum column_group group;
    bool (*takes)(const struct model *model, const struct event *event);    /* NULL: every
                                                                               event */
    void (*jump)(const struct tried *tried, const struct event_record *record,
                 double *got);
};

static const double *columns_of(const struct tried *tried, const struct run_point *point,
                                enum column_group group, int j)
{
    return point->x + column(&tried->exact->columns, group, 0, j);
}

/* Adds the digits of one motion: those of the printed jump, and those that the solver
   has in the same numbers. Returns the number of events. */
static int try_jump(const struct tried *tried, const struct printed_jump *printed,
                    struct least *least, struct least *solver)
{
    const struct columns *columns = &tried->exact->columns;
    int size = columns->begin[printed->group + 1] - columns->begin[printed->group];
    int events = 0;
    double *got = memory_new(columns->p * size, sizeof *got);
    struct match *match = memory_new(2 * columns->p, sizeof *match);
    for (int k = 0; k < tried->exact->events; k++) {
        const struct event_record *record = &tried->exact->event[k];
        const struct event_record *run = &tried->run.trajectory->event[k];
        if (printed->takes && !printed->takes(tried->run.model, record->event))
            continue;
        events++;
        printed->jump(tried, record, got);
        for (int j = 0; j < columns->p; j++) {
            const double *want = columns_of(tried, &record->after, printed->group, j);
            match_add(&match[2 * j], got + j * size, want, size);
            match_add(&match[2 * j + 1],
                      columns_of(tried, &run->after, printed->group, j), want, size);
        }
    }
    for (int j = 0; j < columns->p; j++) {
        const char *name = tried->run.model->desc->name, *by = column_parameter(columns,
                                                                                j);
        least_add(least, match_digits(&match[2 * j]), "%s by %s", name, by);
        least_add(solver, match_digits(&match[2 * j + 1]), "%s by %s", name, by);
    }
    free(got);
    free(match);
    return events;
}

static void try_jumps(const struct ledger *ledger, const struct printed_jump *printed,
                      const enum ledger_motion *motion, int motions, struct trial *trial)
{
    struct least least = {INFINITY, ""}, solver = {INFINITY, ""};
    trial_tell(trial, "Events that were tried:");
    for (int k = 0; k < motions; k++) {
        const struct tried *tried = &ledger->motion[motion[k]];
        int events = try_jump(tried, printed, &least, &solver);
        trial_tell(trial, "%d of %s in %s%s", events, tried->run.model->desc->name,
                   tried->run.request.formulation->name, k + 1 < motions ? "," : ".");
    }
    trial->printed = least.digits;
    trial->corrected = solver.digits;
    trial_judge(trial, "complex step");
    trial_tell(trial, "From the numbers before an event: at least %.1f digits (%s); the "
               "solver, by its general rule: %.1f (%s).", least.digits, least.where,
               solver.digits, solver.where);
}

/* (35) Q+ = Q- - (v+ - v-) dt_e/drho */
static void jump_35(const struct tried *tried, const struct event_record *record,
                    double *got)
{
    const double *v = columns_of(tried, &record->before, GROUP_V, -1);
    const double *v_plus = columns_of(tried, &record->after, GROUP_V, -1);
    int n = tried->run.model->n;
    for (int j = 0; j < tried->exact->columns.p; j++)
        for (int i = 0; i < n; i++)
            got[j * n + i] = columns_of(tried, &record->before, GROUP_Q, j)[i] -
                             (v_plus[i] - v[i]) * record->tau[j];
}

void try_35(const void *study, const struct printed_formula *row, struct trial *trial)
{
    static const enum ledger_motion motion[] = {FIVE_BAR, FIVE_BAR_EVENTS, CAUGHT_MOVING,
                                                SLEIGH};
    static const struct printed_jump printed = {GROUP_Q, NULL, jump_35};
    (void)row;
    try_jumps(study, &printed, motion, 4, trial);
}

/* (38) V+ = h_q Q- + h_v V- + (h_q v- - a+ + h_v a- + h_t) dt_e/drho + h_rho */
static void jump_38(const struct tried *tried, const struct event_record *record,
                    double *got)
{
    const struct model *model = tried->run.model;
    const struct columns *columns = &tried->exact->columns;
    const double *a_plus = columns_of(tried, &record->after, GROUP_A, -1);
    int n = model->n;
    formula *h = memory_new(n, sizeof *h);
    double *along = memory_new(n, sizeof *along);
    struct probe probe;
    memory_copy(h, record->event->v_plus, n, sizeof *h);
    probe_init(&probe, model, tried->run.value, h, n);
    probe_at(&probe, columns, &record->before);
    probe_by_time(&probe);
    probe_evaluate(&probe, NULL, along);
    for (int j = 0; j < columns->p; j++) {
        probe_by(&probe, columns, &record->before, j);
        probe_evaluate(&probe, NULL, got + j * n);
        for (int i = 0; i < n; i++)
            got[j * n + i] += (along[i] - a_plus[i]) * record->tau[j];
    }
    probe_clear(&probe);
    free(h);
    free(along);
}

/* The number of velocities that the event gives by formulas; -1: it has other rules. */
static int velocities_given(const struct model *model, const struct event *event)
{
    int given = 0;
    for (int i = 0; i < model->n; i++)
        given += event->v_plus[i].tape != NULL;
    return event->velocity == VELOCITY_EXPLICIT ? given : -1;
}

static bool gives_velocities(const struct model *model, const struct event *event)
{
    return velocities_given(model, event) == model->n;
}

void try_38(const void *study, const struct printed_formula *row, struct trial *trial)
{
    static const enum ledger_motion motion[] = {SLEIGH, SWING};
    static const struct printed_jump printed = {GROUP_V, gives_velocities, jump_38};
    (void)row;
    try_jumps(study, &printed, motion, 2, trial);
}

/* (44), (97) V+ = V- - (a+ - a-) dt_e/drho */
static void jump_44(const struct tried *tried, const struct event_record *record,
                    double *got)
{
    const double *a = columns_of(tried, &record->before, GROUP_A, -1);
    const double *a_plus = columns_of(tried, &record->after, GROUP_A, -1);
    int n = tried->run.model->n;
    for (int j = 0; j < tried->exact->columns.p; j++)
        for (int i = 0; i < n; i++)
            got[j * n + i] = columns_of(tried, &record->before, GROUP_V, j)[i] -
                             (a_plus[i] - a[i]) * record->tau[j];
}

/* The event changes the equations of motion, and no velocity. */
static bool keeps_velocities(const struct model *model, const struct event *event)
{
    return event->from != event->to && velocities_given(model, event) == 0;
}

void try_44(const void *study, const struct printed_formula *row, struct trial *trial)
{
    static const enum ledger_motion motion[] = {FIVE_BAR_EVENTS, DRAUGHT};
    static const struct printed_jump printed = {GROUP_V, keeps_velocities, jump_44};
    (void)row;
    try_jumps(study, &printed, motion, 2, trial);
}

static bool adds_constraint(const struct model *model, const struct event *event)
{
    (void)model;
    return event_adds_constraints(event);
}

void try_97(const void *study, const struct printed_formula *row, struct trial *trial)
{
    static const enum ledger_motion motion[] = {CAUGHT_SOFTLY};
    static const struct printed_jump printed = {GROUP_V, adds_constraint, jump_44};
    (void)row;
    try_jumps(study, &printed, motion, 1, trial);
    trial_tell(trial, "A constraint is added, v+ = v-.");
}

/* (48) Z+ = Z- - (g+ - g-) dt_e/drho */
static void jump_48(const struct tried *tried, const struct event_record *record,
                    double *got)
{
    const struct model *model = tried->run.model;
    const struct run_point *side[] = {&record->before, &record->after};
    int nz = model->nz;
    double *g = memory_new(2 * nz, sizeof *g);
    for (int k = 0; k < 2; k++) {
        struct probe probe;
        probe_init(&probe, model, tried->run.value, side[k]->mode->g, nz);
        probe_at(&probe, &tried->exact->columns, side[k]);
        probe_evaluate(&probe, g + k * nz, NULL);
        probe_clear(&probe);
    }
    for (int j = 0; j < tried->exact->columns.p; j++)
        for (int i = 0; i < nz; i++)
            got[j * nz + i] = columns_of(tried, &record->before, GROUP_Z, j)[i] -
                              (g[nz + i] - g[i]) * record->tau[j];
    free(g);
}

void try_48(const void *study, const struct printed_formula *row, struct trial *trial)
{
    static const enum ledger_motion motion[] = {FIVE_BAR, FIVE_BAR_PENALTY, DRAUGHT,
                                                SWING};
    static const struct printed_jump printed = {GROUP_Z, NULL, jump_48};
    (void)row;
    try_jumps(study, &printed, motion, 4, trial);
}

/* --- Remark 19 ---------------------------------------------------------------------- */

void try_remark_19(const void *study, const struct printed_formula *row,
                   struct trial *trial)
{
    const struct ledger *ledger = study;
    const struct tried *tried = &ledger->motion[CAUGHT_SOFTLY];
    const struct columns *columns = &tried->exact->columns;
    const struct event_record *record =
        &tried->exact->event[ledger_event(tried->exact, "tighten")];
    const struct event_record *run =
        &tried->run.trajectory->event[ledger_event(tried->run.trajectory, "tighten")];
    int n = tried->run.model->n;
    double *Q = memory_new(2 * n, sizeof *Q), *V = Q + n;
    struct match printed = {0}, corrected = {0};
    (void)row;
    for (int j = 0; j < columns->p; j++) {
        const double *want = columns_of(tried, &record->after, GROUP_Q, j);
        memory_copy(Q, want, n, sizeof *Q);
        memory_copy(V, columns_of(tried, &record->after, GROUP_V, j), n, sizeof *V);
        dependent_sensitivities(tried, &record->after, j, Q, V);
        match_add(&printed, Q, want, n);
        match_add(&printed, V, columns_of(tried, &record->after, GROUP_V, j), n);
        match_add(&corrected, columns_of(tried, &run->after, GROUP_Q, j), want, n);
        match_add(&corrected, columns_of(tried, &run->after, GROUP_V, j),
                  columns_of(tried, &record->after, GROUP_V, j), n);
    }
    free(Q);
    trial->printed = match_digits(&printed);
    trial->corrected = match_digits(&corrected);
    trial_judge(trial, "complex step");
    trial_tell(trial, "On rope-catch in penalty, with v+ = v- as the rope goes taut, "
               "dependent components by (88b) and (90c) are wrong by up to %.3g, and the "
               "largest is %.3g; Q+ = Q- and (97) for all components have %.1f digits.",
               printed.error, printed.size, trial->corrected);
}
