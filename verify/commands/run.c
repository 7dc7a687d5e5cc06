/*
 * run.c - `saltus run CASE`: integrate with sensitivities, print CSV, draw.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/standard.h"
#include "commands/picture.h"
#include "commands/run_notes.h"
#include "commands/setup.h"
#include "commands/unit_notes.h"
#include "drawings/motion.h"
#include "jobs/judge.h"
#include "jobs/pool.h"
#include "motion/reference_motion.h"
#include "motion/samples.h"
#include "quantity/quantity.h"
#include "tables/csv_columns.h"
#include "tables/report.h"

enum { DEFAULT_POINTS = 201, MOST_POINTS = 10000000 };

/* Everything a run needs and makes. */
struct run_job {
    struct task task;
    const struct args *args;
    struct model *model;
    const char *option[MAX_OPTIONS];
    double *value, *sample;
    int *parameter;
    struct run_request request;
    struct trajectory *trajectory;
    struct csv_columns columns;     /* columns of the CSV */
    struct motion_choice choice;    /* curves of the picture */
    struct diagnosis diagnosis;
    enum status status;
    double seconds;                 /* processor time of the run */
};

/* --- what is asked ------------------------------------------------------------------ */

/* All lines are kept until they are written. */
static bool points_fit(const struct run_job *job, long points)
{
    struct columns columns;
    columns_init(&columns, job->model, job->request.parameters, job->parameter);
    double bytes = (double)sizeof(double) * (double)columns.count * (double)points;
    double memory = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    if (bytes < memory)
        return true;
    complain(job->args, "--points: %ld lines of %d numbers take %.0f GB of memory, there "
             "are %.0f; give fewer", points, columns.count, 1e-9 * bytes, 1e-9 * memory);
    return false;
}

/* Chooses N times from the start to the end, evenly; the start is always a sample by
   itself. */
static bool choose_times(struct run_job *job)
{
    double t0, t_end;
    long points = DEFAULT_POINTS;
    struct diagnosis diagnosis = {.t = NAN};
    const char *name = job->model->desc->name;
    if (model_times(job->model, job->value, &t0, &t_end, &diagnosis) != OK) {
        complain_refusal(job->args, name, &diagnosis);
        return false;
    }
    if (!args_number(job->args, OPTION_T_END, &t_end) ||
        !args_count(job->args, OPTION_POINTS, 2, MOST_POINTS, &points) ||
        !points_fit(job, points))
        return false;
    if (!(t_end > t0)) {
        complain(job->args, "%s%.10g is not after the start of %s, t = %.10g%s",
                 args_has(job->args, OPTION_T_END) ? "--t-end: " : "t_end = ", t_end,
                 name, t0, args_has(job->args, OPTION_T_END) ? ""
                                                             : "; give --t-end");
        return false;
    }
    job->sample = calloc((size_t)points, sizeof *job->sample);
    if (!job->sample)
        memory_exhausted();
    even_times(t0, t_end, (int)(points - 1), job->sample);
    /* Only an end that is asked for does not move with the parameters. */
    job->request.t_end = args_has(job->args, OPTION_T_END) ? t_end : NAN;
    job->request.sample = job->sample;
    job->request.samples = (int)(points - 1);
    return true;
}

/* The items of --columns that --plot can draw, as a list; NULL: --columns is not
   given. */
static const char *drawn_list(const struct run_job *job, const struct columns *columns)
{
    const char *rest = args_text(job->args, OPTION_DRAWN, NULL);
    if (!rest)
        return NULL;
    char item[QUANTITY_NAME], *list = memory_new((int)strlen(rest) + 1, 1);
    while (next_in_list(&rest, item, sizeof item))
        if (!csv_item_is_extra(columns, item))
            sprintf(list + strlen(list), "%s%s", *list ? "," : "", item);
    return args_own(job->args, list);
}

/* Reads --columns and --param, which choose the columns of the CSV and the curves of
   --plot. */
