/*
 * test_formula_text.c - formulas read from text and printed as text.
 */
#include <stdio.h>

#include "formula/print.h"
#include "random_formulas.h"
#include "reading_xy.h"

TestSuite(formula_text, .init = open_tape, .fini = end_reading);

/* --- the reader ------------------------------------------------------------------- */

/* The text is refused at this column, and the message contains the word. */
static void refuses(const char *text, int column, const char *word)
{
    struct read_error error;
    formula f = formula_read(tape, names, text, &error);
    cr_assert(error.set, "accepted: %s", text);
    cr_assert(is_zero(f) && !f.tape);
    cr_assert_eq(error.column, column, "%s: column %d instead of %d", text, error.column,
                 column);
    cr_assert(strstr(error.message, word) != NULL, "%s: %s", text, error.message);
    const char *caret = strchr(error.line, '\n');
    cr_assert(caret != NULL && strchr(caret, '^') - caret == column, "%s", error.line);
}

Test(formula_text, reader_knows_precedence)
{
    cr_assert(same_formula(reads("x + y*length"), add(x, mul(y, length))));
    cr_assert(same_formula(reads("x - y - length"), sub(sub(x, y), length)));
    cr_assert(same_formula(reads("x/y/length"), quotient(quotient(x, y), length)));
    cr_assert(same_formula(reads("-x*y"), mul(negate(x), y)));
    cr_assert(same_formula(reads(" - ( x + y ) \n"), negate(add(x, y))));
    cr_assert(same_formula(reads("pi*x"), mul(pi_formula(tape), x)));
    cr_assert(same_formula(reads("atan2(x, y + 1)"),
                           apply2(OP_ATAN2, x, add(y, integer(tape, 1)))));
}

Test(formula_text, reader_refuses_arithmetic_between_integers)
{
    refuses("x + 1/2", 6, "integers");
    refuses("100000*100000", 7, "integers");
    refuses("-(1)/2*x", 5, "integers");
    refuses("x*((3) - -4)", 8, "integers");
    reads("1.0/2*x");
    reads("1/2.0*x");
    reads("2*x*3");
    reads("sqrt(2)/3");
    reads("pow(2, 3)/3");
}

Test(formula_text, reader_says_where_and_what_to_do)
{
    refuses("x + lenght", 5, "did you mean 'length'");
    refuses("sine(x)", 1, "sin");
    refuses("x^2", 2, "pow(a, n)");
    refuses("x**2", 2, "pow(a, n)");
    refuses("x y", 3, "operator is missing");
    refuses("(x + y", 7, "column 1");
    refuses("x + y)", 6, "leave it out");
    refuses("x +", 4, "ends too early");
    refuses("", 1, "ends too early");
    refuses("sin + x", 1, "is a function");
    refuses("x(2)", 1, "not a function");
    refuses("atan2(x)", 8, "2 arguments");
    refuses("sqrt(x, y)", 7, "1 argument");
    refuses("x/0", 2, "division by zero");
    refuses("x/(y - y*1 - 0.0)/0.0", 18, "division by zero");
    refuses("2x", 2, "operator");
    refuses("010*x", 1, "octal");
    refuses("99999999999999999999*x", 1, "too large");
    refuses("1e9999999*x", 1, "out of range");
    refuses("x--y", 2, "space");
    refuses("--x", 1, "decrement");
    refuses("x + $", 5, "cannot stand here");
    refuses("0x10", 2, "decimal");
}

Test(formula_text, reader_limits_nesting_and_not_length)
{
    enum { DEEP = 100000 };
    char *text = malloc(2 * DEEP + 2);
    struct read_error error;
    memset(text, '(', DEEP);
    text[DEEP] = '\0';
    formula_read(tape, names, text, &error);
    cr_assert(error.set && strstr(error.message, "split"));
    for (int i = 0; i < DEEP; i++) {
        text[2 * i] = '-';
        text[2 * i + 1] = ' ';
    }
    strcpy(text + 2 * DEEP, "x");
    formula_read(tape, names, text, &error);
    cr_assert(error.set && strstr(error.message, "split"));

    /* A long sum is no deep one; its print is cut, and ends. */
    for (int i = 0; i < DEEP; i++) {
        text[2 * i] = "xy"[i % 2];
        text[2 * i + 1] = '+';
    }
    text[2 * DEEP - 1] = '\0';
    formula f = reads(text);
    char cut[20];
    formula_print(f, names, cut, sizeof cut);
    cr_assert_str_eq(cut, "x + y + x + y + ...");
    free(text);
}

Test(formula_text, an_error_in_a_long_text_shows_its_surroundings)
{
    char text[2000];
    struct read_error error;
    memset(text, ' ', sizeof text);
    memcpy(text, "x + y*", 6);
    strcpy(text + 1000, "wrong + x");
    formula_read(tape, names, text, &error);
    cr_assert_eq(error.column, 1001);
    const char *line_end = strchr(error.line, '\n');
    const char *caret = strchr(line_end, '^');
    cr_assert_eq(error.line[caret - line_end - 1], 'w');
}

