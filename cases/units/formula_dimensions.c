/*
 * formula_dimensions.c - dimensional homogeneity of formulas: each row of the expression
 * graph gives linear equations between exponents (analysis.h).
 *
 *     a + b, a - b, atan2(a, b)      a and b are equal
 *     a*b, a/b, a^n, sqrt(a)         exponents are added, subtracted, multiplied
 *     sin(a), exp(a), ...            a is a number, and so is the result
 *
 * Source: Kennedy, Types for units-of-measure: theory and practice, 2010, for unification
 * by linear equations.
 *
 * A literal constant hides its unit: half a metre is written 0.5. So a constant is of any
 * dimension where it is added or stands alone, each time it stands there. Where it
 * multiplies it depends: an integer, a fraction of integers or binary fraction (2, 1/2,
 * 0.25, pi/3) is a number, since these come from geometry and from energies, and taking
 * them for quantities would leave nothing of m*v*v/2 to check. A decimal like 9.81 or 0.3
 * is of any dimension: 9.81*m is a weight more often than a mass. So is every constant
 * that multiplies time, and every constant factor in the argument of sine and its like:
 * sin(2*t + phi) and sin(t) are written for frequencies of 2 and of 1 rad/s.
 */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "formula/tape.h"
#include "units/analysis.h"

/* --- measures ----------------------------------------------------------------------- */

static struct measure of_form(struct form form)
{
    return (struct measure){MEASURE_FORM, form};
}

static struct measure of_number(void)
{
    struct dimension one = dimension_one();
    return of_form(form_known(&one));
}

/* A measure that says nothing: a new unknown dimension. */
static struct measure of_anything(struct analysis *analysis)
{
    struct equations *equations = &analysis->equations;
    return of_form(form_of(equations, equations_unknown(equations)));
}

static bool is_constant(struct measure measure)
{
    return measure.kind == MEASURE_NUMBER || measure.kind == MEASURE_LITERAL;
}

/* The measure of a constant made of two. */
static struct measure of_constants(struct measure a, struct measure b)
{
    bool numbers = a.kind == MEASURE_NUMBER && b.kind == MEASURE_NUMBER;
    return (struct measure){.kind = numbers ? MEASURE_NUMBER : MEASURE_LITERAL};
}

static struct measure measure_power(struct analysis *analysis, struct measure a,
                                    struct rational exponent)
{
    if (is_constant(a))
        return a;
    return of_form(form_combine(&analysis->equations, &a.form, exponent, NULL, exponent));
}

static bool is_time(const struct tape *tape, int row)
{
    struct tape_row r = tape_row(tape, row);
    return r.op == OP_VARIABLE && r.a == BLOCK_T;
}

/* a b^sign, where a and b are the operands of r. */
static struct measure measure_product(struct analysis *analysis, struct tape_row r,
                                      int sign)
{
    const struct tape *tape = analysis->model->tape;
    struct measure a = analysis->row[r.a].measure, b = analysis->row[r.b].measure;
    bool frequency = (is_constant(a) && is_time(tape, r.b)) ||
                     (is_constant(b) && is_time(tape, r.a));
    if (is_constant(a) && is_constant(b))
        return of_constants(a, b);
    if (frequency || a.kind == MEASURE_LITERAL || b.kind == MEASURE_LITERAL)
        return of_anything(analysis);
    if (b.kind == MEASURE_NUMBER)
        return a;
    if (a.kind == MEASURE_NUMBER)
        return measure_power(analysis, b, rational_of(sign, 1));
    return of_form(form_combine(&analysis->equations, &a.form, rational_of(1, 1), &b.form,
                                rational_of(sign, 1)));
}

/* --- leaves ------------------------------------------------------------------------- */

/* 2, 0.25, 1e3, not 9.81. */
static enum measure_kind kind_of_constant(const char *text)
{
    double parts = strtod(text, NULL) * 1024;
    return parts == floor(parts) ? MEASURE_NUMBER : MEASURE_LITERAL;
}

/* Quotients of quotients deeper than these are taken for no rational. */
enum { DEEPEST = 8 };

/* A constant as a rational; den = 0: it is none that fits an int. */
static struct rational rational_value(const struct tape *tape, int row, int depth)
{
    const struct rational none = {0, 0};
    struct tape_row r = tape_row(tape, row);
    if (depth > DEEPEST)
        return none;
    if (r.op == OP_CONSTANT) {
        double parts = strtod(tape_constant(tape, r.a), NULL) * 3600;
        double near = round(parts);
        bool fits = fabs(parts) < 1e8 && fabs(parts - near) <= 1e-9 * fabs(parts);
        return fits ? rational_of((int)near, 3600) : none;
    }
    if (r.op == OP_NEG)
        return rational_mul(rational_of(-1, 1), rational_value(tape, r.a, depth + 1));
    if (r.op != OP_DIV)
        return none;
    struct rational a = rational_value(tape, r.a, depth + 1);
    struct rational b = rational_value(tape, r.b, depth + 1);
    return rational_is_zero(b) ? none : rational_div(a, b);
}

