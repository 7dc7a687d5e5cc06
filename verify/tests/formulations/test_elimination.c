/*
 * test_elimination.c - formulations/explicit/elimination.c: systems solved in formulas,
 * with pivots that were chosen before any number was known, are solved as well as by LU
 * with pivoting; a chain in as many operations as it is long.
 */
#include "explicit/elimination.h"

#include "base/memory.h"
#include "linear_systems.h"

enum { MOST = 12, TRIALS = 6 };

/* --- a system in formulas ----------------------------------------------------------- */

/* Entry (i, j) of A is variable i*N + j of a block, of parameters if it is constant. */
struct unrolled {
    int N;
    struct elimination *elimination;
    struct program *program;
    double *w;
    struct tape *tape;
};

static formula entry(struct tape *tape, bool constant, int index)
{
    return variable(tape, constant ? BLOCK_RHO : BLOCK_Q, index);
}

/* b in BLOCK_V; outputs: x, then the pivots. */
static void seal(struct unrolled *u)
{
    formula *x = memory_new(2 * u->N, sizeof *x);
    unsigned char stage[BLOCK_LIMIT] = {
        [BLOCK_RHO] = 1, [BLOCK_Q] = 2, [BLOCK_V] = 2};
    for (int i = 0; i < u->N; i++)
        x[i] = variable(u->tape, BLOCK_V, i);
    elimination_solve(u->elimination, x);
    memcpy(x + u->N, elimination_pivots(u->elimination), (size_t)u->N * sizeof *x);
    u->program = program_seal(u->tape, x, 2 * u->N, stage);
    u->w = memory_new(u->program->slots, sizeof *u->w);
    program_init(u->program, u->w);
    free(x);
}

/* Where K [N][N] is zero there is no entry; of a symmetric one both triangles are the
   same formulas. The first n unknowns are coordinates. False: there is no order. */
static bool unroll(struct unrolled *u, const double *K, int n, int N, bool symmetric,
                   bool constant_masses)
{
    bool *multiplier = memory_new(N, sizeof *multiplier);
    *u = (struct unrolled){.N = N, .tape = tape_new()};
    struct formula_matrix A;
    formula_matrix_init(&A, N, N);
    for (int i = 0; i < N; i++) {
        multiplier[i] = i >= n;
        for (int j = 0; j < N; j++) {
            bool lower = symmetric && j < i;
            bool constant = constant_masses && i < n && j < n;
            if (K[i * N + j] != 0)
                formula_matrix_set(&A, i, j, lower ? formula_matrix_at(&A, j, i)
                                   : entry(u->tape, constant, i * N + j));
        }
    }
    u->elimination = elimination_new(u->tape, &A, multiplier);
    formula_matrix_clear(&A);
    free(multiplier);
    if (u->elimination)
        seal(u);
    return u->elimination != NULL;
}

static void clear(struct unrolled *u)
{
    elimination_free(u->elimination);
    program_free(u->program);
    free(u->w);
    tape_free(u->tape);
}

static void solve(struct unrolled *u, const double *K, const double *b, double *x,
                  double *pivot)
{
    program_load(u->program, BLOCK_RHO, K, u->w);
    program_load(u->program, BLOCK_Q, K, u->w);
    program_load(u->program, BLOCK_V, b, u->w);
    program_run(u->program, 1, u->w);
    program_run(u->program, 2, u->w);
    for (int i = 0; i < u->N; i++) {
        x[i] = u->w[u->program->output[i]];
        pivot[i] = u->w[u->program->output[u->N + i]];
    }
}

/* --- against LU --------------------------------------------------------------------- */

static void solve_lu(const double *K, int N, const double *b, double *x)
{
    size_t size = (size_t)N;
    int sign;
    gsl_matrix *A = gsl_matrix_alloc(size, size);
    gsl_permutation *order = gsl_permutation_alloc(size);
    memcpy(A->data, K, size * size * sizeof *K);
    gsl_vector_const_view right = gsl_vector_const_view_array(b, size);
    gsl_vector_view left = gsl_vector_view_array(x, size);
    gsl_linalg_LU_decomp(A, order, &sign);
    gsl_linalg_LU_solve(A, order, &right.vector, &left.vector);
    gsl_matrix_free(A);
    gsl_permutation_free(order);
}

static double condition_of(const double *K, int N)
{
    double X[MOST_ENTRIES];
    return pseudo_inverse(K, N, N, X);
}

/* |K x - b| against |K||x| + |b|, in Frobenius norms. */
static double residual_of(const double *K, int N, const double *x, const double *b)
{
    double left[MOST_ROWS];
    matrix_product(K, x, N, N, 1, left);
    return difference(left, b, N) / (norm(K, N * N) * norm(x, N) + norm(b, N));
}

/* The worst of a kind of matrices, in units of the last place. */
struct worst {
    double residual, error;     /* over the condition number */
};

static struct worst worst = {0, 0};

