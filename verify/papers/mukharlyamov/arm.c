/*
 * arm.c - the arm by the printed laws of motion (mukharlyamov.h)
 */
#include "papers/mukharlyamov/mukharlyamov.h"

#include <math.h>

#include "elements/lagrange.h"

/* --- words -------------------------------------------------------------------------- */

/* The displays of the example, in letters of the case files. */
static const struct arm_word notation[] = {
    {"C1", "cos(q1)"}, {"C2", "cos(q2)"}, {"S1", "sin(q1)"}, {"S2", "sin(q2)"},
    {"C12", "cos(q1 + q2)"}, {"S12", "sin(q1 + q2)"},
    {"Theta1", "l*S1 + l/2*S12 - l/2"},
    {"Theta2", "l*C1 + l/2*C12 + v*t - x0"},
    {"J11", "l*C1 + l/2*C12"}, {"J12", "l/2*C12"},
    {"J21", "-l*S1 - l/2*S12"}, {"J22", "-l/2*S12"},
    {"Thetad1", "vq1*l*C1 + l/2*C12*(vq1 + vq2)"},
    {"Thetad2", "-l*vq1*S1 - l/2*S12*(vq1 + vq2) + v"},
    {"xi1", "vq1*vq1*l*S1 + l/2*S12*(vq1 + vq2)*(vq1 + vq2)"},
    {"xi2", "vq1*vq1*l*C1 + l/2*C12*(vq1 + vq2)*(vq1 + vq2)"},
    {"Xi1", "xi1 - h*Thetad1 - p*Theta1"}, {"Xi2", "xi2 - r*Thetad2 - s*Theta2"},
    {"detJ", "J11*J22 - J12*J21"},
    {NULL, NULL}};

/* Energies of uniform bars between points, by the velocities of elbow and tip. */
static const struct arm_word bars[] = {
    {"ex", "-l*S1*vq1"}, {"ey", "l*C1*vq1"},
    {"fx", "ex - l/2*S12*(vq1 + vq2)"}, {"fy", "ey + l/2*C12*(vq1 + vq2)"},
    {"T0", "2*m*(ex*ex + ey*ey)/6"
           "+ m*(ex*ex + ey*ey + ex*fx + ey*fy + fx*fx + fy*fy)/6"},
    {"V0", "2*m*g*l*S1/2 + m*g*(2*l*S1 + l/2*S12)/2"},
    {NULL, NULL}};

/* From the energies, q2 relative and gravity along -y. */
#define OWN_M11 "m*l*l*(25.0/16 + C2/2) + m*l*l/6 + m*l*l/48"
#define OWN_M12 "m*l*l*(C2/4 + 1.0/16) + m*l*l/48"
#define OWN_M22 "m*l*l/16 + m*l*l/48"
#define OWN_Q1 "m*l*l/4*S2*vq2*(2*vq1 + vq2) - 2*m*g*l*C1 - m*g*l/4*C12"
#define OWN_Q2 "-m*l*l/4*S2*vq1*vq1 - m*g*l/4*C12"
#define PRINTED_M11 "m*l*l/2 + I1 + I2"
#define PRINTED_M12 "m*l*l/4*C2 + I2"
#define PRINTED_M22 "m*l*l/16 + I2"
#define PRINTED_Q1 "m*l*l/4*vq2*(vq1 + vq2*S2) - 2*m*g*l*S1"
#define PRINTED_Q2 "-m*l*l/4*S2 - m*g*l/4*S12"

static const struct arm_word own_M[] = {
    {"M11", OWN_M11}, {"M12", OWN_M12}, {"M22", OWN_M22}, {NULL, NULL}};
static const struct arm_word own_Q[] = {{"Q1", OWN_Q1}, {"Q2", OWN_Q2}, {NULL, NULL}};
static const struct arm_word printed_M[] = {
    {"M11", PRINTED_M11}, {"M12", PRINTED_M12}, {"M22", PRINTED_M22}, {NULL, NULL}};
static const struct arm_word printed_Q[] = {
    {"Q1", PRINTED_Q1}, {"Q2", PRINTED_Q2}, {NULL, NULL}};

