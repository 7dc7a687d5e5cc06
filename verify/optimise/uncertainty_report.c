/*
 * uncertainty_report.c - standard deviations, correlations and the size of psi as text
 * (report.h)
 */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "optimise/report.h"
#include "tables/text_table.h"

enum { PARAMETER, DEVIATION, UNIT, CORRELATIONS };

static const struct parameter *parameter_of(const struct optimisation *o, int k)
{
    return &o->columns.model->parameter[o->columns.parameter[k]];
}

/* A column for each parameter that is not held stands behind the first three. */
static struct text_column *columns_new(const struct optimisation *o,
                                       const struct uncertainty *u)
{
    struct text_column *column = memory_new(CORRELATIONS + o->n, sizeof *column);
    column[PARAMETER] = (struct text_column){"parameter", TEXT_LEFT, 0, 9};
    column[DEVIATION] = (struct text_column){"deviation", TEXT_RIGHT, 2, 10};
    column[UNIT] = (struct text_column){"unit", TEXT_LEFT, 2, 4};
    for (int k = 0; k < o->n; k++) {
        const char *name = parameter_of(o, k)->name;
        text_column_fit(&column[PARAMETER], name);
        text_column_fit(&column[UNIT], parameter_of(o, k)->unit);
        if (u->place[k] < 0)
            continue;
        struct text_column *last = &column[CORRELATIONS + u->place[k]];
        *last = (struct text_column){name, TEXT_RIGHT, 2, 7};
        text_column_fit(last, name);
    }
    return column;
}

/* The correlations up to the diagonal; the others are the same numbers. */
static void print_row(FILE *stream, const struct text_column *column,
                      const struct covariance *c, int j)
{
    for (int k = 0; k <= j; k++)
        text_cell(stream, &column[CORRELATIONS + k], j == k ? "%.0f" : "%.4f",
                  c->correlation[j * c->n + k]);
}

static void print_table(FILE *stream, const struct optimisation *o,
                        const struct uncertainty *u)
{
    const struct covariance *c = &u->covariance;
    struct text_column *column = columns_new(o, u);
    text_heading(stream, column, CORRELATIONS + c->n);
    for (int k = 0; k < o->n; k++) {
        int j = u->place[k];
        text_cell(stream, &column[PARAMETER], "%s", parameter_of(o, k)->name);
        if (j < 0) {
            text_cell(stream, &column[DEVIATION], "held");
        } else {
            text_cell(stream, &column[DEVIATION], "%#.4g", c->deviation[j]);
            text_cell(stream, &column[UNIT], "%s", parameter_of(o, k)->unit);
            print_row(stream, column, c, j);
        }
        fputc('\n', stream);
    }
    free(column);
}

/* Compares psi with the number of readings. */
static void print_size(FILE *stream, const struct uncertainty *u)
{
    const struct covariance *c = &u->covariance;
    bool known = u->request.variances == VARIANCES_KNOWN;
    if (isnan(c->reduced))
        return;
    fprintf(stream, "%ld readings, %ld degrees of freedom: ", u->request.readings,
            c->degrees);
    if (known)
        fprintf(stream, "chi-square %.4g a degree, deviations %#.3g times as large as "
                "stated; a larger psi has probability %.2g\n", c->reduced,
                sqrt(c->reduced), c->chance);
    else
        fprintf(stream, "variance %.4g of a reading, standard deviation %.4g, in the "
                "units of psi\n", c->reduced, sqrt(c->reduced));
}

static void print_refusal(FILE *stream, const struct diagnosis *diagnosis)
{
    fprintf(stream, "no uncertainty: %s", status_text(diagnosis->status));
    if (isfinite(diagnosis->t))
        fprintf(stream, " at t = %.9g", diagnosis->t);
    fprintf(stream, ": %s\n", diagnosis->place);
}

void uncertainty_report(FILE *stream, const struct optimisation *o,
                        const struct uncertainty *u)
{
    const struct covariance *c = &u->covariance;
    if (u->status != OK) {
        print_refusal(stream, &u->diagnosis);
        return;
    }
    fprintf(stream, "standard deviations and correlations, variances %s\n",
            variances_text[u->request.variances]);
    print_table(stream, o, u);
    if (c->n < o->n)
        fputs("held: at a bound; the deviations of the others are conditional on it\n",
              stream);
    print_size(stream, u);
    fprintf(stream, "by second derivatives of condition %.2g, to %.1f digits\n",
            c->condition, c->digits);
}
