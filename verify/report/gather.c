/*
 * gather.c - the parts of a report, made or found (report.h)
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/outfile.h"
#include "base/whole_file.h"
#include "file/model_file.h"
#include "options/command.h"
#include "report/program.h"
#include "report/report.h"

#define PART(ID, name, file, of_cases, seconds, title, ...) \
    static const char *const words_##name[] = {__VA_ARGS__, NULL};
#include "report/parts.def"
#undef PART

const struct part parts[PARTS] = {
#define PART(ID, name, file, of_cases, seconds, title, ...) \
    {#name, file, of_cases, seconds, title, words_##name},
#include "report/parts.def"
#undef PART
};

/* --- paths and files ---------------------------------------------------------------- */

void report_path(const struct report *report, const char *file, char *path, int size)
{
    snprintf(path, (size_t)size, "%s/data/%s", report->folder, file);
}

bool report_folder(const struct report *report, char *error, int size)
{
    char path[PATH_MAX + 20], why[200];
    report_path(report, "", path, sizeof path);
    if (!folder_make(report->folder) || !folder_make(path)) {
        snprintf(error, (size_t)size, "%.300s: no folder, and none can be made: %s",
                 report->folder, strerror(errno));
        return false;
    }
    report_path(report, "part", path, sizeof path);
    bool possible = outfile_possible(path, why, sizeof why);
    snprintf(path, sizeof path, "%s/index.html", report->folder);
    possible = possible && outfile_possible(path, why, sizeof why);
    if (!possible)
        snprintf(error, (size_t)size, "%.300s: cannot be written to: %s", report->folder,
                 why);
    return possible;
}

char *report_file(const struct report *report, const char *file)
{
    char path[PATH_MAX + 300];
    report_path(report, file, path, sizeof path);
    return whole_file(path);
}

/* --- the command -------------------------------------------------------------------- */

static bool is_file(const char *word)
{
    return word[0] == '@';
}

void report_command(const struct report *report, enum part_id id, char *text, int size)
{
    const struct part *part = &parts[id];
    FILE *stream = fmemopen(text, (size_t)size, "w");
    if (!stream)
        memory_exhausted();
    fputs("saltus", stream);
    for (int k = 0; part->word[k]; k++)
        fprintf(stream, " %s", part->word[k] + is_file(part->word[k]));
    for (int k = 0; part->of_cases && !report->all_cases && k < report->cases; k++)
        fprintf(stream, " %s", case_word(report->desc[k]));
    fclose(stream);
    text[size - 1] = '\0';
}

enum { MOST_WORDS = 40, MOST_COMMAND = 16000 };

/* Arguments of a part's command; files are paths in path[MOST_WORDS]. */
static const char **arguments_of(const struct report *report, const struct part *part,
                                 const char *threads, char (*path)[PATH_MAX + 300])
{
    int count = 0;
    bool named = part->of_cases && !report->all_cases;
    const char **argument =
        memory_new(MOST_WORDS + report->cases, sizeof *argument);
    argument[count++] = "/proc/self/exe";
    for (int k = 0; part->word[k]; k++) {
        const char *word = part->word[k];
        if (is_file(word)) {
            report_path(report, word + 1, path[k], sizeof path[k]);
            word = path[k];
        }
        argument[count++] = word;
    }
    for (int k = 0; named && k < report->cases; k++)
        argument[count++] = case_word(report->desc[k]);
    if (strcmp(part->word[0], "bench") != 0) {
        argument[count++] = "--jobs";
        argument[count++] = threads;
    }
    return argument;
}

/* --- what is there ------------------------------------------------------------------ */

/* Beside the file of a part stands the command that has made it. */
static void stamp_path(const struct report *report, const struct part *part, char *path,
                       int size)
{
    char name[80];
    snprintf(name, sizeof name, "%s.command", part->name);
    report_path(report, name, path, size);
}

/* Certified values from elsewhere make other data. */
static void stamp_text(const struct report *report, enum part_id id, char *text, int size)
{
    const char *values = getenv("SALTUS_VALUES");
    snprintf(text, (size_t)size / 2, "%s %s%s%s", SALTUS_VERSION,
             values ? "SALTUS_VALUES=" : "", values ? values : "", values ? " " : "");
    int length = (int)strlen(text);
    report_command(report, id, text + length, size - length);
}

static void print_text(FILE *stream, const void *text)
{
    fputs(text, stream);
}

/* Without its stamp a part is made again. */
static void write_stamp(const struct report *report, enum part_id id)
{
    char path[PATH_MAX + 300], text[MOST_COMMAND], error[200];
    stamp_path(report, &parts[id], path, sizeof path);
    stamp_text(report, id, text, sizeof text);
    (void)outfile_print(path, print_text, text, error, sizeof error);
}

