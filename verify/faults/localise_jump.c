/*
 * localise_jump.c - a jump that went wrong, taken once more by every rule that is wrong.
 *
 * The motion is run by saltation up to the last suspect. At a suspect each rule is given
 * the values of both sides as they are there, and the sensitivities before the event as
 * they came, so that errors made before the event are on both sides of the comparison.
 */
#include "faults/localise_parts.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "faults/judged_rules.h"
#include "faults/terms.h"
#include "motion/run_exact.h"
#include "verdict/tolerances.h"

/* nearer: digits by which an explanation is nearer to each wrong number than the right
   value, or as near as can be told; at_least: digits for one of them; slack: digits by
   which an explanation may miss a number that held. */
static const double nearer = 4, at_least = 2, slack = 2;
/* Digits beyond these are not told apart: a run has no more. */
static const double enough = 12;

int localise_rules(void)
{
    int count = 0;
    for (int k = 0; term_rules[k].rule.name; k++)
        count++;
    for (int k = 0; judged_rules[k]; k++)
        count++;
    return count;
}

const struct jump_rule *localise_rule(int k)
{
    for (int i = 0; term_rules[i].rule.name; i++)
        if (k-- == 0)
            return &term_rules[i].rule;
    return judged_rules[k];
}

int localise_explanations(void)
{
    int terms = 0;
    while (term_texts[terms].text)
        terms++;
    return localise_rules() + terms;
}

double localise_digits(double a, double b, double want, double scale)
{
    double size = fmax(fmax(fabs(want), scale), fabs(a));
    if (a == b)
        return enough;
    double digits = -log10(fabs(a - b) / size);
    return digits > 0 ? fmin(digits, enough) : 0;
}

/* --- one rule at one suspect -------------------------------------------------------- */

struct jump_column localise_block(const struct columns *columns, double *x)
{
    const int *begin = columns->begin;
    return (struct jump_column){
        .Q = x + begin[GROUP_Q], .V = x + begin[GROUP_V], .S = x + begin[GROUP_S],
        .A = x + begin[GROUP_A], .Lambda = x + begin[GROUP_LAMBDA],
        .Z = x + begin[GROUP_Z]};
}

static bool belongs(const struct number *number, const struct suspect *suspect)
{
    return number->event == suspect->event && number->parameter == suspect->parameter;
}

bool localise_counts(const struct localise_work *work, const struct suspect *suspect,
                     const struct number *number)
{
    return belongs(number, suspect) &&
           (number->place == PLACE_TIME || number->place == PLACE_AFTER) &&
           (suspect->wrong == 0 || !localise_follows(work, number));
}

/* How well the jump (tau, x) explains the wrong numbers; < 0: not at all. */
static double score(const struct localise_work *work, const struct suspect *suspect,
                    double tau, const double *x)
{
    double least = enough, most = 0;
    for (int k = suspect->from; k < suspect->to; k++) {
        const struct number *number = &work->number[k];
        if (!localise_counts(work, suspect, number))
            continue;
        double here = number->place == PLACE_TIME ? tau : x[number->column];
        double digits = localise_digits(number->got, here, number->want, number->scale);
        if (number->held && digits < fmin(number->bar, number->digits) - slack)
            return -1;
        if (number->held)
            continue;
        if (digits < fmin(number->digits + nearer, enough))
            return -1;
        least = fmin(least, digits - number->digits);
        most = fmax(most, digits - number->digits);
    }
    return most < at_least ? -1 : fmax(least, 0);
}

/* Fills in the sensitivities before the event as they came; those that did not come are
   the run's. */
static void fill_before(const struct localise_work *work, const struct suspect *suspect,
                        const struct jump *jump, const struct jump_column *own, double *x)
{
    struct jump_column to = localise_block(&work->columns, x);
    int n = jump->model->n;
    memory_copy(to.Q, own->Q, n, sizeof *x);
    memory_copy(to.V, own->V, n, sizeof *x);
    memory_copy(to.S, own->S, jump->model->ns, sizeof *x);
    memory_copy(to.A, own->A, n, sizeof *x);
    memory_copy(to.Lambda, own->Lambda, jump->before.mode->m, sizeof *x);
    memory_copy(to.Z, own->Z, jump->model->nz, sizeof *x);
    for (int k = suspect->from; k < suspect->to; k++)
        if (belongs(&work->number[k], suspect) && work->number[k].place == PLACE_BEFORE)
            x[work->number[k].column] = work->number[k].got;
}

