/*
 * system_explicit.c - the equations that are solved beforehand (explicit/explicit_rhs.h),
 * and with which constraints.
 */
#include "system.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "explicit/elimination.h"
#include "explicit/explicit_pullback.h"
#include "linear/klu.h"
#include "linear/row_selection.h"
#include "outweighed.h"

/* Collects a matrix from its entries at the places `at`, or, NULL, from all. */
static void find_matrix(const struct entries *at, int rows, const formula *entry,
                        struct formula_matrix *A)
{
    formula_matrix_init(A, rows, rows);
    for (int i = 0; i < rows; i++) {
        int begin = at ? at->begin[i] : i * rows;
        int end = at ? at->begin[i + 1] : (i + 1) * rows;
        for (int k = begin; k < end; k++)
            if (!is_zero(entry[k]))
                formula_matrix_set(A, i, at ? at->column[k] : k - begin, entry[k]);
    }
}

/* The matrix of a torn residual, which is linear in the unknowns. */
static void find_torn_matrix(const struct model *model, const struct mode_system *ms,
                             const struct tearing *tearing, struct formula_matrix *A)
{
    int rows = ms->unknowns;
    formula *R_u = memory_new(rows * rows, sizeof *R_u);
    for (int i = 0; i < rows; i++)
        system_row_of_matrix(model, ms->unknown, rows, tearing->R[i], R_u + i * rows);
    find_matrix(NULL, rows, R_u, A);
    free(R_u);
}

/* Beside a penalty this many times the masses, the masses keep half of their digits. */
static const double too_heavy = 1e8;

/* Is the rounding of Phidd to be corrected (explicit_rhs.h)? Constraints that nothing
   pulls back are hard, and a penalty may be as hard as they are; multipliers that are
   iterated make it so. Friction magnifies the rounding of multipliers: on
   slider-crank-friction in baumgarte half a digit. */
static bool hard(const struct system *system, const struct mode_system *ms,
                 const struct formula_matrix *R_u, const struct tearing *tearing)
{
    return (system_algebraic(system)->capabilities & DRIFTS_OFF) ||
           ms->linear == &linear_null_space || tearing->count > 0 || ms->iterated ||
           outweighed(system->model, R_u, system->model->n) > too_heavy;
}

/* Are the equations solved by elimination? In small systems without constraints any
   linear method counts as elimination. */
static bool eliminated(const struct mode_system *ms, int rows)
{
    bool small_ode = ms->mode->m == 0 && rows < SPARSE_FROM;
    return small_ode || ms->linear == &linear_lu || ms->linear == &linear_sparse ||
           ms->linear == &linear_minimum_norm || ms->linear == &linear_null_space;
}

/* The equations of a mode as formulas, whose matrix and tearing have been found. */
static struct explicit_equations describe(const struct system *system,
                                          const struct mode_system *ms,
                                          const struct formula_matrix *R_u,
                                          const struct tearing *tearing)
{
    const struct model *model = system->model;
    const formula *f = ms->formulas;
    return (struct explicit_equations){
        .mode = ms->mode->name, .n = model->n, .m = ms->mode->m, .ns = model->ns,
        .nz = model->nz, .rows = ms->unknowns, .multipliers = model->m,
        .unknown = ms->unknown, .R_u = R_u,
        .R = tearing->count > 0 ? tearing->R : f + ms->at.R, .tearing = tearing,
        .iterated = ms->iterated, .R_u_dot_y = f + ms->at.R_u_dot_y,
        .f_s = f + ms->at.f_s, .g = f + ms->at.g, .R_dot = f + ms->at.R_dot,
        .f_s_dot = f + ms->at.f_s_dot, .g_dot = f + ms->at.g_dot,
        .corrected = hard(system, ms, R_u, tearing), .beside = ms->beside,
        .columns = system->p, .parameter = system->parameter, .parameters = model->p};
}

/* The matrix of equations that are not torn. */
static void find_whole_matrix(const struct mode_system *ms, struct formula_matrix *R_u)
{
    find_matrix(ms->linear->alloc_sparse ? &ms->entries : NULL, ms->unknowns,
                ms->formulas + ms->at.R_u, R_u);
}

