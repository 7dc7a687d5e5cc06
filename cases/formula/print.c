/*
 * print.c - pretty printer: a formula as infix text that the reader would read back to
 * the same row.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "formula/print.h"
#include "formula/read.h"
#include "formula/tape.h"

/* Binding strengths, weakest first. */
enum { SUM = 1, PRODUCT = 2, SIGNED = 3, POWER = 4, ATOM = 5 };

/* A piece that is still to be written: a text, an exponent, or a row within a context
   that binds as strongly as `strength`. The stack of pieces, last first, is explicit,
   since formulas may be deep. */
struct piece {
    enum { TEXT, EXPONENT, INFIX_EXPONENT, ROW } kind;
    const char *text;
    int number;             /* the exponent, or the number of the row */
    int strength;
    bool real;              /* an integer constant must not be an integer for C */
};

struct printer {
    struct tape *tape;
    const struct names *names;
    struct piece *stack;
    int height, capacity;
    const char *const *given;   /* [rows] names that stand for rows, or NULL */
    const struct spelling *spelling;    /* NULL: that of the reader */
    char *text;
    int used, size;             /* bytes written; room in text */
    bool grows, full;           /* text is grown as needed; text was cut */
};

static void push(struct printer *printer, struct piece piece)
{
    printer->stack = memory_grow(printer->stack, &printer->capacity, printer->height + 1,
                                 sizeof piece);
    printer->stack[printer->height++] = piece;
}

static void push_text(struct printer *printer, const char *text)
{
    push(printer, (struct piece){.kind = TEXT, .text = text});
}

static void push_row(struct printer *printer, int row, int strength, bool real)
{
    push(printer, (struct piece){ROW, NULL, row, strength, real});
}

/* Appends a text; one that does not fit ends in "...". */
static void put(struct printer *printer, const char *text)
{
    int length = (int)strlen(text);
    if (printer->grows)
        printer->text = memory_grow(printer->text, &printer->size,
                                    printer->used + length + 1, 1);
    int room = printer->size - 1 - printer->used;
    if (length > room) {
        memcpy(printer->text + printer->used, text, (size_t)room);
        for (int i = 0; i < 3 && i < printer->size - 1; i++)
            printer->text[printer->size - 2 - i] = '.';
        printer->used = printer->size - 1;
        printer->full = true;
    } else {
        memcpy(printer->text + printer->used, text, (size_t)length);
        printer->used += length;
    }
    printer->text[printer->used] = '\0';
}

/* Writes a constant: "981e-2" as 9.81, "1e2" as 100 (100.0 if it must be real),
   "602e21" as it is. A constant that C would take for an integer must be one that C
   can hold. */
static void put_constant(struct printer *printer, const char *canonical, bool real)
{
    const char *e = strchr(canonical, 'e');
    int exponent = e ? atoi(e + 1) : 0;
    int sign = *canonical == '-';
    const char *digit = canonical + sign;
    int digits = (int)(e ? (size_t)(e - digit) : strlen(digit));
    if (exponent > 6 || exponent < -digits - 4 || digits > 18) {
        put(printer, canonical);
        put(printer, e ? "" : "e0");
        return;
    }
    char text[64];
    int whole = digits + exponent;
    int used = sprintf(text, "%s", sign ? "-" : "");
    if (exponent >= 0)
        sprintf(text + used, "%.*s%.*s%s", digits, digit, exponent, "000000",
                real || whole > 18 ? ".0" : "");
    else if (whole <= 0)
        sprintf(text + used, "0.%.*s%.*s", -whole, "0000", digits, digit);
    else
        sprintf(text + used, "%.*s.%.*s", whole, digit, -exponent, digit + whole);
    put(printer, text);
}

static const char *const block_text[BLOCKS] = {
    [BLOCK_T] = "t", [BLOCK_Q] = "q", [BLOCK_V] = "v", [BLOCK_S] = "s", [BLOCK_A] = "a",
    [BLOCK_LAMBDA] = "lambda", [BLOCK_RHO] = "rho", [BLOCK_Q_PLUS] = "q_plus",
    [BLOCK_V_PLUS] = "v_plus", [BLOCK_S_PLUS] = "s_plus", [BLOCK_IMPULSE] = "impulse",
    [BLOCK_QD] = "qd", [BLOCK_SD] = "sd", [BLOCK_MU] = "mu",
    [BLOCK_ITERATED] = "iterated", [BLOCK_FOUND] = "found", [BLOCK_TWIN] = "twin",
    [BLOCK_WEIGHT] = "weight", [BLOCK_ADJOINT] = "adjoint",
};

/* Writes a variable by its name or its block. A direction of q[0] is d1.q[0], or d1.x
   if q[0] is called x. */
static void put_variable(struct printer *printer, int block, int index)
{
    char text[32];
    int copy = block / BLOCKS;
    if (copy > 0) {
        sprintf(text, "d%d.", copy);
        put(printer, text);
    }
    int row = tape_find(printer->tape, OP_VARIABLE, block % BLOCKS, index);
    const char *name = NULL;
    if (printer->names && row >= 0)
        name = names_of(printer->names, (formula){printer->tape, row});
    put(printer, name ? name : block_text[block % BLOCKS]);
    if (!name) {
        sprintf(text, "[%d]", index);
        put(printer, text);
    }
}

static bool is_integer(const struct printer *printer, int row)
{
    int64_t value;
    return integer_constant((formula){printer->tape, row}, &value);
}