/*
 * Without exchanges the residual, too, is that of rounding times how much larger than K
 * its factors are; with M positive definite that is bounded by the condition number
 * (Vanderbei 1995). With forty seeds residuals were at most half a unit of the last place
 * times the condition number, errors 1.7.
 */
static void check(struct unrolled *u, struct random *random, const double *K, int N)
{
    double b[MOST_ROWS], x[MOST_ROWS], y[MOST_ROWS], pivot[MOST_ROWS];
    random_matrix(random, N, b);
    solve(u, K, b, x, pivot);
    solve_lu(K, N, b, y);
    double condition = condition_of(K, N);
    double residual = residual_of(K, N, x, b) / (DBL_EPSILON * condition);
    double error = difference(x, y, N) / norm(y, N) / (DBL_EPSILON * condition);
    worst.residual = fmax(worst.residual, residual);
    worst.error = fmax(worst.error, error);
    for (int i = 0; i < N; i++)
        cr_expect(isfinite(pivot[i]) && pivot[i] != 0, "pivot %d: %g", i, pivot[i]);
}

/* One order, many numbers: of the same pattern. */
struct kind {
    const char *name;
    bool friction;          /* G is not C' */
    double alpha;           /* alpha^-1 of the multipliers */
    bool constant_masses;
    bool sparse;            /* M has three diagonals, C a few entries in a row */
};

static struct saddle numbers(struct random *random, const struct kind *kind, int n, int m,
                             const bool *kept)
{
    struct saddle s = random_saddle(random, n, m);
    if (kind->friction)
        add_friction(random, &s);
    for (int i = 0; i < m; i++)
        s.D[i * m + i] = kind->alpha * random_between(random, 0.5, 2);
    for (int i = 0; kind->sparse && i < n; i++) {
        s.M[i * n + i] += 2 * n;
        for (int j = 0; j < n; j++)
            if (abs(i - j) > 1)
                s.M[i * n + j] = 0;
    }
    for (int k = 0; kind->sparse && k < n * m; k++)
        if (!kept[k])
            s.C[k] = s.G[k % n * m + k / n] = 0;
    return s;
}

static void check_kind(struct random *random, const struct kind *kind, int n, int m)
{
    double K[MOST_ENTRIES];
    bool kept[MOST_ENTRIES];
    struct unrolled u;
    int N = n + m;
    for (int k = 0; k < n * m; k++)
        kept[k] = k % n == (k / n) % n || random_below(random, n) < 2;
    struct saddle s = numbers(random, kind, n, m, kept);
    saddle_matrix(&s, K);
    cr_assert(unroll(&u, K, n, N, !kind->friction, kind->constant_masses),
              "%s, n = %d, m = %d, seed %llu", kind->name, n, m, random->seed);
    for (int trial = 0; trial < TRIALS; trial++) {
        s = numbers(random, kind, n, m, kept);
        saddle_matrix(&s, K);
        check(&u, random, K, N);
    }
    clear(&u);
}

Test(elimination, is_as_good_as_lu_with_pivoting)
{
    static const struct kind kinds[] = {
        {"index 1", false, 0, false, false},
        {"index 1, friction", true, 0, false, false},
        {"index 1, constant masses", false, 0, true, false},
        {"friction, constant masses", true, 0, true, false},
        {"penalty", false, 1e-3, false, false},
        {"penalty, constant masses", false, 1e-3, true, false},
        {"soft", true, 1, false, false},
        {"sparse", false, 0, false, true},
        {"sparse, constant masses", false, 0, true, true},
        {"sparse penalty", false, 1e-6, false, true},
        {"sparse, friction", true, 0, false, true}};
    struct random random = random_start();
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        worst = (struct worst){0, 0};
        for (int n = 1; n <= MOST; n += n < 4 ? 1 : 2)
            for (int m = 0; m < n && n + m <= MOST; m++)
                check_kind(&random, &kinds[k], n, m);
        cr_log_info("%s: residual %.2g, error %.2g", kinds[k].name, worst.residual,
                    worst.error);
        cr_expect_leq(worst.residual, 5, "%s: %.2g, seed %llu", kinds[k].name,
                      worst.residual, random.seed);
        cr_expect_leq(worst.error, 10, "%s: %.2g, seed %llu", kinds[k].name, worst.error,
                      random.seed);
    }
}

/* Of no particular form, with a diagonal that dominates: no exchange is needed. */
Test(elimination, solves_unsymmetric_systems)
{
    struct random random = random_start();
    worst = (struct worst){0, 0};
    for (int N = 1; N <= MOST; N++)
        for (int constant = 0; constant < 2; constant++) {
            double K[MOST_ENTRIES];
            struct unrolled u;
            random_matrix(&random, N * N, K);
            for (int i = 0; i < N; i++)
                K[i * N + i] = copysign(N, K[i * N + i]);
            cr_assert(unroll(&u, K, N, N, false, constant));
            check(&u, &random, K, N);
            clear(&u);
        }
    cr_expect_leq(worst.residual, 5, "%.2g, seed %llu", worst.residual, random.seed);
    cr_expect_leq(worst.error, 10, "%.2g, seed %llu", worst.error, random.seed);
}

