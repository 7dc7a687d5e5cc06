/* stage.c - the track of a step put into the equations; see stage.h. */
#include "stage.h"

void stage_open(struct stage *stage, struct mode_equations *e, struct track *track,
                acb_srcptr rho, const int *parameter, const arb_t start, const arb_t span,
                slong precision)
{
    int p = track->lanes - 1, rows = e->unknowns + e->ns + e->nz;
    *stage = (struct stage){.equations = e, .track = track, .rho = rho,
                            .parameter = parameter, .precision = precision, .rows = rows,
                            .states = 2 * e->n + e->ns + e->nz};
    arb_init(stage->start);
    arb_init(stage->span);
    arb_set(stage->start, start);
    arb_set(stage->span, span);
    stage->value = _acb_vec_init((slong)track->lanes * track->width);
    stage->slot = _acb_vec_init(e->slots);
    stage->residual = _acb_vec_init((slong)track->lanes * rows);
    acb_mat_init(stage->tangents, e->slots, p);
}

void stage_close(struct stage *stage)
{
    arb_clear(stage->start);
    arb_clear(stage->span);
    _acb_vec_clear(stage->value, (slong)stage->track->lanes * stage->track->width);
    _acb_vec_clear(stage->slot, stage->equations->slots);
    _acb_vec_clear(stage->residual, (slong)stage->track->lanes * stage->rows);
    acb_mat_clear(stage->tangents);
}

int stage_state(const struct stage *stage, int i)
{
    const struct mode_equations *e = stage->equations;
    int before_z = 2 * e->n + e->ns;
    return i < before_z ? i : stage->track->z + i - before_z;
}

void stage_load(struct stage *stage, const acb_t time, const arb_t radius,
                slong precision)
{
    const struct mode_equations *e = stage->equations;
    struct track *track = stage->track;
    if (radius == NULL)
        track_at(track, time, stage->value, precision);
    else
        track_over(track, time, radius, stage->value, precision);
    acb_set_arb(stage->slot, stage->start);
    acb_add(stage->slot, stage->slot, time, precision);
    if (radius != NULL) {
        mag_t bound;
        mag_init(bound);
        arb_get_mag(bound, radius);
        arb_add_error_mag(acb_realref(stage->slot), bound);
        if (!acb_is_real(time))
            arb_add_error_mag(acb_imagref(stage->slot), bound);
        mag_clear(bound);
    }
    _acb_vec_set(stage->slot + e->q, stage->value, e->rho - e->q);
    _acb_vec_set(stage->slot + e->rho, stage->rho, e->p);
    acb_mat_zero(stage->tangents);
    for (int j = 1; j < track->lanes; j++) {
        for (int i = e->q; i < e->rho; i++)
            acb_set(acb_mat_entry(stage->tangents, i, j - 1),
                    stage->value + j * track->width + i - e->q);
        acb_one(acb_mat_entry(stage->tangents, e->rho + stage->parameter[j - 1], j - 1));
    }
}

/* Copies rows * tangents into the residual of each column, beginning with `first`. */
static void along_columns(struct stage *stage, const struct ball_rows *rows, int first,
                          slong precision)
{
    acb_mat_t product;
    acb_mat_init(product, rows->rows, stage->track->lanes - 1);
    acb_mat_mul(product, rows->by, stage->tangents, precision);
    for (int j = 1; j < stage->track->lanes; j++)
        for (int i = 0; i < rows->rows; i++)
            acb_set(stage->residual + j * stage->rows + first + i,
                    acb_mat_entry(product, i, j - 1));
    acb_mat_clear(product);
}

bool stage_residual(struct stage *stage, bool complex_box, slong precision)
{
    struct mode_equations *e = stage->equations;
    const struct track *track = stage->track;
    int explicit_rows = e->ns + e->nz;
    if (!mode_equations_run(e, stage->slot, complex_box, precision))
        return false;
    _acb_vec_set(stage->residual, e->R.value, e->unknowns);
    _acb_vec_set(stage->residual + e->unknowns, e->f.value, explicit_rows);
    along_columns(stage, &e->R, 0, precision);
    along_columns(stage, &e->f, e->unknowns, precision);
    for (int lane = 0; lane < track->lanes; lane++)
        for (int i = 0; i < explicit_rows; i++) {
            acb_ptr x = stage->residual + lane * stage->rows + e->unknowns + i;
            acb_sub(x, stage->value + lane * track->width + track->s_rate + i, x,
                    precision);
        }
    return true;
}

void bounds_zero(mag_ptr bound, int count)
{
    for (int i = 0; i < count; i++)
        mag_zero(bound + i);
}

void bounds_copy(mag_ptr to, mag_srcptr from, int count)
{
    for (int i = 0; i < count; i++)
        mag_set(to + i, from + i);
}