static void expand_binary(struct printer *printer, struct tape_row row, int strength)
{
    static const char *const sign[OPS] = {
        [OP_ADD] = " + ", [OP_SUB] = " - ", [OP_MUL] = "*", [OP_DIV] = "/",
    };
    int own = row.op == OP_ADD || row.op == OP_SUB ? SUM : PRODUCT;
    bool divided = printer->spelling && row.op == OP_DIV;
    bool integers = divided || (is_integer(printer, row.a) && is_integer(printer, row.b));
    if (own < strength)
        push_text(printer, ")");
    push_row(printer, row.b, own + 1, divided);
    push_text(printer, sign[row.op]);
    push_row(printer, row.a, own, integers);
    if (own < strength)
        push_text(printer, "(");
}

static const char *function_text(const struct printer *printer, enum op op)
{
    const char *own = printer->spelling ? printer->spelling->function[op] : NULL;
    return own ? own : op_info[op].text;
}

static void expand_call(struct printer *printer, struct tape_row row)
{
    bool real = printer->spelling != NULL;
    push_text(printer, ")");
    if (op_info[row.op].arity == 2) {
        push_row(printer, row.b, SUM, real);
        push_text(printer, ", ");
    }
    push_row(printer, row.a, SUM, real);
    push_text(printer, "(");
    push_text(printer, function_text(printer, row.op));
}

static const char *power_sign(const struct printer *printer)
{
    return printer->spelling ? printer->spelling->power : NULL;
}

static bool is_negative_constant(const struct printer *printer, int row)
{
    struct tape_row r = printer->tape->row[row];
    return r.op == OP_CONSTANT && *printer->tape->constant[r.a].text == '-';
}

/* Writes the power of a and an exponent, which is a row or an integer, with a sign
   between them. */
static void expand_infix_power(struct printer *printer, struct tape_row row, int strength)
{
    bool bracket = is_negative_constant(printer, row.a);
    if (POWER < strength)
        push_text(printer, ")");
    if (row.op == OP_POWI)
        push(printer, (struct piece){.kind = INFIX_EXPONENT, .number = row.b});
    else
        push_row(printer, row.b, ATOM, true);
    push_text(printer, power_sign(printer));
    push_text(printer, bracket ? ")" : "");
    push_row(printer, row.a, ATOM, true);
    push_text(printer, bracket ? "(" : "");
    if (POWER < strength)
        push_text(printer, "(");
}

static void expand_power(struct printer *printer, struct tape_row row)
{
    push(printer, (struct piece){.kind = EXPONENT, .number = row.b});
    push_row(printer, row.a, SUM, false);
    push_text(printer, "pow(");
}

static void expand_sign(struct printer *printer, struct tape_row row, int strength)
{
    bool bracket = strength > SIGNED;
    push_text(printer, bracket ? ")" : "");
    push_row(printer, row.a, ATOM, false);
    push_text(printer, bracket ? "(-" : "-");
}

static void expand(struct printer *printer, struct piece piece)
{
    struct tape_row row = printer->tape->row[piece.number];
    switch (row.op) {
    case OP_CONSTANT:
        put_constant(printer, printer->tape->constant[row.a].text, piece.real);
        break;
    case OP_PI:
        put(printer, printer->spelling ? printer->spelling->pi : "pi");
        break;
    case OP_VARIABLE:
        put_variable(printer, row.a, row.b);
        break;
    case OP_ADD: case OP_SUB: case OP_MUL: case OP_DIV:
        expand_binary(printer, row, piece.strength);
        break;
    case OP_NEG:
        expand_sign(printer, row, piece.strength);
        break;
    case OP_POWI:
    case OP_POW:
        if (power_sign(printer))
            expand_infix_power(printer, row, piece.strength);
        else if (row.op == OP_POWI)
            expand_power(printer, row);
        else
            expand_call(printer, row);
        break;
    default:
        expand_call(printer, row);
    }
}

static void put_piece(struct printer *printer, struct piece piece)
{
    char exponent[32];
    switch (piece.kind) {
    case TEXT:
        put(printer, piece.text);
        break;
    case EXPONENT:
        sprintf(exponent, ", %d)", piece.number);
        put(printer, exponent);
        break;
    case INFIX_EXPONENT:
        sprintf(exponent, piece.number < 0 ? "(%d)" : "%d", piece.number);
        put(printer, exponent);
        break;
    case ROW:
        if (printer->given && printer->given[piece.number])
            put(printer, printer->given[piece.number]);
        else
            expand(printer, piece);
    }
}

static void put_formula(struct printer *printer, formula a)
{
    if (!a.tape) {
        put(printer, "0");
        return;
    }
    expand(printer, (struct piece){ROW, NULL, a.row, SUM, printer->spelling != NULL});
    while (printer->height > 0 && !printer->full)
        put_piece(printer, printer->stack[--printer->height]);
    free(printer->stack);
}

void formula_print(formula a, const struct names *names, char *text, int size)
{
    struct printer printer = {.tape = a.tape, .names = names, .text = text, .size = size};
    if (size < 1)
        return;
    text[0] = '\0';
    put_formula(&printer, a);
}

char *formula_text(formula a, const struct names *names, const char *const *given)
{
    struct printer printer = {.tape = a.tape, .names = names, .given = given,
                              .grows = true};
    put_formula(&printer, a);
    return printer.text;
}

char *formula_text_spelled(formula a, const char *const *given,
                           const struct spelling *spelling)
{
    struct printer printer = {.tape = a.tape, .given = given, .spelling = spelling,
                              .grows = true};
    put_formula(&printer, a);
    return printer.text;
}