/* W = M^-1, B = Theta_q W, b = B Q - Xi. */
#define UP_TO_b \
    {"detM", "M11*M22 - M12*M12"}, \
    {"W11", "M22/detM"}, {"W12", "-M12/detM"}, {"W22", "M11/detM"}, \
    {"B11", "J11*W11 + J12*W12"}, {"B12", "J11*W12 + J12*W22"}, \
    {"B21", "J21*W11 + J22*W12"}, {"B22", "J21*W12 + J22*W22"}, \
    {"b1", "B11*Q1 + B12*Q2 - Xi1"}, {"b2", "B21*Q1 + B22*Q2 - Xi2"}
/* lambda = A^-1 b */
#define FROM_A \
    {"detA", "A11*A22 - A12*A21"}, \
    {"lambda1", "(A22*b1 - A12*b2)/detA"}, {"lambda2", "(A11*b2 - A21*b1)/detA"}

/* A = Theta_q M^-1 Theta_q' */
static const struct arm_word multipliers_21[] = {
    UP_TO_b,
    {"A11", "B11*J11 + B12*J12"}, {"A12", "B11*J21 + B12*J22"},
    {"A21", "B21*J11 + B22*J12"}, {"A22", "B21*J21 + B22*J22"},
    FROM_A, {NULL, NULL}};
/* Theta_q M^-1 Theta_q, as it is printed */
static const struct arm_word multipliers_33[] = {
    UP_TO_b,
    {"A11", "B11*J11 + B12*J21"}, {"A12", "B11*J12 + B12*J22"},
    {"A21", "B21*J11 + B22*J21"}, {"A22", "B21*J12 + B22*J22"},
    FROM_A, {NULL, NULL}};

/* --- the laws ----------------------------------------------------------------------- */

static void record_arm(struct model *model);

#define DESC(NAME) .desc = {.name = "mukharlyamov-" NAME, .title = "two-link arm", \
    .source = "Mukharlyamov, Deressa 2014, example 1", .record = record_arm}

/* The constraint force of a multiplier. */
#define MINUS_JT(i, a, b) " - (J1" #i "*(" a ") + J2" #i "*(" b "))"

const struct arm_law arm_baumgarte = {
    DESC("baumgarte"), .words = {notation},
    .M = {"1", "0", "1"},
    .F = {"(J22*Xi1 - J12*Xi2)/detJ", "(J11*Xi2 - J21*Xi1)/detJ"}};

#define SOLVED(NAME, MULTIPLIERS) \
    DESC(NAME), .words = {notation, own_M, own_Q, MULTIPLIERS}, \
    .M = {"M11", "M12", "M22"}, \
    .F = {"Q1" MINUS_JT(1, "lambda1", "lambda2"), "Q2" MINUS_JT(2, "lambda1", "lambda2")}

const struct arm_law arm_21 = {SOLVED("21", multipliers_21)};
const struct arm_law arm_33 = {SOLVED("33", multipliers_33)};

/* (34) with A = alpha I; the power is that of the force alpha (...) of (30). */
#define LAW_34(NAME, M_WORDS, Q_WORDS) \
    DESC(NAME), .words = {notation, M_WORDS, Q_WORDS}, \
    .M = {"M11 + alpha*(J11*J11 + J21*J21)", "M12 + alpha*(J11*J12 + J21*J22)", \
          "M22 + alpha*(J12*J12 + J22*J22)"}, \
    .F = {"Q1" MINUS_JT(1, "-alpha*Xi1", "-alpha*Xi2"), \
          "Q2" MINUS_JT(2, "-alpha*Xi1", "-alpha*Xi2")}, \
    .power = "-alpha*(J11*aq1 + J12*aq2 - Xi1)*Thetad1" \
             "-alpha*(J21*aq1 + J22*aq2 - Xi2)*(Thetad2 - v)"

const struct arm_law arm_34 = {LAW_34("34", own_M, own_Q)};
const struct arm_law arm_34_printed_M = {LAW_34("34-printed-M", printed_M, own_Q)};
const struct arm_law arm_34_printed_Q = {LAW_34("34-printed-Q", own_M, printed_Q)};
const struct arm_law arm_34_printed = {LAW_34("34-printed", printed_M, printed_Q)};