static bool choose_columns(struct run_job *job)
{
    const struct args *args = job->args;
    const struct run_request *request = &job->request;
    const char *parameter = args_text(args, OPTION_PARAM, NULL);
    struct columns columns;
    char why[600];
    columns_init(&columns, job->model, request->parameters, job->parameter);
    if (parameter && setup_parameter(args, job->model, parameter, "--param") < 0)
        return false;
    bool good = csv_columns_choose(&job->columns, &columns, parameter,
                                   args_text(args, OPTION_DRAWN, NULL), why, sizeof why);
    if (good && args_has(args, OPTION_PLOT)) {
        const char *drawn = drawn_list(job, &columns);
        good = !drawn || *drawn;
        if (good)
            good = motion_choose(&job->choice, &columns, parameter, drawn, why,
                                 sizeof why);
        else
            snprintf(why, sizeof why, "--plot draws neither t nor residuals alone; name "
                     "another of --columns, too");
    }
    if (!good)
        complain(args, "%s", why);
    return good;
}

/* Reads all of the command line, before anything is computed or written. */
static bool prepare(struct run_job *job, const struct args *args)
{
    *job = (struct run_job){.args = args, .diagnosis = {.t = NAN}};
    job->model = setup_model(args, args->operand[0]);
    if (!job->model)
        return false;
    size_t p = (size_t)job->model->p + 1;
    job->value = calloc(p, sizeof *job->value);
    job->parameter = calloc(p, sizeof *job->parameter);
    if (!job->value || !job->parameter)
        memory_exhausted();
    struct run_request *request = &job->request;
    request->model = job->model;
    request->value = job->value;
    request->parameter = job->parameter;
    request->progress = task_progress;
    request->progress_context = &job->task;
    return setup_solver(args, job->model, job->option, request) &&
           setup_values(args, job->model, job->value) &&
           setup_parameters(args, job->model, &request->parameters, job->parameter) &&
           setup_limits(args, request) && choose_times(job) && choose_columns(job);
}

static void clear(struct run_job *job)
{
    if (job->trajectory)
        trajectory_free(job->trajectory);
    free(job->value);
    free(job->sample);
    free(job->parameter);
    csv_columns_clear(&job->columns);
    motion_choice_clear(&job->choice);
    if (job->model)
        model_free(job->model);
}

/* --- where results go --------------------------------------------------------------- */

enum { EVENTS_PATH = PATH_MAX + 16 };

/* The path out.events.csv for out.csv; NULL without a path, and for one that is no plain
   file: nothing is written beside a pipe or /dev/null. */
static const char *events_path(const char *path, char *events, int size)
{
    struct destination known;
    if (!path || !destination_find(&known, path) || known.kind != DESTINATION_PLAIN)
        return NULL;
    size_t length = strlen(path);
    bool csv = length > 4 && strcmp(path + length - 4, ".csv") == 0;
    snprintf(events, (size_t)size, "%.*s.events.csv", (int)(csv ? length - 4 : length),
             path);
    return events;
}

/* Can the table of events be written? Asked before the run, like outputs_possible. */
static bool events_possible(const struct args *args)
{
    char events[EVENTS_PATH];
    const char *path = events_path(args_text(args, OPTION_OUT, NULL), events,
                                   sizeof events);
    const char *other = args_text(args, OPTION_PLOT, NULL);
    if (path && other && destinations_same(path, other)) {
        complain(args, "--plot %s: the events of --output are written there; give "
                 "another", other);
        return false;
    }
    return !path ||
           (args_keep_inputs(args, OPTION_OUT, path) && file_possible(args, path));
}

/* The tables a run may leave beside its picture. Either all files appear or none. */
enum { TABLE, EVENTS, FILES };

