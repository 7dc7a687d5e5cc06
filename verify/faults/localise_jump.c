/*
 * jump.c - a jump that went wrong, taken once more by every rule that is wrong.
 *
 * The motion is run by saltation up to the last spot. At a spot each rule is given the
 * values of both sides as they are there, and the sensitivities before the event as they
 * came, so that errors made before the event are on both sides of the comparison.
 */
#include "faults/localise_parts.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "faults/judged_rules.h"
#include "faults/terms.h"
#include "motion/run_exact.h"
#include "verdict/tolerances.h"

/* An explanation is nearer to the wrong numbers than the right values by so many digits,
   or as near as can be told; to one of them at least so many. It misses a number that
   held by less than so many. */
static const double nearer = 4, at_least = 2, slack = 2;
/* More digits than this are not told apart: a run has no more. */
static const double enough = 12;

int blame_rules(void)
{
    int count = 0;
    for (int k = 0; term_rules[k].rule.name; k++)
        count++;
    for (int k = 0; judged_rules[k]; k++)
        count++;
    return count;
}

const struct jump_rule *blame_rule(int k)
{
    for (int i = 0; term_rules[i].rule.name; i++)
        if (k-- == 0)
            return &term_rules[i].rule;
    return judged_rules[k];
}

int blame_explanations(void)
{
    int terms = 0;
    while (term_texts[terms].text)
        terms++;
    return blame_rules() + terms;
}

double blame_digits(double a, double b, double want, double scale)
{
    double size = fmax(fmax(fabs(want), scale), fabs(a));
    if (a == b)
        return enough;
    double digits = -log10(fabs(a - b) / size);
    return digits > 0 ? fmin(digits, enough) : 0;
}

/* --- one rule at one spot ----------------------------------------------------------- */

struct jump_column blame_block(const struct columns *columns, double *x)
{
    const int *begin = columns->begin;
    return (struct jump_column){
        .Q = x + begin[GROUP_Q], .V = x + begin[GROUP_V], .S = x + begin[GROUP_S],
        .A = x + begin[GROUP_A], .Lambda = x + begin[GROUP_LAMBDA],
        .Z = x + begin[GROUP_Z]};
}

static bool belongs(const struct mark *mark, const struct spot *spot)
{
    return mark->event == spot->event && mark->parameter == spot->parameter;
}

bool blame_counts(const struct blame *blame, const struct spot *spot,
                  const struct mark *mark)
{
    return belongs(mark, spot) &&
           (mark->place == PLACE_TIME || mark->place == PLACE_AFTER) &&
           (spot->numbers == 0 || !blame_follows(blame, mark));
}

/* How well the jump (tau, x) explains what came; < 0: not at all. */
static double score(const struct blame *blame, const struct spot *spot, double tau,
                    const double *x)
{
    double least = enough, most = 0;
    for (int k = spot->from; k < spot->to; k++) {
        const struct mark *mark = &blame->mark[k];
        if (!blame_counts(blame, spot, mark))
            continue;
        double here = mark->place == PLACE_TIME ? tau : x[mark->column];
        double digits = blame_digits(mark->got, here, mark->want, mark->scale);
        if (mark->held && digits < fmin(mark->bar, mark->digits) - slack)
            return -1;
        if (mark->held)
            continue;
        if (digits < fmin(mark->digits + nearer, enough))
            return -1;
        least = fmin(least, digits - mark->digits);
        most = fmax(most, digits - mark->digits);
    }
    return most < at_least ? -1 : fmax(least, 0);
}

/* The sensitivities before the event as they came; where they did not, those of the
   run. */
static void fill_before(const struct blame *blame, const struct spot *spot,
                        const struct jump *jump, const struct jump_column *own, double *x)
{
    struct jump_column to = blame_block(&blame->columns, x);
    int n = jump->model->n;
    memory_copy(to.Q, own->Q, n, sizeof *x);
    memory_copy(to.V, own->V, n, sizeof *x);
    memory_copy(to.S, own->S, jump->model->ns, sizeof *x);
    memory_copy(to.A, own->A, n, sizeof *x);
    memory_copy(to.Lambda, own->Lambda, jump->before.mode->m, sizeof *x);
    memory_copy(to.Z, own->Z, jump->model->nz, sizeof *x);
    for (int k = spot->from; k < spot->to; k++)
        if (belongs(&blame->mark[k], spot) && blame->mark[k].place == PLACE_BEFORE)
            x[blame->mark[k].column] = blame->mark[k].got;
}