Test(formula_text, names_are_bound_once)
{
    cr_assert(!names_bind(names, "x", y));
    cr_assert(!names_bind(names, "sin", y) && !names_bind(names, "pi", y));
    cr_assert(!names_bind(names, "2x", y) && !names_bind(names, "", y));
    cr_assert(!names_bind(names, "a b", y) && !names_bind(names, "+", y));
    cr_assert(names_bind(names, "again", x));
    cr_assert_str_eq(names_of(names, x), "x");
    cr_assert_null(names_of(names, add(x, y)));
    formula found;
    cr_assert(names_find(names, "again", &found) && same_formula(found, x));
    cr_assert(!names_find(names, "never", &found));
    names_bind(names, "nothing", (formula){0});
    cr_assert(same_formula(reads("x + nothing"), x));
}

/* --- the printer ------------------------------------------------------------------ */

Test(formula_text, printed_formulas_read_back_to_the_same_row)
{
    static const char *const text[] = {
        "x - (y - length)", "-x*y", "-(x*y)", "x*(-y)", "x/(y/length)", "x/y/length",
        "-3*x - -3", "2.0*3/7*x", "1.0/3", "1e-30*x + 1e30", "0.00012*x", "120000000*x",
        "pow(x + y, -3)", "pow(x, 0.5)", "atan2(x, -y)", "-sin(-x)", "pi/2 - x",
        "1.23456789012345678901234567890*x", "12345678901234567890123.0*x",
        "(x + y)*(x - y)", "x - -y*length", "9223372036854775807*x", "-0.5*x",
    };
    for (size_t i = 0; i < sizeof text / sizeof *text; i++) {
        formula f = reads(text[i]);
        char printed[300];
        formula_print(f, names, printed, sizeof printed);
        cr_assert(same_formula(f, reads(printed)), "%s printed as %s", text[i], printed);
    }
}

Test(formula_text, random_formulas_read_back_to_the_same_row)
{
    struct random random = random_start();
    formula leaf[] = {x, y, length, constant(tape, "-1.5"), integer(tape, 2)};
    for (int i = 0; i < 200; i++) {
        formula f = random_formula(&random, leaf, 5, 8);
        static char printed[100000];
        formula_print(f, names, printed, sizeof printed);
        cr_assert(same_formula(f, reads(printed)), "seed %llu: %s", random.seed, printed);
    }
}

Test(formula_text, printer_names_what_it_can)
{
    prints(sub(x, variable(tape, BLOCK_V, 1)), "x - v[1]");
    prints(mul(variable(tape, TANGENT(BLOCK_Q), 0), variable(tape, TANGENT(BLOCK_V), 2)),
           "d1.x*d1.v[2]");
    prints((formula){0}, "0");
    prints(reads("9.810*x + 100.0"), "9.81*x + 100");
    char cut[8];
    formula_print(reads("x + length"), names, cut, sizeof cut);
    cr_assert_str_eq(cut, "x + ...");
}

Test(formula_text, a_formula_is_spelled_as_another_language_has_it)
{
    static const struct spelling other = {
        .function = {[OP_ATAN2] = "angle"}, .power = "^", .pi = "PI"}, c = {.pi = "PI"};
    static const struct { const char *text, *other, *c; } one[] = {
        {"x/2 + 1/y", "x/2.0 + 1.0/y", "x/2.0 + 1.0/y"},
        {"-pow(x, 3)*y", "-(x^3)*y", "-pow(x, 3)*y"},
        {"pow(-x, 2)", "(-x)^2", "pow(-x, 2)"},
        {"pow(pow(x, 2), -2)", "(x^2)^(-2)", "pow(pow(x, 2), -2)"},
        {"pow(x + y, 0.5)", "(x + y)^0.5", "pow(x + y, 0.5)"},
        {"pow(-0.5, 3)*x", "(-0.5)^3*x", "pow(-0.5, 3)*x"},
        {"pow(2, x - y)", "exp((x - y)*log(2.0))", "exp((x - y)*log(2.0))"},
        {"atan2(x, 1)", "angle(x, 1.0)", "atan2(x, 1.0)"},
        {"2*x - pi", "2*x - PI", "2*x - PI"},
        {"7", "7.0", "7.0"}};
    const char *given[1000] = {[0] = NULL};
    given[x.row] = "x";
    given[y.row] = "y";
    for (size_t i = 0; i < sizeof one / sizeof *one; i++) {
        formula f = reads(one[i].text);
        cr_assert_lt(tape_rows(tape), 1000);
        char *in_other = formula_text_spelled(f, given, &other);
        char *in_c = formula_text_spelled(f, given, &c);
        cr_expect_str_eq(in_other, one[i].other);
        cr_expect_str_eq(in_c, one[i].c);
        free(in_other);
        free(in_c);
    }
}
