/*
 * sweeping.h - `saltus sweep`, and other commands whose tables are taken up again, in a
 * test.
 */
#ifndef SALTUS_SWEEPING_H
#define SALTUS_SWEEPING_H

#include "random_formulas.h"
#include "running.h"

enum { INTERRUPTED = 130 };         /* exit status */

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

/* A table as it is while it grows: behind the heading every row has a checksum, FNV-1a of
   what stands before it. */
static inline void write_part(const char *name, const char *table)
{
    char *text = NULL;
    size_t size = 0;
    FILE *part = open_memstream(&text, &size);
    for (const char *line = table, *end; *line; line = end + 1) {
        unsigned long long hash = 0xcbf29ce484222325;
        end = strchr(line, '\n');
        for (const char *c = line; c < end; c++)
            hash = (hash ^ (unsigned char)*c) * 0x100000001b3;
        fprintf(part, "%.*s", (int)(end - line), line);
        if (*line >= '0' && *line <= '9')
            fprintf(part, ",%016llx", hash);
        fputc('\n', part);
    }
    fclose(part);
    write_file(name, text);
    free(text);
}

/* The command completes the file `part` that was cut, with zeros behind the cut, to the
   table in whole.csv; `random` made the cut. */
static inline void expect_completed(const char *command, int cut, int zeros,
                                    const struct random *random)
{
    char when[100], arguments[300];
    snprintf(when, sizeof when, "cut at %d, %d zeros, seed %llu", cut, zeros,
             random->seed);
    snprintf(arguments, sizeof arguments, "%s -o x.csv", command);
    shell("{ head -c %d part; head -c %d /dev/zero; } > x.csv.part", cut, zeros);
    cr_assert_eq(run_command(arguments), HELD, "%s", when);
    expect_same_files("whole.csv", "x.csv", when);
    cr_assert_not(file_is_there("x.csv.part"), "%s", when);
    shell("rm x.csv");
}

#endif
