/* taylor.c - workspaces of the Taylor series method: order, precision of each
   coefficient, and access; see taylor.h. */
#include "taylor.h"

#include "arithmetic/fixed.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "formula/domain_edges.h"

/* A step of order p is eps^(1/p) of the radius. If a step costs p^2 the optimum is
   p = -ln(eps)/2 (Jorba & Zou 2005). Part of the cost is linear in p, which makes the
   optimum higher; the instructions counted are flat around p = -0.7 ln(eps). eps has
   five digits beyond those that are asked for. */
int taylor_order(int digits)
{
    return (int)ceil(0.7 * (digits + 5) * 2.302585092994046) + 1;
}

/* Along a step coefficient k contributes a fraction 2^(-bits k/order) and needs fewer
   bits by as many. 64 bits are kept in hand; taylor_step and taylor_decays check that
   they suffice. Products that fixed point leaves out have one sign (fixed.h), so that
   their sum grows as their number: ONE_SIDED bits keep it below the rounding of sums. */
static void choose_limbs(struct taylor *taylor)
{
    enum { ONE_SIDED = 8 };
    double bits = (taylor->digits + 5) * MP_BITS_PER_DIGIT;
    int all = (int)(taylor->precision / 64);
    bool whole = taylor->precision > mp_precision(taylor->digits);
    for (int k = 0; k <= taylor->order; k++) {
        double need = bits * (1 - (double)k / taylor->order) + 64;
        int limbs = (int)ceil(need / 64);
        taylor->limbs[k] = limbs < all && !whole ? limbs : all;
        taylor->planes[k] = (int)ceil((need + ONE_SIDED) / FIXED_BITS);
    }
    const struct fixed_shape shape = {.length = taylor->order + 1,
                                      .planes = taylor->planes[0]};
    taylor->narrow = !whole && fixed_fits(&shape);
    taylor->scalable = true;
}

/* Loads parameters and their directions, which stay as they are. */
static void load_parameters(const struct taylor *taylor, struct mp_series *series)
{
    int p = taylor->model->p;
    mp_series_load(series, 0, BLOCK_RHO, 0, taylor->rho, 1);
    mp_series_run(series, 0, STAGE_RHO, 0);
    for (int j = 0; j + 1 < taylor->lanes; j++)
        mp_series_load(series, j, TANGENT(BLOCK_RHO), 0, taylor->unit + j * p, 1);
}

static int lanes_of_series(const struct taylor *taylor)
{
    return taylor->lanes > 1 ? taylor->lanes - 1 : 1;
}

/* Outputs of the residual are read only before their correction, with coefficient k of
   the unknowns zero; the series need not keep them. */
static void declare_unknowns(struct motion *motion)
{
    static const int stage[] = {STAGE_UNKNOWN, STAGE_DIRECTION_UNKNOWN};
    const struct motion_plan *plan = motion->plan;
    int outputs = plan->program->outputs;
    bool *kept = memory_new(outputs, sizeof *kept);
    for (int i = 0; i < outputs; i++)
        kept[i] = i >= plan->edges || i % plan->tangent >= plan->rows;
    mp_series_unknowns(motion->series, stage, 2, kept);
    free(kept);
}

void taylor_use(struct taylor *taylor, struct motion *motion)
{
    const struct motion_plan *plan = motion->plan;
    taylor->motion = motion;
    if (motion->series != NULL)
        return;
    motion->series = mp_series_new(plan->program, taylor->order, taylor->precision,
                                   lanes_of_series(taylor), STAGE_DIRECTION);
    motion->matrix = mp_series_new(plan->matrix, 0, taylor->precision, 1, PROGRAM_STAGES);
    motion->lu = mp_lu_new(plan->unknowns, taylor->precision);
    mp_series_limbs(motion->series, taylor->limbs);
    declare_unknowns(motion);
    if (taylor->narrow)
        mp_series_planes(motion->series, taylor->planes);
    load_parameters(taylor, motion->series);
    load_parameters(taylor, motion->matrix);
}

static void motion_clear(struct motion *motion)
{
    mp_series_free(motion->series);
    mp_series_free(motion->matrix);
    mp_lu_free(motion->lu);
    watch_free(motion->watch);
}

