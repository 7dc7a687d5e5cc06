/*
 * orbit_certified.c - `saltus orbit CASE --certify`: an orbit certified, printed and
 * stored (orbit_certified.h)
 */
#include "commands/orbit_certified.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

#include "base/outfile.h"
#include "base/printable.h"
#include "commands/picture.h"
#include "commands/setup.h"
#include "jobs/pool.h"
#include "motion/reference_motion.h"
#include "orbits/certified_orbit.h"

enum { USUAL_DIGITS = 40, PATH_ROOM = 1500 };

/* An orbit, while it is certified. */
struct certifying {
    struct task task;
    const struct args *args;
    struct orbit_request request;       /* with the progress of the task */
    const struct orbit *orbit;
    int digits;
    struct certificate *certificate;
    struct diagnosis diagnosis;
    enum status status;
};

static bool choose_digits(const struct args *args, int *digits)
{
    long count = USUAL_DIGITS;
    bool good = args_count(args, OPTION_DIGITS, 10, 1000, &count);
    *digits = (int)count;
    return good;
}

bool orbit_certify_possible(const struct args *args, const struct case_desc *desc)
{
    static const struct { enum option_id id; const char *name; } only[] = {
        {OPTION_DIGITS, "--digits"}, {OPTION_DIRECTORY, "--directory"}};
    int digits;
    for (size_t i = 0; i < 2 && !args_has(args, OPTION_CERTIFY); i++)
        if (args_has(args, only[i].id)) {
            complain(args, "%s: digits are certified by --certify", only[i].name);
            return false;
        }
    if (!args_has(args, OPTION_CERTIFY))
        return true;
    if (args_has(args, OPTION_JSON)) {
        complain(args, "--json: certified orbits are printed as text, and stored as text "
                 "that programs can read; leave it out");
        return false;
    }
    return choose_digits(args, &digits) &&
           setup_folder(args, args_text(args, OPTION_DIRECTORY, values_folder(desc)),
                        false);
}

static void work(struct task *task)
{
    struct certifying *c = (struct certifying *)task;
    c->status = certified_orbit_make(&c->request, c->orbit, c->digits, processors(),
                                     &c->certificate, &c->diagnosis);
}

/* Writes the file. A symbolic link stays: the file that it leads to is written. */
static enum status store(struct certifying *c, char *path, int size)
{
    struct destination destination;
    const char *folder = args_text(c->args, OPTION_DIRECTORY,
                                   values_folder(c->request.run.model->desc));
    enum status status = certified_orbit_path(&c->request, c->orbit, folder, path, size,
                                              &c->diagnosis);
    if (status == OK)
        status = setup_destination(path, &destination, &c->diagnosis);
    return status == OK
               ? certificate_write(c->certificate, destination.path, &c->diagnosis)
               : status;
}

static void print(FILE *stream, const void *context)
{
    const struct certifying *c = context;
    struct orbit_agreement agreement;
    certified_orbit_table(stream, c->certificate, c->digits);
    if (certified_orbit_compare(c->certificate, &c->request, c->orbit, &agreement))
        certified_orbit_line(stream, c->certificate, &agreement);
}

enum exit_status orbit_certify(const struct args *args,
                               const struct orbit_request *request,
                               const struct orbit *orbit)
{
    struct certifying c = {.args = args, .request = *request, .orbit = orbit};
    struct task *task = &c.task;
    const char *name = request->run.model->desc->name;
    char path[PATH_ROOM] = "";
    if (!choose_digits(args, &c.digits))
        return EXIT_USAGE;
    c.request.run.progress = task_progress;
    c.request.run.progress_context = task;
    c.task.run = work;
    c.task.weight = 1;
    snprintf(c.task.title, sizeof c.task.title, "%.100s", name);
    pool_run("orbit", &task, 1, 1);
    if (c.status == OK)
        c.status = store(&c, path, sizeof path);
    enum exit_status status = EXIT_HELD;
    if (c.status != OK)
        status = complain_refusal(args, name, &c.diagnosis);
    else if (!output_print(args, print, &c))
        status = EXIT_USAGE;
    if (status == EXIT_HELD && !args_has(args, OPTION_OUT)) {
        fputs("stored: ", stdout);
        print_printable(stdout, path);
        fputc('\n', stdout);
    }
    if (c.certificate)
        certificate_free(c.certificate);
    return status;
}

void orbit_certified_print(FILE *stream, const struct orbit_request *request,
                           const struct orbit *orbit)
{
    struct diagnosis diagnosis = {.t = NAN};
    struct certificate *certificate = NULL;
    struct orbit_agreement agreement;
    char path[PATH_ROOM];
    const char *folder = values_folder(request->run.model->desc);
    if (certified_orbit_path(request, orbit, folder, path, sizeof path, &diagnosis) != OK
        || access(path, R_OK) != 0)
        return;
    fputc('\n', stream);
    if (mp_orbit_read(path, request->run.model, &certificate, &diagnosis) != OK)
        fprintf(stream, "certified values cannot be read: %s\n", diagnosis.place);
    else if (certified_orbit_compare(certificate, request, orbit, &agreement))
        certified_orbit_line(stream, certificate, &agreement);
    else
        fputs("certified values are those of another motion: groups that advance\n",
              stream);
    if (certificate)
        certificate_free(certificate);
}
