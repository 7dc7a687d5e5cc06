/*
 * sweeping.h - `saltus sweep` in a test.
 */
#ifndef SALTUS_SWEEPING_H
#define SALTUS_SWEEPING_H

#include "running.h"

/* 140 trajectories, some of which are refused. */
#define BALLS "sweep bouncing-ball --grid e=0.5:0.9:20 --grid g=5:10:7 --sens e,g"

/* After the lines of progress of something that took long. */
static inline char *last_line(const char *file)
{
    char *text = contents(file), *line = text;
    for (char *c = text; *c; c++)
        if (c[0] == '\n' && c[1])
            line = c + 1;
    line = strdup(line);
    free(text);
    return line;
}

#endif
