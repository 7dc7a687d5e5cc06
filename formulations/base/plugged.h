/*
 * plugged.h - room in a table for the entries of plug-ins (plugins/registry.h).
 */
#ifndef SALTUS_PLUGGED_H
#define SALTUS_PLUGGED_H

enum { PLUGGED_ROOM = 64 };

#endif
