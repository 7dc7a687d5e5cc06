/*
 * reference_motion.h - the exact motion that a formulation approximates, and the file of
 * its certified values.
 */
#ifndef SALTUS_REFERENCE_MOTION_H
#define SALTUS_REFERENCE_MOTION_H

#include "formulation.h"
#include "reference.h"

/* A motion of the reference and the texts that it points to. */
struct reference_motion {
    struct truth truth;
    char K_D[80], K_P[80];
};

/* The motion of a formulation with these options, in the order of formulation->options;
   their texts must outlive *own. BAD_INPUT: an option is no decimal number where one is
   needed. */
enum status reference_motion_of(const struct formulation *formulation,
                                const struct model *model, const char *const *option,
                                struct reference_motion *own,
                                struct diagnosis *diagnosis);
bool is_exact(const struct truth *truth);
/* False: a plug-in's formulation follows a motion of its own (reference_motion_unknown),
   which complex step alone judges. */
bool is_known(const struct truth *truth);
extern const struct truth reference_motion_unknown;

/* The folder of a case's certified values: $SALTUS_VALUES, else the folder of its model
   file, else the one compiled in. */
const char *values_folder(const struct case_desc *desc);
/* The path of the certified file of a motion; false if there is no such file. */
bool certified_path(const struct model *model, const struct truth *truth, char *path,
                    int size);

/* The index of the option `name` of a formulation; -1: there is none. */
int option_index(const struct formulation *formulation, const char *name);
/* The number of options of a formulation. */
int option_count(const struct formulation *formulation);
enum { MAX_OPTIONS = 16 };
/* Fills value[] with the nominal texts. */
void options_nominal(const struct formulation *formulation, const char **value);

#endif