/* Solves the equations with these independent and dependent constraints; NULL as
   explicit_rhs_new. */
static struct explicit_rhs *solve_beforehand(const struct system *system,
                                             const struct mode_system *ms,
                                             const int *constraint, int dependent)
{
    const struct model *model = system->model;
    struct formula_matrix R_u;
    struct tearing tearing = {.count = 0};
    struct explicit_rhs *made = NULL;
    if (!ms->affine)
        tearing_init(&tearing, model->tape, ms->formulas + ms->at.R, ms->unknowns);
    if (tearing.count == 0)
        find_whole_matrix(ms, &R_u);
    else
        find_torn_matrix(model, ms, &tearing, &R_u);
    struct explicit_equations equations = describe(system, ms, &R_u, &tearing);
    equations.dependent = dependent;
    equations.constraint = constraint;
    if (tearing.count <= ms->unknowns &&
        (dependent == 0 || elimination_is_symmetric(model->tape, &R_u)))
        made = explicit_rhs_new(model->tape, &equations);
    formula_matrix_clear(&R_u);
    tearing_clear(&tearing);
    return made;
}

void system_compile_explicit(const struct system *system, struct mode_system *ms)
{
    if (eliminated(ms, ms->unknowns))
        ms->independent = ms->explicit_rhs = solve_beforehand(system, ms, NULL, 0);
    ms->constraint = arena_new(&ms->arena, ms->mode->m, sizeof *ms->constraint);
}

/* --- dependent constraints ---------------------------------------------------------- */

/* The choice of independent constraints by the matrix last factorised. */
static int choose_constraints(const struct mode_system *ms, int *constraint)
{
    struct row_selection selection;
    int rows = ms->unknowns, m = ms->mode->m, n = rows - m;
    double *C = memory_new(m * n, sizeof *C);
    for (int i = 0; i < m; i++)
        memory_copy(C + i * n, ms->scaled + (n + i) * rows, n, sizeof *C);
    row_selection_init(&selection, m, n);
    int rank = row_selection_rows(&selection, C, NULL);
    memory_copy(constraint, selection.row, m, sizeof *constraint);
    row_selection_clear(&selection);
    free(C);
    return m - rank;
}

static bool is_chosen(const struct mode_system *ms, const int *constraint, int dependent)
{
    return ms->dependents == dependent &&
           memcmp(ms->constraint, constraint,
                  (size_t)ms->mode->m * sizeof *constraint) == 0;
}

/* Makes the program for this choice, unless it is there, or was tried in vain. */
static void make_dependent(const struct system *system, struct mode_system *ms)
{
    int m = ms->mode->m;
    int *constraint = memory_new(m, sizeof *constraint);
    int dependent = choose_constraints(ms, constraint);
    if (!is_chosen(ms, constraint, dependent)) {
        explicit_rhs_free(ms->dependent);
        ms->dependent = solve_beforehand(system, ms, constraint, dependent);
        ms->dependents = dependent;
        memory_copy(ms->constraint, constraint, m, sizeof *constraint);
        if (ms->dependent) {
            explicit_rhs_start(ms->dependent, system->rho);
            explicit_rhs_use_code(ms->dependent, system->use);
        }
    }
    free(constraint);
}

bool system_select_explicit(const struct system *system, struct mode_system *ms)
{
    bool full = !ms->linear->kernel_part || ms->linear->rank(ms->factors) == ms->mode->m;
    if (!full && ms->affine)
        make_dependent(system, ms);
    ms->explicit_rhs = full ? ms->independent : ms->affine ? ms->dependent : NULL;
    return ms->explicit_rhs;
}

/* --- pulled back -------------------------------------------------------------------- */

bool system_pullback_formulas(const struct system *system, const struct mode_system *ms,
                              const formula *c, const formula *f, int count, formula *out)
{
    struct formula_matrix R_u;
    const struct tearing none = {.count = 0};
    if (!ms->affine || ms->iterated || !ms->independent)
        return false;
    find_whole_matrix(ms, &R_u);
    const struct explicit_equations equations = describe(system, ms, &R_u, &none);
    bool solvable = explicit_pullback(system->model->tape, &equations, c, f, count, out);
    formula_matrix_clear(&R_u);
    return solvable;
}
