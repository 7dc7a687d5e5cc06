/*
 * checking.h - answers for `saltus check` in a test.
 */
#ifndef SALTUS_CHECKING_H
#define SALTUS_CHECKING_H

#include "running.h"

/* x.csv and x.events.csv, and both in one file, `whole`, without the column of
   conditions, which nobody judges; the times are evenly spread for this case. */
static inline void write_answer(void)
{
    cr_assert_eq(run_command("run bouncing-ball --rtol 1e-12 --points 9 -o x.csv"), HELD);
    cr_assert_eq(shell("{ cat x.csv; echo '# events'; cut -d, -f1-8,10- x.events.csv; } "
                       "> whole"), 0);
}

/* The same with a few columns only. */
static inline void write_narrow_answer(void)
{
    write_answer();
    cr_assert_eq(shell("{ cut -d, -f1,2,7 x.csv; echo '# events'; "
                       "cut -d, -f1-4,10,12,17 x.events.csv; } > narrow"), 0);
}

#endif
