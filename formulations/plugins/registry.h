/*
 * registry.h - entries of plug-ins in the tables `formulations`, `integrators`,
 * `jump_rules` and `case_plugged`.
 *
 * Each table has room for PLUGGED_ROOM entries behind those of its .def list, so that a
 * search in the table finds both. Entries are added before the first run; from then on
 * the tables are only read.
 */
#ifndef SALTUS_REGISTRY_H
#define SALTUS_REGISTRY_H

#include "plugin.h"

/* Adds all tables of the plug-in. OK; BAD_INPUT and a diagnosis, and no table is added:
   the plug-in was compiled for other headers, an entry is incomplete, a name is taken, or
   a table is full. */
enum status registry_add(const struct saltus_plugin *plugin, struct diagnosis *diagnosis);

/* The name of the plug-in that a formulation, integrator or jump rule came with; NULL:
   the table is one of saltus's own. */
const char *registry_owner(const void *table);

#endif
