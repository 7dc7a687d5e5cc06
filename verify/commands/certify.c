/*
 * certify.c - `saltus certify CASE...`: make certified values by two routes in MPFR.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/outfile.h"
#include "base/printable.h"
#include "commands/setup.h"
#include "commands/unit_notes.h"
#include "coverage/never.h"
#include "file/model_file.h"
#include "jobs/pool.h"
#include "mechanisms/catalogue.h"
#include "motion/known_values.h"
#include "motion/reference_motion.h"
#include "motion/samples.h"
#include "reference.h"
#include "verdict/row_status.h"

enum { MANY_MOTIONS = 32 };

/* One file of certified values, while it is made. */
struct making {
    struct task task;
    const struct args *args;
    struct model *model;
    struct reference_motion motion;
    int digits, threads;
    int sweep;                  /* 0: the variational route runs, 1: the differences; then
                                   again at a higher precision */
    double last;
    bool exact_answered;        /* the exact motion of the case has been certified with
                                   numbers */
    struct certificate *certificate;
    struct diagnosis diagnosis;
    enum status status;
};

/* Each route tells its progress from 0 to 1; calls come one at a time. */
static bool progress(void *context, double done)
{
    struct making *making = context;
    if (done < making->last && making->sweep++ == 0)
        task_part(&making->task, 0.1, 1.0);
    making->last = done;
    if (making->sweep > 1)
        return true;            /* nothing more to tell: the precision was raised */
    return task_progress(&making->task, done);
}

static void work(struct task *task)
{
    struct making *making = (struct making *)task;
    const struct model *model = making->model;
    struct samples samples;
    making->status = choose_samples(model, &samples, &making->diagnosis);
    if (making->status != OK)
        return;
    task_part(task, 0.0, 0.1);
    int *parameter = calloc((size_t)model->p + 1, sizeof *parameter);
    const char **nominal = calloc((size_t)model->p + 1, sizeof *nominal);
    if (!parameter || !nominal)
        memory_exhausted();
    const struct reference_request request = {
        .model = model, .truth = making->motion.truth, .digits = making->digits,
        .parameters = model_sensitivities(model, parameter), .parameter = parameter,
        .value = nominal, .samples = samples.reference_count,
        .sample = samples.reference, .progress = progress, .progress_context = making,
    };
    making->status = certify(&request, making->digits, making->threads,
                             &making->certificate, &making->diagnosis);
    free(parameter);
    free(nominal);
}

/* Says what was certified: numbers, or a refusal. */
static void say(const struct certificate *made, const char *path)
{
    const struct diagnosis *one = &made->refusal, *other = &made->other_refusal;
    char never[400] = "";
    if (one->status == OK)
        never_in_reference(made->trajectory, never, sizeof never);
    print_printable(stdout, path);
    if (one->status == OK)
        printf(": %d digits agreed, %d carried, %d samples, %d events%s%s\n",
               made->agreed, made->digits, made->trajectory->samples,
               made->trajectory->events, never[0] ? "; " : "", never);
    else
        printf(": refused, and that is certified (%d digits of the time)\n"
               "  variational  %s at t = %.15g: %s\n"
               "  differences  %s: %s\n", made->agreed, status_text(one->status),
               one->t, one->place, status_text(other->status), other->place);
    fflush(stdout);
}

/* Do the digits of a stored file come out again? Steps and order of the series, and with
   them the digits beyond those agreed, may be others. */
static enum exit_status compare(const struct making *making, const char *folder,
                                const char *name)
{
    char path[1200];
    struct certificate *stored;
    struct diagnosis diagnosis;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    enum status status = certificate_read(path, making->model, &stored, &diagnosis);
    if (status != OK)
        return complain_refusal(making->args, path, &diagnosis);
    double digits = certificate_agreement(making->certificate, stored);
    bool again = digits >= stored->agreed;
    print_printable(stdout, path);
    printf(": %.1f digits come out again, %d are certified there%s\n",
           digits_to(digits, 1), stored->agreed, again ? "" : ": SHORT");
    certificate_free(stored);
    return again ? EXIT_HELD : EXIT_SHORT;
}

static enum status write_values(struct making *making, const char *path)
{
    struct destination destination;
    enum status status = setup_destination(path, &destination, &making->diagnosis);
    return status == OK ? certificate_write(making->certificate, destination.path,
                                            &making->diagnosis) : status;
}

/* Is the case there to be refused? Its class says so, or the refusal is that of a penalty
   motion beside an exact one with numbers. */
static bool is_meant(const struct making *making)
{
    const struct case_desc *desc = making->model->desc;
    return making->certificate->refusal.status == OK || case_is_refused(desc) ||
           (!is_exact(&making->motion.truth) &&
            (making->exact_answered || exact_is_answered(desc)));
}

static enum exit_status complain_unmeant(const struct making *making)
{
    const struct diagnosis *refusal = &making->certificate->refusal;
    const char *name = making->model->desc->name;
    complain(making->args, "%s has no answer: %s at t = %.9g: %s; mend the case, or, if "
             "that is its answer, add refused to its classes; nothing is certified", name,
             status_text(refusal->status), refusal->t, refusal->place);
    return EXIT_NO_ANSWER;
}

