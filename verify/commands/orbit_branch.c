/*
 * orbit_branch.c - options and files of branches of periodic motions (orbit_branch.h)
 */
#include "commands/orbit_branch.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "commands/picture.h"
#include "commands/setup.h"
#include "orbits/branch_report.h"

bool branch_possible(const struct args *args)
{
    static const struct { enum option_id id; const char *name; } belong[] = {
        {OPTION_FROM, "from"}, {OPTION_TO, "to"}, {OPTION_STEP, "step"},
        {OPTION_DOUBLINGS, "doublings"}, {OPTION_PLOT, "plot"}};
    bool continued = args_has(args, OPTION_CONTINUE);
    for (size_t k = 0; !continued && k < sizeof belong / sizeof *belong; k++)
        if (args_has(args, belong[k].id)) {
            complain(args, "--%s belongs to --continue", belong[k].name);
            return false;
        }
    if (continued && !args_has(args, OPTION_TO)) {
        complain(args, "--continue: the other end of the range is missing; give --to");
        return false;
    }
    return true;
}

/* All that is asked for, and the answer. */
struct branch_job {
    const struct args *args;
    struct branch_request request;
    int parameter;
    long doublings;
    struct branch *branch;
    struct branch_report report;
    time_t told;
};

static bool prepare(struct branch_job *job, const struct orbit_request *orbit,
                    double *value)
{
    const struct args *args = job->args;
    const struct model *model = orbit->run.model;
    const char *name = args_text(args, OPTION_CONTINUE, "");
    job->parameter = setup_parameter(args, model, name, "--continue");
    if (job->parameter < 0)
        return false;
    struct branch_request *request = &job->request;
    request->orbit = *orbit;
    request->orbit.run.parameters = 1;
    request->orbit.run.parameter = &job->parameter;
    request->to = value[job->parameter];
    if (!args_number(args, OPTION_FROM, &value[job->parameter]) ||
        !args_number(args, OPTION_TO, &request->to) ||
        !args_positive(args, OPTION_STEP, &request->step) ||
        !args_count(args, OPTION_DOUBLINGS, 0, 12, &job->doublings))
        return false;
    request->doublings = (int)job->doublings;
    if (request->to != value[job->parameter])
        return true;
    complain(args, "--to: %s is %.10g at the beginning already", name, request->to);
    return false;
}

/* A line a second, on a terminal. */
static bool tell(void *context, const struct branch *branch)
{
    struct branch_job *job = context;
    time_t now = time(NULL);
    if (isatty(STDERR_FILENO) && now != job->told)
        fprintf(stderr, "\rorbit: %d points, %s = %.8g ", branch->points,
                args_text(job->args, OPTION_CONTINUE, ""),
                branch->point[branch->points - 1].rho);
    job->told = now;
    return true;
}

static void print(FILE *stream, const void *context)
{
    const struct branch_job *job = context;
    if (args_has(job->args, OPTION_JSON))
        branch_report_json(stream, &job->report);
    else
        branch_report_table(stream, &job->report);
}

static void draw(FILE *gnuplot, const void *context)
{
    const struct branch_job *job = context;
    branch_report_plot(gnuplot, &job->report);
}

/* The branch ended before the range did: the reason, and exit status 3, with all points
   kept. */
static enum exit_status ended(const struct branch_job *job)
{
    for (const struct branch *branch = job->branch; branch; branch = branch->next)
        if (branch->end == BRANCH_STUCK)
            return complain_refusal(job->args, job->request.orbit.run.model->desc->name,
                                    &branch->why);
    return EXIT_HELD;
}

enum exit_status branch_answer(const struct args *args,
                               const struct orbit_request *request, double *value)
{
    struct branch_job job = {.args = args};
    struct diagnosis diagnosis = {.t = NAN};
    if (!prepare(&job, request, value))
        return EXIT_USAGE;
    job.request.told = tell;
    job.request.context = &job;
    enum status status = branch_follow(&job.request, &job.branch, &diagnosis);
    if (job.told && isatty(STDERR_FILENO))
        fputs("\r\033[K", stderr);
    if (status != OK)
        return complain_refusal(args, request->run.model->desc->name, &diagnosis);
    job.report = (struct branch_report){&job.request, job.branch, 0};
    enum exit_status exit = EXIT_USAGE;
    if (output_print(args, print, &job) && picture_write(args, draw, &job))
        exit = ended(&job);
    branch_free(job.branch);
    return exit;
}
