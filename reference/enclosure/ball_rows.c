/* ball_rows.c - rows of equations in balls, and linear systems; see ball_rows.h. */
#include "ball_rows.h"

#include <math.h>
#include <stdlib.h>

#include <arb_mat.h>

#include "base/memory.h"

void ball_rows_init(struct ball_rows *rows, int count, int slots)
{
    rows->rows = count;
    rows->slots = slots;
    rows->value = _acb_vec_init(count);
    acb_mat_init(rows->by, count, slots);
}

void ball_rows_clear(struct ball_rows *rows)
{
    _acb_vec_clear(rows->value, rows->rows);
    acb_mat_clear(rows->by);
}

void ball_rows_zero(struct ball_rows *rows)
{
    _acb_vec_zero(rows->value, rows->rows);
    acb_mat_zero(rows->by);
}

void ball_rows_add(struct ball_rows *rows, int i, struct jet_part_view part, slong factor,
              slong precision)
{
    if (part.value == NULL)
        return;
    acb_addmul_si(rows->value + i, part.value, factor, precision);
    for (int k = 0; k < part.slots; k++)
        acb_addmul_si(acb_mat_entry(rows->by, i, part.slot[k]), part.by + k, factor,
                      precision);
}

void ball_rows_add_variable(struct ball_rows *rows, int i, acb_srcptr slot, int variable,
                            slong factor, slong precision)
{
    acb_ptr by = acb_mat_entry(rows->by, i, variable);
    acb_addmul_si(rows->value + i, slot + variable, factor, precision);
    arb_add_si(acb_realref(by), acb_realref(by), factor, precision);
}

void ball_rows_add_product(struct ball_rows *rows, int i, struct jet_part_view part,
                           acb_srcptr slot, int variable, slong factor, slong precision)
{
    if (part.value == NULL)
        return;
    acb_t x;
    acb_init(x);
    acb_mul_si(x, slot + variable, factor, precision);
    acb_addmul(rows->value + i, part.value, x, precision);
    for (int k = 0; k < part.slots; k++)
        acb_addmul(acb_mat_entry(rows->by, i, part.slot[k]), part.by + k, x, precision);
    acb_addmul_si(acb_mat_entry(rows->by, i, variable), part.value, factor, precision);
    acb_clear(x);
}

bool ball_rows_hold(const struct ball_rows *rows, const acb_mat_t tangents, slong columns,
                    slong precision)
{
    bool hold = true;
    acb_mat_t along;
    acb_mat_init(along, rows->rows, acb_mat_ncols(tangents));
    acb_mat_mul(along, rows->by, tangents, precision);
    for (int i = 0; i < rows->rows; i++) {
        hold = hold && acb_contains_zero(rows->value + i);
        for (slong j = 0; j < columns; j++)
            hold = hold && acb_contains_zero(acb_mat_entry(along, i, j));
    }
    acb_mat_clear(along);
    return hold;
}

/* The largest entry of A [rows][columns]; false: there is none beyond `least`. */
static bool find_pivot(const double *A, int rows, int columns, double least, int *row,
                       int *column)
{
    double most = least;
    bool found = false;
    for (int i = 0; i < rows; i++)
        for (int k = 0; k < columns; k++)
            if (fabs(A[i * columns + k]) > most) {
                most = fabs(A[i * columns + k]);
                *row = i;
                *column = k;
                found = true;
            }
    return found;
}

static void eliminate(double *A, int rows, int columns, int row, int column)
{
    for (int i = 0; i < rows; i++) {
        double factor = i == row ? 0
                                 : A[i * columns + column] / A[row * columns + column];
        for (int k = 0; k < columns; k++)
            A[i * columns + k] -= factor * A[row * columns + k];
    }
    for (int k = 0; k < columns; k++)
        A[row * columns + k] = 0;
    for (int i = 0; i < rows; i++)
        A[i * columns + column] = 0;
}

/* Rows count alike, whatever their units. */
static void scale_row(double *row, int columns)
{
    double most = 0;
    for (int k = 0; k < columns; k++)
        most = fmax(most, fabs(row[k]));
    for (int k = 0; k < columns && most > 0; k++)
        row[k] /= most;
}

int balls_choose_rows(const acb_mat_t by, const int *column, int columns, int most,
                      int *row)
{
    static const double least = 1e-9;
    int rows = (int)acb_mat_nrows(by), found = 0, at, pivot;
    double *A = memory_new(rows * columns, sizeof *A);
    for (int i = 0; i < rows; i++)
        for (int k = 0; k < columns; k++)
            A[i * columns + k] = arf_get_d(arb_midref(acb_realref(
                acb_mat_entry(by, i, column[k]))), ARF_RND_NEAR);
    for (int i = 0; i < rows; i++)
        scale_row(A + i * columns, columns);
    while (found < most && find_pivot(A, rows, columns, least, &at, &pivot)) {
        row[found++] = at;
        eliminate(A, rows, columns, at, pivot);
    }
    free(A);
    return found;
}

