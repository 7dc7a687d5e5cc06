/*
 * reference_motion.h - which exact motion a formulation is an approximation of, and its
 * certified values.
 */
#ifndef SALTUS_REFERENCE_MOTION_H
#define SALTUS_REFERENCE_MOTION_H

#include "formulation.h"
#include "reference.h"

/* A reference motion and the texts it points to. */
struct reference_motion {
    struct truth truth;
    char K_D[80], K_P[80];
};

/* Options in the order of formulation->options; their texts must outlive *own.
   BAD_INPUT when an option is no decimal number where one is needed. */
enum status reference_motion_of(const struct formulation *formulation,
                                const struct model *model, const char *const *option,
                                struct reference_motion *own,
                                struct diagnosis *diagnosis);
bool is_exact(const struct truth *truth);
/* False for a plug-in's formulation that follows a motion of its own
   (reference_motion_unknown): it is judged by complex step. */
bool is_known(const struct truth *truth);
extern const struct truth reference_motion_unknown;

/* The folder of certified values: $SALTUS_VALUES, else the one compiled in. */
const char *values_folder(void);
/* The path of the certified file of a reference motion; false if there is no such file.
   */
bool certified_path(const struct model *model, const struct truth *truth, char *path,
                    int size);

/* Is the exact motion of a case certified, and with numbers, not as a refusal? */
bool exact_is_answered(const struct case_desc *desc);

/* Option `name` of a formulation: its index, -1 if there is none; and how many there
   are. */
int option_index(const struct formulation *formulation, const char *name);
int option_count(const struct formulation *formulation);
enum { MAX_OPTIONS = 16 };
/* Fills value[] with the nominal texts. */
void options_nominal(const struct formulation *formulation, const char **value);

#endif
