/* value_scales.c - sizes by which digits of a motion count; see value_scales.h. */
#include "value_scales.h"

#include "arithmetic/mp.h"

mpfr_ptr value_scale(const struct value_scales *scales, int group, int j)
{
    return scales->largest + (j + 1) * (GROUPS + 1) + group;
}

static void raise_to(mpfr_ptr scale, mpfr_srcptr x)
{
    if (mpfr_number_p(x) && mpfr_cmpabs(x, scale) > 0)
        mpfr_abs(scale, x, MPFR_RNDN);
}

static void scan_point(struct value_scales *scales, const struct mp_point *point)
{
    for (int c = 0; c < scales->columns->count; c++) {
        enum column_group group;
        int i, j;
        column_parts(scales->columns, c, &group, &i, &j);
        raise_to(value_scale(scales, (int)group, j), point->x[c]);
    }
}

static void natural_scales(struct value_scales *scales, mpfr_srcptr rho)
{
    mpfr_t natural;
    mpfr_init2(natural, mpfr_get_prec(rho));
    for (int j = 0; j < scales->columns->p; j++)
        for (int group = 0; group <= GROUPS; group++) {
            mpfr_srcptr parameter = rho + scales->columns->parameter[j];
            mpfr_set(natural, value_scale(scales, group, -1), MPFR_RNDN);
            if (mpfr_cmp_si(parameter, -1) < 0 || mpfr_cmp_ui(parameter, 1) > 0)
                mpfr_div(natural, natural, parameter, MPFR_RNDN);
            raise_to(value_scale(scales, group, j), natural);
        }
    mpfr_clear(natural);
}

void value_scales_init(struct value_scales *scales, const struct mp_trajectory *t,
                       mpfr_srcptr rho)
{
    int nz = t->columns.model->nz;
    scales->columns = &t->columns;
    scales->largest = mp_vector_new((size_t)((GROUPS + 1) * (1 + t->columns.p)),
                                    t->precision);
    for (int i = 0; i < t->samples; i++)
        scan_point(scales, &t->sample[i]);
    for (int e = 0; e < t->events; e++) {
        scan_point(scales, &t->event[e].before);
        scan_point(scales, &t->event[e].after);
    }
    for (int i = 0; i < nz * (1 + t->columns.p); i++)
        raise_to(value_scale(scales, GROUPS, i / nz - 1), t->psi[i]);
    if (rho)
        natural_scales(scales, rho);
}

void value_scales_clear(struct value_scales *scales)
{
    mp_vector_free(scales->largest);
}

void value_scale_of_tau(mpfr_srcptr t, mpfr_srcptr rho, mpfr_ptr scale)
{
    mpfr_abs(scale, rho, MPFR_RNDN);
    if (mpfr_cmp_ui(scale, 1) < 0)
        mpfr_set_ui(scale, 1, MPFR_RNDN);
    mpfr_div(scale, t, scale, MPFR_RNDN);
    mpfr_abs(scale, scale, MPFR_RNDN);
}
