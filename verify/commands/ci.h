/*
 * ci.h - --junit and --tap: verdicts as files for a CI.
 */
#ifndef SALTUS_CI_H
#define SALTUS_CI_H

#include "options/args.h"
#include "tables/checks.h"

/* To be asked before a long run; false after a complaint: they cannot be written. */
bool ci_possible(const struct args *args);
/* Is one of these options given? */
bool ci_wanted(const struct args *args);
/* Writes the files of the options; false after a complaint. */
bool ci_write(const struct args *args, const struct checks *checks);

#endif
