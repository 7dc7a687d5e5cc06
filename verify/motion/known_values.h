/*
 * known_values.h - what is known of the exact motion of a case, by the files of its
 * values.
 */
#ifndef SALTUS_KNOWN_VALUES_H
#define SALTUS_KNOWN_VALUES_H

#include "motion/reference_motion.h"

/* The path of the proof of the exact motion of a case; false if there is no such file. */
bool proved_path(const struct case_desc *desc, char *path, int size);

/* The strongest statement: balls that contain the numbers, numbers on which two routes
   agree, or a refusal on which they do. Files for other formulas say nothing. */
enum knowledge { KNOWN_NOT, KNOWN_REFUSED, KNOWN_CERTIFIED, KNOWN_PROVED };
struct known {
    enum knowledge what;
    int digits;                 /* those of the widest ball, or agreed on at least */
};
struct known what_is_known(const struct model *model);
/* Is the exact motion of a case certified, and with numbers, not as a refusal? */
bool exact_is_answered(const struct case_desc *desc);
/* "proved", "certified", "refused" or "-" */
const char *knowledge_text(enum knowledge what);

#endif
