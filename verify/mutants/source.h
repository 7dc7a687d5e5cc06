/*
 * source.h - mutation of the source itself: is every fault seen?
 *
 * A fault of source.def is an exact text of a file and its replacement. The fault is made
 * in a copy of the tree, which is compiled again; `saltus verify` of that build judges a
 * few cases, by the stored certified values or by values that the faulty build has
 * certified itself, and those that must see the fault must fall short. Whoever falls
 * short in the copy without the fault has not seen it.
 */
#ifndef SALTUS_SOURCE_H
#define SALTUS_SOURCE_H

#include <stdbool.h>
#include <stdio.h>

enum { SOURCE_EDITS = 4, SOURCE_TEXT = 512 };

/* Certified values that the faulty build is judged by: those of the tree, or its own. */
enum source_values { STORED, REMADE };

struct source_fault {
    const char *name;
    const char *part;               /* the part that the fault is in (shared_parts.def) */
    enum source_values values;
    const char *cases, *options;    /* cases and options for `saltus verify` */
    /* Who must see the fault, comma separated: oracles; "refused": the run itself;
       "certify": no certificate is made; "regress": rows are worse or missing; "mutants":
       faults of seeded.def are not caught any more; "tests/PROGRAM:SUITE": tests of that
       suite fail. */
    const char *seen_by;
    const char *what;
    struct source_edit {
        const char *file, *text, *replacement;
    } edit[SOURCE_EDITS];
};
extern const struct source_fault source_faults[];
extern const int source_fault_count;

enum source_fate { SOURCE_NOT_JUDGED, SOURCE_UNSEEN, SOURCE_SEEN };

struct source_result {
    enum source_fate fate;
    char seen[SOURCE_TEXT];         /* who saw the fault, comma separated */
    char why[SOURCE_TEXT];          /* why the fault could not be judged */
};

/* The number of texts of the list that are not in their file of the tree exactly once and
   of suites of tests that are not there; each is said in a line to `stream`. */
int source_check(const char *tree, FILE *stream);

/* A copy of the tree, with a build of its own that has no fault. */
struct source_copy {
    const char *tree;
    char folder[SOURCE_TEXT];
    int threads;
    const struct source_fault *asked;   /* fault whose question was judged last without a
                                           fault; NULL: none */
    char before[SOURCE_TEXT];           /* who fell short for that question */
};
/* Is it the source tree of saltus? */
bool source_tree(const char *tree);

/* Makes the copy in `folder`, which is replaced. false, and why in `why` [SOURCE_TEXT]:
   there is no tree, no compiler, or it does not build. */
bool source_copy_make(struct source_copy *copy, const char *tree, const char *folder,
                      int threads, char *why);
void source_copy_remove(const struct source_copy *copy);

/* Makes the fault, judges the build, and takes the fault back. */
void source_judge(struct source_copy *copy, const struct source_fault *fault,
                  struct source_result *result);

#endif