/* Has this command made the file of the part, by this executable or a later one? */
static bool already_there(const struct report *report, enum part_id id)
{
    char name[80], path[PATH_MAX + 300], text[MOST_COMMAND];
    struct stat file, own;
    report_path(report, parts[id].file, path, sizeof path);
    if (report->restart || stat(path, &file) != 0 || stat("/proc/self/exe", &own) != 0 ||
        file.st_mtime < own.st_mtime)
        return false;
    snprintf(name, sizeof name, "%s.command", parts[id].name);
    char *stamp = report_file(report, name);
    stamp_text(report, id, text, sizeof text);
    bool same = stamp && strcmp(stamp, text) == 0;
    free(stamp);
    return same;
}

/* Removes what an earlier command has left: what cannot be made again is not there. */
static void remove_old(const struct report *report, const struct part *part)
{
    char path[PATH_MAX + 300];
    report_path(report, part->file, path, sizeof path);
    unlink(path);
    stamp_path(report, part, path, sizeof path);
    unlink(path);
}

/* --- making ------------------------------------------------------------------------- */

/* Copies the last line that is not empty of a file of data. */
static void last_words(const struct report *report, const char *file, char *text,
                       int size)
{
    char *whole = report_file(report, file);
    size_t length = whole ? strlen(whole) : 0;
    *text = '\0';
    while (length > 0 && whole[length - 1] == '\n')
        whole[--length] = '\0';
    const char *line = whole ? strrchr(whole, '\n') : NULL;
    if (whole)
        snprintf(text, (size_t)size, "%s", line ? line + 1 : whole);
    free(whole);
}

/* Runs the command of a part; false: it has failed, and gathered->why says how. */
static bool make_part(struct report *report, enum part_id id)
{
    const struct part *part = &parts[id];
    struct gathered *gathered = &report->part[id];
    char threads[20], out[PATH_MAX + 300], err[PATH_MAX + 300], name[80], said[200];
    char (*path)[PATH_MAX + 300] = memory_new(MOST_WORDS, sizeof *path);
    snprintf(threads, sizeof threads, "%d", report->threads);
    snprintf(name, sizeof name, "%s.txt", part->name);
    report_path(report, name, out, sizeof out);
    snprintf(name, sizeof name, "%s.log", part->name);
    report_path(report, name, err, sizeof err);
    remove_old(report, part);
    const char **argument = arguments_of(report, part, threads, path);
    int status = program_run_files(argument, out, err, gathered->why,
                                   sizeof gathered->why);
    bool made = status == EXIT_HELD || status == EXIT_SHORT;
    last_words(report, name, said, sizeof said);
    if (made)
        write_stamp(report, id);
    else if (status >= 0)
        snprintf(gathered->why, sizeof gathered->why, "exit status %d%s%s", status,
                 *said ? ": " : "", said);
    free(argument);
    free(path);
    return made;
}

/* Reads the file of a part; false: gathered->why says what is wrong with it. */
static bool read_part(struct report *report, enum part_id id)
{
    const struct part *part = &parts[id];
    struct gathered *gathered = &report->part[id];
    size_t length = strlen(part->file);
    char *text = report_file(report, part->file);
    bool json = length > 5 && strcmp(part->file + length - 5, ".json") == 0;
    if (text && json)
        gathered->data = cJSON_Parse(text);
    bool good = text && (!json || cJSON_IsObject(gathered->data));
    if (!good)
        snprintf(gathered->why, sizeof gathered->why, "%s %s", part->file,
                 text ? "is no JSON" : "was not written");
    free(text);
    return good;
}

/* A file that is there and damaged is made again. */
static bool gather_part(struct report *report, enum part_id id)
{
    const struct part *part = &parts[id];
    if (!*part->file)
        return true;
    if (already_there(report, id) && read_part(report, id)) {
        fprintf(stderr, "report: %s is there\n", part->name);
        return true;
    }
    fprintf(stderr, "report: %s, about %g s\n", part->name, part->seconds);
    cJSON_Delete(report->part[id].data);
    report->part[id].data = NULL;
    return make_part(report, id) && read_part(report, id);
}

void report_gather(struct report *report)
{
    for (int id = 0; id < PARTS; id++) {
        struct gathered *gathered = &report->part[id];
        if (!report->wanted[id])
            continue;
        gathered->state =
            gather_part(report, (enum part_id)id) ? PART_THERE : PART_MISSING;
        if (gathered->state == PART_MISSING)
            fprintf(stderr, "report: %s is missing: %s\n", parts[id].name,
                    gathered->why);
    }
}

void report_clear(struct report *report)
{
    for (int id = 0; id < PARTS; id++)
        cJSON_Delete(report->part[id].data);
}