/* --- structure ---------------------------------------------------------------------- */

/* By rows; the first n unknowns are coordinates. */
static bool has_order(const double *K, int n, int N)
{
    struct unrolled u;
    bool order = unroll(&u, K, n, N, false, false);
    clear(&u);
    return order;
}

Test(elimination, has_no_order_where_a_pivot_is_zero_by_structure)
{
    const double free_multiplier[] = {1, 0, 0, 0};      /* of a constraint on nothing */
    const double exchange[] = {0, 1, 1, 0};             /* two coordinates, no masses */
    const double no_row[] = {1, 1, 0, 1, 1, 0, 0, 0, 0};
    const double massless[] = {2, 0, 1, 0, 0, 1, 1, 1, 0};
    cr_expect(!has_order(free_multiplier, 1, 2));
    cr_expect(!has_order(exchange, 2, 2));
    cr_expect(!has_order(exchange, 0, 2));
    cr_expect(!has_order(no_row, 3, 3));
    cr_expect(!has_order(massless, 2, 3));
    const double alone[] = {1, 0, 0, 1}, saddle[] = {1, 1, 1, 0};
    cr_expect(has_order(alone, 1, 2));
    cr_expect(has_order(saddle, 1, 2));
    cr_expect(has_order(NULL, 0, 0));
}

/*
 * N bodies of two coordinates in a row, each held by two multipliers to the one before;
 * `natural`: by one, and bars between them have masses, which couple neighbours in M. In
 * the order of the chain every pivot has a bounded number of neighbours.
 */
static int operations_of_chain(int N, bool constant_masses, bool natural)
{
    int n = 2 * N, each = natural ? 1 : 2, rows = n + each * N;
    double *K = memory_new(rows * rows, sizeof *K);
    for (int i = 0; i < N; i++)
        for (int c = 0; c < 2; c++) {
            int before = i > 0 ? i - 1 : 0, at = 2 * i + c;
            K[at * rows + at] = 2;
            if (natural && i > 0)
                K[at * rows + at - 2] = K[(at - 2) * rows + at] = 0.5;
            for (int d = 0; d < each; d++)
                for (int k = before; k <= i; k++) {
                    int multiplier = n + each * i + d;
                    K[multiplier * rows + 2 * k + c] = 1;
                    K[(2 * k + c) * rows + multiplier] = 1;
                }
        }
    struct unrolled u;
    bool found = unroll(&u, K, n, rows, true, constant_masses);
    int operations = found ? program_operations(u.program) : 0;
    clear(&u);
    free(K);
    return operations;
}

/* Twice as many links more cost twice as much, those at its ends something else. */
Test(elimination, of_a_chain_grows_with_its_length)
{
    for (int kind = 0; kind < 4; kind++) {
        bool constant = kind % 2, natural = kind / 2;
        int ten = operations_of_chain(10, constant, natural);
        int twenty = operations_of_chain(20, constant, natural);
        int forty = operations_of_chain(40, constant, natural);
        cr_log_info("%d, %d, %d operations", ten, twenty, forty);
        cr_expect_gt(ten, 0);
        cr_expect_leq(abs(twenty - 2 * ten), natural ? ten / 4 : ten / 10);
        cr_expect_leq(abs((forty - twenty) - 2 * (twenty - ten)), ten / 10,
                      "%d, %d, %d operations", ten, twenty, forty);
    }
}

/* --- symmetry ----------------------------------------------------------------------- */

/* Operations for a full matrix of three coordinates and two multipliers; what is below
   its diagonal is the same as above it, or the same in other words, or something else. */
enum words { SAME, OTHER_WORDS, OTHER };

static int operations_of_full(enum words below)
{
    enum { FULL = 5 };
    const bool multiplier[FULL] = {false, false, false, true, true};
    struct unrolled u = {.N = FULL, .tape = tape_new()};
    struct formula_matrix A;
    formula_matrix_init(&A, FULL, FULL);
    for (int i = 0; i < FULL; i++)
        for (int j = 0; j < FULL; j++) {
            int index = i > j && below != OTHER ? j * FULL + i : i * FULL + j;
            formula x = entry(u.tape, false, index), two = integer(u.tape, 2);
            bool sum = i > j && below == OTHER_WORDS;
            formula_matrix_set(&A, i, j, sum ? add(x, x) : mul(two, x));
        }
    u.elimination = elimination_new(u.tape, &A, multiplier);
    formula_matrix_clear(&A);
    cr_assert_not_null(u.elimination);
    seal(&u);
    int operations = program_operations(u.program);
    clear(&u);
    return operations;
}

Test(elimination, one_triangle_is_enough_of_what_is_symmetric_in_other_words)
{
    int same = operations_of_full(SAME), other = operations_of_full(OTHER);
    cr_expect_eq(operations_of_full(OTHER_WORDS), same);
    cr_expect_lt(same, other, "%d operations, %d without symmetry", same, other);
}