static enum exit_status make(struct making *making, const char *folder)
{
    const struct args *args = making->args;
    struct task *task = &making->task;
    char name[160], path[1200];
    certificate_name(making->model, &making->motion.truth, name, sizeof name);
    snprintf(path, sizeof path, "%s/%s", folder, name);
    making->sweep = 0;
    making->last = 0.0;
    making->task.run = work;
    making->task.weight = 1.0;
    snprintf(making->task.title, sizeof making->task.title, "%.110s", name);
    pool_run("certify", &task, 1, 1);

    enum exit_status status = EXIT_HELD;
    bool meant = making->status != OK || is_meant(making);
    if (making->status == OK && meant)
        making->status = write_values(making, path);
    if (!meant) {
        status = complain_unmeant(making);
    } else if (making->status != OK) {
        status = complain_refusal(args, name, &making->diagnosis);
    } else {
        making->exact_answered |= is_exact(&making->motion.truth) &&
                                  making->certificate->refusal.status == OK;
        say(making->certificate, path);
        if (args_has(args, OPTION_AGAINST_FOLDER))
            status = compare(making, args_text(args, OPTION_AGAINST_FOLDER, NULL), name);
    }
    if (making->certificate)
        certificate_free(making->certificate);
    making->certificate = NULL;
    return status;
}

/* May the motion be missing? A penalty motion may be refused where the exact one is not:
   the guard of a rope that is stretched, say. A motion that was asked for by name may not
   be missing. */
static bool may_be_missing(const struct making *making, const struct formulation *only)
{
    return !only && !is_exact(&making->motion.truth) && making->status != OK &&
           making->status != BAD_INPUT && making->status != PRECISION;
}

static bool already(char made[][160], int count, const char *name)
{
    for (int k = 0; k < count; k++)
        if (strcmp(made[k], name) == 0)
            return true;
    return false;
}

/* Makes every motion that a formulation of this case follows with the resets of the
   model: those that verify asks for. `count`: how many there were. */
static enum exit_status make_all(struct making *making, const struct formulation *only,
                                 const char *folder, int *count)
{
    const char *variant = args_text(making->args, OPTION_VARIANT, "all"), *why;
    char made[MANY_MOTIONS][160];
    enum exit_status status = EXIT_HELD;
    *count = 0;
    for (int k = 0; formulations[k] && status == EXIT_HELD; k++) {
        const char *option[MAX_OPTIONS];
        const struct formulation *formulation = formulations[k];
        if ((only && only != formulation) ||
            !formulation_applies(formulation, making->model, &why))
            continue;
        if (only && !setup_options(making->args, formulation, option))
            return EXIT_USAGE;
        if (!only)
            options_nominal(formulation, option);
        if (reference_motion_of(formulation, making->model, option, &making->motion,
                                &making->diagnosis) != OK)
            return complain_refusal(making->args, formulation->name, &making->diagnosis);
        bool exact = is_exact(&making->motion.truth);
        if (exact ? making->model->reset != RESET_IMPULSIVE
                  : strcmp(variant, "exact") == 0)
            continue;
        char name[160];
        certificate_name(making->model, &making->motion.truth, name, sizeof name);
        if (already(made, *count, name) || *count == MANY_MOTIONS)
            continue;
        memcpy(made[(*count)++], name, sizeof name);
        status = make(making, folder);
        if (may_be_missing(making, only))
            status = EXIT_HELD;
    }
    return status;
}

/* Has the case an event that adds constraints, so that the reset policy matters? */
static bool has_policies(const struct case_desc *desc)
{
    struct model *impulsive = model_new(desc, NULL);
    bool has = false;
    for (int k = 0; impulsive && k < impulsive->events; k++)
        has = has || (impulsive->event[k]->joints &&
                      event_adds_constraints(impulsive->event[k]));
    model_free(impulsive);
    return has;
}

/* The folder that values of a case are written to. */
static const char *folder_for(const struct args *args, const struct case_desc *desc)
{
    return args_text(args, OPTION_DIRECTORY, values_folder(desc));
}

/* Certifies one case: with the policy that is asked for, or with every one that it
   has. */
static enum exit_status certify_case(struct making *making, const struct case_desc *desc,
                                     const struct formulation *only)
{
    const struct args *args = making->args;
    const char *name = case_word(desc), *folder = folder_for(args, desc);
    enum reset_policy first, last = RESET_CONTINUOUS;
    if (!setup_reset(args, &first))
        return EXIT_USAGE;
    if (args_has(args, OPTION_RESET))
        last = first;
    if (last == RESET_CONTINUOUS && !has_policies(desc))
        last = RESET_IMPULSIVE;
    if (first > last)
        return complain(args, "no event of %s adds constraints by an impulse: --reset "
                        "continuous changes nothing", name);
    int all = 0;
    enum exit_status status = EXIT_HELD;
    unit_notes_warn(args, desc);
    for (enum reset_policy reset = first; reset <= last && status == EXIT_HELD; reset++) {
        int count;
        making->model = model_new_with(desc, reset, &making->diagnosis);
        if (!making->model)
            return complain_refusal(args, name, &making->diagnosis);
        status = make_all(making, only, folder, &count);
        all += count;
        model_free(making->model);
    }
    if (status == EXIT_HELD && all == 0)
        return complain(args, "formulation %s does not apply to %s%s",
                        only ? only->name : "", name,
                        first == RESET_CONTINUOUS ? " with these resets" : "");
    return status;
}

