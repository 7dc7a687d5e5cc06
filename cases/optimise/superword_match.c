/*
 * superword_match.c - superword-level parallelism: matching the terms of two sums, or of
 * the halves of one; see superword.h.
 */
#include "optimise/superword.h"

/* How well two operands stand beside each other, worst first. */
enum liking { STRANGERS, STILL, SAME, PAIR };

/* --- terms beside each other -------------------------------------------------------- */

bool superword_is_still(const struct superword *k, int slot)
{
    return slot < k->sums->program->stage_begin[2];
}

static enum liking liking(const struct superword *k, int f, int g)
{
    if (f == g)
        return SAME;
    if ((k->partner[f] == g && !k->second[f]) || (k->copy[f] == g && !k->second[f]) ||
        (k->copy[g] == f && k->second[g]))
        return PAIR;
    return superword_is_still(k, f) && superword_is_still(k, g) ? STILL : STRANGERS;
}

static int like_factors(const struct superword *k, int a, int c, int b, int d)
{
    enum liking one = liking(k, a, c), two = liking(k, b, d);
    return one == STRANGERS || two == STRANGERS ? 0 : (int)one + (int)two;
}

/* How well two terms stand beside each other, 0: not at all. *swap: with the factors
   of t in the other order. */
static int like_terms(const struct superword *k, const struct sum_term *s,
                      const struct sum_term *t, bool *swap)
{
    *swap = false;
    if ((s->b < 0) != (t->b < 0))
        return 0;
    if (s->b < 0)
        return 2*(int)liking(k, s->a, t->a);
    int straight = like_factors(k, s->a, t->a, s->b, t->b);
    int crossed = like_factors(k, s->a, t->b, s->b, t->a);
    *swap = crossed > straight;
    return *swap ? crossed : straight;
}

/* True: an operand of the two terms is a pair, not one value for both. */
static bool has_pair(const struct superword *k, const struct pair_term *t)
{
    return liking(k, t->a[0], t->a[1]) == PAIR ||
           (t->b[0] >= 0 && liking(k, t->b[0], t->b[1]) == PAIR);
}

bool superword_minus(const struct superword *k, int of, const struct sum_term *t)
{
    return t->minus ^ k->negative[of] ^ k->negative[t->a] ^
           (t->b >= 0 && k->negative[t->b]);
}

static struct pair_term beside(const struct sum_term *s, const struct sum_term *t,
                               bool swap, bool minus)
{
    return (struct pair_term){.a = {s->a, swap ? t->b : t->a},
                              .b = {s->b, swap ? t->a : t->b}, .minus = minus};
}

bool superword_may_be_alone(const struct superword *k, const struct sum_term *t)
{
    const struct program_row *row = &k->sums->program->row[t->a];
    bool direction = row->op == OP_VARIABLE && row->a == TANGENT(BLOCK_RHO);
    return t->b < 0 && (direction || superword_is_still(k, t->a));
}

/* The term of v that is not used yet and stands best beside t; -1: none. */
static int best_beside(const struct superword *k, const struct sum_term *t, int v,
                       const bool *used, bool *swap)
{
    const struct sums *sums = k->sums;
    int best = -1, most = 0;
    for (int j = 0; j < sums->terms[v]; j++) {
        bool other;
        int likes = used[j] ? 0
                            : like_terms(k, t, &sums->term[sums->first[v] + j], &other);
        if (likes <= most)
            continue;
        most = likes;
        best = j;
        *swap = other;
    }
    return best;
}

/* Terms of v that are left, each beside a zero. Returns their number; -1: one may not
   be alone. */
static int match_left(const struct superword *k, int v, const bool *used, bool odd,
                      struct pair_term *out)
{
    const struct sum_term *t = k->sums->term + k->sums->first[v];
    int count = 0;
    for (int j = 0; j < k->sums->terms[v]; j++) {
        if (used[j])
            continue;
        if (!superword_may_be_alone(k, &t[j]))
            return -1;
        out[count++] = (struct pair_term){
            .a = {0, t[j].a}, .b = {-1, -1}, .minus = superword_minus(k, v, &t[j]) ^ odd};
    }
    return count;
}

static int match_two(const struct superword *k, int u, int v, struct pair_term *out,
                     bool *odd)
{
    const struct sums *sums = k->sums;
    const struct sum_term *s = sums->term + sums->first[u];
    const struct sum_term *t = sums->term + sums->first[v];
    bool used[PAIRS_MOST_TERMS] = {false}, known = false, worth = false;
    int count = 0;
    *odd = false;
    for (int i = 0; i < sums->terms[u]; i++) {
        bool swap = false, minus = superword_minus(k, u, &s[i]);
        int j = best_beside(k, &s[i], v, used, &swap);
        if (j < 0 && !superword_may_be_alone(k, &s[i]))
            return 0;
        if (j < 0) {
            out[count++] = (struct pair_term){.a = {s[i].a, 0}, .b = {-1, -1},
                                              .minus = minus};
            continue;
        }
        bool differs = minus != superword_minus(k, v, &t[j]);
        if (known && differs != *odd)
            return 0;
        used[j] = known = true;
        *odd = differs;
        out[count] = beside(&s[i], &t[j], swap, minus);
        worth = worth || has_pair(k, &out[count]);
        count++;
    }
    int left = match_left(k, v, used, *odd, out + count);
    return worth && left >= 0 ? count + left : 0;
}

