/*
 * plugins_load.h - shared objects with formulations, integrators and jump rules
 * (plugin.h).
 */
#ifndef SALTUS_PLUGINS_LOAD_H
#define SALTUS_PLUGINS_LOAD_H

#include <stdio.h>

#include "options/args.h"

/* Loads the plug-in of every --plugin into the tables. False after one line of
   complaint. Each is first loaded by a child, for loading runs code, too. */
bool plugins_load(const struct args *args);

/* The number of plug-ins that are loaded. */
int plugins_loaded(void);
/* Prints their names and what they bring, a line for each entry. */
void plugins_print(FILE *stream);

#endif