/* The unknown `first + index`, per time^order. */
static struct measure of_unknown(struct analysis *analysis, int first, int index,
                                 int order)
{
    struct form form = form_of(&analysis->equations, first + index);
    if (order == 0)
        return of_form(form);
    return of_form(form_combine(&analysis->equations, &form, rational_of(1, 1),
                                &analysis->time, rational_of(-order, 1)));
}

static struct measure measure_variable(struct analysis *analysis, int block, int index)
{
    const struct mode *mode = analysis->mode;
    const struct event *event = analysis->event;
    switch (block) {
    case BLOCK_T: return of_form(analysis->time);
    case BLOCK_Q:
    case BLOCK_Q_PLUS: return of_unknown(analysis, analysis->q, index, 0);
    case BLOCK_V:
    case BLOCK_V_PLUS: return of_unknown(analysis, analysis->q, index, 1);
    case BLOCK_A: return of_unknown(analysis, analysis->q, index, 2);
    case BLOCK_S:
    case BLOCK_S_PLUS: return of_unknown(analysis, analysis->s, index, 0);
    case BLOCK_RHO: return of_form(analysis->parameter[index]);
    case BLOCK_LAMBDA:
        if (mode && index < mode->m)
            return of_unknown(analysis, analysis->lambda[mode->index], index, 0);
        return of_anything(analysis);
    case BLOCK_IMPULSE:
        if (event && index < event->impulses + (event->joints ? event->to->m : 0))
            return of_unknown(analysis, analysis->impulse[event->index], index, 0);
        return of_anything(analysis);
    default: return of_anything(analysis);
    }
}

/* --- operations --------------------------------------------------------------------- */

static void say_unequal(struct analysis *analysis, int row, const char *how)
{
    struct tape_row r = tape_row(analysis->model->tape, row);
    char text[FORMULA_TEXT], a[DIMENSION_TEXT], b[DIMENSION_TEXT];
    if (analysis->row[row].said)
        return;
    analysis->row[row].said = true;
    sum_text(analysis, row, text);
    form_text(analysis, &analysis->row[r.a].measure.form, a);
    form_text(analysis, &analysis->row[r.b].measure.form, b);
    finding_say(analysis, "%s: %s and %s %s", text, a, b, how);
}

/* Both operands are equal, or one is a constant. Returns what both are; after a finding
   anything, since nobody knows which of them is right. */
static struct measure measure_equal(struct analysis *analysis, int row, struct measure a,
                                    struct measure b, const char *how)
{
    if (is_constant(a) && is_constant(b))
        return of_constants(a, b);
    if (is_constant(a))
        return b;
    if (is_constant(b) || equations_equal(&analysis->equations, &a.form, &b.form))
        return a;
    say_unequal(analysis, row, how);
    return of_anything(analysis);
}

/* Is there a constant factor in a product? */
static bool has_factor(const struct analysis *analysis, int row)
{
    struct tape_row r = tape_row(analysis->model->tape, row);
    while (r.op == OP_MUL || r.op == OP_DIV || r.op == OP_NEG) {
        if (is_constant(analysis->row[r.a].measure) ||
            (r.op != OP_NEG && is_constant(analysis->row[r.b].measure)))
            return true;
        r = tape_row(analysis->model->tape, r.a);
    }
    return false;
}

/* The operand `argument` of `row` is a number; `takes` says so in a finding. */
static void expect_number(struct analysis *analysis, int row, int argument,
                          const char *takes)
{
    struct measure measure = analysis->row[argument].measure, one = of_number();
    if (is_constant(measure) || is_time(analysis->model->tape, argument) ||
        has_factor(analysis, argument) ||
        equations_equal(&analysis->equations, &measure.form, &one.form) ||
        analysis->row[row].said)
        return;
    char text[FORMULA_TEXT], dimension[DIMENSION_TEXT];
    analysis->row[row].said = true;
    short_text(analysis, row, text);
    form_text(analysis, &measure.form, dimension);
    finding_say(analysis, "%s: %s of %s, which takes a number", text, takes, dimension);
}

/* pow(a, b) with an exponent that is no integer. */
static struct measure measure_pow(struct analysis *analysis, int row, struct tape_row r)
{
    struct measure a = analysis->row[r.a].measure, b = analysis->row[r.b].measure;
    if (is_constant(b)) {
        struct rational exponent = rational_value(analysis->model->tape, r.b, 0);
        return exponent.den > 0 ? measure_power(analysis, a, exponent)
               : is_constant(a) ? of_constants(a, b) : of_anything(analysis);
    }
    expect_number(analysis, row, r.b, "exponent");
    expect_number(analysis, row, r.a, "a power that varies");
    return of_number();
}

