/*
 * orbit_scales.c - scales of the numbers of a periodic motion (orbit_scales.h)
 */
#include "orbit_scales.h"

#include "arithmetic/mp.h"

static void raise_to(mpfr_ptr largest, mpfr_srcptr x)
{
    if (mpfr_cmpabs(x, largest) > 0)
        mpfr_abs(largest, x, MPFR_RNDN);
}

/* The largest magnitude of a component in a lane over events and nodes. */
static void largest_of(const struct mp_orbit *orbit, int i, int j, mpfr_ptr largest)
{
    mpfr_set_zero(largest, 1);
    for (int k = 0; k < orbit->events; k++)
        raise_to(largest, orbit->x + mp_orbit_place(orbit, MP_ORBIT_AFTER, k, i, j));
    for (int k = 0; k < orbit->nodes; k++)
        raise_to(largest, orbit->x + mp_orbit_place(orbit, MP_ORBIT_NODE, k, i, j));
}

static void set_component(const struct mp_orbit *orbit, const long *size, int i, int j,
                          mpfr_ptr scale)
{
    /* Where half of the digits are zeros, all of them are. */
    long zero = size[i] - (long)mpfr_get_prec(scale) / 2;
    mpfr_ptr largest = scale + mp_orbit_place(orbit, MP_ORBIT_NODE, 0, i, j);
    largest_of(orbit, i, j, largest);
    if (j < 0 && (mpfr_zero_p(largest) || mpfr_get_exp(largest) < zero))
        mpfr_set_ui_2exp(largest, 1, size[i], MPFR_RNDN);
    for (int k = 0; k < orbit->nodes; k++)
        mpfr_set(scale + mp_orbit_place(orbit, MP_ORBIT_NODE, k, i, j), largest,
                 MPFR_RNDN);
    for (int k = 0; k < orbit->events; k++)
        mpfr_set(scale + mp_orbit_place(orbit, MP_ORBIT_AFTER, k, i, j), largest,
                 MPFR_RNDN);
    if (orbit->drift && orbit->drift[i] >= 0)
        raise_to(scale + mp_orbit_place(orbit, MP_ORBIT_ADVANCE, orbit->drift[i], 0, j),
                 largest);
}

void orbit_scales_multipliers(const struct mp_orbit *orbit, int j, mpfr_ptr scale)
{
    mpfr_ptr size = mp_vector_new(1, mpfr_get_prec(scale));
    for (int k = 0; k < orbit->multipliers; k++) {
        int place = mp_orbit_place(orbit, MP_ORBIT_MULTIPLIER, k, 0, j);
        mpfr_hypot(size, orbit->x + place, orbit->x + place + 1, MPFR_RNDN);
        raise_to(scale + place, size);
        raise_to(scale + place + 1, size);
    }
    mp_vector_free(size);
}

static void set_lane(const struct mp_orbit *orbit, const long *size, int j,
                     mpfr_ptr scale)
{
    mpfr_ptr period = scale + mp_orbit_place(orbit, MP_ORBIT_PERIOD, 0, 0, j);
    raise_to(period, orbit->x + mp_orbit_place(orbit, MP_ORBIT_PERIOD, 0, 0, j));
    for (int i = 0; i < orbit->width; i++)
        set_component(orbit, size, i, j, scale);
    for (int k = 0; k < orbit->events; k++)
        raise_to(period, orbit->x + mp_orbit_place(orbit, MP_ORBIT_TIME, k, 0, j));
    for (int k = 0; k < orbit->events; k++)
        mpfr_set(scale + mp_orbit_place(orbit, MP_ORBIT_TIME, k, 0, j), period,
                 MPFR_RNDN);
    orbit_scales_multipliers(orbit, j, scale);
}

void orbit_parameter_size(mpfr_srcptr rho, mpfr_ptr size)
{
    mpfr_abs(size, rho, MPFR_RNDN);
    if (mpfr_zero_p(size))
        mpfr_set_ui(size, 1, MPFR_RNDN);
}

mpfr_ptr orbit_scales(const struct mp_orbit *orbit, const long *size, mpfr_srcptr rho,
                      const int *parameter)
{
    int count = orbit->count, p = orbit->parameters;
    mpfr_prec_t precision = mpfr_get_prec(orbit->x);
    mpfr_ptr work = mp_vector_new(2, precision);
    mpfr_ptr scale = mp_vector_new((size_t)((1 + p) * count), precision);
    set_lane(orbit, size, -1, scale);
    for (int j = 0; j < p; j++) {
        set_lane(orbit, size, j, scale);
        orbit_parameter_size(rho + parameter[j], work);
        for (int i = 0; i < count; i++) {
            mpfr_div(work + 1, scale + i, work, MPFR_RNDN);
            raise_to(scale + (1 + j) * count + i, work + 1);
        }
    }
    mp_vector_free(work);
    return scale;
}
