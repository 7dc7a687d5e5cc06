/*
 * test_case_slips.c - slips of a case file: each ends in a message that names the array,
 * the index and the line, and none writes outside of the model.
 */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "elements/point.h"

#include "case.h"

/* Two coordinates, one state, one cost; `slip` is written in the mode, in the event or
   at the end. */
enum slip {
    NONE, G_WITHOUT, G_FAR, M_CORNER, M_ROW, M_COLUMN, M_BEFORE, F_FAR, F_BEFORE, PHI_FAR,
    PHI_HOLE, S_FAR, LEVEL_FAR, Q0_FAR, Q_GUESS_FAR, V0_FAR, S0_FAR, W_FAR, Q_PLUS_FAR,
    V_PLUS_FAR, V_PLUS_BEFORE, S_PLUS_FAR, COST_FAR, PSI_FAR, E_FAR, PSI_LEVEL,
    NULL_MODE, NULL_START, PARAMETERS_TWICE, NO_PARAMETER, NAME_TWICE, LATE_COSTS,
    LATE_COORDINATES, ELEMENT,
    F_FARTHER, F_FARTHEST, F_FAR_BEFORE, G_FARTHER, PHI_FARTHER, M_FAR_ROW, M_FARTHEST,
    LEVEL_FARTHEST, V_PLUS_FARTHEST, NO_TO, NO_FROM, OTHER_TO, CONSTRAIN_NULL,
    IMPULSE_NULL, JOINTS_NULL, REQUIRE_NULL, EVENT_NULL
};

static enum slip slip;

/* The line of the slip, for the message to name. */
static int line;
#define SLIP(which) (slip == (which) && (line = __LINE__))

static void write_mode(struct model *model)
{
    DECLARE_(x) DECLARE_(m)
    formula f = EQ(m + 7*x);
    (void)f;
    model->M[0][0] = EQ(m);
    model->M[1][1] = EQ(m + 1);
    model->F[0] = EQ(-x);
    model->f_s[0] = EQ(m*x);
    if (slip != G_WITHOUT)
        model->g[0] = EQ(x*x);
    if (SLIP(G_WITHOUT)) model->g[0] = EQ(2*x);
    if (SLIP(G_FAR)) model->g[9] = EQ(3*x);
    if (SLIP(M_CORNER)) model->M[2][2] = EQ(5*m);
    if (SLIP(M_ROW)) model->M[7][0] = EQ(5*m);
    if (SLIP(M_COLUMN)) model->M[1][2] = EQ(5*m);
    if (SLIP(M_BEFORE)) model->M[0][-1] = EQ(5*m);
    if (SLIP(F_FAR)) model->F[65] = EQ(5*x);
    if (SLIP(F_BEFORE)) model->F[-64] = EQ(5*x);
    if (SLIP(PHI_FAR)) model->Phi[64] = EQ(5*x);
    if (SLIP(PHI_HOLE)) model->Phi[3] = EQ(5*x);
    if (SLIP(S_FAR)) model->f_s[1] = EQ(5*x);
    if (SLIP(LEVEL_FAR)) model->pen->velocity_level[64] = true;
    if (SLIP(F_FARTHER)) model->F[100] = EQ(5*x);
    if (SLIP(F_FARTHEST)) model->F[100000] = EQ(5*x);
    if (SLIP(F_FAR_BEFORE)) model->F[-1000] = EQ(5*x);
    if (SLIP(G_FARTHER)) model->g[100] = EQ(5*x);
    if (SLIP(PHI_FARTHER)) model->Phi[200] = EQ(5*x);
    if (SLIP(M_FAR_ROW)) model->M[100][0] = EQ(5*m);
    if (SLIP(M_FARTHEST)) model->M[100000][0] = EQ(5*m);
    if (SLIP(LEVEL_FARTHEST)) model->pen->velocity_level[100000] = true;
    if (SLIP(ELEMENT)) model->F[0] = quotient(EQ(5*x), (formula){NULL, 0});
}

