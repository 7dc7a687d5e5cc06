/*
 * model_file.h - a mechanism of one's own as a text in YAML: a case without a compiler.
 *
 * A model file says what a case file in C says, by the keys of keys.def
 * (saltus-model(5)):
 *
 *     parameters:
 *       g: {nominal: 9.81, unit: m/s^2, meaning: gravity}
 *       e: {nominal: 0.8, meaning: coefficient of restitution}
 *     coordinates: [y]
 *     modes:
 *       flight:
 *         M: {y: {y: 1}}
 *         F: {y: -g}
 *     events:
 *       ground: {guard: y, direction: falling, reset: {vy_plus: -e*vy}}
 *     initial:
 *       state: {y: 1, vy: 0}
 *     end: 2
 *
 * Formulas are those of a case file, but integers are exact numbers: 1/2 is a half.
 */
#ifndef SALTUS_MODEL_FILE_H
#define SALTUS_MODEL_FILE_H

#include "base/api.h"
#include "model.h"

SALTUS_API_BEGIN

/* True: the word is the path of a model file and no name of a case, because it has a '/'
   or a '.' in it. */
bool case_is_path(const char *word);

/* What finds the case on a command line: the path of a model file, else its name. */
const char *case_word(const struct case_desc *desc);

/* The case of a model file, by its path; the same for the same path and text. It lives
   until the process ends, as models point at it. NULL after a refusal: BAD_INPUT with
   "path:line:column: reason and remedy"; what is wrong in formulas is told by model_new.
   Any number of threads may call it. */
const struct case_desc *case_open(const char *path, struct diagnosis *diagnosis);

SALTUS_API_END

#endif
