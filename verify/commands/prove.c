/*
 * prove.c - `saltus prove CASE...`: balls that contain the exact motion, its derivatives
 * and its events.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/printable.h"
#include "certificates/proof.h"
#include "commands/setup.h"
#include "file/model_file.h"
#include "jobs/pool.h"
#include "motion/known_values.h"
#include "motion/samples.h"

/* One case, while it is proved. */
struct proving {
    struct task task;
    const struct case_desc *desc;
    struct model *model;
    int digits;
    char path[1200];
    bool kept;                  /* a proof with as many digits was there */
    double last;                /* progress told last; an attempt with more digits begins
                                   anew */
    struct proof *proof;
    struct diagnosis diagnosis;
    enum status status;
};

static bool progress(void *context, double done)
{
    struct proving *proving = context;
    if (done < proving->last)
        return true;
    proving->last = done;
    return task_progress(&proving->task, done);
}

/* A proof that is there already, as sharp as is asked for, is kept: proving many cases
   can be interrupted and gone on with. */
static bool is_there(struct proving *proving)
{
    struct proof *proof;
    if (proof_read(proving->path, proving->model, &proof, NULL) != OK)
        return false;
    proving->kept = proof->digits >= proving->digits;
    if (proving->kept)
        proving->proof = proof;
    else
        proof_free(proof);
    return proving->kept;
}

static void work(struct task *task)
{
    struct proving *proving = (struct proving *)task;
    struct samples samples;
    proving->model = model_new(proving->desc, &proving->diagnosis);
    proving->status = proving->model ? OK : BAD_INPUT;
    if (proving->status != OK || is_there(proving))
        return;
    proving->status = choose_samples(proving->model, &samples, &proving->diagnosis);
    if (proving->status != OK)
        return;
    int *parameter = memory_new(proving->model->p, sizeof *parameter);
    const struct reference_request request = {
        .model = proving->model, .truth = {.variant = "exact"},
        .parameters = model_sensitivities(proving->model, parameter),
        .parameter = parameter, .samples = samples.reference_count,
        .sample = samples.reference, .progress = progress, .progress_context = proving,
    };
    proving->status = prove(&request, proving->digits, &proving->proof,
                            &proving->diagnosis);
    struct destination destination;
    if (proving->status == OK)
        proving->status = setup_destination(proving->path, &destination,
                                            &proving->diagnosis);
    if (proving->status == OK)
        proving->status = proof_write(proving->proof, destination.path,
                                      &proving->diagnosis);
    free(parameter);
}

/* "198 numbers of pendulum-stop are proved, the narrowest to 52, the widest to 44" */
static void say(const struct proving *proving)
{
    const struct proof_extent extent = proof_extent(proving->proof->motion);
    printf("%ld numbers of ", extent.numbers);
    print_printable(stdout, case_word(proving->desc));
    if (isinf(extent.widest))
        printf(" are proved, all exactly");
    else
        printf(" are proved, the narrowest to %.0f, the widest to %.0f digits",
               floor(extent.narrowest), floor(extent.widest));
    int assumed = proving->proof->motion->assumed;
    if (assumed > 0)
        printf(", if %d constraint%s on others, which no ball can show", assumed,
               assumed == 1 ? " depends" : "s depend");
    if (proving->kept)
        printf("; they were there");
    if (extent.widest < proving->digits)
        printf("; %d were asked for", proving->digits);
    putchar('\n');
    fflush(stdout);
}

static enum exit_status conclude(const struct args *args, const struct proving *proving)
{
    if (proving->status != OK)
        return complain_refusal(args, case_word(proving->desc), &proving->diagnosis);
    say(proving);
    return EXIT_HELD;
}

static bool set_paths(const struct args *args, struct proving *proving)
{
    const char *folder = args_text(args, OPTION_DIRECTORY, values_folder(proving->desc));
    snprintf(proving->path, sizeof proving->path, "%s/%s.proved", folder,
             proving->desc->name);
    return setup_folder(args, folder, true) && setup_folder_made(args, folder);
}

static enum exit_status prove_cases(const struct args *args)
{
    long digits = 30, threads = processors();
    int cases;
    if (!args_count(args, OPTION_DIGITS, 1, 1000, &digits) ||
        !args_count(args, OPTION_JOBS, 1, 256, &threads))
        return EXIT_USAGE;
    const struct case_desc **desc = setup_cases(args, &cases);
    if (!desc)
        return EXIT_USAGE;
    struct proving *proving = memory_new(cases, sizeof *proving);
    struct task **task = memory_new(cases, sizeof *task);
    enum exit_status status = EXIT_HELD;
    for (int k = 0; k < cases && status == EXIT_HELD; k++) {
        proving[k] = (struct proving){.desc = desc[k], .digits = (int)digits,
                                      .diagnosis = {.t = NAN}};
        proving[k].task.run = work;
        proving[k].task.weight = 1;
        snprintf(proving[k].task.title, sizeof proving[k].task.title, "%.110s",
                 case_word(desc[k]));
        task[k] = &proving[k].task;
        if (!set_paths(args, &proving[k]))
            status = EXIT_USAGE;
    }
    if (status == EXIT_HELD) {
        pool_run("prove", task, cases, (int)threads);
        for (int k = 0; k < cases; k++) {
            enum exit_status one = conclude(args, &proving[k]);
            status = one > status ? one : status;
        }
    }
    for (int k = 0; k < cases; k++) {
        proof_free(proving[k].proof);
        model_free(proving[k].model);
    }
    free(proving);
    free(task);
    free(desc);
    return status;
}

static const enum option_id options[] = {
    OPTION_DIGITS, OPTION_JOBS, OPTION_DIRECTORY, OPTIONS,
};

extern const struct command command_prove;
const struct command command_prove = {
    .name = "prove",
    .synopsis = "CASE... [OPTION...]",
    .summary = "Prove a motion: balls that contain every number, in ball arithmetic",
    .text =
        "Encloses the exact motion, its derivatives by every parameter, its events and\n"
        "their jumps in balls (Arb). Of the case only values of its formulas are used;\n"
        "an approximate motion in MPFR says where to look, and is not trusted. Digits\n"
        "are raised until the widest ball has --digits (default 30). Writes CASE.proved\n"
        "into the folder of certified values ($SALTUS_VALUES); a proof that is there,\n"
        "with as many digits, is kept. What cannot be proved is named, with its time:\n"
        "exit 3. `saltus verify` judges certified values and runs by what is proved.\n",
    .option = options,
    .least = 1,
    .most = -1,
    .writes = true,
    .run = prove_cases,
};