static struct measure measure_row(struct analysis *analysis, int row)
{
    const struct tape *tape = analysis->model->tape;
    struct tape_row r = tape_row(tape, row);
    const struct measure none = {MEASURE_NONE, {.count = 0}};
    struct measure a = op_operands(r.op) > 0 ? analysis->row[r.a].measure : none;
    struct measure b = op_operands(r.op) > 1 ? analysis->row[r.b].measure : none;
    switch (r.op) {
    case OP_CONSTANT:
        return (struct measure){.kind = kind_of_constant(tape_constant(tape, r.a))};
    case OP_PI: return (struct measure){.kind = MEASURE_NUMBER};
    case OP_VARIABLE: return measure_variable(analysis, r.a, r.b);
    case OP_POWI: return measure_power(analysis, a, rational_of(r.b, 1));
    case OP_SQRT: return measure_power(analysis, a, rational_of(1, 2));
    case OP_NEG: return a;
    case OP_ADD: return measure_equal(analysis, row, a, b, "are added");
    case OP_SUB: return measure_equal(analysis, row, a, b, "are subtracted");
    case OP_MUL: return measure_product(analysis, r, 1);
    case OP_DIV: return measure_product(analysis, r, -1);
    case OP_POW: return measure_pow(analysis, row, r);
    case OP_ATAN2:
        measure_equal(analysis, row, a, b, "have no ratio that is a number");
        return of_number();
    default:
        expect_number(analysis, row, r.a, op_info[r.op].text);
        return is_constant(a) ? a : of_number();
    }
}

/* --- rows --------------------------------------------------------------------------- */

static bool is_measured(const struct analysis *analysis, int row)
{
    const struct row_measure *known = &analysis->row[row];
    return known->measure.kind != MEASURE_NONE &&
           (known->context == 0 || known->context == analysis->context);
}

/* The context in which a row with measured operands is measured: of no mode and no event
   where it has neither multipliers nor impulses. */
static int context_of(const struct analysis *analysis, struct tape_row r)
{
    int operands = op_operands(r.op);
    bool own = r.op == OP_VARIABLE && (r.a == BLOCK_LAMBDA || r.a == BLOCK_IMPULSE);
    own |= operands > 0 && analysis->row[r.a].context != 0;
    own |= operands > 1 && analysis->row[r.b].context != 0;
    return own ? analysis->context : 0;
}

/* Measures the row and all below it, by depth-first search. */
static void measure_rows(struct analysis *analysis, int root)
{
    const struct tape *tape = analysis->model->tape;
    int *stack = analysis->stack, height = 0;
    stack[height++] = root;
    while (height > 0) {
        int row = stack[height - 1];
        struct tape_row r = tape_row(tape, row);
        int operands = op_operands(r.op);
        if (is_measured(analysis, row)) {
            height--;
        } else if (operands > 0 && !is_measured(analysis, r.a)) {
            stack[height++] = r.a;
        } else if (operands > 1 && !is_measured(analysis, r.b)) {
            stack[height++] = r.b;
        } else {
            analysis->row[row].measure = measure_row(analysis, row);
            analysis->row[row].context = context_of(analysis, r);
            height--;
        }
    }
}

struct measure measure_of(struct analysis *analysis, formula f)
{
    if (!f.tape || f.row == analysis->left_out)
        return (struct measure){.kind = MEASURE_NONE};
    analysis->at = f;
    measure_rows(analysis, f.row);
    if (!analysis->row[f.row].root) {
        analysis->row[f.row].root = true;
        analysis->root = memory_grow(analysis->root, &analysis->root_room,
                                     analysis->roots + 1, sizeof *analysis->root);
        analysis->root[analysis->roots++] = f.row;
    }
    return analysis->row[f.row].measure;
}

int variables_of(struct analysis *analysis, formula f, int block, int *index)
{
    const struct tape *tape = analysis->model->tape;
    int *stack = analysis->stack, height = 0, count = 0, search = ++analysis->visits;
    if (!f.tape)
        return 0;
    stack[height++] = f.row;
    analysis->visit[f.row] = search;
    while (height > 0) {
        struct tape_row r = tape_row(tape, stack[--height]);
        int operand[2] = {r.a, r.b};
        if (r.op == OP_VARIABLE && r.a == block)
            index[count++] = r.b;
        for (int k = 0; k < op_operands(r.op); k++)
            if (analysis->visit[operand[k]] != search) {
                analysis->visit[operand[k]] = search;
                stack[height++] = operand[k];
            }
    }
    return count;
}
