/*
 * checking.h - answers for `saltus check` and for programs in a test.
 */
#ifndef SALTUS_CHECKING_H
#define SALTUS_CHECKING_H

#include "running.h"

/* x.csv and x.events.csv by a rule; the times are evenly spread for this case. */
static inline void write_tables(const char *rule)
{
    char arguments[200];
    snprintf(arguments, sizeof arguments,
             "run bouncing-ball --rtol 1e-12 --points 9 --rule %s -o x.csv", rule);
    cr_assert_eq(run_command(arguments), HELD);
}

/* Both as they should be, and in one file, `whole`, without the column of conditions,
   which nobody judges. */
static inline void write_answer(void)
{
    write_tables("saltation");
    cr_assert_eq(shell("{ cat x.csv; echo '# events'; cut -d, -f1-8,10- x.events.csv; } "
                       "> whole"), 0);
}

/* The same with a few columns only. */
static inline void write_narrow_answer(void)
{
    write_answer();
    cr_assert_eq(shell("{ cut -d, -f1,2,7 x.csv; echo '# events'; "
                       "cut -d, -f1-4,11,13,18 x.events.csv; } > narrow"), 0);
}

#endif
