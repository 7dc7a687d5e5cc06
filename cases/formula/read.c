/*
 * read.c - parser of formulas in infix text, by recursive descent over C's arithmetic.
 *
 *     sum      product { (+|-) product }
 *     product  signed { (*|/) signed }
 *     signed   - signed | atom
 *     atom     number | pi | name | function ( sum [, sum] ) | ( sum )
 *
 * Chains are loops; only brackets and signs nest, and nesting is limited. Every value
 * remembers whether C would compute it as an integer, because the text is also compiled
 * as C.
 */
#include "formula/read.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "formula/tape.h"

enum { NESTING = 200, NAME_LENGTH = 64 };

struct reader {
    struct tape *tape;
    const struct names *names;
    const char *text, *at;
    int nesting;
    bool exact;         /* the text is not compiled as C: integers are exact numbers */
    struct read_error *error;
};

struct value {
    formula f;
    bool integer;       /* C's type of the value is int or long */
};

static struct value read_sum(struct reader *reader);

/* --- errors ------------------------------------------------------------------------- */

/* Writes the text around the column in one line, and a caret under the column. */
static void show_place(struct read_error *error, const char *text)
{
    enum { WIDTH = 160, BEFORE = 100 };
    int length = (int)strlen(text);
    int caret = error->column - 1;
    int begin = length > WIDTH && caret > BEFORE ? caret - BEFORE : 0;
    int used = 0;
    if (begin > 0)
        used = sprintf(error->line, "...");
    int indent = used + caret - begin;
    for (int i = begin; i < length && i < begin + WIDTH; i++) {
        bool control = (unsigned char)text[i] < ' ';
        error->line[used++] = control ? ' ' : text[i];
    }
    if (begin + WIDTH < length)
        used += sprintf(error->line + used, "...");
    sprintf(error->line + used, "\n%*s^", indent, "");
}

/* Reports an error at `where`; only the first error is kept. */
__attribute__((format(printf, 3, 4)))
static struct value fail(struct reader *reader, const char *where,
                         const char *format, ...)
{
    struct read_error *error = reader->error;
    if (!error->set) {
        va_list arguments;
        error->set = true;
        error->column = (int)(where - reader->text) + 1;
        va_start(arguments, format);
        vsnprintf(error->message, sizeof error->message, format, arguments);
        va_end(arguments);
        show_place(error, reader->text);
    }
    return (struct value){{0}, false};
}

static bool failed(const struct reader *reader)
{
    return reader->error->set;
}

/* --- characters --------------------------------------------------------------------- */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static void skip_space(struct reader *reader)
{
    reader->at += strspn(reader->at, " \t\r\n");
}

/* Takes the next character if it is `c`. */
static bool take(struct reader *reader, char c)
{
    skip_space(reader);
    if (*reader->at != c)
        return false;
    reader->at++;
    return true;
}

/* --- numbers ------------------------------------------------------------------------ */

static bool octal(const char *begin, const char *end)
{
    return begin[0] == '0' && end - begin > 1;
}

static struct value read_number(struct reader *reader)
{
    const char *begin = reader->at, *at = begin;
    bool integer_type = true;
    at += strspn(at, "0123456789");
    if (*at == '.') {
        integer_type = false;
        at++;
        at += strspn(at, "0123456789");
    }
    if ((*at == 'e' || *at == 'E')
        && (is_digit(at[1]) || ((at[1] == '-' || at[1] == '+') && is_digit(at[2])))) {
        integer_type = false;
        at += 2;
        at += strspn(at, "0123456789");
    }
    if (is_letter(*at) || *at == '.' || is_digit(*at))
        return fail(reader, at, "a number ends here: numbers are decimal, without "
                    "suffix; write an operator in between");
    if (integer_type && octal(begin, at))
        return fail(reader, begin, "an integer with a leading zero is octal in C: leave "
                    "the zero out");

    char *text = memory_text(begin, (size_t)(at - begin));
    struct decimal number;
    bool good = decimal_parse(&number, text);
    bool fits = good && number.integer;
    struct value value = {{0}, integer_type && !reader->exact};
    if (good) {
        value.f = constant(reader->tape, number.text);
        free(number.text);
    }
    free(text);
    if (!good)
        return fail(reader, begin, "the exponent of this number is out of range: keep it "
                    "within 100000");
    if (value.integer && !fits)
        return fail(reader, begin, "this integer is too large for C: write it with a "
                    "decimal point");
    reader->at = at;
    return value;
}

