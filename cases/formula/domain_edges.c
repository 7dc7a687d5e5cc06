/*
 * domain_edges.c - singularities of formulas: finding branch cuts, poles and ends of
 * domains (domain_edges.h).
 */
#include "formula/domain_edges.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "formula/bounds.h"
#include "formula/read.h"

static const struct edge_line {
    enum status status;
    const char *zero, *beside;
} edge_lines[OPS] = {
    [OP_POWI] = {POLE, "a", ""},
#define EDGE(NAME, STATUS, zero, beside) [OP_##NAME] = {STATUS, zero, beside},
#include "formula/edges.def"
#undef EDGE
};

/* State of a search. */
struct search {
    struct tape *tape;
    struct edges *edges;
    int owner;              /* index of the formula that is searched */
};

/* --- monitors ----------------------------------------------------------------------- */

static formula monitor(const struct search *search, struct tape_row row, const char *text)
{
    struct read_error error;
    struct names *names = names_new();
    names_bind(names, "a", (formula){search->tape, row.a});
    if (op_operands(row.op) > 1)
        names_bind(names, "b", (formula){search->tape, row.b});
    formula read = formula_read(search->tape, names, text, &error);
    names_free(names);
    if (error.set)
        slip("edge of %s: %s\n%s", op_info[row.op].text, error.message, error.line);
    return read;
}

static bool has_edge(const struct tape *tape, int row_number)
{
    struct tape_row row = tape->row[row_number];
    return row.op == OP_POWI ? row.b < 0 : edge_lines[row.op].zero != NULL;
}

/* Bounds of one formula over all arguments. */
static struct bounds bounds_for(formula f)
{
    struct order order;
    order_from(&order, f.tape, &f, 1);
    struct bounds *all = bounds_of(f.tape, &order), bounds = all[order.root[0]];
    free(all);
    order_clear(&order);
    return bounds;
}

static bool is_constant(formula f)
{
    struct order order;
    order_from(&order, f.tape, &f, 1);
    bool constant = true;
    for (int i = 0; i < order.count; i++)
        constant = constant && f.tape->row[order.entry[i].row].op != OP_VARIABLE;
    order_clear(&order);
    return constant;
}

static bool is_known(const struct edges *edges, formula zero, formula beside)
{
    for (int i = 0; i < edges->count; i++) {
        const struct edge *edge = &edges->edge[i];
        if (same_formula(edge->zero, zero) &&
            (edge->beside.tape == NULL || same_formula(edge->beside, beside)))
            return true;
    }
    return false;
}

static bool is_always_zero(formula f)
{
    struct bounds bounds = bounds_for(f);
    return bounds.low == 0 && bounds.high == 0;
}

static void append(const struct search *search, int row, formula zero, formula beside)
{
    struct edges *edges = search->edges;
    /* A formula on the line of the cut all the time meets the edge where the formula
       beside it becomes zero. */
    if (beside.tape && is_always_zero(zero)) {
        zero = beside;
        beside = (formula){NULL, 0};
    }
    if (is_known(edges, zero, beside) || is_constant(zero) ||
        bounds_exclude_zero(bounds_for(zero)))
        return;
    edges->edge = memory_grow(edges->edge, &edges->room, edges->count + 1,
                              sizeof *edges->edge);
    edges->edge[edges->count++] = (struct edge){
        .status = edge_lines[search->tape->row[row].op].status,
        .row = {search->tape, row}, .zero = zero, .beside = beside,
        .owner = search->owner};
}

/* Appends the factors of `zero` as monitors: simple roots then stay simple, and x
   stands for x*x, whose root double precision sees to half of its digits only. A
   factor that has an edge of its own at its zero is left to that edge. */
static void append_factors(const struct search *search, int row, formula zero,
                           formula beside)
{
    struct tape_row factor = zero.tape->row[zero.row];
    formula a = {zero.tape, factor.a}, b = {zero.tape, factor.b};
    switch (factor.op) {
    case OP_EXP: case OP_COSH: case OP_SQRT: case OP_POW:
        return;
    case OP_NEG: case OP_SINH: case OP_TANH: case OP_ATAN: case OP_ASIN: case OP_DIV:
        append_factors(search, row, a, beside);
        return;
    case OP_MUL:
        append_factors(search, row, a, beside);
        append_factors(search, row, b, beside);
        return;
    case OP_POWI:
        if (factor.b > 0)
            append_factors(search, row, a, beside);
        return;
    case OP_ADD:
        if (factor.a == factor.b) {
            append_factors(search, row, a, beside);
            return;
        }
        break;
    default:
        break;
    }
    append(search, row, zero, beside);
}

/* Appends the domain of an operation that has no value beyond its edge, unless bounds
   keep the operation in it. */
static void append_domain(const struct search *search, int row, formula inside)
{
    struct edges *edges = search->edges;
    if (edge_lines[search->tape->row[row].op].status != DOMAIN_EDGE ||
        bounds_for(inside).low >= 0)
        return;
    for (int i = 0; i < edges->domains; i++)
        if (same_formula(edges->domain[i].inside, inside))
            return;
    edges->domain = memory_grow(edges->domain, &edges->domain_room, edges->domains + 1,
                                sizeof *edges->domain);
    edges->domain[edges->domains++] = (struct domain){
        .row = {search->tape, row}, .inside = inside, .owner = search->owner};
}

