/*
 * test_integrate_peer8.c - the two-step method: conditions on its coefficients, and its
 * sums in every instruction set. Steps: test_integrate_peer8_steps.c.
 */
#include <criterion/criterion.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "integrators/previous_slopes.h"
#include "simd/simd.h"

enum { S = PAST, SLOPES = 18, TERMS = 9 };

/* --- coefficients ------------------------------------------------------------------- */

static long double node[2*S], own[2*S][SLOPES], wrong[2][SLOPES], extra[TERMS][SLOPES];
static double table[S][S][S];

#define TERM(j, value) row[j] += value##L;
static void read_coefficients(void)
{
    long double *row = NULL;

#define STAGE(i, c_i, ...) node[i] = c_i##L; row = own[i]; __VA_ARGS__
#define PAST(m, i, ...)                                                                 \
    memcpy(table[m][(i) - 1], (const double[]){ __VA_ARGS__ }, S*sizeof(double));
#define ERROR(i, ...) row = wrong[i]; __VA_ARGS__
#define DENSE(i, ...) row = extra[i]; __VA_ARGS__
#include "integrators/peer8.def"
}

TestSuite(integrate_peer8, .init = read_coefficients);

/* What stage i of a step r times as long as the one before makes of x' = t^power, too
   much; *total: magnitudes of the terms, of which the old ones are known to doubles. */
static long double excess(int i, int power, long double r, long double *total)
{
    long double exact = powl(node[i], power + 1)/(power + 1), sum = -exact;

    *total = exact;
    for (int j = 1; j <= S; j++) {
        long double old = powl((node[j] - 1)/r, power), new = powl(node[j], power);

        sum += own[i][j]*new;
        *total += fabsl(own[i][j]*new);
        for (int m = 0; m < S; m++) {
            long double a = table[m][i - 1][j - 1]*powl(r - 1, m);

            sum += a*old;
            *total += fabsl(a*old);
        }
    }
    return sum;
}

Test(integrate_peer8, all_stages_are_exact_to_degree_8_whatever_the_ratio_of_steps)
{
    static const long double ratio[] = { 0.1L, 0.5L, 0.8L, 1, 1.3L, 2 };

    for (int k = 0; k < 6; k++)
        for (int i = 1; i <= S; i++) {
            long double total;

            for (int power = 0; power < S; power++) {
                long double left = excess(i, power, ratio[k], &total);

                cr_expect_lt(fabsl(left), 2e-16L*total, "stage %d, t^%d, ratio %Lg: %Lg",
                             i, power, ratio[k], left);
            }
            cr_expect_gt(fabsl(excess(i, S, ratio[k], &total)), 1e-7L, "stage %d", i);
        }
}

Test(integrate_peer8, each_stage_adds_its_sum_over_old_slopes_and_slopes_before_it)
{
    for (int i = 1; i <= S; i++)
        for (int j = 0; j < SLOPES; j++) {
            bool old = j == S + i, before = j > 0 && j < i;

            cr_expect(old ? own[i][j] == 1 : before || own[i][j] == 0, "%d, %d", i, j);
        }
    cr_expect(node[S] == 1);
}

static long double difference_of(const long double *weight, int power)
{
    long double sum = 0;

    for (int j = 0; j <= S; j++)
        sum += weight[j]*(j > 0 ? powl(node[j], power) : power == 0);
    return sum;
}

Test(integrate_peer8, errors_are_differences_of_orders_6_and_4)
{
    static const int order[2] = { 6, 4 };

    for (int e = 0; e < 2; e++) {
        for (int power = 0; power < order[e]; power++)
            cr_expect_lt(fabsl(difference_of(wrong[e], power)), 1e-17L);
        cr_expect_gt(fabsl(difference_of(wrong[e], order[e])), 1e-5L);
    }
}

/* At theta, of x = t^degree on a step from 0 to 1 whose stages are all exact. */
static long double extension_of(int degree, long double theta)
{
    long double slope[SLOPES] = { degree == 1 };

    for (int j = 1; j <= S; j++)
        slope[j] = degree*powl(node[j], degree - 1);
    for (int i = 1; i <= S; i++) {
        slope[S + i] = powl(node[i], degree);
        for (int j = 1; j < i; j++)
            slope[S + i] -= own[i][j]*slope[j];
    }
    slope[SLOPES - 1] = 1;
    long double bend = slope[0] - 1, row[TERMS] = { 0, 1, bend, 1 - slope[S] - bend };
    for (int k = 4; k < TERMS; k++)
        for (int j = 0; j < SLOPES; j++)
            row[k] += extra[k][j]*slope[j];
    long double x = row[TERMS - 1];
    for (int k = TERMS - 1; k > 0; k--)
        x = row[k - 1] + (k % 2 ? theta : 1 - theta)*x;
    return x;
}

Test(integrate_peer8, the_extension_is_exact_to_degree_8)
{
    for (int k = 1; k < 10; k++) {
        long double theta = k/10.0L;

        for (int degree = 1; degree <= 8; degree++)
            cr_expect_lt(fabsl(extension_of(degree, theta) - powl(theta, degree)), 1e-17L,
                         "t^%d at %Lg", degree, theta);
        cr_expect_gt(fabsl(extension_of(9, theta) - powl(theta, 9)), 1e-9L);
    }
}

/* --- sums -------------------------------------------------------------------- */

enum { PACKS = 5 };

static void fill(unsigned seed, int count, double *x)
{
    for (int n = 0; n < count; n++)
        x[n] = (rand_r(&seed)/(double)RAND_MAX - 0.5)*exp(rand_r(&seed) % 9);
}

static void sums_of(const struct slope_loops *loops, double excess_,
                    double sum[PAST][PACKS * PACK], double a[PAST][PAST])
{
    double slope[PAST][PACKS*PACK], *old[PAST], *to[PAST];

    for (int i = 0; i < PAST; i++) {
        fill((unsigned)i + 1, PACKS*PACK, slope[i]);
        old[i] = slope[i];
        to[i] = sum[i];
    }
    loops->coefficients((const double (*)[PAST][PAST])table, excess_, a);
    loops->sums(PACKS, a, old, to);
}

Test(integrate_peer8, sums_over_old_slopes_are_the_same_in_every_instruction_set)
{
    double a[2][PAST][PAST], sum[2][PAST][PACKS*PACK];

    for (int k = -4; k <= 8; k++) {
        sums_of(slope_loops(false), k / 8.0, sum[0], a[0]);
        sums_of(slope_loops(true), k / 8.0, sum[1], a[1]);
        cr_expect_arr_eq(a[0], a[1], sizeof a[0]);
        cr_expect_arr_eq(sum[0], sum[1], sizeof sum[0]);
    }
}
