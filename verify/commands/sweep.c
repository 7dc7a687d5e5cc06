/*
 * sweep.c - `saltus sweep CASE`: many trajectories, one row each.
 */
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

#include "base/memory.h"
#include "commands/sweep_request.h"
#include "coverage/never.h"
#include "jobs/pool.h"
#include "sweep/interrupt.h"
#include "sweep/ranks.h"

struct sweep_job {
    struct task task;
    struct sweep_request asked;
    char *heading;
    struct output output;
    struct batches batches;
    atomic_int workers;             /* number of workers that have begun */
};

/* --- computing ---------------------------------------------------------------------- */

/* The default of --jobs: mpirun has as many processes as it was asked for. */
static int default_jobs(void)
{
    return ranks_count() > 1 ? 1 : processors();
}

/* Takes a batch of this process, or from rank 0. */
static bool take(struct sweep_job *job, long *first, int *count)
{
    return ranks_number() == 0 ? batches_take(&job->batches, first, count)
                               : ranks_take(first, count);
}

static void give(struct sweep_job *job, long first, char *lines)
{
    if (ranks_number() == 0)
        batches_give(&job->batches, first, lines);
    else
        ranks_give(first, lines);
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* The number of rows to take next, after so many took so long: enough that handing them
   over costs nothing, few enough that little is lost with a process and nobody waits at
   the end. */
static int pace(int rows, double seconds)
{
    if (seconds < 0.02)
        return 2 * rows < BATCH ? 2 * rows : BATCH;
    return seconds > 0.1 && rows > 1 ? rows / 2 : rows;
}

static void work(struct task *task)
{
    struct sweep_job *job = (struct sweep_job *)task;
    bool writes = ranks_number() == 0;
    if (writes && ranks_count() > 1 && atomic_fetch_add(&job->workers, 1) == 0) {
        ranks_serve(&job->batches);
        return;
    }
    struct worker *worker = worker_open(&job->asked.sweep);
    long first;
    char *lines = "";
    for (int wanted = 1, count = 1; lines && take(job, &first, &count); count = wanted) {
        double start = now();
        lines = worker_batch(worker, first, count);
        if (lines)
            give(job, first, lines);
        wanted = pace(wanted, now() - start);
    }
    worker_close(worker);
}

static void tell(void *context, long rows)
{
    task_items(context, rows);
}

static void compute(struct sweep_job *job)
{
    struct task *task = &job->task;
    bool writes = ranks_number() == 0;
    int workers = (int)job->asked.threads + (writes && ranks_count() > 1);
    task->run = work;
    task->weight = 1.0;
    task->workers = workers;
    snprintf(task->title, sizeof task->title, "%s, %s", job->asked.sweep.desc->name,
             job->asked.sweep.request.formulation->name);
    if (writes) {
        batches_init(&job->batches, &job->output);
        job->batches.tell = tell;
        job->batches.context = task;
        task->items = job->asked.sweep.points.count;
        task->items_before = job->output.rows;
    }
    pool_run(writes ? "sweep" : NULL, &task, 1, workers);
    if (writes)
        batches_clear(&job->batches);
    else
        ranks_leave();
}

/* --- the end ------------------------------------------------------------------------ */

/* Tells how many rows were refused, and how; nothing when all went well. */
static void tell_refusals(const struct sweep_job *job)
{
    const struct output *output = &job->output;
    if (output->status[OK] == output->rows)
        return;
    fprintf(stderr, "saltus sweep: %ld trajectories: %ld ok", output->rows,
            output->status[OK]);
    for (int k = 0; k < STATUSES; k++)
        if (k != OK && output->status[k] > 0)
            fprintf(stderr, ", %ld %s", output->status[k], status_text((enum status)k));
    fputc('\n', stderr);
}

/* Tells events that no trajectory has had; where some trajectory has had any event,
   nobody knows which it was. */
static void tell_absence(const struct sweep_job *job)
{
    char never[400];
    const struct output *output = &job->output;
    never_at_all(job->asked.sweep.model, never, sizeof never);
    if (never[0] && output->events == 0 && output->status[OK] > 0)
        fprintf(stderr, "saltus sweep: %s: %s in %ld trajectories\n",
                job->asked.sweep.desc->name, never, output->rows);
}

static enum exit_status interrupted(const struct sweep_job *job)
{
    const struct output *output = &job->output;
    complain(job->asked.args, "interrupted after %ld of %ld trajectories; %s%s",
             output->rows, job->asked.sweep.points.count,
             *output->part ? "the same command goes on from " : "only with -o FILE can "
                                                                "it be gone on with",
             output->part);
    return EXIT_INTERRUPTED;
}

static enum exit_status finish(struct sweep_job *job)
{
    struct output *output = &job->output;
    if (*output->error)
        return complain(job->asked.args, "%s", output->error);
    if (output->rows < job->asked.sweep.points.count)
        return interrupted(job);
    if (!output_publish(output))
        return complain(job->asked.args, "%s", output->error);
    tell_refusals(job);
    tell_absence(job);
    return EXIT_HELD;
}

/* --- the command -------------------------------------------------------------------- */

/* FILE.part must be no file that an option reads, either. */
static bool part_possible(const struct args *args)
{
    char part[PATH_MAX];
    const char *path = args_text(args, OPTION_OUT, NULL);
    return !path || !output_part(path, part) ||
           args_keep_inputs(args, OPTION_OUT, part);
}

/* Rank 0 reads the command line and has the output. */
static enum exit_status write_rows(struct sweep_job *job, const struct args *args)
{
    const char *path = args_text(args, OPTION_OUT, NULL);
    if (!ranks_told(sweep_request_read(&job->asked, args, default_jobs()) &&
                    part_possible(args)))
        return EXIT_USAGE;
    job->heading = sweep_heading(&job->asked.sweep);
    if (!ranks_agree(job->heading))
        return complain(args, "the ranks do not agree on what is asked: is saltus the "
                        "same everywhere?");
    interrupt_watch();
    const struct output_rows row = sweep_rows(&job->asked.sweep);
    enum output_state state = output_open(&job->output, &row, path, job->heading,
                                          args_has(args, OPTION_RESTART));
    if (!ranks_told(state == OUTPUT_READY)) {
        if (state == OUTPUT_FAILED)
            return complain(args, "%s", job->output.error);
        tell_refusals(job);
        return EXIT_HELD;
    }
    compute(job);
    return finish(job);
}

/* The other ranks say nothing: rank 0 finds the same faults. */
static enum exit_status help_out(struct sweep_job *job, const struct args *args)
{
    if (!ranks_told(true))
        return EXIT_HELD;
    if (sweep_request_read(&job->asked, args, default_jobs()))
        job->heading = sweep_heading(&job->asked.sweep);
    if (ranks_agree(job->heading ? job->heading : "") && ranks_told(true))
        compute(job);
    return EXIT_HELD;
}

static enum exit_status sweep(const struct args *args)
{
    struct sweep_job *job = memory_new(1, sizeof *job);
    ranks_open();
    enum exit_status status = ranks_number() == 0 ? write_rows(job, args)
                                                  : help_out(job, args);
    ranks_close();
    output_close(&job->output);
    sweep_request_clear(&job->asked);
    free(job->heading);
    free(job);
    return status;
}

static const enum option_id options[] = {
    OPTION_GRID,       OPTION_SAMPLE, OPTION_RANGE, OPTION_SEED,    OPTION_LATIN,
    OPTION_COLUMNS,    OPTION_SENS,   OPTION_SET,   OPTION_T_END,   OPTION_FORMULATION,
    OPTION_OPT,        OPTION_RESET,  OPTION_RULE,  OPTION_INTEGRATOR,
    OPTION_RTOL,       OPTION_ATOL,   OPTION_MAX_EVENTS, OPTION_MAX_STEP,
    OPTION_MAX_STEPS,
    OPTION_JOBS,       OPTION_OUT,    OPTION_RESTART,    OPTIONS,
};

extern const struct command command_sweep;
const struct command command_sweep = {
    .name = "sweep",
    .synopsis = "CASE --grid RHO=LO:HI:N [OPTION...]",
    .summary = "Many trajectories over parameter values, a row of CSV each; resumable",
    .text =
        "Rows: index, varied parameters, status, the time reached, number of events,\n"
        "times of the first and the last, steps, then --columns of the end: names as in\n"
        "`saltus run`, psi.x for whole costs, event.2.t for the time of an event; q, v,\n"
        "s, a, lambda, z or psi for all of a kind. Without --sens there are no\n"
        "derivatives. A trajectory that is refused is a row with its status and time; a\n"
        "line on standard error counts them.\n\n"
        "Several --grid make their product, the first slowest; --sample N takes the\n"
        "same N random points at each point of the grid. Rows are in the order of their\n"
        "index and the same to the byte, however many threads or interruptions.\n\n"
        "With -o FILE rows grow in FILE.part, behind lines with '#' that say what they\n"
        "are; killed or stopped by Ctrl-C (exit status 130), the same command goes on\n"
        "where it was. FILE is there when it is complete. Built with make MPI=1 also:\n"
        "mpirun -np 8 saltus sweep ..., one thread a process unless --jobs says more.\n\n"
        "  saltus sweep five-bar --grid L01=2:2.5:11 --grid e=0.5:1:6 -o five.csv\n"
        "  saltus sweep five-bar --sample 1000 --range L01=2:2.5 --range e=0.5:1 \\\n"
        "      --sens L01 --columns psi,event.1.t -o sample.csv\n",
    .option = options,
    .least = 1,
    .most = 1,
    .run = sweep,
};
