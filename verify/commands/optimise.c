/*
 * optimise.c - `saltus optimise CASE`: minimise a cost over parameters, through events.
 */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/standard.h"
#include "commands/optimise_request.h"
#include "commands/picture.h"
#include "jobs/pool.h"
#include "optimise/report.h"
#include "sweep/interrupt.h"

struct optimise_job {
    struct task task;
    struct optimise_request asked;
    struct optimisation *optimisation;
    struct uncertainty *uncertainty;    /* NULL: not asked for, or there is no answer */
    char *heading;
    bool kept;                  /* rows go to `output` */
    bool complete;              /* the file has all rows already */
    struct output output;
};

/* --- the file of evaluations -------------------------------------------------------- */

/* FILE.part must be no file that an option reads or writes, either. */
static bool part_possible(const struct args *args)
{
    char part[PATH_MAX];
    const char *path = args_text(args, OPTION_OUT, NULL);
    return !path || !output_part(path, part) || args_keep_inputs(args, OPTION_OUT, part);
}

/* --resume asks for rows that are there. */
static bool rows_there(struct optimise_job *job)
{
    const struct args *args = job->asked.args;
    if (!args_has(args, OPTION_RESUME) || job->output.rows > 0)
        return true;
    complain(args, "--resume: %s has no evaluation; leave it out to begin",
             *job->output.part ? job->output.part : args_text(args, OPTION_OUT, ""));
    return false;
}

static bool open_output(struct optimise_job *job)
{
    const struct args *args = job->asked.args;
    const char *path = args_text(args, OPTION_OUT, NULL);
    const struct output_rows row = optimisation_rows(job->optimisation);
    if (!path)
        return true;
    job->heading = optimisation_heading(job->optimisation);
    enum output_state state = output_open(&job->output, &row, path, job->heading,
                                          args_has(args, OPTION_RESTART));
    job->kept = state != OUTPUT_FAILED;
    job->complete = state == OUTPUT_COMPLETE;
    if (job->kept)
        return rows_there(job);
    complain(args, "%s", job->output.error);
    return false;
}

static bool write_row(void *context, const char *line)
{
    struct optimise_job *job = context;
    return !job->kept || (!job->complete && output_append(&job->output, line));
}

static void tell(void *context, long evaluations)
{
    struct optimise_job *job = context;
    task_items(&job->task, evaluations);
}

/* --- options ------------------------------------------------------------------------ */

/* Only a file is taken up again, and only one of both ways is asked for. */
static bool choices_fit(const struct args *args)
{
    bool resume = args_has(args, OPTION_RESUME), restart = args_has(args, OPTION_RESTART);
    if (resume && restart)
        complain(args, "--resume and --restart are opposites; give one of them");
    else if ((resume || restart) && !args_has(args, OPTION_OUT))
        complain(args, "--%s is of a file; give -o FILE", resume ? "resume" : "restart");
    else
        return true;
    return false;
}

static bool prepare(struct optimise_job *job, const struct args *args)
{
    struct diagnosis diagnosis = {.t = NAN};
    if (!optimise_request_read(&job->asked, args) || !choices_fit(args) ||
        !picture_possible(args) || !part_possible(args))
        return false;
    job->asked.request.write = write_row;
    job->asked.request.tell = tell;
    job->asked.request.context = job;
    job->optimisation = optimisation_new(&job->asked.request, &diagnosis);
    if (job->optimisation)
        return open_output(job);
    complain_refusal(args, job->asked.model->desc->name, &diagnosis);
    return false;
}

/* --- the end ------------------------------------------------------------------------ */

static void draw(FILE *gnuplot, const void *context)
{
    optimisation_plot(gnuplot, context);
}

static enum exit_status interrupted(struct optimise_job *job)
{
    struct output *output = &job->output;
    output_close(output);
    complain(job->asked.args, "interrupted after %d evaluations; %s%s",
             job->optimisation->asked,
             *output->part ? "the same command goes on from " : "only with -o FILE can "
                                                                "it be gone on with",
             output->part);
    return EXIT_INTERRUPTED;
}

static void print_report(const struct optimise_job *job)
{
    const struct optimisation *o = job->optimisation;
    if (args_has(job->asked.args, OPTION_JSON))
        optimisation_report_json(stdout, o, job->uncertainty);
    else
        optimisation_report(stdout, o, job->uncertainty);
}

/* The optimisation did not come to an answer. */
static enum exit_status no_answer(struct optimise_job *job)
{
    const struct args *args = job->asked.args;
    const struct optimisation *o = job->optimisation;
    if (o->stop == STOP_INTERRUPTED)
        return interrupted(job);
    if (o->stop == STOP_RECORD || (o->stop == STOP_WRITING && job->complete))
        return complain(args, "%s: its rows are not the way of this saltus, from "
                        "evaluation %d on; --restart begins anew",
                        args_text(args, OPTION_OUT, ""), o->asked);
    if (o->stop == STOP_WRITING)
        return complain(args, "%s", job->output.error);
    return complain_refusal(args, job->asked.model->desc->name, &o->diagnosis);
}

