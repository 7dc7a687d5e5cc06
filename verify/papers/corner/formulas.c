/*
 * formulas.c - printed formulas of Corner, Sandu, Sandu 2019, wrong ones and right
 * ones, each tried by running it (formulas.h)
 */
#include "papers/corner/formulas.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "formula/diff.h"
#include "jobs/pool.h"
#include "mechanisms/catalogue.h"

/* --- the motions -------------------------------------------------------------------- */

static const struct {
    const char *name;                   /* NULL: `own` */
    const struct case_desc *own;
    const char *formulation, *sens;     /* NULL: all parameters that are not fixed */
    double until;                       /* 0: the end of the case */
    enum reset_policy reset;
    const char *alpha;                  /* penalty factor; NULL: nominal */
} motions[LEDGER_MOTIONS] = {
    [FIVE_BAR] = {.name = "five-bar", .formulation = "index1",
                  .sens = "L01,y_ground,L_A1,k1", .until = 2},
    [FIVE_BAR_PENALTY] = {.name = "five-bar", .formulation = "penalty",
                          .sens = "L01,y_ground", .until = 1},
    [FIVE_BAR_EVENTS] = {.name = "five-bar-events", .formulation = "index1",
                         .sens = "t_on,x_drop,v_brake,l,m1"},
    [CAUGHT_SOFTLY] = {.name = "rope-catch", .formulation = "penalty",
                       .sens = "g,l,m,vx0", .until = 0.6, .reset = RESET_CONTINUOUS},
    [CAUGHT_MOVING] = {.own = &caught_moving, .formulation = "index1", .sens = "m,u"},
    [SLEIGH] = {.name = "chaplygin-sleigh-centre", .formulation = "index1"},
    [DRAUGHT] = {.name = "double-crossing", .formulation = "ode"},
    [CAR] = {.name = "car-axis", .formulation = "index1", .until = 1},
    /* (64)-(69) hold for every alpha; a small one keeps their digits. */
    [CAR_PENALTY] = {.name = "car-axis", .formulation = "penalty", .until = 1,
                     .alpha = "0.1"},
    [ARM] = {.name = "two-link", .formulation = "ode"},
    [ARM_PENALTY] = {.name = "two-link-driven", .formulation = "penalty",
                     .alpha = "0.1"},
    [SWING] = {.name = "pendulum-stop", .formulation = "ode", .until = 2}};

enum { POINTS = 5 };

static enum status open_motion(struct tried *tried, int k)
{
    const struct case_desc *desc = motions[k].own ? motions[k].own
                                                  : case_find(motions[k].name);
    paper_run_of(&tried->run, desc, motions[k].formulation, POINTS, motions[k].sens);
    paper_run_reset(&tried->run, motions[k].reset);
    if (motions[k].alpha)
        paper_run_option(&tried->run, "alpha", motions[k].alpha);
    if (motions[k].until > 0)
        paper_run_until(&tried->run, motions[k].until);
    paper_run_go(&tried->run);
    return paper_run_complex(&tried->run, &tried->exact);
}

static enum status open_ledger(struct task *task, void **study, char *why, int size)
{
    struct ledger *ledger = *study = memory_new(1, sizeof *ledger);
    for (int k = 0; k < LEDGER_MOTIONS; k++) {
        if (open_motion(&ledger->motion[k], k) != OK)
            return paper_run_why(&ledger->motion[k].run, why, size);
        task_progress(task, (k + 1.0) / LEDGER_MOTIONS);
    }
    ledger->car = penalty_formulas_new(&ledger->motion[CAR_PENALTY]);
    ledger->arm = penalty_formulas_new(&ledger->motion[ARM_PENALTY]);
    return OK;
}

static void close_ledger(void *study)
{
    struct ledger *ledger = study;
    penalty_formulas_free(ledger->car);
    penalty_formulas_free(ledger->arm);
    for (int k = 0; k < LEDGER_MOTIONS && ledger->motion[k].run.model; k++) {
        trajectory_free(ledger->motion[k].exact);
        paper_run_clear(&ledger->motion[k].run);
    }
    free(ledger);
}

/* --- for the trials ----------------------------------------------------------------- */

int ledger_event(const struct trajectory *trajectory, const char *name)
{
    for (int k = 0; k < trajectory->events; k++)
        if (strcmp(trajectory->event[k].event->name, name) == 0)
            return k;
    slip("corner: no event '%s'", name);
}

static formula time_alone(void *tape, int block, int index)
{
    (void)index;
    return block == BLOCK_T ? integer(tape, 1) : (formula){NULL, 0};
}

void ledger_Phi_t(const struct model *branch, const struct mode *mode, formula *Phi_t)
{
    tangent_along(mode->Phi, mode->m, time_alone, branch->tape, Phi_t);
}

void least_add(struct least *least, double digits, const char *format, ...)
{
    va_list list;
    if (!(digits < least->digits))
        return;
    least->digits = digits;
    va_start(list, format);
    vsnprintf(least->where, sizeof least->where, format, list);
    va_end(list);
}

/* --- the ledger --------------------------------------------------------------------- */

