/*
 * test_spread.c - fits to many records of one motion through impacts, each with its own
 * noise: estimates spread as their standard deviations say
 * (verify/optimise/uncertainty.h).
 */
#include "case.h"
#include "minimising.h"
#include "optimise/uncertainty.h"
#include "random_formulas.h"

#include <gsl/gsl_cdf.h>

TestSuite(spread, .timeout = 120);

enum { BALL = 4, PLACES = 10 };

/* AT(number, time) of each place. */
#define TIMES(AT) \
    AT(1, 0.10) AT(2, 0.34) AT(3, 0.58) AT(4, 0.82) AT(5, 1.06) \
    AT(6, 1.30) AT(7, 1.54) AT(8, 1.78) AT(9, 2.02) AT(10, 2.26)

#define TIME_OF(k, time) time,
static const double time_of[PLACES] = {TIMES(TIME_OF)};

#define PLACE(k, time) \
    FIXED(X##k, 0, "m", "place forwards"); \
    FIXED(Y##k, 0, "m", "height");
#define SEEN(k, time) do { \
        struct event *seen = model_event(model, "seen-" #k, flight, flight, \
                                         EQ(t - time), RISING); \
        seen->cost[0] = EQ(((x - X##k)*(x - X##k) + (y - Y##k)*(y - Y##k))/ \
                           (sigma*sigma)); \
    } while (0);

/* The tracked ball with the places that the camera has seen as parameters. */
static void record_filmed(struct model *model)
{
    COORDINATES(x, y);
    PARAMETERS(e, mu, u0, h0, g, sigma, X1, X2, X3, X4, X5, X6, X7, X8, X9, X10, Y1, Y2,
               Y3, Y4, Y5, Y6, Y7, Y8, Y9, Y10);
    COSTS(misfit);
    TIME(t);
    NOMINAL(e, 0.78, "1", "coefficient of restitution");
    NOMINAL(mu, 0.11, "1", "coefficient of friction");
    NOMINAL(u0, 3.9, "m/s", "initial speed, forwards");
    NOMINAL(h0, 1.02, "m", "initial height");
    FIXED(g, 9.81, "m/s^2", "gravity");
    FIXED(sigma, 0.005, "m", "standard deviation of a reading");
    TIMES(PLACE)
    struct mode *flight = model_mode(model, "flight");
    model->M[0][0] = EQ(1);
    model->M[1][1] = EQ(1);
    model->F[1] = EQ(-g);
    struct event *impact = model_event(model, "impact", flight, flight, EQ(y), FALLING);
    impact->v_plus[0] = EQ(vx + mu*(1 + e)*vy);
    impact->v_plus[1] = EQ(-e*vy);
    TIMES(SEEN)
    model->q0[0] = EQ(0);
    model->q0[1] = EQ(h0);
    model->v0[0] = EQ(u0);
    model->v0[1] = EQ(0);
    model->t_end = EQ(2.4);
}

/* The ball in closed form: parabola after parabola. */
static void place_at(const double *rho, double t, double *x, double *y)
{
    const double e = rho[0], mu = rho[1], g = 9.81;
    double vx = rho[2], vy = sqrt(2 * g * rho[3]), flight = vy / g;
    *x = 0;
    if (t < flight) {
        *x = vx * t;
        *y = rho[3] - g * t * t / 2;
        return;
    }
    for (; t >= flight; flight = 2 * vy / g) {
        t -= flight;
        *x += vx * flight;
        vx -= mu * (1 + e) * vy;
        vy *= e;
    }
    *x += vx * t;
    *y = vy * t - g * t * t / 2;
}

/* Box, Muller 1958 */
static double normal_number(struct random *random)
{
    double radius = sqrt(-2 * log(1 - random_between(random, 0, 1)));
    return radius * cos(2 * pi * random_between(random, 0, 1));
}

/* What many fits sum up to. */
struct trials {
    int count;
    double square[BALL];        /* ((estimate - truth)/deviation)^2 */
    double sum[BALL];           /* (estimate - truth)/deviation */
    double distance;            /* (estimate - truth)' C^-1 (estimate - truth), C of the
                                   fit */
    double psi;
};

/* Another record of the motion at rho. */
static void film(struct minimising *m, const double *rho, struct random *random)
{
    const struct model *model = m->s.model;
    for (int k = 0; k < PLACES; k++) {
        char name[2][8];
        double place[2];
        place_at(rho, time_of[k], &place[0], &place[1]);
        snprintf(name[0], sizeof name[0], "X%d", k + 1);
        snprintf(name[1], sizeof name[1], "Y%d", k + 1);
        for (int i = 0; i < 2; i++)
            m->s.value[model_parameter_index(model, name[i])] =
                place[i] + 0.005 * normal_number(random);
    }
}

/* x' C^-1 x by elimination in C, which has a pivot on its diagonal. */
static double squared_distance(const double *C, const double *x)
{
    double A[BALL][BALL + 1], sum = 0;
    for (int i = 0; i < BALL * BALL; i++)
        A[i / BALL][i % BALL] = C[i];
    for (int i = 0; i < BALL; i++)
        A[i][BALL] = x[i];
    for (int k = 0; k < BALL; k++) {
        sum += A[k][BALL] * A[k][BALL] / A[k][k];
        for (int i = k + 1; i < BALL; i++) {
            double factor = A[i][k] / A[k][k];
            for (int j = k; j <= BALL; j++)
                A[i][j] -= factor * A[k][j];
        }
    }
    return sum;
}

static void try_once(struct minimising *m, const double *rho, struct random *random,
                     struct trials *trials)
{
    static const struct uncertainty_request known = {VARIANCES_KNOWN, 2 * PLACES};
    double error[BALL];
    film(m, rho, random);
    struct optimisation *o = minimised(m);
    expect_arrival(o);
    struct uncertainty *u = optimisation_uncertainty(o, &known);
    cr_assert_eq(u->status, OK, "%s", u->diagnosis.place);
    for (int k = 0; k < BALL; k++) {
        error[k] = o->evaluation[o->best]->value[k] - rho[k];
        double part = error[k] / u->covariance.deviation[k];
        trials->sum[k] += part;
        trials->square[k] += part * part;
    }
    trials->distance += squared_distance(u->covariance.matrix, error);
    trials->psi += o->evaluation[o->best]->psi;
    trials->count++;
    uncertainty_free(u);
    optimisation_free(o);
}

/* Is x where chi-square of so many degrees is but once in a million on either side? */
static void expect_chi_square(double x, double degrees, const char *what,
                              unsigned long long seed)
{
    static const double rare = 1e-6;
    cr_expect(x > gsl_cdf_chisq_Pinv(rare, degrees) &&
              x < gsl_cdf_chisq_Qinv(rare, degrees),
              "%s: %.6g of %g, seed %llu", what, x, degrees, seed);
}

/* New noise on the record again and again: estimates spread as each fit predicts, by
   themselves and together, and psi is chi-square. A covariance without its factor of 2
   doubles the squares, ten sampling errors off. */
Test(spread, of_estimates_from_other_noise_is_as_predicted)
{
    enum { TRIALS = 200 };
    static const double rho[BALL] = {0.8, 0.12, 4, 1};
    static const char *const name[BALL] = {"e", "mu", "u0", "h0"};
    struct minimising m;
    struct random random = random_start();
    struct trials trials = {.count = 0};
    solving_of_record(&m.s, "filmed", record_filmed, "ode");
    minimising_of(&m, "e,mu,u0,h0", "misfit");
    while (trials.count < TRIALS)
        try_once(&m, rho, &random, &trials);
    for (int k = 0; k < BALL; k++) {
        double spread = sqrt(trials.square[k] / TRIALS);
        cr_log_info("%s: spread %.3f of the deviation, mean %.3f, seed %llu", name[k],
                    spread, trials.sum[k] / TRIALS, random.seed);
        expect_chi_square(trials.square[k], TRIALS, name[k], random.seed);
        cr_expect_lt(fabs(trials.sum[k]), 5 * sqrt(TRIALS), "%s: mean %g, seed %llu",
                     name[k], trials.sum[k] / TRIALS, random.seed);
    }
    expect_chi_square(trials.distance, BALL * TRIALS, "together", random.seed);
    expect_chi_square(trials.psi, (2 * PLACES - BALL) * TRIALS, "psi", random.seed);
    solving_end(&m.s);
}