/* y = Theta in the energies and the dissipative function of (25). */
#define LAW_25(NAME, FACTOR) \
    DESC(NAME), .words = {notation, bars}, \
    .T = "T0 + alpha*(Thetad1*Thetad1 + Thetad2*Thetad2)/2", \
    .V = "V0 + " FACTOR "*(p*Theta1*Theta1 + s*Theta2*Theta2)/2", \
    .damping = {"-" FACTOR "*h*Thetad1", "-" FACTOR "*r*Thetad2"}

const struct arm_law arm_25 = {LAW_25("25", "1")};
const struct arm_law arm_25_scaled = {LAW_25("25-scaled", "alpha")};

/* --- displayed formulas ------------------------------------------------------------- */

#define THETADD_1 "(l*C1 + l/2*C12)*aq1 + l/2*C12*aq2 " \
                  "- (vq1*vq1*l*S1 + l/2*S12*(vq1 + vq2)*(vq1 + vq2))"
#define THETADD_2 "(-l*S1 - l/2*S12)*aq1 - l/2*S12*aq2 " \
                  "- (vq1*vq1*l*C1 + l/2*C12*(vq1 + vq2)*(vq1 + vq2))"
#define THETAD_1 "vq1*l*C1 + l/2*C12*(vq1 + vq2)"
#define THETAD_2 "-l*vq1*S1 - l/2*S12*(vq1 + vq2) + v"
#define THETA_1 "l*S1 + l/2*S12 - l/2"
#define THETA_2 "l*C1 + l/2*C12 + v*t - x0"

static const char *const display[ARM_COSTS] = {
    [THETA] = THETA_1, THETA_2,
    [THETAD] = THETAD_1, THETAD_2,
    /* The rate of Theta_t = (0, v) is zero. */
    [RATE_23] = "J11*vq1 + J12*vq2", "J21*vq1 + J22*vq2",
    [THETADD] = THETADD_1, THETADD_2,
    [JACOBIAN] = "l*C1 + l/2*C12", "l/2*C12", "-l*S1 - l/2*S12", "-l/2*S12",
    [XI] = "(vq1*l*S1 + l/2*S12*(vq1 + vq2))*vq1 + l/2*S12*(vq1 + vq2)*vq2 "
           "- h*(" THETAD_1 ") - p*(" THETA_1 ")",
           "(vq1*l*C1 + l/2*C12*(vq1 + vq2))*vq1 + l/2*C12*(vq1 + vq2)*vq2 "
           "- r*(" THETAD_2 ") - s*(" THETA_2 ")",
    [STABILISED] = THETADD_1 " + h*(" THETAD_1 ") + p*(" THETA_1 ")",
                   THETADD_2 " + r*(" THETAD_2 ") + s*(" THETA_2 ")",
    [PRINTED_M] = PRINTED_M11, PRINTED_M12, PRINTED_M22,
    [PRINTED_Q] = PRINTED_Q1, PRINTED_Q2,
    [OWN_M] = OWN_M11, OWN_M12, OWN_M22,
    [OWN_Q] = OWN_Q1, OWN_Q2,
    [KINETIC] = "T0", [POTENTIAL] = "V0"};

const struct arm_law arm_display = {
    DESC("display"), .words = {notation, bars}, .M = {"1", "0", "1"}, .F = {"0", "0"}};

/* --- recording ---------------------------------------------------------------------- */

/* As printed: masses, lengths, inertias, start; v and g are declared. */
static const struct parameter_of_arm {
    const char *name, *value, *unit, *meaning;
} parameters[] = {
    {"l", "1", "m", "length of link 1"},
    {"m", "1", "kg", "mass of link 2"},
    {"v", "0.6", "m/s", "speed of the tip, towards -x"},
    {"x0", "0.295953", "m", "initial place of the tip"},
    {"g", "9.81", "m/s^2", "gravity"},
    {"I1", "0.167", "kg m^2", "inertia of link 1 in the printed M"},
    {"I2", "0.208", "kg m^2", "inertia of link 2 in the printed M"},
    {"h", "20", "1/s", "damping gain of Theta1"},
    {"r", "10", "1/s", "damping gain of Theta2"},
    {"p", "100", "1/s^2", "stiffness gain of Theta1"},
    {"s", "25", "1/s^2", "stiffness gain of Theta2"},
    {"alpha", "10", "1", "penalty factor"},
    {"start_q1", "1.396263", "rad", "angle of link 1 at the start"},
    {"start_q2", "3.563268", "rad", "angle of link 2 at the start"},
    {"start_v1", "0.358620", "rad/s", "velocity of link 1 at the start"},
    {"start_v2", "-0.867745", "rad/s", "velocity of link 2 at the start"},
};
enum { PARAMETERS_OF_ARM = sizeof parameters / sizeof *parameters };

