/*
 * superword.c - superword-level parallelism (Larsen & Amarasinghe 2000): choice of the
 * rows that are pairs, and of those that are split; see superword.h.
 */
#include "optimise/superword.h"

#include <stdlib.h>

#include "base/memory.h"

/* --- dependences
   ----------------------------------------------------------------------- */

static void push(struct superword *k, int slot)
{
    k->stack = memory_grow(k->stack, &k->room, k->height + 1, sizeof *k->stack);
    k->stack[k->height++] = slot;
}

static void see(struct superword *k, int slot)
{
    if (slot < 0 || k->mark[slot] == k->marks || superword_is_still(k, slot))
        return;
    k->mark[slot] = k->marks;
    push(k, slot);
}

static void see_operands(struct superword *k, int slot)
{
    const struct sums *sums = k->sums;
    int operand[3], operands = program_operands(&sums->program->row[slot], operand);
    for (int i = 0; i < operands; i++)
        see(k, operand[i]);
}

/* True: u depends on v, or v on u, when all pairs are evaluated together. */
static bool depend(struct superword *k, int u, int v)
{
    k->marks++;
    k->height = 0;
    see_operands(k, u);
    see_operands(k, v);
    while (k->height > 0) {
        int slot = k->stack[--k->height];
        if (slot == u || slot == v)
            return true;
        see_operands(k, slot);
        see(k, k->partner[slot]);
    }
    return false;
}

/* --- from pair to pair -------------------------------------------------------------- */

static void add_user(struct superword *k, int operand, int user, bool fill)
{
    if (operand < 0)
        return;
    if (fill)
        k->user[--k->users[operand]] = user;
    else
        k->users[operand]++;
}

/* Lists the users of each row: counts first, then the lists, filled from the end. */
static void list_users(struct superword *k)
{
    const struct sums *sums = k->sums;
    int slots = sums->program->slots;
    for (int fill = 0; fill < 2; fill++) {
        for (int u = slots - 1; u >= 0; u--)
            for (int i = sums->first[u]; i < sums->first[u] + sums->terms[u]; i++) {
                add_user(k, sums->term[i].a, u, fill);
                add_user(k, sums->term[i].b, u, fill);
            }
        for (int i = 1; i <= slots && !fill; i++)
            k->users[i] += k->users[i - 1];
        if (!fill)
            k->user = memory_new(k->users[slots], sizeof *k->user);
    }
}

static void list_turned(struct superword *k)
{
    const struct sums *sums = k->sums;
    for (int i = sums->program->stage_begin[2]; i < sums->program->slots; i++) {
        const struct sum_term *term = sums->term + sums->first[i];
        if (sums->terms[i] == 1 && term->b < 0 && term->minus)
            k->turned[term->a] = i;
    }
}

/* Work list of rows from which further pairs are found. */
struct queue {
    int *slot;                  /* [room] first rows of pairs, and rows that are split */
    int count, room;
};

static void enter(struct queue *queue, int slot)
{
    queue->slot = memory_grow(queue->slot, &queue->room, queue->count + 1,
                              sizeof *queue->slot);
    queue->slot[queue->count++] = slot;
}

static bool fits(const struct superword *k, int u)
{
    return k->partner[u] < 0 && k->copy[u] < 0 && !k->split[u] && !k->sums->inner[u] &&
           k->sums->terms[u] <= PAIRS_MOST_TERMS;
}

static void join(struct superword *k, struct queue *queue, int u, int v)
{
    k->partner[u] = v;
    k->partner[v] = u;
    k->second[v] = true;
    enter(queue, u);
}

/* Puts u and v beside each other, or splits u (u = v), if they fit. */
static void try(struct superword *k, struct queue *queue, int u, int v)
{
    const struct program *program = k->sums->program;
    struct pair_term term[2*PAIRS_MOST_TERMS];
    struct sum_term rest[PAIRS_MOST_TERMS];
    int rests;
    bool odd;
    if (u == v && k->split[u] && k->loose[u]) {     /* has it become whole? */
        superword_match(k, u, u, term, rest, &rests, &odd);
        k->loose[u] = rests > 0;
        if (rests == 0)
            enter(queue, u);
        return;
    }
    if (!fits(k, u) || !fits(k, v) ||
        program_stage(program, u) != program_stage(program, v) ||
        superword_match(k, u, v, term, rest, &rests, &odd) == 0)
        return;
    if (u == v) {
        k->split[u] = true;
        k->loose[u] = rests > 0;
        enter(queue, u);
    } else if (!depend(k, u, v)) {
        k->negative[v] ^= odd;
        join(k, queue, u, v);
    }
}

