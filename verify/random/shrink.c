/*
 * shrink.c - moves that make a mechanism smaller, and the greedy search (shrink.h).
 */
#include "random/shrink.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* The outcome of a move on its k-th candidate. */
enum moved { MOVE_END, MOVE_NONE, MOVE_DONE };

/* --- parts -------------------------------------------------------------------------- */

static bool of_event(enum place place)
{
    return place >= AT_GUARD && place <= AT_COST;
}

/* Drops owner k of these places; those above move down. */
static void drop_owner(struct draw *draw, bool events, int owner)
{
    for (int k = draw->terms - 1; k >= 0; k--) {
        struct term *term = &draw->term[k];
        if (events ? !of_event(term->place) : term->place > AT_G)
            continue;
        if (term->owner == owner)
            draw_remove_term(draw, k);
        else if (term->owner > owner)
            term->owner--;
    }
}

/* Drops component i of a set of places; those above move down. */
static void drop_index(struct draw *draw, unsigned places, int i)
{
    for (int k = draw->terms - 1; k >= 0; k--) {
        struct term *term = &draw->term[k];
        bool column = term->place == AT_M;
        if (!(places >> term->place & 1))
            continue;
        if (term->i == i || (column && term->j == i)) {
            draw_remove_term(draw, k);
            continue;
        }
        term->i -= term->i > i;
        term->j -= column && term->j > i;
    }
}

/* Drops terms that mention a name, after these letters and before "" or "_plus". */
static void drop_mentions(struct draw *draw, const char *letter, const char *name)
{
    for (int k = draw->terms - 1; k >= 0; k--)
        for (int plus = 0; plus < 2; plus++) {
            char full[2 * DRAW_NAME + 8];
            snprintf(full, sizeof full, "%s%s%s", letter, name, plus ? "_plus" : "");
            if (k < draw->terms && draw_mentions(draw->term[k].text, full)) {
                draw_remove_term(draw, k);
                break;
            }
        }
}

static enum moved drop_event(struct draw *draw, int k)
{
    if (k >= draw->events)
        return MOVE_END;
    drop_owner(draw, true, k);
    memmove(&draw->event[k], &draw->event[k + 1],
            (size_t)(draw->events - k - 1) * sizeof *draw->event);
    draw->events--;
    return MOVE_DONE;
}

/* Drops a mode and every event that leads there or away. */
static enum moved drop_mode(struct draw *draw, int k)
{
    if (k + 1 >= draw->modes)
        return MOVE_END;
    int mode = k + 1;
    for (int e = draw->events - 1; e >= 0; e--)
        if (draw->event[e].from == mode || draw->event[e].to == mode)
            drop_event(draw, e);
    drop_owner(draw, false, mode);
    for (int e = 0; e < draw->events; e++) {
        draw->event[e].from -= draw->event[e].from > mode;
        draw->event[e].to -= draw->event[e].to > mode;
    }
    draw->modes--;
    return MOVE_DONE;
}

/* Makes the event go back into its own mode. */
static enum moved stay_in_mode(struct draw *draw, int k)
{
    if (k >= draw->events)
        return MOVE_END;
    if (draw->event[k].to == draw->event[k].from)
        return MOVE_NONE;
    draw->event[k].to = draw->event[k].from;
    return MOVE_DONE;
}

static enum moved drop_row(struct draw *draw, int k)
{
    if (k >= DRAW_ROWS)
        return MOVE_END;
    int terms = draw->terms;
    drop_mentions(draw, "", draw_multiplier[k]);
    drop_index(draw, 1u << AT_PHI, k);
    for (int row = k; row + 1 < DRAW_ROWS; row++)
        for (int e = 0; e < draw->terms; e++)
            draw_rename(draw->term[e].text, draw_multiplier[row + 1],
                        draw_multiplier[row]);
    return draw->terms < terms ? MOVE_DONE : MOVE_NONE;
}

