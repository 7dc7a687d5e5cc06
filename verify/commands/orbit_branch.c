/*
 * orbit_branch.c - options and files of branches of periodic motions (orbit_branch.h)
 */
#include "commands/orbit_branch.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/suggest.h"
#include "commands/picture.h"
#include "commands/setup.h"
#include "orbits/branch_report.h"
#include "orbits/curve_report.h"

/* An option, with its name for complaints. */
struct option_of { enum option_id id; const char *name; };

/* Is none of the options given, which belong to another one, or that one, too? */
static bool belong(const struct args *args, const struct option_of *option, int count,
                   const struct option_of *to)
{
    for (int k = 0; k < count && !args_has(args, to->id); k++)
        if (args_has(args, option[k].id)) {
            complain(args, "--%s belongs to --%s", option[k].name, to->name);
            return false;
        }
    return true;
}

bool branch_possible(const struct args *args)
{
    static const struct option_of to_continue = {OPTION_CONTINUE, "continue"};
    static const struct option_of to_second = {OPTION_SECOND, "second"};
    static const struct option_of continued[] = {
        {OPTION_FROM, "from"}, {OPTION_TO, "to"}, {OPTION_STEP, "step"},
        {OPTION_DOUBLINGS, "doublings"}, {OPTION_SECOND, "second"}};
    static const struct option_of second[] = {
        {OPTION_SECOND_TO, "second-to"}, {OPTION_VALUES, "values"}, {OPTION_AT, "at"}};
    if (!belong(args, continued, 5, &to_continue) || !belong(args, second, 3, &to_second))
        return false;
    if (args_has(args, OPTION_SECOND) && !args_has(args, OPTION_SECOND_TO)) {
        complain(args, "--second: the end of the curve is missing; give --second-to");
        return false;
    }
    if (args_has(args, OPTION_CONTINUE) && !args_has(args, OPTION_TO)) {
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
    struct curve_request curve_request;
    struct curve *curve;
    struct curve_report curve_report;
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

static bool choose_kind(struct branch_job *job)
{
    const char *name = args_text(job->args, OPTION_AT, NULL);
    char offer[200];
    if (!name)
        return true;
    for (int kind = BRANCH_FOLD; kind < BRANCH_KINDS; kind++)
        if (strcmp(name, branch_kind_text[kind]) == 0) {
            job->curve_request.kind = (enum branch_kind)kind;
            return true;
        }
    offer_names(name, branch_kind_text + 1, BRANCH_KINDS - 1, offer, sizeof offer);
    complain(job->args, "--at: no kind %s; %s", name, offer);
    return false;
}

/* The second parameter, after the first. */
static bool prepare_curve(struct branch_job *job, const double *value)
{
    const struct args *args = job->args;
    const struct model *model = job->request.orbit.run.model;
    const char *name = args_text(args, OPTION_SECOND, "");
    struct curve_request *request = &job->curve_request;
    long values = 21;
    request->branch = job->request;
    request->second = setup_parameter(args, model, name, "--second");
    if (request->second < 0)
        return false;
    if (request->second == job->parameter) {
        complain(args, "--second: %s is the first parameter", name);
        return false;
    }
    request->second_to = value[request->second];
    if (!args_number(args, OPTION_SECOND_TO, &request->second_to) ||
        !args_count(args, OPTION_VALUES, 2, 100000, &values) || !choose_kind(job))
        return false;
    request->points = (int)values;
    return true;
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
    bool json = args_has(job->args, OPTION_JSON);
    if (job->curve && json)
        curve_report_json(stream, &job->curve_report);
    else if (job->curve)
        curve_report_table(stream, &job->curve_report);
    else if (json)
        branch_report_json(stream, &job->report);
    else
        branch_report_table(stream, &job->report);
}

static void draw(FILE *gnuplot, const void *context)
{
    const struct branch_job *job = context;
    if (job->curve)
        curve_report_plot(gnuplot, &job->curve_report);
    else
        branch_report_plot(gnuplot, &job->report);
}

/* The branch ended before the range did: the reason, and exit status 3, with all points
   kept. */
static enum exit_status ended(const struct branch_job *job)
{
    const char *name = job->request.orbit.run.model->desc->name;
    if (job->curve && job->curve->why.status != OK)
        return complain_refusal(job->args, name, &job->curve->why);
    for (const struct branch *branch = job->branch; branch; branch = branch->next)
        if (branch->end == BRANCH_STUCK)
            return complain_refusal(job->args, name, &branch->why);
    return EXIT_HELD;
}

static enum status follow(struct branch_job *job, struct diagnosis *diagnosis)
{
    if (!args_has(job->args, OPTION_SECOND))
        return branch_follow(&job->request, &job->branch, diagnosis);
    job->curve_request.branch = job->request;
    return curve_follow(&job->curve_request, &job->curve, diagnosis);
}

enum exit_status branch_answer(const struct args *args,
                               const struct orbit_request *request, double *value,
                               int component)
{
    struct branch_job job = {.args = args};
    struct diagnosis diagnosis = {.t = NAN};
    if (!prepare(&job, request, value) ||
        (args_has(args, OPTION_SECOND) && !prepare_curve(&job, value)))
        return EXIT_USAGE;
    job.request.told = tell;
    job.request.context = &job;
    enum status status = follow(&job, &diagnosis);
    if (job.told && isatty(STDERR_FILENO))
        fputs("\r\033[K", stderr);
    if (status != OK)
        return complain_refusal(args, request->run.model->desc->name, &diagnosis);
    job.report = (struct branch_report){&job.request, job.branch,
                                         component < 0 ? 0 : component};
    job.curve_report = (struct curve_report){&job.curve_request, job.curve};
    enum exit_status exit = EXIT_USAGE;
    const struct drawing drawing = {1.5 * COLUMN_WIDTH, COLUMN_WIDTH, draw, &job};
    if (output_print(args, print, &job) && picture_write(args, &drawing))
        exit = ended(&job);
    branch_free(job.branch);
    curve_free(job.curve);
    return exit;
}
