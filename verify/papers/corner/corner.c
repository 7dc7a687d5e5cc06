/*
 * corner.c - Corner, Sandu, Sandu 2019: the five-bar mechanism of section 7
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "papers/corner/corner.h"
#include "papers/finding.h"
#include "papers/match.h"
#include "papers/probe.h"

/* --- geometry ----------------------------------------------------------------------- */

/* The symmetric configuration to which the printed lengths belong; A and B are
   printed. */
static const struct place {
    const char *name;
    double x, y;
} place[] = {{"A", -0.5, 0}, {"1", -1.5, -1}, {"2", 0, -2}, {"3", 1.5, -1},
             {"B", 0.5, 0}};
enum { A, P1, P2, P3, B, PLACES };

static double distance(int i, int j)
{
    return hypot(place[i].x - place[j].x, place[i].y - place[j].y);
}

/* Adds the pairs of points, bars left out, that are as far apart as is printed. */
static void tell_pairs(struct finding *finding, const struct claim *claim)
{
    char pairs[100] = "";
    for (int i = 0; i < PLACES; i++)
        for (int j = i + 1; j < PLACES; j++)
            if (j - i > 1 && fabs(distance(i, j) - strtod(claim->printed, NULL)) < 1e-4)
                snprintf(pairs + strlen(pairs), sizeof pairs - strlen(pairs), "%s%s-%s",
                         *pairs ? ", " : "", place[i].name, place[j].name);
    if (*pairs)
        finding_tell(finding, "So far apart are %s: the spring may attach there.", pairs);
}

/* subject: PLACES times one point plus the other. */
static void judge_length(const void *study, const struct claim *claim,
                         struct finding *finding)
{
    (void)study;
    int i = claim->subject / PLACES, j = claim->subject % PLACES;
    double length = distance(i, j);
    char rounded[20];
    finding_number(finding, claim, length, NAN);
    snprintf(rounded, sizeof rounded, "%.4f", length);
    if (strcmp(rounded, claim->printed) != 0)
        finding_tell(finding, "Rounded it is %s: the printed decimals are cut off.",
                     rounded);
    tell_pairs(finding, claim);
}

static void judge_start(const void *study, const struct claim *claim,
                        struct finding *finding)
{
    (void)claim;
    const struct trajectory *motion =
        ((const struct case_study *)study)->bars[0].run.trajectory;
    const struct mode *mode = motion->sample[0].mode;
    double *Phi = memory_new(mode->m, sizeof *Phi);
    const double *x = motion->sample[0].x;
    struct probe at;
    probe_init(&at, motion->columns.model, motion->value, mode->Phi, mode->m);
    probe_at(&at, &motion->columns, &motion->sample[0]);
    probe_evaluate(&at, Phi, NULL);
    double residual = largest_size(Phi, mode->m);
    finding_holds(finding, residual < 1e-12, residual);
    finding_tell(finding, "Ours is the largest residual of (98) in m^2, with 1 = (%.5f, "
                 "%.5f) and 3 = (%.5f, %.5f).", x[0], x[1], x[4], x[5]);
    probe_clear(&at);
    free(Phi);
}

/* --- judges ------------------------------------------------------------------------- */

static bool stands(const struct measure *measure, double size, const struct claim *claim)
{
    switch (measure->wanted) {
    case EXACT: return size < 1e-9;
    case ABOUT: return size < 1e-2;
    case PRINTED: return size < strtod(claim->printed, NULL);
    default: return size > 1e-2;
    }
}

/* For both attachments; ours is the larger number, of those that must be large the
   smaller one. */
static void judge_measure(const void *study, const struct claim *claim,
                          struct finding *finding)
{
    const struct case_study *all = study;
    const struct measure *measure = &corner_measures[claim->subject];
    double size[ATTACHMENTS];
    int held = 0;
    for (int a = 0; a < ATTACHMENTS; a++) {
        size[a] = measure->of(&all->bars[a]);
        held += stands(measure, size[a], claim);
    }
    finding_in_choices(finding, held, ATTACHMENTS,
                       measure->wanted == APART ? fmin(size[0], size[1])
                                                : fmax(size[0], size[1]));
    finding_tell(finding, "%s: %.2e with springs on %s, %.2e on %s.", measure->what,
                 size[0], all->bars[0].attachment->springs, size[1],
                 all->bars[1].attachment->springs);
}