static void write_event(struct model *model, struct event *event)
{
    DECLARE_(x) DECLARE_(vx)
    event->v_plus[0] = EQ(-vx);
    if (SLIP(Q_PLUS_FAR)) event->q_plus[2] = EQ(8*x);
    if (SLIP(V_PLUS_FAR)) event->v_plus[2] = EQ(8*x);
    if (SLIP(V_PLUS_BEFORE)) event->v_plus[-1] = EQ(8*x);
    if (SLIP(S_PLUS_FAR)) event->s_plus[1] = EQ(8*x);
    if (SLIP(COST_FAR)) event->cost[1] = EQ(8*x);
    if (SLIP(PSI_FAR)) event->Psi[0] = EQ(8*x);
    if (SLIP(E_FAR)) event->E[3] = EQ(8*x);
    if (SLIP(V_PLUS_FARTHEST)) event->v_plus[100000] = EQ(8*x);
    if (SLIP(NO_TO)) event->to = NULL;
    if (SLIP(NO_FROM)) event->from = NULL;
    if (SLIP(OTHER_TO)) event->to = &(struct mode){.name = "no"};
    struct event *none = NULL;
    if (SLIP(CONSTRAIN_NULL)) event_constrain_velocity(none);
    if (SLIP(IMPULSE_NULL)) event_impulse(none, EQ(x), EQ(0*x));
    if (SLIP(JOINTS_NULL)) event_impulse_joints(none);
    if (SLIP(REQUIRE_NULL)) event_require(none, EQ(x));
    if (SLIP(EVENT_NULL)) none->v_plus[0] = EQ(x);
    if (SLIP(PSI_LEVEL)) event->Psi_velocity_level[0] = true;
}

static void write_start(struct model *model)
{
    DECLARE_(x) DECLARE_(m)
    model->q0[0] = EQ(1);
    if (SLIP(Q0_FAR)) model->q0[2] = EQ(9*m);
    if (SLIP(Q_GUESS_FAR)) model->q_guess[2] = EQ(9*m);
    if (SLIP(V0_FAR)) model->v0[20] = EQ(9*m);
    if (SLIP(S0_FAR)) model->s0[1] = EQ(9*m);
    if (SLIP(W_FAR)) model->w[1] = EQ(9*x);
    if (SLIP(NULL_START)) model->start = NULL;
}

static void name_twice(struct model *model)
{
    line = __LINE__ + 1;
    MULTIPLIERS(vy);
}

static void record_slip(struct model *model)
{
    if (SLIP(LATE_COSTS)) model->g[0] = EQ(4);
    COORDINATES(x, y);
    PARAMETERS(m);
    AUXILIARY(s);
    if (slip != G_WITHOUT)
        COSTS(work);
    if (slip == PARAMETERS_TWICE) {
        line = __LINE__; PARAMETERS(n);
    }
    if (slip == NAME_TWICE)
        name_twice(model);
    NOMINAL(m, 2, "kg", "mass");
    if (SLIP(NO_PARAMETER)) NOMINAL(x, 2, "kg", "mass");
    struct mode *mode = model_mode(model, "fly");
    write_mode(model);
    struct mode *none = NULL;
    struct event *event = model_event(model, "hit", mode, mode, EQ(x), FALLING);
    if (SLIP(NULL_MODE)) model_event(model, "land", mode, none, EQ(y), FALLING);
    write_event(model, event);
    if (slip == LATE_COORDINATES) {
        line = __LINE__; COORDINATES(z);
    }
    write_start(model);
    model->t_end = EQ(1);
    (void)s;
}

static const struct case_desc slipping = {.name = "slipping", .record = record_slip};

static void expect(enum slip which, const char *message, bool with_line)
{
    struct diagnosis diagnosis = {.t = NAN};
    char place[80];
    slip = which;
    line = 0;
    struct model *model = model_new(&slipping, &diagnosis);
    cr_expect_null(model, "%s: not refused", message);
    cr_expect_eq(diagnosis.status, BAD_INPUT);
    cr_expect(strstr(diagnosis.place, message), "'%s', not '%s'", diagnosis.place,
              message);
    snprintf(place, sizeof place, "test_case_slips.c:%d: ", line);
    cr_expect(!with_line || strstr(diagnosis.place, place), "'%s' without %s",
              diagnosis.place, place);
    model_free(model);
}

Test(case_slips, are_not_seen_where_there_are_none)
{
    struct diagnosis diagnosis = {.t = NAN};
    struct model *model = model_new(&slipping, &diagnosis);
    cr_assert_not_null(model, "%s", diagnosis.place);
    model_free(model);
}