double localise_try_rule(const struct localise_work *work, const struct suspect *suspect,
                         const struct jump *jump, const struct jump_rule *rule,
                         const struct jump_column *before, double *tau, double *x)
{
    int parameter = work->columns.parameter[suspect->parameter];
    struct jump_column after = localise_block(&work->columns, x);
    struct jump view = *jump;
    const char *why;
    view.rule = rule;
    if ((rule->applies && !rule->applies(jump->event, &why)) ||
        rule->tau(&view, parameter, before, tau) != OK ||
        rule->apply(&view, parameter, before, *tau, &after) != OK)
        return -1;
    return score(work, suspect, *tau, x);
}

static void try_all(const struct localise_work *work, struct suspect *suspect,
                    const struct jump *jump, const struct jump_column *own)
{
    int width = work->columns.width, count = localise_rules();
    double *x = memory_new(2 * width, sizeof *x), tau;
    bool any = false;
    struct jump_column before = localise_block(&work->columns, x);
    fill_before(work, suspect, jump, own, x);
    for (int k = 0; k < count; k++) {
        suspect->score[k] = localise_try_rule(work, suspect, jump, localise_rule(k),
                                              &before, &tau, x + width);
        any = any || suspect->score[k] >= 0;
    }
    for (int k = count; k < localise_explanations(); k++)
        suspect->score[k] = -1;
    if (!any)
        localise_fit_factors(work, suspect, jump, &before);
    suspect->tried = true;
    free(x);
}

/* --- the run ------------------------------------------------------------------------ */

/* The rule of the run, and the localisation that it probes for. */
struct probe {
    struct jump_rule rule;      /* first member: a rule is a probe */
    struct localise_work *work;
};

static int number_of(const struct columns *columns, int parameter)
{
    int j = 0;
    while (columns->parameter[j] != parameter)
        j++;
    return j;
}

static struct localise_work *work_of(const struct jump *jump)
{
    return ((const struct probe *)(const void *)jump->rule)->work;
}

static enum status probe_tau(const struct jump *jump, int parameter,
                             const struct jump_column *before, double *tau)
{
    struct localise_work *work = work_of(jump);
    if (number_of(&work->columns, parameter) == 0)
        work->event++;
    return saltation_tau(jump, parameter, before, tau);
}

/* The run goes on by saltation, and ends when nothing is left to try. */
static enum status probe_apply(const struct jump *jump, int parameter,
                               const struct jump_column *before, double tau,
                               struct jump_column *after)
{
    struct localise_work *work = work_of(jump);
    int j = number_of(&work->columns, parameter);
    bool done = true;
    for (int k = 0; k < work->suspects; k++) {
        struct suspect *suspect = &work->suspect[k];
        if (suspect->event == work->event && suspect->parameter == j)
            try_all(work, suspect, jump, before);
        done = done && suspect->tried;
    }
    return done ? NOT_APPLICABLE : saltation_apply(jump, parameter, before, tau, after);
}

static bool all_tried(const struct localise_work *work)
{
    for (int k = 0; k < work->suspects; k++)
        if (!work->suspect[k].tried)
            return false;
    return true;
}

/* Runs the exact motion in the equations of the default formulation, so that a
   formulation is not judged by itself. No such run may get to the last suspect: then the
   motion is run in its own equations. */
bool localise_try_rules(struct localise_work *work)
{
    const struct run_request *motion = work->request->motion;
    const struct formulation *plain = formulation_default(motion->model);
    const struct probe probe = {
        .rule = {.name = "probe", .tau = probe_tau, .apply = probe_apply},
        .work = work};
    struct diagnosis diagnosis = {.t = NAN};
    for (int own = !work->request->exact; own < 2 && !all_tried(work); own++) {
        struct run_request request = *motion;
        struct trajectory *trajectory = NULL;
        request.rule = &probe.rule;
        request.samples = 0;
        request.progress = NULL;
        work->event = 0;
        if (!own) {
            request.rtol = tolerance_default(motion->model->desc,
                                             integrator_default(plain), plain);
            request.atol = request.rtol / 1000;
            run_exact(&request, &trajectory, &diagnosis);
        } else if (motion->formulation) {
            run_once(&request, &trajectory, &diagnosis);
        }
        trajectory_free(trajectory);
    }
    return all_tried(work);
}
