/*
 * isolated_command.h - a whole command that calls code of plug-ins, in a process of its
 * own.
 */
#ifndef SALTUS_WHOLE_H
#define SALTUS_WHOLE_H

#include "options/args.h"

/* Runs args->command in a child that shares standard output and error. When it is ended
   by a signal, by exit(), or after --timeout (without it, there is no limit), one line of
   complaint takes the place of what it would have printed. Processes that it has started
   end with it, wherever they have gone. */
enum exit_status run_whole_apart(const struct args *args);

#endif