static void judge_bounce(const void *study, const struct claim *claim,
                         struct finding *finding)
{
    const struct case_study *all = study;
    double worst = strtod(claim->printed, NULL), lowest[ATTACHMENTS];
    for (int a = 0; a < ATTACHMENTS; a++) {
        const struct bars *bars = &all->bars[a];
        const struct trajectory *motion = bars->run.trajectory;
        int y2 = paper_column(motion, "q.y2");
        lowest[a] = INFINITY;
        for (int e = 0; e < motion->events; e++) {
            double y = motion->event[e].before.x[y2];
            if (fabs(y - strtod(claim->printed, NULL)) >
                fabs(worst - strtod(claim->printed, NULL)))
                worst = y;
        }
        for (int k = 0; k < motion->samples; k++)
            lowest[a] = fmin(lowest[a], motion->sample[k].x[y2]);
    }
    finding_number(finding, claim, worst, NAN);
    finding_tell(finding, "Ours is y2 at the event farthest off. In 5 s there are %d "
                 "events with springs on %s, %d on %s; the lowest samples are %.9f and "
                 "%.9f m.",
                 all->bars[0].run.trajectory->events, all->bars[0].attachment->springs,
                 all->bars[1].run.trajectory->events, all->bars[1].attachment->springs,
                 lowest[0], lowest[1]);
}

static void judge_energy(const void *study, const struct claim *claim,
                         struct finding *finding)
{
    (void)claim;
    const struct case_study *all = study;
    double least[ATTACHMENTS], largest[ATTACHMENTS], worst = 0;
    for (int a = 0; a < ATTACHMENTS; a++) {
        corner_energy_changes(&all->bars[a], &least[a], &largest[a]);
        worst = fmax(worst, fmax(fabs(least[a]), fabs(largest[a])));
    }
    finding_holds(finding, worst < 1e-9, worst);
    finding_tell(finding, "The kinetic energy changes at events by %+.4f to %+.4f of it "
                 "with springs on %s, by %+.4f to %+.4f on %s. The speed of point 2 is "
                 "kept, those of points 1 and 3 are not. Remark 11 does not "
                 "say which h of (80) is elastic.", least[0], largest[0],
                 all->bars[0].attachment->springs, least[1], largest[1],
                 all->bars[1].attachment->springs);
}

static void judge_spikes(const void *study, const struct claim *claim,
                         struct finding *finding)
{
    const struct case_study *all = study;
    struct spikes a = corner_spikes(&all->bars[0]), b = corner_spikes(&all->bars[1]);
    double least = fmin(a.least, b.least), largest = fmax(a.largest, b.largest);
    double said = strtod(claim->printed, NULL);
    finding_magnitude(finding, claim, largest / said > said / least ? largest : least);
    finding_tell(finding, "Ours is the height farthest from %s. Between the events of "
                 "both runs |vy2(rho + drho/2) - vy2(rho - drho/2)|/drho with drho = %g "
                 "m is %.3g to %.3g 1/s with springs on %s, %.3g to %.3g 1/s on %s.",
                 claim->printed, corner_drho, a.least, a.largest,
                 all->bars[0].attachment->springs, b.least, b.largest,
                 all->bars[1].attachment->springs);
}

static void judge_divisor(const void *study, const struct claim *claim,
                          struct finding *finding)
{
    (void)claim;
    const struct case_study *all = study;
    finding_holds(finding, fabs(all->whole - 1) < 1e-3, all->whole);
    finding_tell(finding, "Ours is the quotient over dy2/dL01 at the end, springs on %s. "
                 "By (30) drho is the whole distance of the twins, at rho - drho/2 and "
                 "rho + drho/2, and their difference over drho, taken below, is the "
                 "derivative. That of a perturbed and the nominal run, the words of Sec. "
                 "7, comes to %.7f of it.", all->bars[0].attachment->springs,
                 all->forward);
}

