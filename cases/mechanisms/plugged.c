/*
 * plugged.c - the table of cases that plug-ins bring, empty until they are loaded
 * (catalogue.h)
 */
#include "catalogue.h"

const struct case_desc *case_plugged[CASE_ROOM + 1];