/* Can the files be compared with those in `against`? `to`, the folder that is written to,
   is NULL where it does not exist yet. */
static bool against_possible(const struct args *args, const char *against,
                             const struct stat *to)
{
    struct stat from;
    bool there = stat(against, &from) == 0;
    if (!there || !S_ISDIR(from.st_mode)) {
        complain(args, "--against %s: %s; give a folder with certified values", against,
                 strerror(there ? ENOTDIR : errno));
        return false;
    }
    if (!to || to->st_dev != from.st_dev || to->st_ino != from.st_ino)
        return true;
    complain(args, "--against %s: new values would be written over those there; give "
             "another --directory", against);
    return false;
}

/* Asked before hours of work: can files be written to `folder`, which is made where there
   is none, and are there other files to compare them with? A file that was just written
   would be compared with itself. */
static bool folders_possible(const struct args *args, const char *folder)
{
    const char *against = args_text(args, OPTION_AGAINST_FOLDER, NULL);
    struct stat to;
    if (!setup_folder(args, folder, true))
        return false;
    if (against && !against_possible(args, against, stat(folder, &to) == 0 ? &to : NULL))
        return false;
    return setup_folder_made(args, folder);
}

static enum exit_status certify_cases(const struct args *args)
{
    long digits = 40, threads = processors();
    const struct formulation *only;
    const char *variant = args_text(args, OPTION_VARIANT, "all");
    if (!args_count(args, OPTION_DIGITS, 10, 1000, &digits) ||
        !args_count(args, OPTION_JOBS, 1, 256, &threads) ||
        !setup_formulation(args, &only))
        return EXIT_USAGE;
    if (strcmp(variant, "all") != 0 && strcmp(variant, "exact") != 0)
        return complain(args, "--variant: '%s' is neither exact nor all; for one penalty "
                        "motion give --formulation and --opt", variant);
    if (args_has(args, OPTION_OPT) && !only)
        return complain(args, "--opt belongs to a formulation; give --formulation, too");
    if (args->operands == 0)
        return complain(args, "a case is missing; usage: saltus certify CASE...");
    int cases;
    const struct case_desc **desc = setup_cases(args, &cases);
    if (!desc)
        return EXIT_USAGE;
    const char *first = folder_for(args, desc[0]);
    bool made = access(first, F_OK) != 0;
    enum exit_status status = EXIT_HELD;
    for (int k = 0; k < cases && status == EXIT_HELD; k++)
        if (!folders_possible(args, folder_for(args, desc[k])))
            status = EXIT_USAGE;
    for (int k = 0; k < cases && status == EXIT_HELD; k++) {
        struct making making = {.args = args, .digits = (int)digits,
                                .threads = (int)threads, .diagnosis = {.t = NAN}};
        status = certify_case(&making, desc[k], only);
    }
    if (made && status != EXIT_HELD)
        rmdir(first);           /* fails, as it should, where something is in the
                                   folder */
    free(desc);
    return status;
}

static const enum option_id options[] = {
    OPTION_FORMULATION, OPTION_VARIANT, OPTION_OPT, OPTION_RESET, OPTION_DIGITS,
    OPTION_JOBS, OPTION_DIRECTORY, OPTION_AGAINST_FOLDER, OPTIONS,
};

extern const struct command command_certify;
const struct command command_certify = {
    .name = "certify",
    .synopsis = "CASE... [OPTION...]",
    .summary = "Make certified values: two independent routes in MPFR that must agree",
    .text =
        "Variational equations with saltation, and central differences of whole\n"
        "trajectories; the precision is raised until they agree on --digits (default\n"
        "40). Writes CASE.ref, and CASE.penalty-....ref for the motions that penalty\n"
        "formulations follow, into the folder of certified values ($SALTUS_VALUES).\n"
        "Where an event adds constraints, penalty motions of both policies (--reset).\n"
        "Where both routes find that the motion or a derivative does not exist, the\n"
        "file holds that refusal, with its time, if the case is of class refused: in\n"
        "any other a refusal is a mistake of the case, and nothing is written (exit 3).\n"
        "A file has a fingerprint of the formulas it belongs to: values of a case whose\n"
        "formulas have changed are read no more. --stamp writes that of the formulas as\n"
        "they are into values that were made for them, of all cases where none is\n"
        "named.\n",
    .option = options,
    .least = 0,                 /* --stamp takes all cases where none is named */
    .most = -1,
    .writes = true,
    .run = certify_cases,
};