static enum moved drop_coordinate(struct draw *draw, int k)
{
    if (k >= draw->n || draw->n == 1)
        return MOVE_END;
    static const char *const letter[] = {"", "v", "a"};
    drop_index(draw, 1u << AT_M | 1u << AT_F | 1u << AT_Q_PLUS | 1u << AT_V_PLUS |
                     1u << AT_Q0 | 1u << AT_GUESS | 1u << AT_V0 | 1u << AT_V_GUESS, k);
    for (int l = 0; l < 3; l++)
        drop_mentions(draw, letter[l], draw->coordinate[k]);
    memmove(draw->coordinate[k], draw->coordinate[k + 1],
            (size_t)(draw->n - k - 1) * DRAW_NAME);
    draw->n--;
    return MOVE_DONE;
}

static enum moved drop_state(struct draw *draw, int k)
{
    if (k >= draw->ns)
        return MOVE_END;
    drop_index(draw, 1u << AT_F_S | 1u << AT_S_PLUS | 1u << AT_S0 | 1u << AT_S_GUESS, k);
    drop_mentions(draw, "", draw->state[k]);
    memmove(draw->state[k], draw->state[k + 1], (size_t)(draw->ns - k - 1) * DRAW_NAME);
    draw->ns--;
    return MOVE_DONE;
}

static enum moved drop_cost(struct draw *draw, int k)
{
    if (k >= draw->nz)
        return MOVE_END;
    drop_index(draw, 1u << AT_G | 1u << AT_COST | 1u << AT_W, k);
    memmove(draw->cost[k], draw->cost[k + 1], (size_t)(draw->nz - k - 1) * DRAW_NAME);
    draw->nz--;
    return MOVE_DONE;
}

/* Is it the last mass of a coordinate? Without any mass the problem is another. */
static bool is_last_mass(const struct draw *draw, int k)
{
    const struct term *mass = &draw->term[k];
    int count = 0;
    for (int e = 0; e < draw->terms; e++) {
        const struct term *term = &draw->term[e];
        count += term->place == AT_M && term->owner == mass->owner &&
                 term->i == mass->i && term->j == mass->i;
    }
    return mass->place == AT_M && mass->i == mass->j && count == 1;
}

static enum moved drop_term(struct draw *draw, int k)
{
    if (k >= draw->terms)
        return MOVE_END;
    if (is_last_mass(draw, k))
        return MOVE_NONE;
    draw_remove_term(draw, k);
    return MOVE_DONE;
}

static enum moved mass_to_one(struct draw *draw, int k)
{
    if (k >= draw->terms)
        return MOVE_END;
    if (!is_last_mass(draw, k) || strcmp(draw->term[k].text, "1.0") == 0)
        return MOVE_NONE;
    snprintf(draw->term[k].text, DRAW_TEXT, "1.0");
    return MOVE_DONE;
}

/* --- numbers ------------------------------------------------------------------------ */

static enum moved inline_as(struct draw *draw, int k, const char *value)
{
    char text[40];
    snprintf(text, sizeof text, value[0] == '-' ? "(%s)" : "%s", value);
    for (int e = 0; e < draw->terms; e++)
        if (!draw_rename(draw->term[e].text, draw->parameter[k].name, text))
            return MOVE_NONE;
    memmove(&draw->parameter[k], &draw->parameter[k + 1],
            (size_t)(draw->p - k - 1) * sizeof *draw->parameter);
    draw->p--;
    return MOVE_DONE;
}

static enum moved parameter_to_one(struct draw *draw, int k)
{
    return k >= draw->p ? MOVE_END : inline_as(draw, k, "1.0");
}

/* Makes a parameter a number, by which nobody differentiates. */
static enum moved parameter_to_number(struct draw *draw, int k)
{
    if (k >= draw->p)
        return MOVE_END;
    return inline_as(draw, k, strpbrk(draw->parameter[k].value, ".e")
                                  ? draw->parameter[k].value : "1.0");
}

static enum moved value_to_one(struct draw *draw, int k)
{
    if (k >= draw->p)
        return MOVE_END;
    if (strcmp(draw->parameter[k].value, "1") == 0)
        return MOVE_NONE;
    snprintf(draw->parameter[k].value, sizeof draw->parameter[k].value, "1");
    return MOVE_DONE;
}

