/*
 * error_growth.c - error growth of a run, by the norm of its tangent linear model.
 *
 * An error is carried along by the tangent linear model, as the sensitivities are. With
 * X_j = dx/drho_j of a group of components (all q or all v of a subsystem, each
 * auxiliary state)
 *
 *     growth = max over groups and j of |rho_j| max |X_j| / max |x|
 *
 * is the factor by which a relative error of a parameter, made at the start, is magnified
 * in x. Errors that the run makes itself are magnified alike, at most about rtol in a
 * step and at least rounding. So no digit of a chaotic motion, whose X_j grow
 * exponentially, may be left when growth is 1/rtol, and none is left when growth is
 * 1/eps, which is refused. (A free flight is a polynomial, and steps make no error but
 * rounding.) The maxima are up to now, and are those of the error control: growth
 * evaluates nothing.
 *
 * A parameter that is zero counts as one. Where forces balance, x may be rounding while
 * X_j is not; such a ratio is no growth. The ratio is large already at the first note
 * (the first sample or event, or an eighth of the run), and is divided out; where the
 * balance begins later, x is what rounding leaves of the force of one parameter alone. A
 * body at rest up to rounding that is kicked has X_j at once and x a moment later: the
 * ratio of that moment passes, while X_j of a chaotic motion goes on growing.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "events/hybrid.h"
#include "size.h"

/* A ratio up to this size at the first note is natural. */
static const double natural = 1e3;
/* Rounding errors of a run, in those of a step. */
static const double added_up = 1e3;
/* A run with fewer digits than this is reported as worn. */
static const double few = 2;

struct ratio {
    double value, effect;       /* effect: |rho_j| max |X_j| */
    int group, column;
};

static double span_of(const struct hybrid *core)
{
    return core->span.t_end - core->span.t0;
}

/* The largest magnitude of group g of the state up to now; a velocity counts for at least
   the velocity that moves q by its own size over the span. */
static double size_of(const struct hybrid *core, int g)
{
    const double *amplitude = core->control.amplitude;
    int parts = core->subsystems;
    bool velocities = g >= parts && g < 2 * parts;
    return velocities ? fmax(amplitude[g], amplitude[g - parts] / span_of(core))
                      : amplitude[g];
}

static struct ratio ratio_of(const struct hybrid *core, int g, int each)
{
    const struct system *system = core->system;
    struct ratio worst = {.group = g};
    double size = size_of(core, g);
    for (int j = 0; size > 0 && j < system->p; j++) {
        double rho = fabs(system->rho[system->parameter[j]]);
        double effect = parameter_size(rho) * core->control.amplitude[(j + 1) * each + g];
        if (effect / size > worst.value)
            worst = (struct ratio){effect / size, effect, g, j};
    }
    return worst;
}

/* The largest ratio over all groups of the state but costs, on which nothing depends. */
static struct ratio largest_ratio(struct hybrid *core, int each)
{
    struct ratio worst = {0};
    bool first = !core->growth.noted;
    core->growth.noted = true;
    for (int g = 0; g < each - core->model->nz; g++) {
        struct ratio own = ratio_of(core, g, each);
        if (first)
            core->growth.early[g] = fmax(1, own.value / natural);
        own.value /= fmax(1, core->growth.early[g]);
        if (own.value > worst.value)
            worst = own;
    }
    return worst;
}

static const char *name_of(const struct hybrid *core, int g)
{
    const struct model *model = core->model;
    int parts = core->subsystems, s = g - 2 * parts;
    return s >= 0 ? model->auxiliary[s] : g < parts ? "the coordinates"
                                                    : "the velocities";
}

/* The largest error of a step, relative to the state. */
static double error_of(const struct hybrid *core)
{
    return fmax(core->request->rtol, DBL_EPSILON);
}

bool error_growth_is_due(const struct hybrid *core)
{
    static const double early_part = 1.0 / 8;
    return core->system->p > 0 && !core->growth.noted &&
           core->t - core->span.t0 > early_part * span_of(core);
}

/* Notes from when on there are so few digits; INFINITY: there are more (again). */
static void note_since(double *since, bool fewer, double t)
{
    if (!fewer)
        *since = INFINITY;
    else if (!(*since < INFINITY))
        *since = t;
}

/* Do forces or rates balance, so that the group is what rounding leaves of them? Those of
   the parameter alone, over the run so far, are then beyond all digits of the group, as
   its effect is. */
static bool balances(struct hybrid *core, const struct ratio *worst)
{
    const struct model *model = core->model;
    struct system *system = core->system;
    int n = model->n, parts = core->subsystems, g = worst->group;
    double *zero = core->step.trial, *da = core->step.trial_dx, *df_s = da + n;
    double rho = fabs(system->rho[system->parameter[worst->column]]), most = 0;
    double past = core->t - core->span.t0;
    const struct state_direction alone = {
        .q = zero, .v = zero, .s = zero, .parameter = system->parameter[worst->column]};
    memset(zero, 0, (size_t)(n + model->ns) * sizeof *zero);
    if (hybrid_solve(core, core->t, core->x) != OK)
        return false;
    system_tangent(system, system->now, &alone, da, core->sides.lambda_plus, df_s, NULL);
    for (int i = core->group[g]; i < core->group[g + 1]; i++)
        most = fmax(most, fabs(g < parts ? da[i] * past : da[i - n]));
    most *= parameter_size(rho) * past;
    return size_of(core, g) <= added_up * DBL_EPSILON * most;
}

/* Is the ratio, beyond all digits, one that stays: has the effect doubled since it came
   to be, or is the run over? */
static bool stays(struct hybrid *core, const struct ratio *worst)
{
    if (!(core->growth.beyond > 0))
        core->growth.beyond = worst->effect;
    return worst->effect >= 2 * core->growth.beyond || !(core->t < core->span.t_end);
}

enum status error_growth_note(struct hybrid *core)
{
    struct error_growth *growth = &core->out->growth;
    int columns = 1 + core->system->p, each = core->control.groups / columns;
    if (columns == 1 || core->control.steps == 0 || core->closed ||
        (core->faults & FAULT_UNCONTROLLED))
        return OK;
    struct ratio worst = largest_ratio(core, each);
    while (worst.value * added_up * DBL_EPSILON >= 1 && balances(core, &worst)) {
        core->growth.early[worst.group] *= worst.value / natural;
        worst = largest_ratio(core, each);
    }
    growth->factor = fmax(1, worst.value);
    growth->digits = -log10(error_of(core) * growth->factor);
    if (!(growth->worn_at < INFINITY))
        growth->parameter = growth->digits < few
                                ? core->system->parameter[worst.column] : -1;
    note_since(&growth->worn_at, growth->digits < few, core->t);
    note_since(&growth->none_at, growth->digits <= 0, core->t);
    if (!(DBL_EPSILON * growth->factor >= 1)) {
        core->growth.beyond = 0;
        return OK;
    }
    if (!stays(core, &worst))
        return OK;
    return diagnose(core->diagnosis, NO_DIGITS, core->t,
                    "no digit is left of %s: errors have grown by %.1e since the start "
                    "(as by %s), and rounding with them; end the run before",
                    name_of(core, worst.group), growth->factor,
                    core->model->parameter[core->system->parameter[worst.column]].name);
}
