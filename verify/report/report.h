/*
 * report.h - one page that holds all that saltus has to say, and the parts it is made of.
 *
 * A part is the output of a saltus command in its public format, in DIR/data. It is made
 * by a child process of this executable, unless it is there already: a report that was
 * interrupted goes on. A part that is missing is said on the page.
 */
#ifndef SALTUS_REPORT_PAGE_H
#define SALTUS_REPORT_PAGE_H

#include <cjson/cJSON.h>
#include <limits.h>
#include <stdbool.h>

#include "mechanisms/catalogue.h"

enum part_id {
#define PART(ID, ...) PART_##ID,
#include "report/parts.def"
#undef PART
    PARTS
};

struct part {
    const char *name;           /* as of --parts: "matrix" */
    const char *file;           /* in the folder of data, written when complete */
    bool of_cases;              /* names of cases may be appended to the command */
    double seconds;             /* it takes, about */
    const char *title;
    const char *const *word;    /* of the command, NULL-terminated */
};
extern const struct part parts[PARTS];

enum part_state { PART_NOT_ASKED, PART_THERE, PART_MISSING };

/* A part as it was gathered. */
struct gathered {
    enum part_state state;
    char why[400];              /* why it is missing */
    cJSON *data;                /* its JSON; NULL: none, or no JSON */
};

struct report {
    char folder[PATH_MAX];                  /* DIR */
    const struct case_desc *const *desc;    /* [cases] */
    int cases;
    bool all_cases;             /* no case was named: commands take all by themselves */
    int threads;
    bool restart;               /* parts that are there are made again */
    bool wanted[PARTS];
    struct gathered part[PARTS];
};

/* Makes DIR and DIR/data; false: error says why they cannot be written to. */
bool report_folder(const struct report *report, char *error, int size);
/* Makes the parts that are wanted and not there, or damaged, and reads them. */
void report_gather(struct report *report);
void report_clear(struct report *report);

/* The path of a file in DIR/data. */
void report_path(const struct report *report, const char *file, char *path, int size);
/* The command of a part as it would be typed. */
void report_command(const struct report *report, enum part_id id, char *text, int size);
/* A file in DIR/data as a whole, to be freed; NULL: there is none. */
char *report_file(const struct report *report, const char *file);

/* Are all parts there that are wanted, and did everything hold that they judge? */
bool report_all_held(const struct report *report);
/* Writes DIR/index.html; false: error says why not. */
bool report_page(struct report *report, char *error, int size);
/* Prints the page by Chromium as DIR/report.pdf; false: error says why not. */
bool report_pdf(const struct report *report, char *error, int size);

#endif
