/*
 * stamp.h - `saltus certify --stamp`: files of certified values get their fingerprint.
 */
#ifndef SALTUS_STAMP_H
#define SALTUS_STAMP_H

#include "options/args.h"

/* Every file in the folder that holds values of the cases that are named, of all where
   none is, gets the fingerprint of the formulas that the case has now, and a checksum.
   Nothing is computed: it is for values whose formulas have not changed. EXIT_SHORT when
   one of them cannot be. */
enum exit_status stamp_values(const struct args *args, const char *folder);

#endif
