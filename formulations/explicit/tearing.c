/*
 * tearing.c - the rows at which a residual is torn, and what takes their place; see
 * tearing.h.
 */
#include "explicit/tearing.h"

#include <stdlib.h>

#include "base/memory.h"
#include "formula/substitute.h"
#include "formula/tape.h"

/* How a row depends on the unknowns: not at all; linearly; linearly on unknowns and on
   torn rows; in another way, so that it is torn where it is reached by linear rows. */
enum dependence { GIVEN, LINEAR, MIXED, TORN };

/* Rows that R reaches. */
struct dependences {
    struct order order;
    unsigned char *of;      /* [order.count] enum dependence */
    bool *reached;          /* [order.count] by linear rows from R */
    bool *inside;           /* [order.count] by torn rows, or by mixed ones in them */
};

static bool is_unknown(struct tape_row row)
{
    return row.op == OP_VARIABLE && (row.a == BLOCK_A || row.a == BLOCK_LAMBDA);
}

/* The dependence of a sum, or of a product with what is given. */
static unsigned char linear_in(unsigned char a, unsigned char b)
{
    unsigned char most = a > b ? a : b;
    return most == TORN ? MIXED : most;
}

static unsigned char dependence(const struct dependences *d, struct tape_row row,
                                const struct order_entry *entry)
{
    if (op_operands(row.op) == 0)
        return is_unknown(row) ? LINEAR : GIVEN;
    unsigned char a = d->of[entry->a], b = entry->b >= 0 ? d->of[entry->b] : GIVEN;
    if (a == GIVEN && b == GIVEN)
        return GIVEN;
    switch (row.op) {
    case OP_ADD: case OP_SUB: case OP_NEG:
        return linear_in(a, b);
    case OP_MUL:
        return a == GIVEN || b == GIVEN ? linear_in(a, b) : TORN;
    case OP_DIV:
        return b == GIVEN ? linear_in(a, b) : TORN;
    default:
        return TORN;
    }
}

static void find_dependences(struct dependences *d, const struct tape *tape,
                             const formula *R, int rows)
{
    order_from(&d->order, tape, R, rows);
    int count = d->order.count;
    d->of = memory_new(count, sizeof *d->of);
    d->reached = memory_new(count, sizeof *d->reached);
    d->inside = memory_new(count, sizeof *d->inside);
    for (int k = 0; k < count; k++)
        d->of[k] = dependence(d, tape->row[d->order.entry[k].row], &d->order.entry[k]);
    for (int i = 0; i < rows; i++)
        if (d->order.root[i] >= 0)
            d->reached[d->order.root[i]] = true;
    for (int k = count - 1; k >= 0; k--) {
        const struct order_entry *entry = &d->order.entry[k];
        bool linear = d->of[k] == MIXED || d->of[k] == LINEAR;
        bool torn = d->of[k] == TORN;
        for (int side = 0; side < 2; side++) {
            int operand = side ? entry->b : entry->a;
            if (operand < 0)
                continue;
            d->reached[operand] |= d->reached[k] && linear;
            d->inside[operand] |= (d->reached[k] && torn) ||
                                  (d->inside[k] && d->of[k] > LINEAR);
        }
    }
}

static void clear_dependences(struct dependences *d)
{
    order_clear(&d->order);
    free(d->of);
    free(d->reached);
    free(d->inside);
}

/* Lists phi, and the ports of its rows. */
static void find_torn_rows(struct tearing *tearing, const struct dependences *d)
{
    int count = d->order.count;
    tearing->phi = memory_new(count, sizeof *tearing->phi);
    tearing->port = memory_new(count, sizeof *tearing->port);
    for (int k = 0; k < count; k++) {
        formula row = {tearing->tape, d->order.entry[k].row};
        if (d->of[k] == TORN && d->reached[k])
            tearing->phi[tearing->count++] = row;
        if (d->of[k] == LINEAR && d->inside[k])
            tearing->port[tearing->ports++] = row;
    }
}

void tearing_init(struct tearing *tearing, struct tape *tape, const formula *R, int rows)
{
    struct dependences d = {0};
    *tearing = (struct tearing){.tape = tape,
                                .R = memory_new(rows, sizeof(formula))};
    find_dependences(&d, tape, R, rows);
    find_torn_rows(tearing, &d);
    clear_dependences(&d);
    memory_copy(tearing->R, R, rows, sizeof *R);
    if (tearing->count == 0)
        return;
    formula *z = memory_new(tearing->count, sizeof *z);
    for (int j = 0; j < tearing->count; j++)
        z[j] = variable(tape, BLOCK_ITERATED, j);
    tearing_substitute(tearing, R, rows, tearing->port, z, tearing->R);
    free(z);
}

void tearing_clear(struct tearing *tearing)
{
    free(tearing->phi);
    free(tearing->port);
    free(tearing->R);
    *tearing = (struct tearing){0};
}

void tearing_substitute(const struct tearing *tearing, const formula *f, int count,
                        const formula *port, const formula *z, formula *out)
{
    int rows = tearing->ports + (z ? tearing->count : 0);
    formula *row = memory_new(rows, sizeof *row), *with = memory_new(rows, sizeof *with);
    memory_copy(row, tearing->port, tearing->ports, sizeof *row);
    memory_copy(with, port, tearing->ports, sizeof *with);
    if (z) {
        memory_copy(row + tearing->ports, tearing->phi, tearing->count, sizeof *row);
        memory_copy(with + tearing->ports, z, tearing->count, sizeof *with);
    }
    substitute_rows(tearing->tape, f, count, row, rows, with, out);
    free(row);
    free(with);
}
