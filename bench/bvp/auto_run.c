/*
 * auto_run.c - AUTO-07p as a child process (auto_run.h)
 */
#include "bvp/auto_run.h"

#include <dirent.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/whole_file.h"
#include "codegen/compiler.h"
#include "jobs/child.h"

const double auto_tolerance = 1e-10;

enum { COMMAND = 1200, CONSTANTS = 8000 };

const char *auto_place(void)
{
    static char file[400];
    const char *own = getenv("AUTO_DIR"), *place = own && *own ? own
                                                               : "/usr/lib/auto-07p";
    snprintf(file, sizeof file, "%s/lib/toolboxbv.o", place);
    return access(file, R_OK) == 0 ? place : NULL;
}

/* --- children ----------------------------------------------------------------------- */

/* Time of the processor of all children that have ended. */
static double children(void)
{
    struct rusage usage;
    getrusage(RUSAGE_CHILDREN, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           1e-6*(double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

static enum status call(const struct auto_run *run, const char *command,
                        const char *input, struct diagnosis *diagnosis)
{
    const struct child_request request = {
        .who = "AUTO-07p", .input = input, .input_length = input ? strlen(input) : 0,
        .timeout = run->timeout, .set_by = "--timeout"};
    struct child *child = child_command(command);
    char *answer = NULL;
    size_t length;
    if (!child)
        return diagnose(diagnosis, CRASHED, NAN, "AUTO-07p: no process for it");
    enum status status = child_finish(child, &request, &answer, &length, diagnosis);
    free(answer);
    return status;
}

/* --- open and close ----------------------------------------------------------------- */

static enum status make_folder(struct auto_run *run, struct diagnosis *diagnosis)
{
    snprintf(run->folder, sizeof run->folder, "/tmp/saltus-auto-XXXXXX");
    if (mkdtemp(run->folder))
        return OK;
    run->folder[0] = '\0';
    return diagnose(diagnosis, BAD_ANSWER, NAN, "no folder can be made in /tmp");
}

/* libgfortran and libgomp are those that the package was built with. */
static enum status compile(const struct auto_run *run, struct diagnosis *diagnosis)
{
    char command[COMMAND];
    snprintf(command, sizeof command, "cd %s && exec %s -O2 -w -o bvp bvp_*.c "
             "'%s'/lib/*.o -lgfortran -lgomp -lm", run->folder, compiler_name(),
             auto_place());
    return call(run, command, NULL, diagnosis);
}

enum status auto_open(struct auto_run *run, const struct bvp *bvp, double timeout,
                      struct diagnosis *diagnosis)
{
    *run = (struct auto_run){.bvp = bvp, .timeout = timeout};
    if (!auto_place())
        return diagnose(diagnosis, NOT_APPLICABLE, NAN, "AUTO-07p is not installed; make "
                        "AUTO=1 deps installs it, AUTO_DIR says where it is");
    enum status status = make_folder(run, diagnosis);
    if (status == OK)
        status = bvp_write(bvp, run->folder, diagnosis);
    return status == OK ? compile(run, diagnosis) : status;
}

void auto_close(struct auto_run *run)
{
    DIR *folder = run->folder[0] ? opendir(run->folder) : NULL;
    for (struct dirent *file; folder && (file = readdir(folder));)
        if (file->d_name[0] != '.')
            unlinkat(dirfd(folder), file->d_name, 0);
    if (!folder)
        return;
    closedir(folder);
    rmdir(run->folder);
    run->folder[0] = '\0';
}

/* --- constants ---------------------------------------------------------------------- */

/* A file of constants in the making. */
struct constants { char text[CONSTANTS]; int length; };

__attribute__((format(printf, 2, 3)))
static void put(struct constants *constants, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    constants->length += vsnprintf(constants->text + constants->length,
                                   (size_t)(CONSTANTS - constants->length), format, list);
    va_end(list);
    if (constants->length >= CONSTANTS)
        slip("constants of AUTO are longer than %d", CONSTANTS);
}

/* Sizes and tolerances; derivatives by the text, of columns by AUTO's differences. The
   free parameters are `first` and all durations. */
static void put_problem(struct constants *constants, const struct auto_run *run, int mesh,
                        int columns, int first)
{
    const struct bvp *bvp = run->bvp;
    put(constants, "IPS=4, NDIM=%d, NBC=%d, NINT=0, NPAR=%d, IRS=%d\nICP=[%d",
        bvp_unknowns(bvp, columns), bvp_conditions(bvp, columns), bvp_parameters(bvp),
        run->last, 1 + first);
    for (int c = 0; c <= columns; c++)
        for (int k = 0; k < bvp->orbit->events; k++)
            put(constants, ", %d", 1 + bvp_duration(bvp, c, k));
    put(constants, "]\nNTST=%d, NCOL=%d, EPSL=%g, EPSU=%g, EPSS=%g\nITMX=9, ITNW=9, "
        "NWTN=9, JAC=%d, ISW=1, ISP=0, MXBF=0, NPR=0, IPLT=0, IID=2\n", mesh, AUTO_NCOL,
        auto_tolerance, auto_tolerance, auto_tolerance, columns == 0);
}

/* Steps in the parameter that no equation contains: each is Newton's method at the same
   orbit, and adapts the mesh to it. */
static void put_still(struct constants *constants, int points, bool adapted)
{
    put(constants, "NMX=%d, IAD=%d, ILP=0, DS=0.1, DSMIN=0.001, DSMAX=0.1, IADS=0\n",
        points, adapted);
}

/* --- runs --------------------------------------------------------------------------- */

/* The last solution of fort.8, which becomes fort.3. */
static enum status take(struct auto_run *run, struct auto_solution *out,
                        struct diagnosis *diagnosis)
{
    char from[100], to[100], why[200];
    snprintf(from, sizeof from, "%s/fort.8", run->folder);
    snprintf(to, sizeof to, "%s/fort.3", run->folder);
    char *text = whole_file(from);
    bool good = auto_solution_read(text ? text : "", out, why, sizeof why);
    free(text);
    if (!good)
        return diagnose(diagnosis, BAD_ANSWER, NAN, "AUTO-07p: %s", why);
    if (out->type == AUTO_FAILED)
        return diagnose(diagnosis, NO_CONVERGENCE, NAN, "AUTO-07p: Newton's method does "
                        "not converge, or steps become too short");
    run->last = out->label;
    return rename(from, to) == 0 ? OK : diagnose(diagnosis, BAD_ANSWER, NAN, "AUTO-07p: "
                                                 "%s cannot be written", to);
}

/* One thread: the work of the problem's functions is in one place. */
static enum status run_once_with(struct auto_run *run, const struct constants *constants,
                                 struct auto_solution *out, struct diagnosis *diagnosis)
{
    char command[COMMAND];
    double before = children();
    snprintf(command, sizeof command, "cd %s && OMP_NUM_THREADS=1 exec ./bvp > log",
             run->folder);
    enum status status = call(run, command, constants->text, diagnosis);
    run->seconds += children() - before;
    return status == OK ? take(run, out, diagnosis) : status;
}

enum status auto_solve(struct auto_run *run, int mesh, struct auto_solution *out,
                       struct diagnosis *diagnosis)
{
    *out = (struct auto_solution){.label = 0};
    for (int pass = run->last > 0; pass < 2; pass++) {
        /* The first step leaves the guess; a longer run would go on along the way from
           there. */
        struct constants constants = {.length = 0};
        put_problem(&constants, run, mesh, 0, bvp_idle(run->bvp));
        put_still(&constants, pass == 0 ? 2 : 4, true);
        auto_solution_clear(out);
        enum status status = run_once_with(run, &constants, out, diagnosis);
        if (status != OK)
            return status;
    }
    return OK;
}

enum status auto_columns(struct auto_run *run, int mesh, struct auto_solution *out,
                         struct diagnosis *diagnosis)
{
    struct constants constants = {.length = 0};
    put_problem(&constants, run, mesh, bvp_columns(run->bvp), bvp_idle(run->bvp));
    put_still(&constants, 2, false);
    return run_once_with(run, &constants, out, diagnosis);
}

enum status auto_follow(struct auto_run *run, int mesh, double to,
                        struct auto_solution *out, struct diagnosis *diagnosis)
{
    const struct bvp *bvp = run->bvp;
    struct constants constants = {.length = 0};
    double range = to - bvp->value[bvp->parameter];
    put_problem(&constants, run, mesh, 0, BVP_RHO);
    put(&constants, "NMX=1000, IAD=1, ILP=1, SP=['LP1'], UZSTOP={1: %.17g}\n"
        "DS=%g, DSMIN=%g, DSMAX=%g, IADS=1\n", to, range/50, fabs(range)*1e-6,
        fabs(range)/10);
    return run_once_with(run, &constants, out, diagnosis);
}