/* --- names and functions ------------------------------------------------------------ */

static struct value read_name(struct reader *reader, const char *begin, const char *name)
{
    struct value value = {{0}, false};
    if (reader->names && names_find(reader->names, name, &value.f)) {
        if (!value.f.tape)
            value.f = integer(reader->tape, 0);
        if (!tape_has(reader->tape, value.f))
            slip("the name '%s' is bound to a formula of another tape", name);
        value.f.tape = reader->tape;
        return value;
    }
    if (strcmp(name, "pi") == 0) {
        value.f = pi_formula(reader->tape);
        return value;
    }
    if (names_function(name) != OPS)
        return fail(reader, begin, "%s is a function: write %s(...)", name, name);
    const char *nearest = names_nearest(reader->names, name);
    if (nearest)
        return fail(reader, begin, "unknown name '%s': did you mean '%s'?", name,
                    nearest);
    return fail(reader, begin, "unknown name '%s': declare it, or correct it", name);
}

/* Functions that other languages have, and the remedy here. */
static const char *other_function(const char *name)
{
    static const char *const other[][2] = {
        {"abs", "a corner is the guard of an event"},
        {"fabs", "a corner is the guard of an event"},
        {"max", "a corner is the guard of an event"},
        {"min", "a corner is the guard of an event"},
        {"if", "a corner is the guard of an event"},
        {"sign", "a jump is an event; an auxiliary state keeps the sign"},
        {"sgn", "a jump is an event; an auxiliary state keeps the sign"},
        {"ln", "write log"}, {"arcsin", "write asin"}, {"arccos", "write acos"},
        {"arctan", "write atan"}, {"cot", "write 1/tan(...)"},
        {"dot", "the velocity of x is vx"}, {"der", "the velocity of x is vx"},
        {"diff", "the velocity of x is vx"},
    };
    for (size_t k = 0; k < sizeof other / sizeof *other; k++)
        if (strcmp(other[k][0], name) == 0)
            return other[k][1];
    return NULL;
}

static struct value read_call(struct reader *reader, const char *begin, const char *name)
{
    enum op op = names_function(name);
    if (op == OPS) {
        formula ignored;
        if (reader->names && names_find(reader->names, name, &ignored))
            return fail(reader, begin, "'%s' is not a function: write * to multiply",
                        name);
        const char *nearest = names_nearest(NULL, name), *remedy = other_function(name);
        if (remedy)
            return fail(reader, begin, "there is no function '%s': %s", name, remedy);
        return fail(reader, begin, "unknown function '%s': %s%s", name,
                    nearest ? "nearest is "
                            : "there are sqrt, exp, log, sin, cos, tan, asin, acos, "
                              "atan, atan2, sinh, cosh, tanh, pow",
                    nearest ? nearest : "");
    }
    int arity = op_info[op].arity;
    struct value argument[2];
    take(reader, '(');
    for (int i = 0; i < arity; i++) {
        argument[i] = read_sum(reader);
        if (failed(reader))
            return argument[i];
        if (i + 1 < arity && !take(reader, ','))
            return fail(reader, reader->at, "%s takes %d arguments: put a comma and "
                        "another one here", name, arity);
    }
    if (take(reader, ','))
        return fail(reader, reader->at - 1, "%s takes %d argument%s: leave the others "
                    "out", name, arity, arity > 1 ? "s" : "");
    if (!take(reader, ')'))
        return fail(reader, reader->at, "the argument of %s does not end: put ')' here",
                    name);
    formula f = arity == 1 ? apply(op, argument[0].f)
                           : apply2(op, argument[0].f, argument[1].f);
    return (struct value){f, false};
}

static struct value read_word(struct reader *reader)
{
    const char *begin = reader->at;
    char name[NAME_LENGTH + 1];
    while (is_letter(*reader->at) || is_digit(*reader->at))
        reader->at++;
    size_t length = (size_t)(reader->at - begin);
    if (length > NAME_LENGTH)
        return fail(reader, begin, "a name of %zu letters: use at most %d", length,
                    NAME_LENGTH);
    memcpy(name, begin, length);
    name[length] = '\0';
    skip_space(reader);
    return *reader->at == '(' ? read_call(reader, begin, name)
                              : read_name(reader, begin, name);
}

/* --- the grammar -------------------------------------------------------------------- */

