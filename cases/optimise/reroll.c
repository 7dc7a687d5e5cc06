/*
 * reroll.c - loop rerolling: finding periods in straight-line programs, by a rolling
 * hash; see reroll.h.
 *
 * If a window of operations occurs again some rows later, their distance may be the
 * period of a loop: rows are then compared with those of its first two iterations for as
 * long as they match. The time is in proportion to the rows.
 */
#include "optimise/reroll.h"

#include <stdint.h>
#include <stdlib.h>

#include "base/memory.h"
#include "formula/tape.h"

/* Rows of a window; longest period; periods tried at a row; fewest iterations of a
   loop. */
enum { WINDOW = 24, LONGEST = 1500, CANDIDATES = 8, LEAST_ITERATIONS = 4 };

/* The place of an operand. In a loop (`where` is its number): row `row` in iteration
   `k`. Outside of loops, evenly numbered (where <= NUMBERED): number k. A row by
   itself: k = 0. */
struct place {
    int where, row, k;
};
/* Values of `where` outside of finished loops; IN_LOOP is the loop being tried. */
enum { BY_ITSELF = -1, IN_LOOP = -2, NUMBERED = -3 };

/* State of a search. */
struct finder {
    const struct program *program;
    const struct loop_search *search;
    struct loops *loops;
    struct place *place;        /* [slots] places of all rows outside of the loop being
                                   tried */
    /* [slots] first output of a row, [outputs] next output of the same row; -1: none. */
    int *first_output, *next_output;
    int *next;                  /* [slots] the next row with an equal window; -1: none */
    struct loop tried;          /* the loop being tried */
};

/* --- places
   ---------------------------------------------------------------------------- */

/* Sets the places of rows. Rows of earlier stages are numbered by their slots,
   variables by the places where they are read, stage by stage. */
static void list_places(struct finder *f)
{
    const struct program *program = f->program;
    f->place = memory_new(program->slots, sizeof *f->place);
    for (int i = 0, stage = 0; i < program->slots; i++) {
        while (i >= program->stage_begin[stage + 1])
            stage++;
        bool numbered = stage < f->search->first || program->row[i].op == OP_VARIABLE;
        f->place[i] = numbered ? (struct place){NUMBERED - stage, 0, i}
                               : (struct place){BY_ITSELF, i, 0};
    }
    for (int k = 0; f->search->from && k < program->inputs; k++) {
        struct place *place = &f->place[program->input[k].slot];
        int from = f->search->from[k];
        if (-place->where - -NUMBERED < f->search->first)
            continue;
        place->where -= STAGES;
        *place = from < 0 ? (struct place){place->where, from, 0}
                          : (struct place){place->where, 0, from};
    }
}

static void list_outputs(struct finder *f)
{
    const struct program *program = f->program;
    f->first_output = memory_new(program->slots, sizeof *f->first_output);
    f->next_output = memory_new(program->outputs, sizeof *f->next_output);
    for (int i = 0; i < program->slots; i++)
        f->first_output[i] = -1;
    for (int k = program->outputs - 1; f->search->to && k >= 0; k--) {
        f->next_output[k] = f->first_output[program->output[k]];
        f->first_output[program->output[k]] = k;
    }
}

static struct place place_of(const struct finder *f, int slot)
{
    const struct loop *loop = &f->tried;
    if (slot < loop->begin || f->place[slot].where <= NUMBERED)
        return f->place[slot];
    return (struct place){IN_LOOP, (slot - loop->begin)%loop->period,
                          (slot - loop->begin)/loop->period};
}

/* --- comparison
   ------------------------------------------------------------------------ */

static bool evenly(int first, int second, int other, int k)
{
    return (long)other - first == (long)k*((long)second - first);
}

/* True: an operand in iteration k continues those in the first two iterations. */
static bool operand_matches(const struct finder *f, int first, int second, int other,
                            int k)
{
    struct place a = place_of(f, first), b = place_of(f, second), c = place_of(f, other);
    if (b.where != c.where || b.row != c.row)
        return false;
    if (c.where == IN_LOOP) {
        int back = k - c.k;
        bool begins = a.where == IN_LOOP;
        return back == 1 - b.k && (back == 1 ? !begins
                                             : back == 0 && begins && a.row == c.row);
    }
    return a.where == c.where && a.row == c.row && evenly(a.k, b.k, c.k, k);
}

static bool outputs_match(const struct finder *f, int first, int second, int other, int k)
{
    const int *next = f->next_output, *to = f->search->to;
    int a = f->first_output[first], b = f->first_output[second];
    int c = f->first_output[other];
    for (; a >= 0 && b >= 0 && c >= 0; a = next[a], b = next[b], c = next[c])
        if ((to[a] < 0) != (to[b] < 0) || (to[a] < 0) != (to[c] < 0) ||
            !evenly(to[a], to[b], to[c], k))
            return false;
    return a < 0 && b < 0 && c < 0;
}

static bool same_operation(const struct program_row *a, const struct program_row *b)
{
    return a->op == b->op && (a->op != OP_POWI || a->b == b->b);
}

