/*
 * draw.h - a random hybrid mechanism as data: texts of formulas, and their places.
 *
 * A draw is flat, without pointers: it is copied by assignment, and made smaller by
 * removing terms (shrink.h). A formula of the mechanism is the sum of the terms of one
 * place. A draw's texts are recorded as a model and printed as a case file, so the
 * printed case is the one that was run.
 */
#ifndef SALTUS_DRAW_H
#define SALTUS_DRAW_H

#include <stdint.h>
#include <stdio.h>

#include "model.h"

enum {
    DRAW_COORDINATES = 4, DRAW_STATES = 3, DRAW_COSTS = 2, DRAW_PARAMETERS = 24,
    DRAW_MODES = 5, DRAW_EVENTS = 5, DRAW_TERMS = 320, DRAW_TEXT = 72, DRAW_NAME = 8,
    DRAW_FORMULA = 10 * DRAW_TEXT
};

/* The place of a term. Its owner is a mode (M .. g), an event (the guard .. the cost), or
   nobody. */
enum place {
    AT_M, AT_F, AT_PHI, AT_F_S, AT_G,
    AT_GUARD, AT_Q_PLUS, AT_V_PLUS, AT_S_PLUS, AT_PSI, AT_E, AT_COST,
    AT_T0, AT_T_END, AT_Q0, AT_GUESS, AT_V0, AT_V_GUESS, AT_S0, AT_S_GUESS, AT_GAMMA,
    AT_W,
    PLACES
};

struct term {
    enum place place;
    int owner, i, j;            /* j: column of M; 1 in Phi: a row at velocity level */
    char text[DRAW_TEXT];
};

struct drawn_parameter {
    char name[DRAW_NAME], value[24];
    bool fixed;                 /* declared FIXED: nobody differentiates by it */
};

struct drawn_event {
    int from, to;               /* modes that the event leads from and to */
    enum direction direction;
    enum velocity_reset velocity;
    bool joints, terminal;
};

struct draw {
    struct case_desc desc;      /* first member: a model's desc is its draw
                                   (draw_settle) */
    char name[40];
    uint64_t seed;
    int n, ns, nz, p, modes, events, terms;
    char coordinate[DRAW_COORDINATES][DRAW_NAME];
    char state[DRAW_STATES][DRAW_NAME];
    char cost[DRAW_COSTS][DRAW_NAME];
    struct drawn_parameter parameter[DRAW_PARAMETERS];
    struct drawn_event event[DRAW_EVENTS];
    struct term term[DRAW_TERMS];
};

/* To be called after a draw was made or copied: its description must point at itself. */
void draw_settle(struct draw *draw);
/* The model of a draw, or NULL and a diagnosis; `draw` must outlive the model. */
struct model *draw_model(const struct draw *draw, struct diagnosis *diagnosis);
/* Prints a complete case file, cases/NAME.c, that records the model of the draw. */
void draw_print(FILE *stream, const struct draw *draw);

/* "x2" */
void draw_name(char name[DRAW_NAME], char letter, int number);
/* Adds a term; aborts when there is no room. */
void draw_add(struct draw *draw, enum place place, int owner, int i, int j,
              const char *format, ...) __attribute__((format(printf, 6, 7)));
void draw_remove_term(struct draw *draw, int k);
/* Removes all terms of a place (i -1: of any i) of this owner. */
void draw_remove(struct draw *draw, enum place place, int owner, int i);
/* The formula of the place of term k as text: the sum of all its terms; false if an
   earlier term has the same place. */
bool draw_formula(const struct draw *draw, int k, char *text, int size);
/* The first term of a place (i -1: of any i), -1: there is none. */
int draw_find(const struct draw *draw, enum place place, int owner, int i);
bool draw_has(const struct draw *draw, enum place place, int owner, int i);
/* The number of constraint rows of a mode. */
int draw_rows(const struct draw *draw, int mode);

/* Is a row the double of another one? */
bool draw_is_redundant(const struct draw *draw);

/* Does the text have this name in it? */
bool draw_mentions(const char *text, const char *name);
/* Puts `with` in place of the name wherever the text has it. */
bool draw_rename(char *text, const char *name, const char *with);

/* The blocks that the formulas of a place depend on, of all owners: a set of 1 <<
   BLOCK_.. (T, Q, V, S, A, LAMBDA, RHO, IMPULSE, and V for V_PLUS). */
unsigned draw_uses(const struct draw *draw, enum place place);

/* Kinds of names. */
enum drawn_names {
    NAMES_COORDINATES, NAMES_PARAMETERS, NAMES_STATES, NAMES_COSTS, NAMES_MULTIPLIERS,
    NAMES_IMPULSES, NAMES_KINDS
};
enum { DRAW_NAMES = DRAW_PARAMETERS * (DRAW_NAME + 2), DRAW_ROWS = 4 };
/* The names of a kind, "x0, x1", in the order of their declaration. */
void draw_names(const struct draw *draw, enum drawn_names what, char *text, int size);
extern const char draw_multiplier[DRAW_ROWS][DRAW_NAME];
extern const char draw_impulse[DRAW_ROWS][DRAW_NAME];
extern const char draw_mode_name[DRAW_MODES][DRAW_NAME];
extern const char draw_event_name[DRAW_EVENTS][DRAW_NAME];

#endif