static struct value read_atom(struct reader *reader)
{
    skip_space(reader);
    const char *begin = reader->at;
    char c = *begin;
    if (is_digit(c) || (c == '.' && is_digit(begin[1])))
        return read_number(reader);
    if (is_letter(c))
        return read_word(reader);
    if (take(reader, '(')) {
        struct value value = read_sum(reader);
        if (!failed(reader) && !take(reader, ')'))
            return fail(reader, reader->at, "the bracket of column %d is still open: "
                        "put an operator or ')' here", (int)(begin - reader->text) + 1);
        return value;
    }
    if (c == '\0')
        return fail(reader, begin, "the formula ends too early: a number, a name or a "
                    "bracket is missing");
    return fail(reader, begin, "'%c' cannot stand here: a number, a name or a bracket is "
                "expected", c);
}

static struct value read_signed(struct reader *reader)
{
    skip_space(reader);
    if (*reader->at != '-')
        return read_atom(reader);
    if (reader->at[1] == '-')
        return fail(reader, reader->at, "-- is a decrement in C: put a space or a "
                    "bracket in between");
    if (++reader->nesting > NESTING)
        return fail(reader, reader->at, "more than %d signs and brackets within each "
                    "other: split the formula", NESTING);
    reader->at++;
    struct value value = read_signed(reader);
    reader->nesting--;
    value.f = negate(value.f);
    return value;
}

static struct value combine(struct reader *reader, const char *where, struct value a,
                            struct value b)
{
    if (a.integer && b.integer)
        return fail(reader, where, "both sides of '%c' are integers and C computes it in "
                    "integers: give one of them a decimal point, as in 1.0/2", *where);
    struct value value = {{0}, false};
    switch (*where) {
    case '+': value.f = add(a.f, b.f); break;
    case '-': value.f = sub(a.f, b.f); break;
    case '*': value.f = mul(a.f, b.f); break;
    default:
        if (is_zero(b.f))
            return fail(reader, where, "division by zero: correct the denominator");
        value.f = quotient(a.f, b.f);
    }
    return value;
}

/* Parses one level of precedence: operands read by `next`, joined by either of two
   signs. */
static struct value read_chain(struct reader *reader, const char *signs,
                               struct value (*next)(struct reader *))
{
    struct value value = next(reader);
    for (;;) {
        skip_space(reader);
        const char *where = reader->at;
        if (failed(reader) || *where == '\0' || !strchr(signs, *where))
            return value;
        if (where[1] == *where && *where != '/')
            return fail(reader, where, "'%c%c' is another operator in C: %s", *where,
                        *where,
                        *where == '*' ? "write pow(a, n)" : "put a space between");
        reader->at++;
        struct value right = next(reader);
        if (failed(reader))
            return right;
        value = combine(reader, where, value, right);
    }
}

static struct value read_product(struct reader *reader)
{
    return read_chain(reader, "*/", read_signed);
}

static struct value read_sum(struct reader *reader)
{
    if (++reader->nesting > NESTING)
        return fail(reader, reader->at, "more than %d signs and brackets within each "
                    "other: split the formula", NESTING);
    struct value value = read_chain(reader, "+-", read_product);
    reader->nesting--;
    return value;
}

static formula read_formula(struct tape *tape, const struct names *names,
                            const char *text, bool exact, struct read_error *error)
{
    struct read_error ignored;
    struct reader reader = {.tape = tape, .names = names, .text = text, .at = text,
                            .exact = exact, .error = error ? error : &ignored};
    *reader.error = (struct read_error){0};
    struct value value = read_sum(&reader);
    skip_space(&reader);
    if (!failed(&reader) && *reader.at == '^')
        fail(&reader, reader.at, "'^' is not a power in C: write pow(a, n)");
    else if (!failed(&reader) && *reader.at == ')')
        fail(&reader, reader.at, "this ')' closes no bracket: leave it out");
    else if (!failed(&reader) && *reader.at != '\0')
        fail(&reader, reader.at, "an operator is missing here: put + - * or / in"
             " between");
    return failed(&reader) ? (formula){0} : value.f;
}

formula formula_read(struct tape *tape, const struct names *names, const char *text,
                     struct read_error *error)
{
    return read_formula(tape, names, text, false, error);
}

formula formula_read_exact(struct tape *tape, const struct names *names,
                           const char *text, struct read_error *error)
{
    return read_formula(tape, names, text, true, error);
}
