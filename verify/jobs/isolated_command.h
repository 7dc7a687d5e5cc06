/*
 * isolated_command.h - a whole command that calls code of plug-ins, in a process of its
 * own.
 */
#ifndef SALTUS_ISOLATED_COMMAND_H
#define SALTUS_ISOLATED_COMMAND_H

#include "options/args.h"

/* Runs args->command in a child that shares standard output and error. When it is ended
   by a signal, by exit(), or after --timeout (without it, there is no limit), one line of
   complaint takes the place of what it would have printed. Processes that it has started
   end with it, wherever they have gone. */
enum exit_status isolated_command_run(const struct args *args);

#endif
