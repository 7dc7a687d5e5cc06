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

/* Prints a number with so many significant digits, 1 .. 16, without an exponent where
   that is shorter. */
static void print_ours(struct finding *finding, double ours, double digits)
{
    int places = digits < 1 ? 1 : digits > 16 ? 16 : (int)digits;
    snprintf(finding->ours, sizeof finding->ours, "%.*g", places, ours);
}

/* Our number with three digits more than are printed, if as many are sure. */
static void print_beside(struct finding *finding, const char *printed, double ours,
                         double digits)
{
    int own = 0, place;
    printed_digits(printed, &own, &place);
    print_ours(finding, ours, fmin(own + 3, isnan(digits) ? own + 3 : fmax(digits, own)));
    finding->digits = digits;
}

static void compare(struct finding *finding, const struct claim *claim, double ours,
                    double digits, enum claim_verdict otherwise)
{
    int printed, place;
    mpfr_t value;
    mpfr_init2(value, 53);
    mpfr_set_d(value, ours, MPFR_RNDN);
    printed_digits(claim->printed, &printed, &place);
    double hold = digits_that_hold(value, claim->printed);
    finding->agreed = (int)hold;
    finding->verdict = hold >= printed ? CLAIM_CONFIRMED : otherwise;
    print_beside(finding, claim->printed, ours, digits);
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

void finding_at_most(struct finding *finding, const struct claim *claim, double ours)
{
    finding->verdict = ours <= strtod(claim->printed, NULL) ? CLAIM_CONFIRMED
                                                            : CLAIM_REFUTED;
    print_ours(finding, ours, 3);
}

void finding_at_most_depends(struct finding *finding, const struct claim *claim,
                             double ours, double worst)
{
    finding->verdict = fmax(ours, worst) <= strtod(claim->printed, NULL)
                           ? CLAIM_CONFIRMED : CLAIM_NOT_REPRODUCIBLE;
    print_ours(finding, ours, 3);
}

void finding_magnitude(struct finding *finding, const struct claim *claim, double ours)
{
    double apart = log10(fabs(ours)) - log10(strtod(claim->printed, NULL));
    finding->verdict = fabs(apart) <= 0.5 ? CLAIM_CONFIRMED : CLAIM_REFUTED;
    print_ours(finding, ours, 3);
}

void finding_in_choices(struct finding *finding, int held, int choices, double measure)
{
    finding->verdict = held == choices ? CLAIM_CONFIRMED : CLAIM_NOT_REPRODUCIBLE;
    if (!isnan(measure))
        print_ours(finding, measure, 3);
}

void finding_holds(struct finding *finding, bool holds, double measure)
{
    finding->verdict = holds ? CLAIM_CONFIRMED : CLAIM_REFUTED;
    if (!isnan(measure))
        print_ours(finding, measure, 3);
}

void finding_not_reproducible(struct finding *finding, double ours)
{
    finding->verdict = CLAIM_NOT_REPRODUCIBLE;
    if (!isnan(ours))
        print_ours(finding, ours, 4);
}

void finding_reaches(struct finding *finding, double miss, double allowed)
{
    finding->verdict = miss <= allowed ? CLAIM_CONFIRMED : CLAIM_NOT_REPRODUCIBLE;
    print_ours(finding, miss, 4);
}

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

void trial_tell(struct trial *trial, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    tell(trial->evidence, sizeof trial->evidence, format, list);
    va_end(list);
}