/* Their names, as a list. */
static const char parameter_names[] =
    "l, m, v, x0, g, I1, I2, h, r, p, s, alpha, start_q1, start_q2, start_v1, start_v2";

static formula read_text(struct model *model, const char *text)
{
    return model_read(model, text, __FILE__, __LINE__);
}

static void declare(struct model *model, const char *costs)
{
    model_coordinates(model, "q1, q2");
    model_parameters(model, parameter_names);
    if (costs)
        model_costs(model, costs);
    model_time(model, "t");
    for (int j = 0; j < PARAMETERS_OF_ARM; j++)
        model_nominal(model, parameters[j].name, parameters[j].value, parameters[j].unit,
                      parameters[j].meaning, true, __FILE__, __LINE__);
}

static void write_energies(struct model *model, const struct arm_law *law)
{
    static const char *const rate[] = {"J11*vq1 + J12*vq2", "J21*vq1 + J22*vq2"};
    model_kinetic(model, read_text(model, law->T));
    model_potential(model, read_text(model, law->V));
    for (int i = 0; i < 2; i++)
        model_force_on_rate(model, read_text(model, rate[i]),
                            read_text(model, law->damping[i]));
}

static void write_display(struct model *model)
{
    for (int k = 0; k < ARM_COSTS; k++)
        model->g[k] = read_text(model, display[k]);
}

/* The names of all costs of arm_display, "c0, c1, ...". */
static void name_costs(char *names, size_t size)
{
    size_t used = 0;
    for (int k = 0; k < ARM_COSTS; k++)
        used += (size_t)snprintf(names + used, size - used, "%sc%d", k ? ", " : "", k);
}

static void record_arm(struct model *model)
{
    static const char *const start[] = {"start_q1", "start_q2", "start_v1", "start_v2"};
    const struct arm_law *law = (const struct arm_law *)(const void *)model->desc;
    char costs[ARM_COSTS * 8];
    name_costs(costs, sizeof costs);
    declare(model, law == &arm_display ? costs : law->power ? "work" : NULL);
    model_mode(model, "arm");
    for (int k = 0; k < 4 && law->words[k]; k++)
        for (const struct arm_word *word = law->words[k]; word->name; word++)
            model_define(model, word->name, word->text, __FILE__, __LINE__);
    for (int i = 0; i < 2; i++) {
        for (int j = i; j < 2 && law->M[i + j]; j++)
            model->M[i][j] = read_text(model, law->M[i + j]);
        if (law->F[i])
            model->F[i] = read_text(model, law->F[i]);
        model->q0[i] = read_text(model, start[i]);
        model->v0[i] = read_text(model, start[2 + i]);
    }
    if (law->T)
        write_energies(model, law);
    if (law->power)
        model->g[0] = read_text(model, law->power);
    if (law == &arm_display)
        write_display(model);
    model->t_end = read_text(model, "1");
}

enum status arm_run_init(struct paper_run *run, const struct arm_law *law, int points,
                         double t_end)
{
    paper_run_of(run, &law->desc, "ode", points, "");
    paper_run_until(run, t_end);
    return run->status;
}

/* --- about the line ----------------------------------------------------------------- */

double arm_parameter(const struct model *model, const double *value, const char *name)
{
    return value[model_parameter_index(model, name)];
}

double arm_folded(const struct model *model, const double *value)
{
    return arm_parameter(model, value, "x0") / arm_parameter(model, value, "v");
}

/* The tip is at (-x, l/2), (3/2 l)^2 = x^2 + (l/2)^2. */
double arm_stretched(const struct model *model, const double *value)
{
    return (arm_parameter(model, value, "x0") +
            sqrt(2) * arm_parameter(model, value, "l")) /
           arm_parameter(model, value, "v");
}