/* --- a sum of two halves ------------------------------------------------------------ */

static bool is_whole(const struct superword *k, int slot)
{
    return k->split[slot] && !k->loose[slot];
}

/* Takes a term that is a split row without a rest, or a factor times such a row.
   False: it is neither. */
static bool take_halves(const struct superword *k, const struct sum_term *t, bool minus,
                        struct pair_term *out)
{
    bool a = is_whole(k, t->a), b = t->b >= 0 && is_whole(k, t->b);
    if (a == b)
        return false;
    int whole = a ? t->a : t->b, factor = a ? t->b : t->a;
    *out = (struct pair_term){.a = {factor, factor}, .b = {whole, whole}, .minus = minus,
                              .halves = true};
    return true;
}

/* The product itself for a term that is a product used in other sums, too: beside
   another product it costs no more to multiply again. */
static struct sum_term opened(const struct superword *k, struct sum_term t)
{
    const struct sums *sums = k->sums;
    if (t.b >= 0 || superword_is_still(k, t.a) || sums->terms[t.a] != 1 ||
        k->partner[t.a] >= 0 || sums->term[sums->first[t.a]].b < 0)
        return t;
    struct sum_term product = sums->term[sums->first[t.a]];
    product.minus ^= t.minus;
    return product;
}

/* Replaces a factor by its negative, if that is a row of an earlier stage, too. */
static bool turn(const struct superword *k, int u, const struct sum_term *t, int factor,
                 struct sum_term *out)
{
    const struct program *program = k->sums->program;
    int other = k->turned[factor ? t->b : t->a];
    if (other >= 0 && other >= program->stage_begin[program_stage(program, u)])
        return false;
    *out = *t;
    out->minus = !t->minus;
    *(factor ? &out->b : &out->a) = other;
    return other >= 0;
}

/* True: two terms of u have the same sign and make a pair, *out. */
static bool fits_beside(const struct superword *k, int u, const struct sum_term *s,
                        const struct sum_term *t, struct pair_term *out)
{
    bool minus = superword_minus(k, u, s), swap;
    if (minus != superword_minus(k, u, t) || like_terms(k, s, t, &swap) == 0)
        return false;
    *out = beside(s, t, swap, minus);
    return has_pair(k, out);
}

/* True: two terms make a pair, as they are or with a factor negated. */
static bool couple(const struct superword *k, int u, const struct sum_term *s,
                   const struct sum_term *t, struct pair_term *out)
{
    struct sum_term other;
    if (fits_beside(k, u, s, t, out))
        return true;
    for (int f = 0; f < 2 && s->b >= 0 && t->b >= 0; f++)
        if ((turn(k, u, s, f, &other) && fits_beside(k, u, &other, t, out)) ||
            (turn(k, u, t, f, &other) && fits_beside(k, u, s, &other, out)))
            return true;
    return false;
}

static int match_halves(const struct superword *k, int u, struct pair_term *out,
                        struct sum_term *rest, int *rests)
{
    const struct sums *sums = k->sums;
    const struct sum_term *whole_term = sums->term + sums->first[u];
    struct sum_term s[PAIRS_MOST_TERMS];
    bool used[PAIRS_MOST_TERMS] = {false};
    int count = 0, alike = 0, whole = 0;
    *rests = 0;
    for (int i = 0; i < sums->terms[u]; i++)
        s[i] = opened(k, whole_term[i]);
    for (int i = 0; i < sums->terms[u]; i++) {
        bool minus = superword_minus(k, u, &s[i]);
        if (!used[i] && take_halves(k, &s[i], minus, &out[count])) {
            used[i] = true;
            count++, whole++;
        }
        if (!used[i] && superword_may_be_alone(k, &s[i])) {
            used[i] = true;
            out[count++] = (struct pair_term){.a = {s[i].a, 0}, .b = {-1, -1},
                                              .minus = minus};
        }
        for (int j = 0; j < sums->terms[u] && !used[i]; j++) {
            if (j == i || used[j] || !couple(k, u, &s[i], &s[j], &out[count]))
                continue;
            used[i] = used[j] = true;
            count++, alike++;
        }
    }
    for (int i = 0; i < sums->terms[u]; i++)
        if (!used[i])
            rest[(*rests)++] = whole_term[i];
    return alike > 0 || whole > 1 ? count : 0;
}

/* The terms of x + c beside those of y. */
static int match_copy(const struct superword *k, int u, struct pair_term *out)
{
    const struct sums *sums = k->sums;
    int lane = k->second[u];
    for (int i = 0; i < sums->terms[u]; i++) {
        const struct sum_term *t = &sums->term[sums->first[u] + i];
        out[i] = (struct pair_term){.a = {0, 0}, .b = {-1, -1}, .minus = t->minus};
        out[i].a[lane] = t->a;
        if (!superword_may_be_alone(k, t))
            out[i].a[!lane] = k->copy[u];
    }
    return sums->terms[u];
}

int superword_match(const struct superword *k, int u, int v, struct pair_term *term,
                    struct sum_term *rest, int *rests, bool *odd)
{
    *odd = false;
    *rests = 0;
    if (k->copy[u] >= 0)
        return match_copy(k, u, term);
    if (u == v)
        return match_halves(k, u, term, rest, rests);
    return match_two(k, u, v, term, odd);
}