void balls_part(acb_mat_t to, const acb_mat_t from, int row, int column)
{
    for (slong i = 0; i < acb_mat_nrows(to); i++)
        for (slong k = 0; k < acb_mat_ncols(to); k++)
            acb_set(acb_mat_entry(to, i, k), acb_mat_entry(from, row + i, column + k));
}

static void real_part(arb_mat_t to, const acb_mat_t from)
{
    for (slong i = 0; i < acb_mat_nrows(from); i++)
        for (slong k = 0; k < acb_mat_ncols(from); k++)
            arb_set(arb_mat_entry(to, i, k), acb_realref(acb_mat_entry(from, i, k)));
}

/* Real matrices are solved in real arithmetic, at a quarter of the cost. */
/* A and B from the left by an approximate inverse of the middle of A. False: there is
   none. */
static bool near_identity_real(arb_mat_t A, arb_mat_t B, slong precision)
{
    arb_mat_t inverse;
    arb_mat_init(inverse, arb_mat_nrows(A), arb_mat_ncols(A));
    bool good = arb_mat_approx_inv(inverse, A, precision);
    if (good) {
        arb_mat_get_mid(inverse, inverse);
        arb_mat_mul(A, inverse, A, precision);
        arb_mat_mul(B, inverse, B, precision);
    }
    arb_mat_clear(inverse);
    return good;
}

static bool near_identity(acb_mat_t A, acb_mat_t B, slong precision)
{
    acb_mat_t inverse;
    acb_mat_init(inverse, acb_mat_nrows(A), acb_mat_ncols(A));
    bool good = acb_mat_approx_inv(inverse, A, precision);
    if (good) {
        acb_mat_get_mid(inverse, inverse);
        acb_mat_mul(A, inverse, A, precision);
        acb_mat_mul(B, inverse, B, precision);
    }
    acb_mat_clear(inverse);
    return good;
}

static bool solve_real(acb_mat_t X, const acb_mat_t A, const acb_mat_t B, slong precision)
{
    arb_mat_t a, b;
    arb_mat_init(a, acb_mat_nrows(A), acb_mat_ncols(A));
    arb_mat_init(b, acb_mat_nrows(B), acb_mat_ncols(B));
    real_part(a, A);
    real_part(b, B);
    bool solved = near_identity_real(a, b, precision) &&
                  arb_mat_solve_lu(b, a, b, precision);
    if (solved)
        acb_mat_set_arb_mat(X, b);
    arb_mat_clear(a);
    arb_mat_clear(b);
    return solved;
}

/* Elimination after preconditioning: radii stay those of the components, where a bound by
   norms (Arb's own solver) gives all of them that of the worst. */
bool balls_solve(acb_mat_t X, const acb_mat_t A, const acb_mat_t B, slong precision)
{
    if (acb_mat_nrows(A) == 0 || acb_mat_ncols(B) == 0)
        return true;
    if (!acb_mat_is_finite(A) || !acb_mat_is_finite(B))
        return false;
    if (acb_mat_is_real(A) && acb_mat_is_real(B))
        return solve_real(X, A, B, precision);
    acb_mat_t a, b;
    acb_mat_init(a, acb_mat_nrows(A), acb_mat_ncols(A));
    acb_mat_init(b, acb_mat_nrows(B), acb_mat_ncols(B));
    acb_mat_set(a, A);
    acb_mat_set(b, B);
    bool solved = near_identity(a, b, precision) && acb_mat_solve_lu(X, a, b, precision);
    acb_mat_clear(a);
    acb_mat_clear(b);
    return solved;
}

/* --- square systems ----------------------------------------------------------------- */

static void own_matrix(const struct balls_system *system, acb_mat_t A)
{
    int n = system->rows->rows;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            acb_set(acb_mat_entry(A, i, k),
                    acb_mat_entry(system->rows->by, i, system->unknown[k]));
}

/* to = middle - A^-1 value, A the matrix of the rows as they are. */
static bool newton_step(const struct balls_system *system, acb_srcptr middle,
                        acb_srcptr value, acb_ptr to, slong precision)
{
    int n = system->rows->rows;
    acb_mat_t A, step;
    acb_mat_init(A, n, n);
    acb_mat_init(step, n, 1);
    own_matrix(system, A);
    for (int i = 0; i < n; i++)
        acb_set(acb_mat_entry(step, i, 0), value + i);
    bool solved = balls_solve(step, A, step, precision);
    for (int i = 0; solved && i < n; i++)
        acb_sub(to + i, middle + i, acb_mat_entry(step, i, 0), precision);
    acb_mat_clear(A);
    acb_mat_clear(step);
    return solved;
}

