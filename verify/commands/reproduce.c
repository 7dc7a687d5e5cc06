/*
 * reproduce.c - `saltus reproduce`: papers, verdict by verdict, with their figures.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/outfile.h"
#include "base/standard.h"
#include "commands/picture.h"
#include "jobs/pool.h"
#include "papers/paper_report.h"
#include "tables/json_parts.h"

enum { FILE_NAME = 200 };       /* bytes of the name of a file in the folder */

/* A study as a task. */
struct study_job {
    struct task task;           /* first member */
    struct studied *studied;
};

/* A figure in one format as a task. */
struct figure_job {
    struct task task;           /* first member */
    const struct figure *figure;
    const void *study;          /* what the study has run */
    enum picture_format format;
    bool keep_script;           /* the commands are written, too, once a figure */
    const char *folder;
    bool done;
    char error[PICTURE_ERROR + FILE_NAME];
};

struct reproduction {
    const struct args *args;
    const struct paper **paper;     /* NULL-terminated, those asked for */
    int studies;
    struct studied *studied;        /* [studies] of all papers, in order */
};

/* --- what is asked ------------------------------------------------------------------ */

static bool complain_of_paper(const struct args *args, const char *name)
{
    char names[400] = "";
    for (int i = 0; papers[i]; i++)
        snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s",
                 i > 0 ? ", " : "", papers[i]->name);
    complain(args, "no paper '%s'; there are %s", name, names);
    return false;
}

static bool choose_papers(struct reproduction *all)
{
    const struct args *args = all->args;
    int count = 0;
    while (papers[count])
        count++;
    all->paper = memory_new(args->operands + count + 1, sizeof *all->paper);
    for (int k = 0; k < args->operands; k++) {
        const struct paper *paper = paper_find(args->operand[k]);
        if (!paper)
            return complain_of_paper(args, args->operand[k]);
        for (int i = 0; i < k; i++)
            if (all->paper[i] == paper) {
                complain(args, "%s is named twice; once is enough", paper->name);
                return false;
            }
        all->paper[k] = paper;
    }
    for (int k = 0; args->operands == 0 && k < count; k++)
        all->paper[k] = papers[k];
    return true;
}

/* Makes a folder, if there is none; false: `error` says why it cannot be written to. */
static bool make_folder(const char *folder, char *error, int size)
{
    char path[PATH_MAX + FILE_NAME];
    if (!folder_make(folder)) {
        snprintf(error, (size_t)size, "no folder, and none can be made: %s",
                 strerror(errno));
        return false;
    }
    snprintf(path, sizeof path, "%s/papers.json", folder);
    return outfile_possible(path, error, size);
}

/* Makes the folder of --output, and sees that gnuplot is there. */
static bool folder_possible(const struct args *args)
{
    const char *folder = args_text(args, OPTION_FOLDER, NULL);
    if (!folder && args_has(args, OPTION_KEEP_SCRIPT)) {
        complain(args, "--keep-script keeps the commands of the figures; give -o DIR");
        return false;
    }
    if (!folder)
        return true;
    if (!gnuplot_found()) {
        complain(args, "figures need gnuplot, which is not in PATH; on Debian: apt-get "
                 "install gnuplot-nox; without -o only tables are made");
        return false;
    }
    char error[400];
    if (make_folder(folder, error, sizeof error))
        return true;
    complain(args, "-o %s: %s", folder, error);
    return false;
}

/* --- studies ------------------------------------------------------------------------ */

static void run_study(struct task *task)
{
    studied_run(((struct study_job *)task)->studied, task);
}

static void run_studies(struct reproduction *all, int threads)
{
    for (int p = 0; all->paper[p]; p++)
        all->studies += studies_of(all->paper[p]);
    all->studied = memory_new(all->studies, sizeof *all->studied);
    struct study_job *job = memory_new(all->studies, sizeof *job);
    struct task **task = memory_new(all->studies, sizeof *task);
    for (int p = 0, k = 0; all->paper[p]; p++)
        for (int s = 0; all->paper[p]->study[s]; s++, k++) {
            const struct study *study = all->paper[p]->study[s];
            all->studied[k].study = study;
            job[k].studied = &all->studied[k];
            job[k].task.run = run_study;
            job[k].task.weight = study->weight;
            snprintf(job[k].task.title, sizeof job[k].task.title, "%s", study->name);
            task[k] = &job[k].task;
        }
    pool_run("reproduce", task, all->studies, threads);
    free(job);
    free(task);
}

/* --- figures ------------------------------------------------------------------------ */

static void draw(FILE *gnuplot, const void *context)
{
    const struct figure_job *job = context;
    job->figure->draw(gnuplot, job->study);
}

/* Writes one file of the folder, complete or not at all. */
static bool write_figure(struct figure_job *job, const struct drawing *drawing,
                         bool script)
{
    char path[PATH_MAX + FILE_NAME], name[FILE_NAME];
    struct outfile file = {0};
    snprintf(name, sizeof name, "%s%s", job->figure->name, picture_suffix[job->format]);
    snprintf(path, sizeof path, "%s/%s%s", job->folder, job->figure->name,
             script ? ".gnuplot" : picture_suffix[job->format]);
    bool good = outfile_open(&file, path);
    if (good && script)
        gnuplot_script(file.stream, name, job->format, drawing);
    else if (good)
        good = gnuplot_draw(&file, job->format, drawing);
    good = good && outfile_finish(&file) && outfile_publish(&file);
    if (!good)
        snprintf(job->error, sizeof job->error, "%s: cannot be written: %s", path,
                 file.error);
    outfile_discard(&file);
    return good;
}