/* --- ends and resets ---------------------------------------------------------------- */

static enum moved shorter(struct draw *draw, int k)
{
    static const double part[] = {0.25, 0.5, 0.75};
    if (k >= 3)
        return MOVE_END;
    int at = draw_find(draw, AT_T_END, 0, -1);
    char *end, *text = draw->term[at].text;
    double t_end = strtod(text, &end);
    if (end == text || *end)
        return MOVE_NONE;
    snprintf(text, DRAW_TEXT, "%.3f", part[k] * t_end);
    return part[k] * t_end > 0.05 ? MOVE_DONE : MOVE_NONE;
}

static enum moved constant_end(struct draw *draw, int k)
{
    if (k > 0)
        return MOVE_END;
    draw_remove(draw, AT_T_END, 0, -1);
    draw_add(draw, AT_T_END, 0, 0, 0, "3.0");
    return MOVE_DONE;
}

static enum moved plain_reset(struct draw *draw, int k)
{
    if (k >= draw->events)
        return MOVE_END;
    struct drawn_event *event = &draw->event[k];
    if (event->velocity == VELOCITY_EXPLICIT && !event->joints)
        return MOVE_NONE;
    event->velocity = VELOCITY_EXPLICIT;
    event->joints = false;
    draw_remove(draw, AT_PSI, k, -1);
    draw_remove(draw, AT_E, k, -1);
    return MOVE_DONE;
}

/* --- the search --------------------------------------------------------------------- */

/* Most attempts: a mechanism that takes seconds in each is not made smaller for hours. */
enum { MOST_TRIED = 400 };

struct search {
    struct draw *draw, *candidate;
    struct draw_request request;
    struct disagreement *wanted;
    struct draw_verdict verdict;
    int tried;
};

static bool is_alike(const struct disagreement *a, const struct disagreement *b)
{
    bool clear = a->kind != DISAGREE_NUMBER || b->difference.excess < 30 ||
                 a->difference.excess > 30;
    bool same = a->status == b->status && strcmp(a->who, b->who) == 0;
    bool turned = a->status == b->other_status && strcmp(a->who, b->other) == 0;
    return clear && a->kind == b->kind && (same || turned) &&
           (a->known != NULL) == (b->known != NULL);
}

/* Does the candidate still have the disagreement? Then it becomes the draw. */
static bool still(struct search *search)
{
    draw_settle(search->candidate);
    search->tried++;
    judge_draw(search->candidate, &search->request, &search->verdict);
    for (int k = 0; k < search->verdict.count; k++)
        if (is_alike(&search->verdict.disagreement[k], search->wanted)) {
            *search->wanted = search->verdict.disagreement[k];
            *search->draw = *search->candidate;
            draw_settle(search->draw);
            return true;
        }
    return false;
}

static bool try_move(struct search *search, enum moved (*move)(struct draw *, int))
{
    bool any = false;
    for (int k = 0;;) {
        *search->candidate = *search->draw;
        enum moved moved = move(search->candidate, k);
        if (moved == MOVE_END || search->tried >= MOST_TRIED)
            return any;
        if (moved == MOVE_DONE && still(search))
            any = true;
        else
            k++;
    }
}

int shrink(struct draw *draw, const struct draw_request *request,
           struct disagreement *disagreement)
{
    static enum moved (*const move[])(struct draw *, int) = {
        drop_mode, drop_event, stay_in_mode, drop_coordinate, drop_row, drop_state,
        drop_cost, drop_term, mass_to_one, plain_reset, parameter_to_one,
        parameter_to_number, value_to_one, constant_end, shorter};
    struct search search = {.draw = draw,
                            .request = draw_request_for(request, disagreement),
                            .wanted = disagreement,
                            .candidate = memory_new(1, sizeof *search.candidate)};
    bool any = true;
    for (int round = 0; any && round < 4; round++) {
        any = false;
        for (size_t k = 0; k < sizeof move / sizeof *move; k++)
            any = (move[k] != constant_end || round == 0) &&
                  try_move(&search, move[k]) ? true : any;
    }
    free(search.candidate);
    return search.tried;
}