static void spread(struct superword *k, struct queue *queue, int u)
{
    int v = k->split[u] ? u : k->copy[u] >= 0 ? k->copy[u] : k->partner[u];
    int first = k->second[u] ? v : u, second = k->second[u] ? u : v;
    for (int i = k->users[first]; i < k->users[first + 1]; i++)
        for (int j = k->users[second]; j < k->users[second + 1]; j++)
            if (k->user[i] != k->user[j])
                try(k, queue, k->user[i], k->user[j]);
    for (int i = k->users[u]; i < k->users[u + 1]; i++)
        try(k, queue, k->user[i], k->user[i]);
}

/* Copies the other variable of a pair beside x + c, so that x + c stands beside y. */
static void shift(struct superword *k, struct queue *queue, int u)
{
    const struct sums *sums = k->sums;
    const struct sum_term *term = sums->term + sums->first[u];
    int moving = -1;
    if (!fits(k, u) || superword_is_still(k, u) || sums->terms[u] < 2)
        return;
    for (int i = 0; i < sums->terms[u]; i++) {
        bool alone = superword_may_be_alone(k, &term[i]);
        if (!alone && (moving >= 0 || term[i].b >= 0 || term[i].minus ||
                       sums->program->row[term[i].a].op != OP_VARIABLE ||
                       k->partner[term[i].a] < 0))
            return;
        moving = alone ? moving : term[i].a;
    }
    if (moving < 0 ||
        program_stage(sums->program, u) != program_stage(sums->program, moving))
        return;
    k->copy[u] = k->partner[moving];
    k->second[u] = k->second[moving];
    enter(queue, u);
}

/* Layouts of the coordinates of points, as stride and first index. In a row of planar
   points every second coordinate is an x; of bodies with an angle, or points in space,
   every third. */
static const struct layout { int stride, first; } layouts[] = {
    {2, 0}, {2, 1}, {3, 0}, {3, 1}, {3, 2}};

enum { LAYOUTS = sizeof layouts / sizeof *layouts };

static void seed(struct superword *k, struct queue *queue, struct layout layout)
{
    const struct program *program = k->sums->program;
    for (int i = 0; i + 1 < program->inputs; i++) {
        const struct program_input *x = &program->input[i], *y = x + 1;
        int block = x->block % BLOCKS;
        if ((block == BLOCK_Q || block == BLOCK_V) && x->block == y->block &&
            x->index % layout.stride == layout.first && y->index == x->index + 1)
            join(k, queue, x->slot, y->slot);
    }
}

/* Finds all pairs that follow from pairs of variables in one layout. */
static void follow(struct superword *k, struct queue *queue, struct layout layout)
{
    int slots = k->sums->program->slots, next = 0;
    queue->count = 0;
    for (int i = 0; i < slots; i++) {
        k->partner[i] = k->copy[i] = -1;
        k->second[i] = k->split[i] = k->loose[i] = k->negative[i] = false;
    }
    seed(k, queue, layout);
    for (; next < queue->count; next++)
        spread(k, queue, queue->slot[next]);
    for (int i = 0; i < slots; i++)
        shift(k, queue, i);
    for (; next < queue->count; next++)
        spread(k, queue, queue->slot[next]);
}

/* Operations that are spared: of a pair all of its second row; of a sum that is split
   half of them, less one for adding the halves. A copy costs one. */
static int spared(const struct superword *k)
{
    const struct sums *sums = k->sums;
    int all = 0;
    for (int i = 0; i < sums->program->slots; i++)
        all += k->partner[i] > i ? sums->terms[i] : k->split[i] ? sums->terms[i]/2 - 1
                                                                : -(k->copy[i] >= 0);
    return all;
}

static int terms_that_move(const struct superword *k)
{
    const struct sums *sums = k->sums;
    int all = 0;
    for (int i = sums->program->stage_begin[2]; i < sums->program->slots; i++)
        all += sums->terms[i];
    return all;
}

/* Takes the layout that spares most. To take out a lane, or to add two halves, costs
   an operation, too, so that a fifth of all must be spared. */
static bool find(struct superword *k)
{
    struct queue queue = {0};
    int best = 0, most = 0;
    for (int l = 0; l < LAYOUTS; l++) {
        follow(k, &queue, layouts[l]);
        if (spared(k) <= most)
            continue;
        most = spared(k);
        best = l;
    }
    follow(k, &queue, layouts[best]);
    free(queue.slot);
    return 5*most > terms_that_move(k);
}

/* --- in order ----------------------------------------------------------------------- */

