/*
 * bars.h - the digits a verdict must reach; the table is bars.def.
 */
#ifndef SALTUS_BARS_H
#define SALTUS_BARS_H

double bar_digits(const char *case_name, const char *solution, const char *oracle,
                  const char *group);

#endif