static bool fill(struct run_job *job, struct outfile *file, const char *csv, char *error,
                 int size)
{
    char events[EVENTS_PATH];
    const char *path[FILES] = {csv, events_path(csv, events, sizeof events)};
    for (int k = 0; k < FILES; k++) {
        if (!path[k])
            continue;
        bool good = outfile_open(&file[k], path[k]);
        if (good && k == TABLE)
            report_csv(file[k].stream, job->trajectory, &job->columns);
        if (good && k == EVENTS)
            report_events_csv(file[k].stream, job->trajectory, &job->columns);
        if (!good || !outfile_finish(&file[k])) {
            snprintf(error, (size_t)size, "%s: cannot be written: %s", path[k],
                     file[k].error);
            return false;
        }
    }
    return true;
}

/* Writes all files that are named, the picture if it is to be drawn, or none of them. */
static bool write_files(struct run_job *job, const char *csv, bool draws)
{
    struct outfile file[FILES] = {0};
    struct picture_files picture = {0};
    struct motion_plot plot = {job->trajectory, &job->choice};
    const struct drawing drawing = {PAGE_WIDTH, motion_plot_height(&plot),
                                    motion_plot_draw, &plot};
    char error[PICTURE_ERROR] = "";
    bool good = fill(job, file, csv, error, sizeof error);
    if (good && draws && !(picture_fill(job->args, &drawing, &picture) &&
                           picture_publish(&picture))) {
        picture_error(&picture, error, sizeof error);
        good = false;
    }
    for (int k = FILES - 1; k >= 0 && good; k--)
        if (file[k].path[0] && !outfile_publish(&file[k])) {
            snprintf(error, sizeof error, "%s: cannot be written: %s", file[k].path,
                     file[k].error);
            good = false;
        }
    for (int k = 0; k < FILES; k++)
        outfile_discard(&file[k]);
    picture_discard(&picture);
    if (!good)
        complain(job->args, "%s", error);
    return good;
}

static enum exit_status write_results(struct run_job *job)
{
    const char *csv = args_text(job->args, OPTION_OUT, NULL);
    run_notes_warn(&job->request, job->trajectory);
    if (!write_files(job, csv, true))
        return EXIT_USAGE;
    if (!csv)
        report_csv(stdout, job->trajectory, &job->columns);
    bool free_for_costs = csv && !standard_taken();
    if (free_for_costs || isatty(STDERR_FILENO))
        report_costs_csv(free_for_costs ? stdout : stderr, job->trajectory);
    if (!args_has(job->args, OPTION_BRIEF_RUN))
        run_notes_work(job->model, job->trajectory, job->seconds);
    return EXIT_HELD;
}

/* Says what the files of a refused run hold. Of less than two samples there is nothing to
   draw: a picture that is there is one of an earlier run. */
static void tell_part(const struct run_job *job, const char *csv, const char *plot,
                      bool drawn)
{
    const struct trajectory *t = job->trajectory;
    double end = t->samples > 0 ? t->sample[t->samples - 1].t : NAN;
    if (csv && t->samples > 0)
        complain(job->args, "%s has the %d row%s up to t = %.9g, and %d events%s%s", csv,
                 t->samples, t->samples > 1 ? "s" : "", end, t->events,
                 drawn ? "; drawn in " : "", drawn ? plot : "");
    else if (drawn)
        complain(job->args, "%s draws the motion up to t = %.9g, and %d events", plot,
                 end, t->events);
    if (plot && !drawn && access(plot, F_OK) == 0)
        complain(job->args, "%s is the picture of an earlier run: this one has nothing "
                 "to draw", plot);
}

/* Tells a refusal, and writes the part that was reached into the files that the whole was
   to go into; none is a table without a row, in place of one of an earlier run. Standard
   output stays empty: nobody takes a part there for the whole. */