static void put(const struct balls_system *system, acb_ptr slot, acb_srcptr x)
{
    for (int i = 0; i < system->rows->rows; i++)
        acb_set(slot + system->unknown[i], x + i);
}

/* Steps of middles until they do not get shorter, or are far below what is known of the
   components, in any unit. The last one is in `next`, with `value` at `middle`. False:
   they do not settle. */
static bool iterate(const struct balls_system *system, acb_ptr slot, acb_ptr middle,
                    acb_ptr value, acb_ptr next, slong precision)
{
    enum { STEPS = 60, BELOW_BITS = 10 };
    int n = system->rows->rows;
    mag_t step, size, last;
    mag_init(step);
    mag_init(size);
    mag_init(last);
    mag_inf(last);
    bool good = true, done = false;
    acb_t change;
    acb_init(change);
    for (int k = 0; good && !done && k < STEPS; k++) {
        put(system, slot, middle);
        good = system->run(system->context, slot, precision);
        if (!good)
            break;
        _acb_vec_set(value, system->rows->value, n);
        good = newton_step(system, middle, value, next, precision);
        mag_zero(step);
        bool below = true;
        for (int i = 0; good && i < n; i++) {
            acb_sub(change, next + i, middle + i, precision);
            acb_get_mid(change, change);
            acb_get_mag(size, change);
            mag_max(step, step, size);
            mag_mul_2exp_si(size, size, BELOW_BITS);
            below = below && mag_cmp(size, arb_radref(acb_realref(next + i))) <= 0;
        }
        mag_mul_2exp_si(size, step, 1);
        done = system->linear || below ||
               (k > 3 && mag_cmp_2exp_si(step, -precision / 2) < 0 &&
                mag_cmp(size, last) > 0);
        mag_set(last, step);
        for (int i = 0; good && !done && i < n; i++)
            acb_get_mid(middle + i, next + i);
    }
    acb_clear(change);
    mag_clear(step);
    mag_clear(size);
    mag_clear(last);
    return good && done;
}

/* The box about the step, made wider until the operator maps it into itself. */
static bool contract(const struct balls_system *system, acb_ptr slot, acb_srcptr middle,
                     acb_srcptr value, acb_ptr next, slong precision)
{
    enum { TRIES = 30 };
    int n = system->rows->rows;
    acb_ptr box = _acb_vec_init(n);
    mag_t radius;
    mag_init(radius);
    bool good = false, runs = true;
    for (int try = 0; !good && runs && try < TRIES; try++) {
        for (int i = 0; i < n; i++) {
            acb_union(box + i, next + i, middle + i, precision);
            arb_ptr x = acb_realref(box + i);
            arb_get_mag(radius, x);
            mag_mul_2exp_si(radius, radius, 8 - precision);
            mag_add(radius, radius, arb_radref(x));
            mag_add_ui_2exp_si(radius, radius, 1, -2 * precision);
            arb_add_error_mag(x, radius);
        }
        put(system, slot, box);
        runs = system->run(system->context, slot, precision) &&
               newton_step(system, middle, value, next, precision);
        good = runs;
        for (int i = 0; i < n; i++)
            good = good && acb_contains(box + i, next + i);
    }
    mag_clear(radius);
    _acb_vec_clear(box, n);
    return good;
}

bool balls_newton(const struct balls_system *system, acb_ptr slot, slong precision)
{
    int n = system->rows->rows;
    acb_ptr middle = _acb_vec_init(n), value = _acb_vec_init(n), next = _acb_vec_init(n);
    for (int i = 0; i < n; i++)
        acb_get_mid(middle + i, slot + system->unknown[i]);
    bool good = iterate(system, slot, middle, value, next, precision) &&
                (system->linear ||
                 contract(system, slot, middle, value, next, precision));
    put(system, slot, next);
    good = good && system->run(system->context, slot, precision);
    _acb_vec_clear(middle, n);
    _acb_vec_clear(value, n);
    _acb_vec_clear(next, n);
    return good;
}

bool balls_tangents(const struct balls_system *system, acb_mat_t tangents,
                    slong precision)
{
    int n = system->rows->rows;
    slong columns = acb_mat_ncols(tangents);
    acb_mat_t A, x;
    acb_mat_init(A, n, n);
    acb_mat_init(x, n, columns);
    for (int i = 0; i < n; i++)
        for (slong k = 0; k < columns; k++)
            acb_zero(acb_mat_entry(tangents, system->unknown[i], k));
    own_matrix(system, A);
    acb_mat_mul(x, system->rows->by, tangents, precision);
    bool good = balls_solve(x, A, x, precision);
    for (int i = 0; good && i < n; i++)
        for (slong k = 0; k < columns; k++)
            acb_neg(acb_mat_entry(tangents, system->unknown[i], k),
                    acb_mat_entry(x, i, k));
    acb_mat_clear(A);
    acb_mat_clear(x);
    return good;
}
