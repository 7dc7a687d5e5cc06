/*
 * finding.c - verdicts from numbers (finding.h)
 */
#include "papers/finding.h"

#include <math.h>
#include <mpfr.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "oracles/published.h"

/* --- printed numbers ---------------------------------------------------------------- */

static void decide(struct finding *finding, bool confirmed, enum claim_verdict otherwise)
{
    finding->verdict = confirmed ? CLAIM_CONFIRMED : otherwise;
}

static double printed_number(const struct claim *claim)
{
    return strtod(claim->printed, NULL);
}

/* Our number with three digits more than are printed, if as many are sure. */
static void compare(struct finding *finding, const struct claim *claim, double ours,
                    double digits, enum claim_verdict otherwise)
{
    int printed = 0, place;
    mpfr_t value;
    mpfr_init2(value, 53);
    mpfr_set_d(value, ours, MPFR_RNDN);
    printed_digits(claim->printed, &printed, &place);
    double hold = digits_that_hold(value, claim->printed);
    finding->agreed = (int)hold;
    finding->digits = digits;
    decide(finding, hold >= printed, otherwise);
    finding_ours(finding, ours, fmin(printed + 3, isnan(digits) ? printed + 3
                                                                : fmax(digits, printed)));
    mpfr_clear(value);
}

void finding_number(struct finding *finding, const struct claim *claim, double ours,
                    double digits)
{
    compare(finding, claim, ours, digits, CLAIM_REFUTED);
}

void finding_depends(struct finding *finding, const struct claim *claim, double ours,
                     double digits)
{
    compare(finding, claim, ours, digits, CLAIM_NOT_REPRODUCIBLE);
}

void finding_count(struct finding *finding, const struct claim *claim, int ours)
{
    decide(finding, ours == strtol(claim->printed, NULL, 10), CLAIM_REFUTED);
    finding_ours(finding, ours, 16);
}

void finding_magnitude(struct finding *finding, const struct claim *claim, double ours)
{
    double apart = log10(fabs(ours)) - log10(printed_number(claim));
    decide(finding, fabs(apart) <= 0.5, CLAIM_REFUTED);
    finding_ours(finding, ours, 3);
}

/* --- printed bounds ----------------------------------------------------------------- */

void finding_at_most(struct finding *finding, const struct claim *claim, double ours)
{
    decide(finding, ours <= printed_number(claim), CLAIM_REFUTED);
    finding_ours(finding, ours, 3);
}

void finding_at_most_depends(struct finding *finding, const struct claim *claim,
                             double ours, double worst)
{
    double bound = printed_number(claim);
    decide(finding, ours <= bound && worst <= bound, CLAIM_NOT_REPRODUCIBLE);
    finding_ours(finding, ours, 3);
}

/* --- statements --------------------------------------------------------------------- */

static void measured(struct finding *finding, double measure)
{
    if (!isnan(measure))
        finding_ours(finding, measure, 3);
}

void finding_holds(struct finding *finding, bool holds, double measure)
{
    decide(finding, holds, CLAIM_REFUTED);
    measured(finding, measure);
}

void finding_in_choices(struct finding *finding, int held, int choices, double measure)
{
    decide(finding, held == choices, CLAIM_NOT_REPRODUCIBLE);
    measured(finding, measure);
}

void finding_reaches(struct finding *finding, double miss, double allowed)
{
    decide(finding, miss <= allowed, CLAIM_NOT_REPRODUCIBLE);
    finding_ours(finding, miss, 4);
}

/* --- words -------------------------------------------------------------------------- */

void finding_ours(struct finding *finding, double ours, double digits)
{
    int places = digits < 1 ? 1 : digits > 16 ? 16 : (int)digits;
    snprintf(finding->ours, sizeof finding->ours, "%.*g", places, ours);
}

/* Appends to a text, behind a blank. */
static void tell(char *text, size_t size, const char *format, va_list list)
{
    size_t length = strlen(text);
    if (length > 0 && length + 1 < size) {
        text[length++] = ' ';
        text[length] = '\0';
    }
    vsnprintf(text + length, size - length, format, list);
}

void finding_tell(struct finding *finding, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    tell(finding->evidence, sizeof finding->evidence, format, list);
    va_end(list);
}

void trial_judge(struct trial *trial, const char *judge)
{
    snprintf(trial->judge, sizeof trial->judge, "%s", judge);
}

void trial_tell(struct trial *trial, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    tell(trial->evidence, sizeof trial->evidence, format, list);
    va_end(list);
}