static void run_figure(struct task *task)
{
    struct figure_job *job = (struct figure_job *)task;
    const struct figure *figure = job->figure;
    const struct drawing drawing = {figure->width > 0 ? figure->width : COLUMN_WIDTH,
                                    figure->height > 0 ? figure->height : 58, draw, job};
    job->done = write_figure(job, &drawing, false) &&
                (!job->keep_script || job->format != PICTURE_SVG ||
                 write_figure(job, &drawing, true));
}

/* Draws all figures of the studies that have run; false after a complaint. */
static bool draw_figures(const struct reproduction *all, const char *folder, int threads)
{
    int count = 0, k = 0;
    bool good = true;
    for (int s = 0; s < all->studies; s++)
        count += PICTURE_FORMATS * figures_of(all->studied[s].study);
    struct figure_job *job = memory_new(count, sizeof *job);
    struct task **task = memory_new(count, sizeof *task);
    for (int s = 0; s < all->studies; s++) {
        const struct studied *studied = &all->studied[s];
        for (int f = 0; studied->status == OK && f < figures_of(studied->study); f++)
            for (int format = 0; format < PICTURE_FORMATS; format++, k++) {
                job[k] = (struct figure_job){
                    .task = {.run = run_figure, .weight = 1},
                    .figure = &studied->study->figure[f], .study = studied->own,
                    .format = (enum picture_format)format, .folder = folder,
                    .keep_script = args_has(all->args, OPTION_KEEP_SCRIPT)};
                snprintf(job[k].task.title, sizeof job[k].task.title, "%s",
                         job[k].figure->name);
                task[k] = &job[k].task;
            }
    }
    pool_run("reproduce, figures", task, k, threads);
    for (int i = 0; i < k && good; i++)
        if (!job[i].done) {
            complain(all->args, "%s", job[i].error);
            good = false;
        }
    free(job);
    free(task);
    return good;
}

/* --- what is printed ---------------------------------------------------------------- */

/* All papers as text (print_function). */
static void print_tables(FILE *stream, const void *context)
{
    const struct reproduction *all = context;
    const struct studied *studied = all->studied;
    struct paper_tally tally = {0};
    for (int p = 0; all->paper[p]; p++) {
        paper_report(stream, all->paper[p], studied);
        paper_tally_add(&tally, all->paper[p], studied);
        fputc('\n', stream);
        studied += studies_of(all->paper[p]);
    }
    fputs("in all: ", stream);
    paper_tally_print(stream, &tally);
}

static void print_json(FILE *stream, const void *context)
{
    const struct reproduction *all = context;
    const struct studied *studied = all->studied;
    cJSON *root = cJSON_CreateObject();
    cJSON_AddStringToObject(root, "saltus", SALTUS_VERSION);
    cJSON *array = cJSON_AddArrayToObject(root, "papers");
    for (int p = 0; all->paper[p]; p++) {
        paper_json(array, all->paper[p], studied);
        studied += studies_of(all->paper[p]);
    }
    json_print(stream, root);
}

static bool write_text(const struct reproduction *all, const char *folder,
                       const char *name, print_function *print)
{
    char path[PATH_MAX + FILE_NAME];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return file_print(all->args, path, print, all);
}

static enum exit_status tell(const struct reproduction *all, int threads)
{
    const char *folder = args_text(all->args, OPTION_FOLDER, NULL);
    if (folder && !(draw_figures(all, folder, threads) &&
                    write_text(all, folder, "papers.txt", print_tables) &&
                    write_text(all, folder, "papers.json", print_json)))
        return EXIT_USAGE;
    if (args_has(all->args, OPTION_JSON))
        print_json(stdout, all);
    else
        print_tables(stdout, all);
    for (int k = 0; k < all->studies; k++)
        if (all->studied[k].status != OK)
            return EXIT_SHORT;
    return EXIT_HELD;
}

/* --- the command -------------------------------------------------------------------- */

static enum exit_status reproduce(const struct args *args)
{
    struct reproduction all = {.args = args};
    enum exit_status status = EXIT_USAGE;
    long threads = processors();
    if (args_count(args, OPTION_JOBS, 1, 256, &threads) && choose_papers(&all) &&
        folder_possible(args)) {
        run_studies(&all, (int)threads);
        status = tell(&all, (int)threads);
    }
    for (int k = 0; k < all.studies; k++)
        studied_clear(&all.studied[k]);
    free(all.studied);
    free(all.paper);
    return status;
}

static const enum option_id options[] = {OPTION_FOLDER, OPTION_KEEP_SCRIPT, OPTION_JSON,
                                         OPTION_JOBS, OPTIONS};

extern const struct command command_reproduce;
const struct command command_reproduce = {
    .name = "reproduce",
    .synopsis = "[PAPER...] [OPTION...]",
    .summary = "Papers, verdict by verdict: claims, printed formulas, figures",
    .text =
        "Runs the case studies of the papers, all or those named, and prints a row for\n"
        "every printed number and claim: confirmed to so many digits, refuted, or not\n"
        "reproducible and why; then the printed formulas, each tried beside the correct\n"
        "one. With -o DIR every figure is drawn there as SVG and PDF, and the tables\n"
        "are written to papers.txt and papers.json. Every number is from this run, and\n"
        "another run gives the same bytes. Sure digits are those of our number that\n"
        "another route confirms. A formula that is wrong as it is printed says nothing\n"
        "of the programs of its authors.\n"
        "The exit status is 0 when every study was run, whatever became of claims.\n\n"
        "  saltus reproduce corner -o corner/\n",
    .option = options,
    .most = -1,
    .writes = true,
    .run = reproduce,
};
