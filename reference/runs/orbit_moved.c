/*
 * orbit_moved.c - orbits at moved parameters, solved again from where derivatives say
 * that they are (orbit_moved.h)
 */
#include "orbit_moved.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>

#include "base/memory.h"

/* One side of a difference. */
struct side {
    const struct orbit_solved *from;
    struct orbit_equations e;
    char **text;                /* [model->p] values that are moved; NULL: nominal */
    mpfr_ptr x;                 /* [count] */
    enum status status;
    struct diagnosis diagnosis;
};

static void open_side(struct side *side, const struct orbit_solved *from, mpfr_srcptr w,
                      long exponent, bool plus)
{
    const struct mp_orbit_request *asked = from->e->segments.asked;
    int p = asked->run.model->p;
    *side = (struct side){.from = from, .text = memory_new(p, sizeof *side->text)};
    mpfr_ptr moved = mp_vector_new(1, mpfr_get_prec(from->rho));
    mpfr_ptr du = mp_vector_new((size_t)from->e->unknowns, from->e->precision);
    for (int j = 0; j < asked->run.parameters; j++) {
        int index = asked->run.parameter[j];
        mpfr_mul_2si(moved, w + j, exponent, MPFR_RNDN);
        if (!plus)
            mpfr_neg(moved, moved, MPFR_RNDN);
        mpfr_add(moved, moved, from->rho + index, MPFR_RNDN);
        if (!mpfr_zero_p(w + j))
            side->text[index] = orbit_number_text(moved);
    }
    orbit_equations_borrow(&side->e, from->e, 0, (const char *const *)side->text);
    for (int j = 0; j < asked->run.parameters; j++) {
        if (mpfr_zero_p(w + j))
            continue;
        orbit_equations_by_parameter(from->e, j, du);
        for (int i = 0; i < from->e->unknowns; i++) {
            mpfr_mul(du + i, du + i, w + j, MPFR_RNDN);
            mpfr_mul_2si(du + i, du + i, exponent, MPFR_RNDN);
            (plus ? mpfr_add : mpfr_sub)(side->e.u + i, side->e.u + i, du + i, MPFR_RNDN);
        }
    }
    side->x = mp_vector_new((size_t)from->orbit->count, from->e->precision);
    mp_vector_free(du);
    mp_vector_free(moved);
}

static void close_side(struct side *side)
{
    for (int j = 0; j < side->from->e->segments.asked->run.model->p; j++)
        free(side->text[j]);
    free(side->text);
    orbit_equations_clear(&side->e);
    mp_vector_free(side->x);
}

static enum status take_numbers(struct side *side)
{
    const struct orbit_solved *from = side->from;
    struct orbit_spectrum spectrum;
    if (!orbit_numbers_same_events(&side->e, from->orbit))
        return diagnose(&side->diagnosis, NO_ORBIT, NAN, "an orbit at moved parameters "
                        "has other events");
    orbit_numbers_fill(&side->e, from->orbit, side->x);
    bool found = orbit_spectrum_follow(&side->e, from->spectrum, &spectrum);
    if (found)
        orbit_spectrum_take(&spectrum, from->orbit, side->x);
    orbit_spectrum_clear(&spectrum);
    return found ? OK : diagnose(&side->diagnosis, NO_ORBIT, NAN, "multipliers cannot be "
                                 "followed to moved parameters");
}

static void *solve_side(void *context)
{
    struct side *side = context;
    side->status = orbit_equations_solve(&side->e, side->e.digits, 1, &side->diagnosis);
    if (side->status == OK)
        side->status = take_numbers(side);
    return NULL;
}

static void *solve_apart(void *context)
{
    solve_side(context);
    mpfr_free_cache();
    return NULL;
}

enum status orbit_moved_difference(const struct orbit_solved *from, mpfr_srcptr w,
                                   long exponent, int threads, mpfr_ptr out, long *runs,
                                   struct diagnosis *diagnosis)
{
    struct side side[2];
    pthread_t thread;
    enum status status = OK;
    for (int k = 0; k < 2; k++)
        open_side(&side[k], from, w, exponent, k == 0);
    bool apart = threads > 1 &&
                 pthread_create(&thread, NULL, solve_apart, &side[1]) == 0;
    solve_side(&side[0]);
    if (apart)
        pthread_join(thread, NULL);
    else
        solve_side(&side[1]);
    for (int k = 0; k < 2; k++) {
        *runs += side[k].e.segments.runs;
        if (status == OK && side[k].status != OK) {
            status = side[k].status;
            *diagnosis = side[k].diagnosis;
        }
    }
    for (int i = 0; status == OK && i < from->orbit->count; i++) {
        mpfr_sub(out + i, side[0].x + i, side[1].x + i, MPFR_RNDN);
        mpfr_mul_2si(out + i, out + i, -exponent - 1, MPFR_RNDN);
    }
    for (int k = 0; k < 2; k++)
        close_side(&side[k]);
    return status;
}