static void judge_robust(const void *study, const struct claim *claim,
                         struct finding *finding)
{
    (void)claim;
    const struct case_study *all = study;
    struct errors a = corner_errors(&all->bars[0]), b = corner_errors(&all->bars[1]);
    finding_in_choices(finding, (a.analytic < a.away) + (b.analytic < b.away),
                       ATTACHMENTS, fmax(a.analytic, b.analytic));
    finding_tell(finding, "Ours is the larger error of the analytic derivatives. Largest "
                 "relative errors of dy2 and dvy2 against complex step: with springs on "
                 "%s %.1e analytically, by differences %.1e away from spikes and %.1e in "
                 "them; on %s %.1e, %.1e and %.1e.",
                 all->bars[0].attachment->springs, a.analytic, a.away, a.all,
                 all->bars[1].attachment->springs, b.analytic, b.away, b.all);
}

static const struct claim claims[] = {
    {"Sec. 7", "length of A1, 1 = (-1.5, -1)", "1.4142", "m", judge_length,
     A * PLACES + P1},
    {"Sec. 7", "length of 12, 2 = (0, -2)", "1.8027", "m", judge_length,
     P1 * PLACES + P2},
    {"Sec. 7", "L01, spring 1 unstretched there", "2.2360", "m", judge_length,
     P1 * PLACES + B},
    {"Sec. 7", "L02, spring 2 unstretched there", "2.0615", "m", judge_length,
     P2 * PLACES + B},
    {"Sec. 7", "the start (0.53029, -2.10283) closes the loop", "", "", judge_start, 0},
    {"Fig. 4a", "y2 bounces at", "-2.35", "m", judge_bounce, 0},
    {"Fig. 4b", "vy2 jumps to its opposite at each event", "", "", judge_measure,
     REVERSAL},
    {"Sec. 7", "vx2 remains unchanged at each event", "", "", judge_measure, KEPT},
    {"ours", "the impact of Sec. 7, vy2 reversed, keeps the kinetic energy", "", "",
     judge_energy, 0},
    {"Sec. 7", "(v(rho + drho) - v(rho - drho))/drho, as written, is the derivative",
     "", "", judge_divisor, 0},
    {"Fig. 5a", "differences of y2 agree with the derivatives within", "0.1", "%",
     judge_measure, ERROR_Y2},
    {"Fig. 5b", "differences of vy2 agree with the derivatives within", "0.1", "%",
     judge_measure, ERROR_VY2},
    {"Fig. 5b", "magnitude of the spikes of differences", "1e4", "1/s", judge_spikes, 0},
    {"Sec. 7", "the height of the spikes is |2 vy2|/drho", "", "", judge_measure, SPIKES},
    {"Fig. 2", "the spikes last |dt_e/drho| drho", "", "", judge_measure, WIDTHS},
    {"Fig. 6a", "z, the integral of vy2, matches y2", "", "", judge_measure, FALL},
    {"Fig. 6b", "z, the integral of ay2, does not match vy2", "", "", judge_measure,
     JERK},
    {"Fig. 6b", "they differ by a constant after each event", "", "", judge_measure,
     JERK_ON_ARCS},
    {"Fig. 7a", "differences of z agree with the derivatives within", "0.1", "%",
     judge_measure, ERROR_FALL},
    {"Fig. 7b", "differences of z agree with the derivatives within", "0.1", "%",
     judge_measure, ERROR_JERK},
    {"Fig. 7a", "dz matches dy2 of Fig. 5a", "", "", judge_measure, DFALL},
    {"Fig. 7b", "dz does not match dvy2 of Fig. 5b", "", "", judge_measure, DJERK},
    {"Fig. 7b", "it differs by a constant after each event", "", "", judge_measure,
     DJERK_ON_ARCS},
    {"Sec. 8", "analytic derivatives are more robust than differences", "", "",
     judge_robust, 0},
    {0}};

const struct study corner_case_study = {
    .name = "corner, five-bar", .weight = 1, .open = corner_open, .close = corner_close,
    .claim = claims, .figure = corner_figures};

extern const struct paper paper_corner;
const struct paper paper_corner = {
    .name = "corner",
    .authors = "Corner, Sandu, Sandu",
    .year = "2019",
    .title = "Modeling and sensitivity analysis methodology for hybrid dynamical system",
    .journal = "Nonlinear Analysis: Hybrid Systems 31 (2019) 19-40",
    .question = "A five-bar mechanism with two springs bounces on a ground for 5 s; the "
                "derivatives of its bottom point by the natural lengths of the springs "
                "are computed by a penalty formulation.",
    .study = (const struct study *const[]){
        &corner_case_study, &corner_penalty, &corner_formulations, &corner_constraints,
        &corner_singular, &corner_formulas, NULL}};
