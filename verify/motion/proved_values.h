/*
 * proved_values.h - the file of what is proved of a case.
 */
#ifndef SALTUS_PROVED_VALUES_H
#define SALTUS_PROVED_VALUES_H

#include "motion/reference_motion.h"

/* The path of the proof of the exact motion of a case; false if there is no such file. */
bool proved_path(const struct case_desc *desc, char *path, int size);

#endif
