/*
 * model_internal.h - shared by model.c (recording) and model_complete.c (completing).
 */
#ifndef SALTUS_MODEL_INTERNAL_H
#define SALTUS_MODEL_INTERNAL_H

#include "formula/read.h"
#include "model.h"

/* Entries before the first and behind the last of every array that a case fills
   (model_margin.c): what it writes there is told, not lost or written over something
   else. */
enum { MARGIN = 64 };
formula *margin_new(int count);
void margin_free(formula *f);
bool *margin_flags_new(int count);
void margin_flags_free(bool *flag);
/* A matrix of `count` rows and columns, with a margin on all four sides. */
formula **margin_square_new(int count);
void margin_square_free(formula **square);
/* The array with room for `needed` entries instead of `room`; the old one is freed. */
formula *margin_grow(formula *old, int room, int needed);
bool *margin_flags_grow(bool *old, int room, int needed);
/* From now on in this thread new arrays stand between pages that may not be touched, or
   no more; returns which of both it was. Where addresses are limited (ulimit -v) there
   are no such pages. */
bool margin_guard(bool on);
/* Copies all arrays of a model to where there are no such pages. */
void model_settle(struct model *model);
/* Is this address on a page beside an array of the model? Then in `text`: "mode slide:
   F[100000] is given, but ...". */
bool model_far_entry(const struct model *model, const void *address, char *text,
                     int size);
/* The model's case is recorded by this thread from `begin` to `end`: a fault of the
   memory in between is a slip (base/memory.h) that says why, not the end of the
   process. */
void model_guard_begin(const struct model *model);
void model_guard_end(void);
/* Is nothing given, in the array of `room` entries or its margins? */
bool margin_is_empty(const formula *f, int room);

/* A line of a case file that has read this row of the tape. */
struct written {
    int row, line;
    const char *file;
};

/* The case file while it is read. */
struct recording {
    struct read_error error;        /* the first thing wrong in the case file; column
                                       0: not in a formula */
    char error_place[200];          /* file:line of the error */
    const char *file;               /* the place that is being read, set by model_at() */
    int line;
    struct written *written;        /* [writtens] lines with formulas, until model_new
                                       ends */
    int writtens, written_room;
};

/* A formula has been read at the place in the case file where the model stands. */
void model_note_line(struct model *model, formula f);
/* "cases/bead.c:41: ", the lines that read the formula; "" where none did. Equal formulas
   are one row of the tape, so where the same text stands on more lines:
   "cases/bead.c:41 or 43: ". */
void model_lines(const struct model *model, formula f, char *text, int size);

/* A model with one nameless mode under the pen and nothing declared. */
struct model *model_blank(const struct case_desc *desc);

/* The arrays of this mode are those that are written. */
void model_move_pen(struct model *model, struct mode *mode);
/* The case declares things in the wrong order, or twice: model_new refuses it with the
   first of these. */
void model_misuse(struct model *model, const char *what);
/* Splits "x, y" into names. Returns how many. */
int model_split_names(const char *names, char ***list);
/* Binds <prefix>name<suffix> to variable `index` of a block. */
void model_bind(struct model *model, const char *prefix, const char *name,
                const char *suffix, int block, int index);

/* Seed of a derivative along the motion (formula/diff.h); the context is a struct
   motion. */
struct motion {
    const struct model *model;
    const struct mode *mode;
};
formula along_motion(void *context, int block, int index);

/* Of a model that has been recorded and not yet completed: model_fingerprint.c. */
uint64_t model_take_fingerprint(const struct model *model);

/* Adds to M and F of a mode what follows from its energies and loads. */
void mode_complete_energies(const struct model *model, struct mode *mode);

/* With RESET_CONTINUOUS, joints that are added give no impulse: v+ = v-. What a contact
   with a restitution of its own gives stays. Events that add none stay as they are. */
void event_apply_policy(const struct model *model, struct event *event);

/* Finds the edges of all formulas of a completed model (formula/edges.h). */
void model_find_edges(struct model *model);
void model_free_edges(struct model *model);

/* BAD_INPUT when a recorded model has an entry for a coordinate, state, cost or row that
   is not declared. */
enum status model_check_margins(const struct model *model, struct diagnosis *diagnosis);
/* BAD_INPUT when a formula of a completed model depends on what it must not. */
enum status model_check_uses(const struct model *model, struct diagnosis *diagnosis);

#endif
