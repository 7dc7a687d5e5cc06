/*
 * hessian.c - `saltus gradient CASE --hessian`: methods chosen, computed side by side,
 * and printed (gradient.h)
 */
#include "commands/gradient.h"

#include <stdio.h>
#include <string.h>

#include "base/suggest.h"
#include "commands/picture.h"
#include "commands/setup.h"
#include "gradients/cost_gradient.h"
#include "gradients/hessian_report.h"
#include "jobs/pool.h"
#include "motion/cost.h"

enum { MOST_METHODS = 4, OFFER = 400, USUAL_DIGITS = 20 };
/* Durations that are told beforehand, in seconds of all processors. */
static const double minutes = 300;

/* A method that is asked. */
struct hessian_task {
    struct task task;
    struct hessian_request request;     /* with the progress of this task */
    const struct cost_hessian_method *method;
    struct cost_hessian *hessian;
};

/* --- methods ------------------------------------------------------------------------ */

static bool unknown_method(const struct args *args, const char *name)
{
    const char *known[MOST_METHODS + 1];
    char offer[OFFER];
    int count = 0;
    if (cost_gradient_find(name)) {
        complain(args, "--method: %s has no second derivatives; with --hessian: adjoint, "
                 "certified, all", name);
        return false;
    }
    for (const struct cost_hessian_method *m = cost_hessian_methods; m->name; m++)
        known[count++] = m->name;
    known[count++] = "all";
    offer_names(name, known, count, offer, sizeof offer);
    complain(args, "--method: no method %s; %s", name, offer);
    return false;
}

/* Adds a method once; false: it is there. */
static bool add_method(const struct cost_hessian_method *method,
                const struct cost_hessian_method **chosen, int *count)
{
    for (int k = 0; k < *count; k++)
        if (chosen[k] == method)
            return false;
    chosen[(*count)++] = method;
    return true;
}

static bool choose_methods(const struct args *args,
                           const struct cost_hessian_method **chosen, int *count)
{
    const char *list = args_text(args, OPTION_METHOD, cost_hessian_methods[0].name);
    char name[80];
    *count = 0;
    while (next_in_list(&list, name, sizeof name)) {
        const struct cost_hessian_method *method = cost_hessian_find(name);
        bool all = strcmp(name, "all") == 0;
        for (const struct cost_hessian_method *m = cost_hessian_methods; all && m->name;
             m++)
            add_method(m, chosen, count);
        if (!all && !method)
            return unknown_method(args, name);
        if (!all && !add_method(method, chosen, count)) {
            complain(args, "--method: %s is named twice; once is enough", name);
            return false;
        }
    }
    return true;
}

static bool choose_digits(const struct args *args, int *digits)
{
    long count = USUAL_DIGITS;
    bool good = args_count(args, OPTION_DIGITS, 1, 1000, &count);
    *digits = (int)count;
    return good;
}

bool hessian_possible(const struct args *args)
{
    const struct cost_hessian_method *method[MOST_METHODS];
    int count, digits;
    if (!args_has(args, OPTION_HESSIAN)) {
        if (args_has(args, OPTION_DIGITS))
            complain(args, "--digits: digits are certified of second derivatives; give "
                     "--hessian --method certified");
        return !args_has(args, OPTION_DIGITS);
    }
    if (args_has(args, OPTION_TIMING)) {
        complain(args, "--timing: times are those of gradients, not of --hessian");
        return false;
    }
    if (!choose_methods(args, method, &count) || !choose_digits(args, &digits))
        return false;
    bool certified = false;
    for (int k = 0; k < count; k++)
        certified = certified || strcmp(method[k]->name, "certified") == 0;
    if (args_has(args, OPTION_DIGITS) && !certified)
        complain(args, "--digits: digits are certified by --method certified");
    return certified || !args_has(args, OPTION_DIGITS);
}

/* --- computed ----------------------------------------------------------------------- */

static void work(struct task *task)
{
    struct hessian_task *asked = (struct hessian_task *)task;
    cost_hessian_ask(asked->method, &asked->request, asked->hessian);
}

/* Says beforehand how long it takes where that is minutes. */
static void tell_duration(const struct args *args, double seconds)
{
    char text[40];
    if (seconds < minutes)
        return;
    duration_text(seconds, text, sizeof text);
    complain(args, "this may take %s, by a rough estimate; --sens names fewer parameters",
             text);
}

static void compute(const struct args *args, const struct hessian_report *report,
                    struct cost_hessian *hessian)
{
    struct hessian_task asked[MOST_METHODS] = {0};
    struct task *task[MOST_METHODS];
    const struct model *model = report->request->adjoint.run.model;
    for (int k = 0; k < report->methods; k++) {
        bool in_double = report->method[k] == cost_hessian_methods;
        double seconds = in_double ? 0 : cost_hessian_seconds(report->request);
        tell_duration(args, seconds / report->request->threads);
        task[k] = &asked[k].task;
        asked[k].request = *report->request;
        asked[k].request.adjoint.run.progress = task_progress;
        asked[k].request.adjoint.run.progress_context = task[k];
        asked[k].method = report->method[k];
        asked[k].hessian = &hessian[k];
        task[k]->run = work;
        task[k]->weight = 1.0 + seconds;
        snprintf(task[k]->title, sizeof task[k]->title, "%s, %s", model->desc->name,
                 report->method[k]->name);
    }
    pool_run("gradient", task, report->methods, processors());
}

/* --- answers ------------------------------------------------------------------------ */

/* An answer, printed in either form. */
struct answer {
    const struct hessian_report *report;
    bool json;
};

static void print(FILE *stream, const void *context)
{
    const struct answer *answer = context;
    if (answer->json)
        hessian_report_json(stream, answer->report);
    else
        hessian_report_table(stream, answer->report);
}

/* Nothing is written where the only method is refused. The first one decides. */
static enum exit_status print_answer(const struct args *args,
                                     const struct hessian_report *report)
{
    const struct answer answer = {report, args_has(args, OPTION_JSON)};
    const struct cost_hessian *first = &report->hessian[0];
    enum exit_status status = EXIT_HELD;
    if (first->status != OK)
        status = gradient_refusal(args, &report->request->adjoint, &first->diagnosis);
    if (status == EXIT_USAGE || (status != EXIT_HELD && report->methods == 1))
        return status;
    return output_print(args, print, &answer) ? status : EXIT_USAGE;
}

enum exit_status hessian_answer(const struct args *args,
                                const struct adjoint_request *request)
{
    const struct cost_hessian_method *method[MOST_METHODS];
    struct cost_hessian hessian[MOST_METHODS] = {0};
    struct hessian_request asked = {.adjoint = *request, .threads = processors()};
    struct hessian_report report = {.request = &asked, .method = method,
                                    .hessian = hessian};
    if (!choose_methods(args, method, &report.methods) ||
        !choose_digits(args, &asked.digits))
        return EXIT_USAGE;
    compute(args, &report, hessian);
    enum exit_status status = print_answer(args, &report);
    for (int k = 0; k < report.methods; k++)
        cost_hessian_clear(&hessian[k]);
    return status;
}