static const struct printed_formula formulas[] = {
    {"(14), (15)", "V' = M^-1 [(F_q - M_q v') Q + F_v V + F_rho - M_rho v']", "", try_14,
     0},
    {"(19)", "the state of (18) has (n + 1)(p + 1) components", "(2n + 1)(p + 1)",
     try_dimension, false},
    {"(23), as extracted", "Q = -Im q(rho + i h)/h",
     "Q = +Im q(rho + i h)/h", try_23, 0},
    {"(28)", "r1 r2 ... re = 0 tells the next event, by the sign of the product",
     "by the sign of each guard", try_28, 0},
    {"(33)", "dt_e/drho = -r_q Q / (r_q v), for a guard r(q)", "", try_rule,
     RULE_33_POSITION},
    {"(33), beyond r(q)", "dt_e/drho = -r_q Q / (r_q v), for a guard of t, v or rho, too",
     "-(r_q Q + r_v V + r_rho) / (r_t + r_q v + r_v a)", try_33, RULE_33_GENERAL},
    {"Remark 8", "grazing is where r_q = 0", "where r_q v = 0", try_remark_8, 0},
    {"(35)", "Q+ = Q- - (v+ - v-) dt_e/drho", "", try_35, 0},
    {"(38)", "V+ = h_q Q- + h_v V- + (h_q v- - v'+ + h_v v'- + h_t) dt_e/drho + h_rho",
     "", try_38, 0},
    {"(44)", "V+ = V- - (v'+ - v'-) dt_e/drho", "", try_44, 0},
    {"(48)", "Z+ = Z- - (g+ - g-) dt_e/drho", "", try_48, 0},
    {"(51c)", "Phi_q v' = -(Phi_q v)_q v - Phi_tq v - Phi_tt",
     "-(Phi_q v)_q v - 2 Phi_tq v - Phi_tt", try_51c, 0},
    {"(52)", "M v' = F + Phi_q' lambda", "F - Phi_q' lambda", try_52, 0},
    {"(56), (63)", "V' and Lambda of the index-1 form, with two Phi_tq v in C", "",
     try_56, 0},
    {"(62)", "the state of (61) has (n + 1)(p + 1) components", "(2n + m + 1)(p + 1)",
     try_dimension, true},
    {"(64)", "lambda* = alpha (Phidd + 2 xi omega Phid + omega^2 Phi)", "", try_64, 0},
    {"(65), (67)", "V' of the penalty form, with (A.1)-(A.5)", "", try_65, 0},
    {"(66)", "Z' = ... + g_lambda (lambda*_q Q + lambda*_v V) + ... + g_v' lambda*_rho",
     "... + g_lambda (lambda*_q Q + lambda*_v V + lambda*_v' V' + lambda*_rho)", try_66,
     0},
    {"(69)", "Lambda* = lambda*_q Q + lambda*_v V + lambda*_rho",
     "lambda*_q Q + lambda*_v V + lambda*_v' V' + lambda*_rho", try_69, 0},
    {"(73)-(75)", "v_dep, v'_dep from the constraints, with two Phi_tq v in C", "",
     try_73, 0},
    {"(82), (83)", "V+ of an impulse through the constraints, by Theorem 7", "", try_rule,
     RULE_82},
    {"(86), (87)", "Q_dep, V_dep from the constraints", "", try_86, 0},
    {"(88)", "Q_dof+ by (88a), Q_dep+ from the constraints after the event", "", try_rule,
     RULE_88},
    {"(90)", "V_dof+ by (90a), V_dep+ from the constraints after the event", "", try_rule,
     RULE_90},
    {"(91)-(93)", "V+ of an impulse from Q+, V- and time terms, as a whole",
     "along the moving event: Q+ + v+ tau, V- + a- tau, V+ + a+ tau", try_rule, RULE_91},
    {"(91)", "Q+, V-, V+", "Q+ + v+ tau, V- + a- tau, V+ + a+ tau", try_91,
     PRINTED_RATES},
    {"(91)", "M_rho v+", "M_rho (v+ - v-)", try_91, PRINTED_MASS},
    {"(91)", "Phi_t,q v-", "Phi_t,q (Q+ + v+ tau) + (Phi_t,q v+ + Phi_tt) tau", try_91,
     PRINTED_TIME},
    {"(91)", "Phi_t,rho v-", "Phi_t,rho", try_91, PRINTED_MIXED},
    {"(94)", "Lambda+ = Lambda- + f_q Q+ + f_v V+ + f_rho", "f_q Q+ + f_v V+ + f_rho",
     try_rule, RULE_94},
    {"(95)", "Lambda*+ = Lambda*- + lambda*_q Q+ + ...", "without Lambda*-", try_rule,
     RULE_95},
    {"(97)", "V+ = V- + (v'- - v'+) dt_e/drho, constraints changed, penalty form", "",
     try_97, 0},
    {"Remark 19", "then Q_dep+ by (88b), V_dep+ by (90c)", "Q+ = Q-, (97) for all of V",
     try_remark_19, 0},
    {"Sec. 7", "LA1 = LB3 = 1.4142; LA1 = LB3 = 1.8027",
     "LA1 = LB3 = 1.4142; L21 = L32 = 1.8027", try_section_7, 0},
    {"(A.1)", "F_q of the penalty form", "", try_appendix, PART_F_Q},
    {"(A.2)", "F_v", "", try_appendix, PART_F_V},
    {"(A.3)", "F_rho", "", try_appendix, PART_F_RHO},
    {"(A.4)", "M_q v'", "", try_appendix, PART_M_Q},
    {"(A.5)", "M_rho v'", "", try_appendix, PART_M_RHO},
    {"(A.8)", "lambda*_v' = alpha Phi_q", "", try_appendix, PART_LAMBDA_A},
    {"(A.9)", "lambda*_v", "", try_appendix, PART_LAMBDA_V},
    {"(A.10), as extracted",
     "lambda*_q = alpha [... + (d/dt Phi_q)_q v + (Phi_t)_q + ...]",
     "(d/dt Phi_t)_q for (Phi_t)_q", try_appendix, PART_LAMBDA_Q},
    {"(A.11)", "lambda*_rho", "", try_appendix, PART_LAMBDA_RHO},
    {0}};

const struct study corner_formulas = {
    .name = "corner, printed formulas", .weight = 4, .open = open_ledger,
    .close = close_ledger, .formula = formulas};