static enum exit_status finish(struct optimise_job *job)
{
    const struct optimisation *o = job->optimisation;
    if (o->best < 0 || o->stop == STOP_INTERRUPTED || o->stop == STOP_WRITING ||
        o->stop == STOP_RECORD)
        return no_answer(job);
    if (job->kept && !job->complete && !output_publish(&job->output))
        return complain(job->asked.args, "%s", job->output.error);
    const struct drawing drawing = {PAGE_WIDTH, 110, draw, job->optimisation};
    if (!picture_write(job->asked.args, &drawing))
        return EXIT_USAGE;
    if (!standard_taken())
        print_report(job);
    bool uncertain = !job->uncertainty || job->uncertainty->status == OK;
    return o->stop == STOP_GRADIENT && uncertain ? EXIT_HELD : EXIT_SHORT;
}

/* --- the command -------------------------------------------------------------------- */

static void work(struct task *task)
{
    struct optimise_job *job = (struct optimise_job *)task;
    struct optimisation *o = job->optimisation;
    optimisation_run(o);
    if (!job->asked.uncertain || o->best < 0)
        return;
    job->uncertainty = optimisation_uncertainty(o, &job->asked.uncertainty);
    /* an interruption is no refusal of second derivatives */
    if (job->uncertainty->status != OK && interrupt_seen())
        o->stop = STOP_INTERRUPTED;
}

static enum exit_status optimise(const struct args *args)
{
    struct optimise_job *job = memory_new(1, sizeof *job);
    struct task *task = &job->task;
    enum exit_status status = EXIT_USAGE;
    job->output.descriptor = -1;
    interrupt_watch();
    if (prepare(job, args)) {
        task->run = work;
        task->weight = 1.0;
        task->items = job->asked.request.max_evaluations;
        snprintf(task->title, sizeof task->title, "%s, %s", job->asked.model->desc->name,
                 job->asked.request.algorithm->name);
        pool_run("optimise", &task, 1, 1);
        status = finish(job);
    }
    output_drop(&job->output);
    uncertainty_free(job->uncertainty);
    optimisation_free(job->optimisation);
    optimise_request_clear(&job->asked);
    free(job->heading);
    free(job);
    return status;
}

static const enum option_id options[] = {
    OPTION_COST,       OPTION_OVER,     OPTION_BOUNDS,     OPTION_START,
    OPTION_MAXIMISE,   OPTION_ALGORITHM, OPTION_METHOD,    OPTION_GRADIENT_TOLERANCE,
    OPTION_MAX_EVALUATIONS, OPTION_SET, OPTION_T_END,      OPTION_FORMULATION,
    OPTION_OPT,        OPTION_RESET,    OPTION_RULE,       OPTION_INTEGRATOR,
    OPTION_RTOL,       OPTION_ATOL,     OPTION_MAX_EVENTS, OPTION_MAX_STEP,
    OPTION_MAX_STEPS,
    OPTION_UNCERTAINTY, OPTION_READINGS, OPTION_JSON,
    OPTION_OUT,        OPTION_RESUME,   OPTION_RESTART,    OPTION_PLOT,
    OPTION_KEEP_SCRIPT,
    OPTIONS,
};

extern const struct command command_optimise;
const struct command command_optimise = {
    .name = "optimise",
    .synopsis = "CASE --cost K --over A,B [OPTION...]",
    .summary = "Minimise a cost over parameters, through events, by its gradient",
    .text =
        "Ends when the norm of the gradient is --gradient-tolerance (1e-8) of that at\n"
        "the start: by variables in the width of their bounds, or else the size of\n"
        "their start, without what pushes against an active bound. Exit status 1: it\n"
        "was not reached, or the cost curves downwards there or is flat, so that it is\n"
        "no minimum; the last line says which. A point where the run is refused\n"
        "shortens the step; other events than before are named, for the cost may jump\n"
        "there. saltus --version says which library minimises, NLopt or GSL, which has\n"
        "lbfgs alone and takes no bounds.\n\n"
        "--uncertainty: standard deviations and correlations of parameters that are\n"
        "fitted, by second derivatives at the optimum; exit status 1 where there are\n"
        "none, with the reason. The cost is a sum of squared deviations, each\n"
        "  known   by its variance: covariance 2 H^-1; --readings N: psi is compared\n"
        "          with N less the number of parameters\n"
        "  equal   of one variance, which is estimated: 2 H^-1 psi/(N - parameters)\n"
        "A parameter at a bound is held; it has no deviation.\n\n"
        "-o FILE has a row for every evaluation: parameters, cost, gradient, norm,\n"
        "events. It grows as FILE.part; killed or stopped by Ctrl-C (exit status 130),\n"
        "the same command goes on where it was.\n\n"
        "  saltus optimise five-bar --cost path --over L01,L02 --bounds L01=2:2.5\n"
        "  saltus optimise ball-tracked --cost misfit --over e,mu,u0,h0 \\\n"
        "    --uncertainty known --readings 20\n",
    .option = options,
    .least = 1,
    .most = 1,
    .run = optimise,
};
