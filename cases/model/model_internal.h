/*
 * model_internal.h - the inside of a model, shared by the files that record and complete
 * it.
 */
#ifndef SALTUS_MODEL_INTERNAL_H
#define SALTUS_MODEL_INTERNAL_H

#include "formula/read.h"
#include "model.h"

/* Entries before the first and behind the last of every array that a case fills
   (model_margin.c): errors of an index are found there, and overwrite nothing. */
enum { MARGIN = 64 };
/* A new array of `count` formulas, never set, with margins. Free by margin_free. */
formula *margin_new(int count);
void margin_free(formula *f);
/* A new array of `count` flags with margins. Free by margin_flags_free. */
bool *margin_flags_new(int count);
void margin_flags_free(bool *flag);
/* A new matrix of `count` rows and columns, with margins on all four sides. Free by
   margin_square_free. */
formula **margin_square_new(int count);
void margin_square_free(formula **square);
/* The array with room for `needed` entries instead of `room`; the old one is freed. */
formula *margin_grow(formula *old, int room, int needed);
/* margin_grow for flags. */
bool *margin_flags_grow(bool *old, int room, int needed);
/* on: new arrays of this thread stand between guard pages from now on; returns what
   `on` was before. If addresses are limited (ulimit -v) there are no such pages. */
bool margin_guard(bool on);
/* Copies all arrays of a model to memory without guard pages. */
void model_settle(struct model *model);
/* True: the address is on a guard page beside an array of the model; `text` tells the
   entry, like "mode slide: F[100000] is given, but ...". */
bool model_far_entry(const struct model *model, const void *address, char *text,
                     int size);
/* From here to model_guard_end this thread records the model's case: a memory fault is
   a slip (base/memory.h) that tells the entry, and does not end the process. */
void model_guard_begin(const struct model *model);
/* Ends what model_guard_begin began. */
void model_guard_end(void);
/* True: no entry is set in an array of `room` entries, nor in its margins. */
bool margin_is_empty(const formula *f, int room);

/* A line of a case file that has read this row of the tape. */
struct written {
    int row, line;
    int column;                     /* of a model file, else 0 */
    const char *file;
};

/* The case file while it is read. */
struct recording {
    struct read_error error;        /* the first thing wrong in the case file; column
                                       0: not in a formula */
    char error_place[200];          /* file:line of the error */
    const char *file;               /* the place that is being read, set by model_at() */
    int line;
    int column;                     /* of a model file, else 0 */
    struct written *written;        /* [writtens] lines with formulas, until model_new
                                       ends */
    int writtens, written_room;
};

/* Notes that a formula was read at the line of the case file where the model stands. */
void model_note_line(struct model *model, formula f);
/* Writes the lines that read the formula, like "cases/bead.c:41: "; "" if none did.
   Equal formulas are one row of the tape, so that several lines may have it:
   "cases/bead.c:41 or 43: ". */
void model_lines(const struct model *model, formula f, char *text, int size);

/* A new model with one nameless mode under the pen and nothing declared. */
struct model *model_blank(const struct case_desc *desc);

/* A case as it is written, checked and with its fingerprint, and not completed: M and F
   are without the terms of energies. NULL after a refusal, as model_new. */
struct model *model_record(const struct case_desc *desc, struct diagnosis *diagnosis);

/* Puts a mode under the pen: the case writes its arrays. */
void model_move_pen(struct model *model, struct mode *mode);
/* Notes a misuse, like declarations in the wrong order; model_new refuses the model
   with the first one. */
void model_misuse(struct model *model, const char *what);
/* Tells the place in a model file that is read next, as model_at does for a case file. */
void model_at_column(struct model *model, const char *file, int line, int column);
/* Splits "x, y" into a list of names. Returns their number. */
int model_split_names(const char *names, char ***list);
/* Binds <prefix>name<suffix> to variable `index` of a block. */
void model_bind(struct model *model, const char *prefix, const char *name,
                const char *suffix, int block, int index);

/* A motion of a model in a mode, context of along_motion. */
struct motion {
    const struct model *model;
    const struct mode *mode;
};
/* Seed of the derivative along a motion (formula/diff.h). */
formula along_motion(void *context, int block, int index);

/* The fingerprint of a model that has been recorded and not yet completed
   (model_fingerprint.c). */
uint64_t model_take_fingerprint(const struct model *model);

/* Adds the terms of its energies and loads to M and F of a mode (elements/lagrange.c). */
void mode_complete_energies(const struct model *model, struct mode *mode);

/* With RESET_CONTINUOUS, removes the impulse of joints that an event adds: v+ = v-. A
   contact with a restitution of its own keeps its impulse. Events that add no joints
   stay as they are. */
void event_apply_policy(const struct model *model, struct event *event);

/* Finds the edges of all formulas of a completed model (formula/domain_edges.h). */
void model_find_edges(struct model *model);
/* Frees them. */
void model_free_edges(struct model *model);

/* BAD_INPUT when a recorded model has an entry for a coordinate, state, cost or row that
   is not declared. */
enum status model_check_margins(const struct model *model, struct diagnosis *diagnosis);
/* BAD_INPUT when a formula of a completed model depends on quantities it must not
   depend on. */
enum status model_check_uses(const struct model *model, struct diagnosis *diagnosis);

#endif
