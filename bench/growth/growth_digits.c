/*
 * growth_digits.c - growth of the reference with the digits certified.
 */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "growth/growth.h"
#include "mechanisms/catalogue.h"
#include "reference.h"

/* The certification of a case by both routes, with all its parameters. */
struct certifying {
    struct model *model;
    int *parameter, digits;
};

static void certify_close(void *work)
{
    struct certifying *certifying = work;
    model_free(certifying->model);
    free(certifying->parameter);
    free(certifying);
    mpfr_free_cache();
}

static enum status certify_solve(struct point *point)
{
    const struct certifying *certifying = point->work;
    const struct reference_request request = {
        .model = certifying->model, .truth = {.variant = "exact"},
        .digits = certifying->digits, .parameter = certifying->parameter, .t_end = "0.4",
        .parameters = model_sensitivities(certifying->model, certifying->parameter),
    };
    struct certificate *made = NULL;
    enum status status = certify(&request, certifying->digits, 1, &made,
                                 &point->diagnosis);
    point->parts = certifying->digits;
    if (status == OK && made->agreed < certifying->digits)
        status = diagnose(&point->diagnosis, PRECISION, NAN, "%d digits agreed",
                          made->agreed);
    certificate_free(made);
    return status;
}

static void open_certifying(struct point *point, const char *name, int digits)
{
    struct certifying *certifying = memory_new(1, sizeof *certifying);
    *point = (struct point){.size = digits, .solve = certify_solve,
                            .close = certify_close, .diagnosis = {.t = NAN}};
    snprintf(point->name, sizeof point->name, "%s", name);
    certifying->digits = digits;
    certifying->model = model_new(case_find(name), &point->diagnosis);
    if (certifying->model) {
        certifying->parameter = memory_new(certifying->model->p,
                                           sizeof *certifying->parameter);
        point->work = certifying;
    } else {
        certify_close(certifying);
    }
}

/* A pendulum, one degree of freedom: without a constraint, and with one. */
static int open_digits(const struct growing *how, struct point *point, int room)
{
    static const char *const name[] = {"pendulum-angle", "pendulum"};
    static const int digits[] = {16, 32, 50, 100, 200};
    size_t sizes = how->quick ? 2 : sizeof digits/sizeof *digits;
    int points = 0;
    for (size_t c = 0; c < sizeof name/sizeof *name; c++)
        for (size_t k = 0; k < sizes && points < room; k++)
            open_certifying(&point[points++], name[c], digits[k]);
    return points;
}

extern const struct growth growth_digits;
const struct growth growth_digits = {
    .name = "digits", .axis = "digits", .part = "digit", .open = open_digits,
    .no_rtol = true,
    .title = "Digits certified by both routes of the reference; all parameters.",
};