/* An operand of a row, or of the terms of a sum, that has no place yet; -1: none. */
static int next_before(struct superword *k, int u)
{
    const struct sums *sums = k->sums;
    int operand[3], operands = program_operands(&sums->program->row[u], operand);
    for (int i = sums->first[u]; i < sums->first[u] + sums->terms[u]; i++)
        for (int o = 0; o < 2; o++) {
            int slot = o ? sums->term[i].b : sums->term[i].a;
            if (slot >= 0 && k->mark[slot] != k->marks)
                return slot;
        }
    for (int i = 0; i < operands && sums->terms[u] == 0; i++)
        if (k->mark[operand[i]] != k->marks)
            return operand[i];
    return -1;
}

static void place(struct superword *k, int root)
{
    k->height = 0;
    push(k, root);
    while (k->height > 0) {
        int u = k->stack[k->height - 1], v = k->partner[u], before = -1;
        if (k->mark[u] != k->marks)
            before = next_before(k, u);
        if (before < 0 && v >= 0 && k->mark[u] != k->marks)
            before = next_before(k, v);
        if (before >= 0) {
            push(k, before);
            continue;
        }
        k->height--;
        if (k->mark[u] == k->marks)
            continue;
        k->mark[u] = k->marks;
        if (v >= 0)
            k->mark[v] = k->marks;
        k->order[k->ordered++] = v >= 0 && k->second[u] ? v : u;
    }
}

static void put_in_order(struct superword *k)
{
    const struct sums *sums = k->sums;
    k->marks++;
    for (int i = 0; i < sums->program->slots; i++)
        if (!sums->inner[i])
            place(k, i);
}

static bool all_minus(const struct superword *k, int u)
{
    const struct sums *sums = k->sums;
    for (int i = sums->first[u]; i < sums->first[u] + sums->terms[u]; i++)
        if (!superword_minus(k, u, &sums->term[i]))
            return false;
    return sums->terms[u] > 0;
}

/* Settles signs and splits in the final order: if all terms are subtracted, the
   negative is evaluated. */
static void settle(struct superword *k, int u)
{
    const struct program_row *row = &k->sums->program->row[u];
    struct pair_term term[2*PAIRS_MOST_TERMS];
    struct sum_term rest[PAIRS_MOST_TERMS];
    int v = k->partner[u], rests;
    bool odd, minus = all_minus(k, u) && (v < 0 || all_minus(k, v));
    if (k->split[u]) {
        k->split[u] = superword_match(k, u, u, term, rest, &rests, &odd) > 0;
        k->loose[u] = rests > 0;
    }
    if (row->op == OP_DIV)
        minus = k->negative[row->a] != k->negative[row->b];
    if (!minus || superword_is_still(k, u))
        return;
    k->negative[u] = !k->negative[u];
    if (v >= 0)
        k->negative[v] = !k->negative[v];
}

static void make(struct superword *k)
{
    int slots = k->sums->program->slots;
    k->partner = memory_new(slots, sizeof *k->partner);
    k->copy = memory_new(slots, sizeof *k->copy);
    k->turned = memory_new(slots, sizeof *k->turned);
    k->second = memory_new(slots, sizeof *k->second);
    k->split = memory_new(slots, sizeof *k->split);
    k->loose = memory_new(slots, sizeof *k->loose);
    k->negative = memory_new(slots, sizeof *k->negative);
    k->users = memory_new(slots + 1, sizeof *k->users);
    k->mark = memory_new(slots, sizeof *k->mark);
    k->order = memory_new(slots, sizeof *k->order);
    for (int i = 0; i < slots; i++)
        k->partner[i] = k->copy[i] = k->turned[i] = -1;
}

void superword_find(struct superword *k, const struct sums *sums, bool wanted)
{
    *k = (struct superword){.sums = sums};
    make(k);
    if (wanted) {
        list_turned(k);
        list_users(k);
        k->found = find(k);
    }
    if (k->found) {
        put_in_order(k);
        for (int i = 0; i < k->ordered; i++)
            settle(k, k->order[i]);
        return;
    }
    for (int i = 0; i < sums->program->slots; i++) {
        k->partner[i] = k->copy[i] = -1;
        k->split[i] = k->negative[i] = false;
        if (!sums->inner[i])
            k->order[k->ordered++] = i;
    }
}

void superword_clear(struct superword *k)
{
    free(k->partner);
    free(k->copy);
    free(k->turned);
    free(k->second);
    free(k->split);
    free(k->loose);
    free(k->order);
    free(k->negative);
    free(k->users);
    free(k->user);
    free(k->mark);
    free(k->stack);
    *k = (struct superword){0};
}