Test(case_slips, of_an_index_are_told_with_array_index_and_line)
{
    expect(G_WITHOUT, "mode fly: g[0] is given, but only 0 costs", true);
    expect(G_FAR, "mode fly: g[9] is given, but only 1 costs", true);
    expect(M_CORNER, "mode fly: M[2][2] is given, but only 2 coordinates", true);
    expect(M_ROW, "M[7][0] is given", true);
    expect(M_COLUMN, "M[1][2] is given", true);
    expect(M_BEFORE, "M[0][-1] is given", true);
    expect(F_FAR, "F[65] is given", true);
    expect(F_BEFORE, "F[-64] is given", true);
    expect(PHI_FAR, "Phi[64] is given, but only 64 constraints", true);
    expect(PHI_HOLE, "Phi[3] is given but Phi[0] is not", true);
    expect(S_FAR, "f_s[1] is given, but only 1 auxiliary states", true);
    expect(LEVEL_FAR, "velocity_level[64] is set", false);
    expect(Q0_FAR, "case slipping: q0[2] is given", true);
    expect(Q_GUESS_FAR, "q_guess[2] is given", true);
    expect(V0_FAR, "v0[20] is given", true);
    expect(S0_FAR, "s0[1] is given", true);
    expect(W_FAR, "w[1] is given", true);
    expect(Q_PLUS_FAR, "event hit: q_plus[2] is given", true);
    expect(V_PLUS_FAR, "event hit: v_plus[2] is given", true);
    expect(V_PLUS_BEFORE, "event hit: v_plus[-1] is given", true);
    expect(S_PLUS_FAR, "event hit: s_plus[1] is given", true);
    expect(COST_FAR, "event hit: cost[1] is given", true);
    expect(PSI_FAR, "event hit: Psi[0] is given, but only 0 impulses", true);
    expect(E_FAR, "event hit: E[3] is given", true);
    expect(PSI_LEVEL, "event hit: Psi_velocity_level[0] is set", false);
}

/* Beyond the margin: the fault of the store is told. */
Test(case_slips, of_an_index_that_is_far_outside_are_told_in_the_same_way)
{
    expect(F_FARTHER, "mode fly: F[100] is given, but only 2 coordinates", true);
    expect(F_FARTHEST, "mode fly: F[100000] is given, but only 2 coordinates", true);
    expect(F_FAR_BEFORE, "mode fly: F[-1000] is given", true);
    expect(G_FARTHER, "mode fly: g[100] is given, but only 1 costs", true);
    expect(PHI_FARTHER, "mode fly: Phi[200] is given, but only 64 constraints", true);
    expect(M_FAR_ROW, "mode fly: M[100][0] is given, but only 2 coordinates", true);
    expect(M_FARTHEST, "mode fly: M[100000] is given", false);
    expect(LEVEL_FARTHEST, "mode fly: velocity_level[100000] is set", false);
    expect(V_PLUS_FARTHEST, "event hit: v_plus[100000] is given", true);
}

Test(case_slips, of_what_is_null_are_told)
{
    expect(NO_TO, "event hit: event->to is NULL", false);
    expect(NO_FROM, "event hit: event->from is NULL", false);
    expect(OTHER_TO, "event hit: event->to is no mode of this case", false);
    expect(CONSTRAIN_NULL, "event_constrain_velocity: the event is NULL", true);
    expect(IMPULSE_NULL, "event_impulse: the event is NULL", true);
    expect(JOINTS_NULL, "event_impulse_joints: the event is NULL", true);
    expect(REQUIRE_NULL, "event_require: the event is NULL", true);
#ifndef __SANITIZE_ADDRESS__    /* where the sanitizer ends the process before */
    expect(EVENT_NULL, "a pointer that is NULL is used", false);
#endif
}

Test(case_slips, of_a_word_are_told_with_its_line)
{
    expect(NULL_MODE, "a mode is NULL", true);
    expect(NULL_START, "model->start is NULL", false);
    expect(PARAMETERS_TWICE, "PARAMETERS twice", true);
    expect(NO_PARAMETER, "of something that is no parameter", true);
    expect(NAME_TWICE, "is declared twice: a coordinate x has vx", true);
    expect(LATE_COSTS, "g before COSTS", false);
    expect(LATE_COORDINATES, "come before the first event", true);
}

Test(case_slips, in_the_words_of_formulas_are_no_abort)
{
    expect(ELEMENT, "division by a formula that was never set", true);
}

/* --- large mechanisms --------------------------------------------------------------- */

static void record_rows(struct model *model)
{
    COORDINATES(x);
    for (int k = 0; k < 200; k++)
        model_constraint(model, mul(integer(model->tape, k + 1), EQ(x)));
    model->t_end = EQ(1);
}

Test(case_slips, are_not_confused_with_constraints_beyond_those_written_by_index)
{
    static const struct case_desc desc = {.name = "rows", .record = record_rows};
    struct diagnosis diagnosis = {.t = NAN};
    struct model *model = model_new(&desc, &diagnosis);
    cr_assert_not_null(model, "%s", diagnosis.place);
    cr_assert_eq(model->mode[0]->m, 200);
    model_free(model);
}
