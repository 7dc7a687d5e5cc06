/*
 * stamp.h - `saltus certify --stamp`: files of certified values get their fingerprint.
 */
#ifndef SALTUS_STAMP_H
#define SALTUS_STAMP_H

#include "model.h"
#include "options/args.h"

/* Writes into every file that holds values of one of the cases, in --directory or where
   such values are looked for, the fingerprint of the formulas that the case has now, and
   a checksum. Nothing is computed: this is for values whose formulas have not changed.
   EXIT_SHORT: one of them cannot be stamped. */
enum exit_status stamp_values(const struct args *args, const struct case_desc **desc,
                              int cases);

#endif