static void append_row(const struct search *search, int row_number)
{
    struct tape_row row = search->tape->row[row_number];
    const struct edge_line *line = &edge_lines[row.op];
    formula zero = monitor(search, row, line->zero), beside = {NULL, 0};
    if (*line->beside) {
        beside = monitor(search, row, line->beside);
        if (bounds_for(beside).low > 0)
            return;
    }
    append_domain(search, row_number, zero);
    append_factors(search, row_number, zero, beside);
}

/* --- the search --------------------------------------------------------------------- */

static bool any_edge(const struct tape *tape)
{
    for (int row = 0; row < tape->rows; row++)
        if (has_edge(tape, row))
            return true;
    return false;
}

/* Rank for sorting. 0: depends on (t, q, v, s, rho) alone; 1: on further variables; 2:
   on parameters only. */
static int rank_of(const struct edge *edge)
{
    struct order order;
    const formula f[] = {edge->zero, edge->beside};
    int rank = 0;
    if (is_steady(edge->zero))
        return 2;
    order_from(&order, edge->zero.tape, f, 2);
    for (int i = 0; i < order.count; i++) {
        struct tape_row row = edge->zero.tape->row[order.entry[i].row];
        bool known = row.a <= BLOCK_S || row.a == BLOCK_RHO;
        if (row.op == OP_VARIABLE && !known)
            rank = 1;
    }
    order_clear(&order);
    return rank;
}

/* Puts the domains of parameters alone last. */
static void sort_domains(struct edges *edges)
{
    struct domain *sorted = memory_new(edges->domains, sizeof *sorted);
    int count = 0;
    for (int steady = 0; steady < 2; steady++) {
        for (int i = 0; i < edges->domains; i++)
            if (is_steady(edges->domain[i].inside) == steady)
                sorted[count++] = edges->domain[i];
        if (!steady)
            edges->moving_domains = count;
    }
    memory_copy(edges->domain, sorted, count, sizeof *sorted);
    free(sorted);
}

static void sort(struct edges *edges)
{
    struct edge *sorted = memory_new(edges->count, sizeof *sorted);
    int count = 0, *const end[] = {&edges->of_state, &edges->moving};
    for (int rank = 0; rank < 3; rank++) {
        for (int i = 0; i < edges->count; i++)
            if (rank_of(&edges->edge[i]) == rank)
                sorted[count++] = edges->edge[i];
        if (rank < 2)
            *end[rank] = count;
    }
    memory_copy(edges->edge, sorted, count, sizeof *sorted);
    free(sorted);
}

void edges_find(struct edges *edges, const formula *f, int count)
{
    struct search search = {.edges = edges};
    for (int i = 0; i < count && !search.tape; i++)
        search.tape = f[i].tape;
    if (!search.tape || !any_edge(search.tape))
        return;
    struct order order;
    order_from(&order, search.tape, f, count);
    int row = 0;
    for (; search.owner < count; search.owner++)    /* the rows of a formula end with
                                                       its root */
        for (; row <= order.root[search.owner]; row++)
            if (has_edge(search.tape, order.entry[row].row))
                append_row(&search, order.entry[row].row);
    order_clear(&order);
    sort(edges);
    sort_domains(edges);
}

void edges_free(struct edges *edges)
{
    for (int i = 0; i < edges->count; i++)
        free(edges->edge[i].place);
    for (int i = 0; i < edges->domains; i++)
        free(edges->domain[i].place);
    free(edges->edge);
    free(edges->domain);
    *edges = (struct edges){0};
}

void edges_formulas(const struct edges *edges, formula *f)
{
    int count = edges->count;
    for (int k = 0; k < count; k++) {
        f[k] = edges->edge[k].zero;
        f[count + k] = edges->edge[k].beside;
    }
    for (int k = 0; k < edges->domains; k++)
        f[2 * count + k] = edges->domain[k].inside;
}

/* --- messages ----------------------------------------------------------------------- */

static const char *remedy(enum status status)
{
    switch (status) {
    case BRANCH_CUT: return "measure the angle from another axis, or make it a state";
    case POLE:       return "end the run before it, or by an event";
    default:         return "end the run before it, or change the formula by an event";
    }
}

enum status edge_refuse(const struct edge *edge, const struct names *names, double t,
                        const char *when, struct diagnosis *diagnosis)
{
    char row[100], zero[80], beside[80], side[100] = "";
    formula_print(edge->row, names, row, sizeof row);
    formula_print(edge->zero, names, zero, sizeof zero);
    if (edge->beside.tape) {
        formula_print(edge->beside, names, beside, sizeof beside);
        snprintf(side, sizeof side, ", %s <= 0", beside);
    }
    return diagnose(diagnosis, edge->status, t, "%s: %s %s (%s = 0%s)%s; %s", edge->place,
                    row,
                    edge->status == BRANCH_CUT ? "meets its branch cut"
                    : edge->status == POLE     ? "meets its pole"
                                               : "meets the end of its domain",
                    zero, side, when, remedy(edge->status));
}

enum status domain_refuse(const struct domain *domain, const struct names *names,
                          double t, double inside, const char *when,
                          struct diagnosis *diagnosis)
{
    char row[100], text[80];
    bool steady = is_steady(domain->inside);
    formula_print(domain->row, names, row, sizeof row);
    formula_print(domain->inside, names, text, sizeof text);
    return diagnose(diagnosis, NOT_FINITE, t,
                    "%s: %s has no value%s (%s = %.6g, less than 0); change the %s",
                    domain->place, row, when, text, inside,
                    steady ? "parameters" : "formula, or end the run before it");
}