static struct taylor *workspace(const struct model *model, const struct mode_plan *plan,
                                int order, int digits, mpfr_prec_t precision,
                                mpfr_srcptr rho, int parameters, mpfr_srcptr unit)
{
    struct taylor *taylor = memory_new(1, sizeof *taylor);
    int lanes = 1 + parameters, m = plan->mode->m;
    bool dependent = plan->dependent.program != NULL;
    *taylor = (struct taylor){
        .model = model, .plan = plan, .n = model->n, .m = m, .ns = model->ns,
        .nz = model->nz, .width = 2 * model->n + model->ns + model->nz, .lanes = lanes,
        .order = order, .digits = digits, .precision = precision, .rho = rho,
        .unit = unit, .independent = {.plan = &plan->motion},
        .dependent = {.plan = &plan->dependent}, .rank = m,
        .unknowns = dependent ? plan->dependent.unknowns : plan->motion.unknowns,
    };
    size_t length = (size_t)order + 1, unknowns = (size_t)taylor->unknowns;
    taylor->t = mp_vector_new(2, precision);
    taylor->y = mp_vector_new((size_t)lanes * (size_t)taylor->width * length, precision);
    taylor->u = mp_vector_new((size_t)lanes * unknowns * length, precision);
    taylor->rhs = mp_vector_new((size_t)lanes * unknowns, precision);
    taylor->limbs = memory_new(order + 1, sizeof *taylor->limbs);
    taylor->planes = memory_new(order + 1, sizeof *taylor->planes);
    taylor->power = mp_vector_new(length, precision);
    taylor->terms = memory_new(order + 1, sizeof *taylor->terms);
    taylor->guard = mp_vector_new((size_t)plan->guards * length, precision);
    taylor->edge = mp_vector_new(2 * (size_t)plan->mode->edges->count * length,
                                 precision);
    taylor->row = memory_new(taylor->unknowns, sizeof *taylor->row);
    taylor->order_of_rows = memory_new(m, sizeof *taylor->order_of_rows);
    taylor->scale = memory_new(m, sizeof *taylor->scale);
    taylor->Phi_q = mp_vector_new((size_t)(m * (model->n + 1)), precision);
    taylor->constraint = mp_series_new(plan->constraint, 0, precision,
                                       lanes_of_series(taylor), STAGE_DIRECTION);
    load_parameters(taylor, taylor->constraint);
    taylor->lane_status = memory_new(lanes, sizeof *taylor->lane_status);
    taylor->lane_diagnosis = memory_new(lanes, sizeof *taylor->lane_diagnosis);
    taylor_threads(taylor, 1);
    choose_limbs(taylor);
    for (int i = 0; i < taylor->unknowns; i++)
        taylor->row[i] = i;
    taylor_use(taylor, &taylor->independent);
    return taylor;
}

struct taylor *taylor_new(const struct model *model, const struct mode_plan *plan,
                          int digits, mpfr_prec_t precision, mpfr_srcptr rho,
                          int parameters, mpfr_srcptr unit)
{
    return workspace(model, plan, taylor_order(digits), digits, precision, rho,
                     parameters, unit);
}

struct taylor *taylor_new_at_points(const struct model *model,
                                    const struct mode_plan *plan, int digits,
                                    mpfr_prec_t precision, mpfr_srcptr rho,
                                    int parameters, mpfr_srcptr unit)
{
    return workspace(model, plan, 1, digits, precision, rho, parameters, unit);
}

void taylor_threads(struct taylor *taylor, int threads)
{
    taylor->threads = threads > 1 ? threads : 1;
    free(taylor->helper);
    taylor->helper = memory_new(taylor->threads - 1, sizeof *taylor->helper);
}

void taylor_free(struct taylor *taylor)
{
    if (taylor == NULL)
        return;
    motion_clear(&taylor->independent);
    motion_clear(&taylor->dependent);
    mp_series_free(taylor->constraint);
    mp_vector_free(taylor->t);
    mp_vector_free(taylor->y);
    mp_vector_free(taylor->u);
    mp_vector_free(taylor->rhs);
    mp_vector_free(taylor->Phi_q);
    mp_lu_free(taylor->gram);
    mp_vector_free(taylor->power);
    mp_vector_free(taylor->guard);
    mp_vector_free(taylor->edge);
    free(taylor->helper);
    free(taylor->terms);
    free(taylor->lane_status);
    free(taylor->lane_diagnosis);
    free(taylor->limbs);
    free(taylor->planes);
    free(taylor->row);
    free(taylor->order_of_rows);
    free(taylor->scale);
    free(taylor);
}

/* --- access ------------------------------------------------------------------------- */

mpfr_ptr taylor_y(const struct taylor *taylor, int lane, int component)
{
    return taylor->y +
           (ptrdiff_t)(lane * taylor->width + component) * (taylor->order + 1);
}

mpfr_ptr taylor_u(const struct taylor *taylor, int lane, int component)
{
    return taylor->u +
           (ptrdiff_t)(lane * taylor->unknowns + component) * (taylor->order + 1);
}

/* Outputs of lane 1 + j are the tangents, in lane j of the series. */
mpfr_srcptr taylor_output(const struct taylor *taylor, int lane, int index, int k)
{
    const struct motion *motion = taylor->motion;
    return lane == 0 ? mp_series_coefficient(motion->series, 0, index, k)
                     : mp_series_coefficient(motion->series, lane - 1,
                                             motion->plan->tangent + index, k);
}

mpfr_srcptr taylor_f_s(const struct taylor *taylor, int lane, int component, int k)
{
    return taylor_output(taylor, lane, taylor->motion->plan->f_s + component, k);
}

mpfr_srcptr taylor_g(const struct taylor *taylor, int lane, int component, int k)
{
    return taylor_output(taylor, lane, taylor->motion->plan->g + component, k);
}

mpfr_srcptr taylor_guard(const struct taylor *taylor, int guard)
{
    return taylor->guard + (ptrdiff_t)guard * (taylor->order + 1);
}

mpfr_srcptr taylor_guard_along(const struct taylor *taylor, int lane, int guard)
{
    return taylor_output(taylor, lane, taylor->motion->plan->guard + guard, 0);
}

mpfr_srcptr taylor_edge_zero(const struct taylor *taylor, int edge)
{
    return taylor->edge + (ptrdiff_t)edge * (taylor->order + 1);
}

mpfr_srcptr taylor_edge_beside(const struct taylor *taylor, int edge)
{
    return taylor_edge_zero(taylor, taylor->plan->mode->edges->count + edge);
}
