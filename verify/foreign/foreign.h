/*
 * foreign.h - solvers of others: their answers read and judged.
 *
 * An answer is a table of samples and, after a line "# events", a table of events, in the
 * formats of report_csv and report_events_csv (tables/report.h). It is judged column by
 * column by the certified values and the closed forms.
 */
#ifndef SALTUS_FOREIGN_H
#define SALTUS_FOREIGN_H

#include "jobs/judge.h"
#include "motion/samples.h"

/* --- the question ------------------------------------------------------------------- */

/* One motion of one case, as `saltus problem` asks for it. */
struct question {
    struct model *model;
    struct truth truth;             /* the motion that is asked for; its texts are the
                                       caller's */
    const struct formulation *formulation;  /* the formulation that has the motion; NULL:
                                               the default one. Set by whoever opens the
                                               question */
    const char *const *option;              /* texts of its options */
    int parameters, *parameter;     /* number of parameters differentiated, and their
                                       indices in the model */
    struct columns columns;
    struct samples samples;
    double *t;                      /* [times] times that are judged: the start and the
                                       samples */
    int times;
    double *asked;                  /* [asked_times] every time that must have a row, t
                                       among them; NULL: only t must, and rows at others
                                       are passed over */
    int asked_times;
};

enum question_rows {
    ROWS_EXACT,         /* a row for each time asked for, and no other */
    ROWS_AMONG          /* rows at other times are passed over */
};

/* Opens the question about a case. `more`: further points of `saltus problem --points`,
   0: none. To be closed in either case. */
enum status question_open(struct question *question, const struct case_desc *desc,
                          enum reset_policy reset, const struct truth *truth, int more,
                          enum question_rows rows, struct diagnosis *diagnosis);
void question_close(struct question *question);

/* --- the answer --------------------------------------------------------------------- */

struct foreign_event {
    char name[60];                  /* name of the event; "": not given */
    double t;
    double *tau;                    /* [p] dt/drho */
    double *side[2];                /* [columns.count] numbers before and after the
                                       event */
};

struct foreign {
    const struct columns *columns;
    char (*name)[80];               /* [columns.count] names of the columns */
    const double *t;                /* [samples] times that are judged */
    int samples;
    double *value;                  /* [samples][columns.count] numbers at samples */
    bool *given;                    /* [columns.count] the samples have the column */
    bool has_events;
    int events, event_room;
    struct foreign_event *event;
    bool *event_given, *tau_given;  /* [columns.count], [p] the events have the column,
                                       the derivative */
    int ignored;                    /* number of columns that nobody asked for */
    long passed_over;               /* number of rows at other times */
};

/*
 * Reads an answer. text[length] must be readable and zero; `source` names it in the
 * diagnosis (BAD_INPUT), which says line and column. The question is kept. Times
 * increase, and may differ from those asked for by 1e-13 of the interval.
 */
enum status foreign_read(const char *source, const char *text, size_t length,
                         const struct question *question, struct foreign **out,
                         struct diagnosis *diagnosis);
/* Reads the events alone, when they come in a text of their own. */
enum status foreign_read_events(struct foreign *foreign, const char *source,
                                const char *text, size_t length,
                                struct diagnosis *diagnosis);
void foreign_free(struct foreign *foreign);
/* The column of this name, -1 if there is none; the search begins at *from and goes all
   round. */
int foreign_column(const struct foreign *foreign, const char *name, int *from);

/*
 * Compares the answer with the results of an oracle; the row holds when every number that
 * was given reaches the bar, and every event is there. Numbers that were not given are in
 * its note. `certified` (may be NULL) gives the number and the names of the events.
 */
void foreign_compare(struct rows *rows, struct row *row, const struct foreign *foreign,
                     const struct results *want, double cap,
                     const struct mp_trajectory *certified);

/* Judges the answer by those of `oracles` that have the motion, certified values and
   closed form: a row for each, in the name of `solution`. */
void foreign_judge(struct rows *rows, const struct question *question,
                   const struct foreign *foreign, const char *solution,
                   unsigned asked);

/* Localises the fault in a row that was compared and fell short: sets row->cause.
   `motion`, `exact`: as in struct localise_request (faults/localise.h). */
void foreign_localise(const struct rows *rows, struct row *row,
                      const struct foreign *foreign, const struct results *want,
                      double cap, const struct run_request *motion, bool exact);

/* --- programs: --solver ------------------------------------------------------------- */

/* The name of a solver by its command: "python3" of "/usr/bin/python3 my.py". */
void foreign_name(const char *command, char *name, size_t size);
/* Makes a job for one case and one command; a child waits in it, so the main thread must
   call this, before pool_run. `name` is that of the solver in tables; NULL: the name of
   its program. */
enum status foreign_schedule(const struct judge_settings *settings,
                             const struct case_desc *desc, const char *command,
                             const char *name, struct job ***job, int *count,
                             struct diagnosis *diagnosis);

#endif