double blame_try_rule(const struct blame *blame, const struct spot *spot,
                      const struct jump *jump, const struct jump_rule *rule,
                      const struct jump_column *before, double *tau, double *x)
{
    int parameter = blame->columns.parameter[spot->parameter];
    struct jump_column after = blame_block(&blame->columns, x);
    struct jump view = *jump;
    const char *why;
    view.rule = rule;
    if ((rule->applies && !rule->applies(jump->event, &why)) ||
        rule->tau(&view, parameter, before, tau) != OK ||
        rule->apply(&view, parameter, before, *tau, &after) != OK)
        return -1;
    return score(blame, spot, *tau, x);
}

static void try_all(const struct blame *blame, struct spot *spot, const struct jump *jump,
                    const struct jump_column *own)
{
    int width = blame->columns.width, count = blame_rules();
    double *x = memory_new(2 * width, sizeof *x), tau;
    bool any = false;
    struct jump_column before = blame_block(&blame->columns, x);
    fill_before(blame, spot, jump, own, x);
    for (int k = 0; k < count; k++) {
        spot->score[k] = blame_try_rule(blame, spot, jump, blame_rule(k), &before, &tau,
                                        x + width);
        any = any || spot->score[k] >= 0;
    }
    for (int k = count; k < blame_explanations(); k++)
        spot->score[k] = -1;
    if (!any)
        blame_fit_factors(blame, spot, jump, &before);
    spot->tried = true;
    free(x);
}

/* --- the run ------------------------------------------------------------------------ */

/* The rule of the run, and what it is for. */
struct probe {
    struct jump_rule rule;      /* first */
    struct blame *blame;
};

static int number_of(const struct columns *columns, int parameter)
{
    int j = 0;
    while (columns->parameter[j] != parameter)
        j++;
    return j;
}

static struct blame *blame_of(const struct jump *jump)
{
    return ((const struct probe *)(const void *)jump->rule)->blame;
}

static enum status probe_tau(const struct jump *jump, int parameter,
                             const struct jump_column *before, double *tau)
{
    struct blame *blame = blame_of(jump);
    if (number_of(&blame->columns, parameter) == 0)
        blame->event++;
    return saltation_tau(jump, parameter, before, tau);
}

/* The run goes on by saltation; where nothing is left to try it ends. */
static enum status probe_apply(const struct jump *jump, int parameter,
                               const struct jump_column *before, double tau,
                               struct jump_column *after)
{
    struct blame *blame = blame_of(jump);
    int j = number_of(&blame->columns, parameter);
    bool done = true;
    for (int k = 0; k < blame->spots; k++) {
        struct spot *spot = &blame->spot[k];
        if (spot->event == blame->event && spot->parameter == j)
            try_all(blame, spot, jump, before);
        done = done && spot->tried;
    }
    return done ? NOT_APPLICABLE : saltation_apply(jump, parameter, before, tau, after);
}

static bool all_tried(const struct blame *blame)
{
    for (int k = 0; k < blame->spots; k++)
        if (!blame->spot[k].tried)
            return false;
    return true;
}

/* A run of the exact motion in the equations of the default formulation, so that a
   formulation is not judged by itself; where no such run gets to the last spot, of the
   motion in its own ones. */
bool blame_try_rules(struct blame *blame)
{
    const struct run_request *motion = blame->request->motion;
    const struct formulation *plain = formulation_default(motion->model);
    const struct probe probe = {
        .rule = {.name = "probe", .tau = probe_tau, .apply = probe_apply},
        .blame = blame};
    struct diagnosis diagnosis = {.t = NAN};
    for (int own = !blame->request->exact; own < 2 && !all_tried(blame); own++) {
        struct run_request request = *motion;
        struct trajectory *trajectory = NULL;
        request.rule = &probe.rule;
        request.samples = 0;
        request.progress = NULL;
        blame->event = 0;
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
    return all_tried(blame);
}
