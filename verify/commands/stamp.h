/*
 * stamp.h - `saltus certify --stamp`: files of certified values get their fingerprint.
 */
#ifndef SALTUS_STAMP_H
#define SALTUS_STAMP_H

#include "options/args.h"

/* Writes into every file in the folder that holds values of the named cases, or of all
   where none is named, the fingerprint of the formulas that the case has now, and a
   checksum. Nothing is computed: this is for values whose formulas have not changed.
   EXIT_SHORT: one of them cannot be stamped. */
enum exit_status stamp_values(const struct args *args, const char *folder);

#endif