static enum exit_status tell_refusal(struct run_job *job)
{
    const char *csv = args_text(job->args, OPTION_OUT, NULL);
    const char *plot = args_text(job->args, OPTION_PLOT, NULL);
    enum exit_status status = complain_refusal(job->args, job->model->desc->name,
                                               &job->diagnosis);
    if (status != EXIT_NO_ANSWER || !(csv || plot))
        return status;
    if (!job->trajectory)
        job->trajectory = trajectory_blank(&job->request, NULL);
    bool drawn = plot && job->trajectory->samples > 1;
    bool tabled = csv && (job->trajectory->samples > 0 || access(csv, F_OK) == 0);
    if (!write_files(job, tabled ? csv : NULL, drawn))
        return EXIT_USAGE;
    tell_part(job, csv, plot, drawn);
    return status;
}

/* --- the command -------------------------------------------------------------------- */

static void work(struct task *task)
{
    struct run_job *job = (struct run_job *)task;
    double begun = thread_seconds();
    job->status = run_once(&job->request, &job->trajectory, &job->diagnosis);
    job->seconds = thread_seconds() - begun;
}

static enum exit_status run_case(const struct args *args)
{
    struct run_job job;
    enum exit_status status = EXIT_USAGE;
    if (prepare(&job, args) && outputs_possible(args) && events_possible(args)) {
        struct task *task = &job.task;
        unit_notes_warn(args, job.model->desc);
        job.task.run = work;
        job.task.weight = 1.0;
        snprintf(job.task.title, sizeof job.task.title, "%s, %s", job.model->desc->name,
                 job.request.formulation->name);
        pool_run("run", &task, 1, 1);
        if (job.status == OK)
            status = write_results(&job);
        else
            status = tell_refusal(&job);
    }
    clear(&job);
    return status;
}

static const enum option_id options[] = {
    OPTION_FORMULATION, OPTION_OPT,  OPTION_INTEGRATOR, OPTION_RESET,  OPTION_RULE,
    OPTION_SET,         OPTION_SENS, OPTION_T_END,      OPTION_RTOL,   OPTION_ATOL,
    OPTION_POINTS,      OPTION_MAX_EVENTS, OPTION_MAX_STEP,
    OPTION_MAX_STEPS,    OPTION_OUT,
    OPTION_PLOT,        OPTION_DRAWN,      OPTION_PARAM,        OPTION_KEEP_SCRIPT,
    OPTION_BRIEF_RUN,   OPTION_PLUGIN,     OPTION_TIMEOUT,      OPTIONS,
};

extern const struct command command_run;
const struct command command_run = {
    .name = "run",
    .synopsis = "CASE [OPTION...]",
    .summary = "Integrate a case with its sensitivities; CSV on standard output",
    .text =
        "Columns: t, q.x, v.x, s.x, a.x, lambda.1, z.x, then the same differentiated:\n"
        "dq.x/dRHO. --columns chooses from them, by name (y2, dv.y2/de) or all of a\n"
        "kind (q, v, a, s, lambda, z, dq, dv), and has residuals of the constraints,\n"
        "Phi and Phid; --plot draws the same, without --columns coordinates, velocities\n"
        "and derivatives of coordinates. --param chooses the derivatives.\n"
        "With -o out.csv both sides of every event go to out.events.csv.\n"
        "log10 of their column condition says how many digits of dt_e/drho are lost,\n"
        "log10 of growth how many the motion itself has taken from errors up to there.\n"
        "A run that is refused (exit status 3) leaves in its files what was reached.\n"
        "Costs at the end, psi.x, and their gradients, dpsi.x/dRHO, are printed where\n"
        "standard output is free, with -o, a line for each, quantity,value; else on the\n"
        "terminal.\n"
        "The last line, on standard error, counts steps, refused ones, events, right-\n"
        "hand sides, the largest |Phi| at the ends of steps (n/a without constraints)\n"
        "and seconds of processor time; --brief leaves it out.\n"
        "The default formulation is ode without constraints, else index1; rtol 1e-10.\n\n"
        "  saltus run five-bar --set L01=2.3 --sens L01,e -o out.csv --plot out.svg\n"
        "  saltus run five-bar --plot y2.pdf --columns q.y2,v.y2,dq.y2/de\n",
    .option = options,
    .least = 1,
    .most = 1,
    .apart = true,
    .run = run_case,
};