/* True: row i, in iteration k = 1, 2, ..., continues the row in the first iterations. */
static bool row_matches(const struct finder *f, int i)
{
    const struct program_row *row = f->program->row;
    int period = f->tried.period, k = (i - f->tried.begin)/period;
    int first = i - k*period, second = first + period, a[3], b[3], c[3];
    if (!same_operation(&row[i], &row[first]) || !outputs_match(f, first, second, i, k))
        return false;
    if (row[i].op == OP_VARIABLE) {
        struct place at = place_of(f, first), next = place_of(f, second);
        struct place here = place_of(f, i);
        return at.row == next.row && at.row == here.row &&
               evenly(at.k, next.k, here.k, k);
    }
    int operands = program_operands(&row[first], a);
    program_operands(&row[second], b);
    program_operands(&row[i], c);
    for (int o = 0; o < operands; o++)
        if (!operand_matches(f, a[o], b[o], c[o], k))
            return false;
    return true;
}

/* The loop of a period that begins at `begin`, with as many iterations as match before
   `end`. */
static struct loop extended(struct finder *f, int begin, int period, int end)
{
    f->tried = (struct loop){begin, period, 0};
    int i = begin + period;
    while (i < end && row_matches(f, i))
        i++;
    f->tried.count = (i - begin)/period;
    return f->tried;
}

/* --- candidates
   ----------------------------------------------------------------------- */

static uint64_t operation(const struct program_row *row)
{
    return row->op + 1 + (row->op == OP_POWI ? 64u*(unsigned)row->b : 0);
}

/* Sets f->next for every row of a stage, by a rolling hash: windows that differ and
   have one hash cost a comparison. */
static void find_next(struct finder *f, int begin, int end)
{
    static const uint64_t factor = 0x9e3779b97f4a7c15u;
    const struct program_row *row = f->program->row;
    int size = 1;
    uint64_t hash = 0, last = 1;
    while (size < 2*(end - begin))
        size *= 2;
    int *latest = memory_new(size, sizeof *latest);
    for (int k = 1; k < WINDOW; k++)
        last *= factor;
    for (int i = end - 1; i >= begin; i--) {
        if (i + WINDOW < end)
            hash -= operation(&row[i + WINDOW])*last;
        hash = hash*factor + operation(&row[i]);
        int *slot = &latest[(hash ^ hash >> 32) & (uint64_t)(size - 1)];
        f->next[i] = *slot > 0 ? *slot : -1;
        *slot = i;
    }
    free(latest);
}

static long covered(const struct loop *loop)
{
    return loop->count < LEAST_ITERATIONS ? 0 : (long)loop->count*loop->period;
}

/* The loop that begins here and has the most rows. Candidates come by increasing
   period; a longer period must cover more than one and a half times as many rows. */
static struct loop longest_loop(struct finder *f, int begin, int end)
{
    struct loop best = {begin, 1, 0};
    int next = f->next[begin];
    for (int k = 0; k < CANDIDATES && next >= 0 && next - begin <= LONGEST; k++) {
        bool multiple = covered(&best) > 0 && (next - begin)%best.period == 0;
        struct loop loop = multiple ? best : extended(f, begin, next - begin, end);
        if (2*covered(&loop) > 3*covered(&best))
            best = loop;
        next = f->next[next];
    }
    return best;
}

static void add_loop(struct finder *f, struct loop loop)
{
    struct loops *loops = f->loops;
    loops->loop = memory_grow(loops->loop, &loops->room, loops->count + 1,
                              sizeof *loops->loop);
    for (int i = 0; i < loop.period*loop.count; i++) {
        struct place *place = &f->place[loop.begin + i];
        loops->of[loop.begin + i] = loops->count;
        if (place->where == BY_ITSELF)
            *place = (struct place){loops->count, i%loop.period, i/loop.period};
    }
    loops->loop[loops->count++] = loop;
}

static void find_in_stage(struct finder *f, int begin, int end)
{
    find_next(f, begin, end);
    for (int i = begin; i < end;) {
        struct loop loop = longest_loop(f, i, end);
        if (covered(&loop) - loop.period < f->search->least) {
            i++;
            continue;
        }
        add_loop(f, loop);
        i += loop.period*loop.count;
    }
}

void loops_find(struct loops *loops, const struct program *program,
                const struct loop_search *search)
{
    struct finder f = {.program = program, .search = search, .loops = loops};
    *loops = (struct loops){.of = memory_new(program->slots, sizeof *loops->of)};
    for (int i = 0; i < program->slots; i++)
        loops->of[i] = -1;
    if (search->least == 0)
        return;
    f.next = memory_new(program->slots, sizeof *f.next);
    list_places(&f);
    list_outputs(&f);
    for (int stage = search->first; stage <= search->last; stage++)
        find_in_stage(&f, program->stage_begin[stage], program->stage_begin[stage + 1]);
    free(f.place);
    free(f.first_output);
    free(f.next_output);
    free(f.next);
}

void loops_clear(struct loops *loops)
{
    free(loops->loop);
    free(loops->of);
    *loops = (struct loops){0};
}

int loops_rows(const struct loops *loops, const struct program *program, int first,
               int last)
{
    int rows = program->stage_begin[last + 1] - program->stage_begin[first];
    for (int k = 0; k < loops->count; k++)
        rows -= (loops->loop[k].count - 1)*loops->loop[k].period;
    return rows;
}
