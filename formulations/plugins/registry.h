/*
 * registry.h - what plug-ins add to the tables `formulations`, `integrators` and
 * `jump_rules`.
 *
 * Each table has room for PLUGGED_ROOM entries behind those of its .def list, so that
 * whoever walks it or searches a name in it finds both. Entries are added before the
 * first run; from then on the tables are only read.
 */
#ifndef SALTUS_REGISTRY_H
#define SALTUS_REGISTRY_H

#include "plugin.h"

/* Adds all tables of the plug-in, or none of them and a diagnosis (BAD_INPUT): compiled
   for other headers, an entry that is incomplete, a name that is taken. */
enum status registry_add(const struct saltus_plugin *plugin, struct diagnosis *diagnosis);

/* The name of the plug-in that a formulation, integrator or jump rule came with; NULL:
   it is one of saltus's own. */
const char *registry_owner(const void *table);

#endif
