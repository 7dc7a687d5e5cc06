/*
 * plugged.h - the number of entries of plug-ins that a table has room for
 * (plugins/registry.h).
 */
#ifndef SALTUS_PLUGGED_H
#define SALTUS_PLUGGED_H

enum { PLUGGED_ROOM = 64 };

#endif
