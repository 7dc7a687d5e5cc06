/*
 * versus_print.c - the comparison with AUTO-07p as a table and as CSV (versus.h)
 */
#include "bvp/versus.h"

#include <float.h>
#include <math.h>

#include "growth/growth.h"
#include "tables/text_table.h"

/* The motion, and its first bifurcation, side by side; each ends with its time. */
enum { PARTS = 2 };
static const struct { int first, last; } part_of[PARTS] = {
    {VERSUS_PERIOD, VERSUS_MULTIPLIERS}, {VERSUS_PLACE, VERSUS_PLACE_MULTIPLIERS}};
static const char *const heading[VERSUS_QUANTITIES] = {
    "period", "states", "d/drho", "mult.", "place", "states", "mult."};

static void print_time(FILE *out, const double *seconds, const double *own, int rounds)
{
    text_number(out, 8, 1, 1e3*growth_ratio(seconds, NULL, rounds), "-");
    text_number(out, 4, 0, spread(seconds, rounds), "-");
    text_number(out, 6, 1, growth_ratio(seconds, own, rounds), "-");
}

static void print_own(FILE *out, const struct versus *versus, bool place)
{
    fprintf(out, "%-10s", "  saltus");
    for (int part = 0; part < PARTS - !place; part++) {
        fprintf(out, "%*s", 7*(part_of[part].last - part_of[part].first + 1), "");
        print_time(out, versus->own_seconds[part], versus->own_seconds[part],
                   versus->rounds);
    }
    fputc('\n', out);
}

static void print_digits(FILE *out, const struct versus *versus, int quantity, int mesh)
{
    double difference, allowed;
    bool agrees = versus_agrees(versus, quantity, mesh, &difference, &allowed);
    if (versus->quantity[quantity].count == 0)
        fputs("     - ", out);
    else
        fprintf(out, "%6.1f%c", -log10(fmax(difference, DBL_EPSILON)),
                agrees ? ' ' : '!');
}

static void print_mesh(FILE *out, const struct versus *versus, int mesh, bool place)
{
    fprintf(out, "  AUTO %3d", VERSUS_FIRST_MESH << mesh);
    for (int part = 0; part < PARTS - !place; part++) {
        for (int k = part_of[part].first; k <= part_of[part].last; k++)
            print_digits(out, versus, k, mesh);
        print_time(out, versus->seconds[mesh][part], versus->own_seconds[part],
                   versus->rounds);
    }
    fputc('\n', out);
}

static void print_problem(FILE *out, const struct versus *versus)
{
    const struct branch_point *place = versus_place(versus);
    fprintf(out, "%s, %s", versus->problem->name, versus->problem->parameter);
    if (versus->status != OK) {
        fprintf(out, ": not compared: %s\n", versus->diagnosis.place);
        return;
    }
    fprintf(out, ": %d segments, period %.12g", versus->orbit->events,
            versus->orbit->period);
    if (place)
        fprintf(out, "; %s at %.11g", branch_kind_text[place->kind], place->rho);
    fputc('\n', out);
    print_own(out, versus, place);
    for (int mesh = 0; mesh < VERSUS_MESHES; mesh++)
        print_mesh(out, versus, mesh, place);
}

static void print_disagreement(FILE *out, const struct versus *versus)
{
    for (int k = 0; k < VERSUS_QUANTITIES; k++)
        for (int mesh = 1; mesh < VERSUS_MESHES; mesh++) {
            double difference, allowed;
            if (!versus_agrees(versus, k, mesh, &difference, &allowed))
                fprintf(out, "%s, %s: AUTO DISAGREES with %d intervals: %s by %.1e, of "
                        "which its own\ntolerance and change explain %.1e\n",
                        versus->problem->name, versus->problem->parameter,
                        VERSUS_FIRST_MESH << mesh, versus_quantity_text[k], difference,
                        allowed);
        }
}

void versus_print(FILE *out, const struct versus *versus, int count, double rtol)
{
    fprintf(out, "Periodic motions by multiple shooting (rtol %g) and, as boundary value "
            "problems over\nsegments, by AUTO-07p (EPSL = EPSU = EPSS = %g, NCOL = %d, "
            "NTST beside its name).\nDigits on which they agree, !: beyond AUTO's own "
            "tolerance. Time of the processor without\ncompiling, median of %d rounds; "
            "x: as a multiple of that of saltus.\n\n%10s", rtol, auto_tolerance,
            AUTO_NCOL, count > 0 ? versus->rounds : 0, "");
    for (int part = 0; part < PARTS; part++) {
        for (int k = part_of[part].first; k <= part_of[part].last; k++)
            fprintf(out, "%6s ", heading[k]);
        fputs("    [ms] +-%     x", out);
    }
    fputc('\n', out);
    for (int k = 0; k < count; k++)
        print_problem(out, &versus[k]);
    for (int k = 0; k < count; k++)
        if (versus[k].status == OK)
            print_disagreement(out, &versus[k]);
}

/* --- CSV ---------------------------------------------------------------------------- */

static void put_row(FILE *out, const struct versus *versus, int quantity, int mesh)
{
    int part = quantity >= VERSUS_PLACE;
    double difference, allowed;
    bool agrees = versus_agrees(versus, quantity, mesh, &difference, &allowed);
    if (versus->quantity[quantity].count == 0)
        return;
    fprintf(out, "%s,%s,%d,%s,%.3e,", versus->problem->name, versus->problem->parameter,
            VERSUS_FIRST_MESH << mesh, versus_quantity_text[quantity], difference);
    if (mesh > 0)
        fprintf(out, "%.3e,%s", allowed, agrees ? "yes" : "no");
    else
        fputc(',', out);
    fprintf(out, ",%.4g,%.4g\n",
            1e3*growth_ratio(versus->seconds[mesh][part], NULL, versus->rounds),
            1e3*growth_ratio(versus->own_seconds[part], NULL, versus->rounds));
}

void versus_csv(FILE *out, const struct versus *versus, int count)
{
    fputs("case,parameter,intervals,quantity,difference,allowed,agrees,auto_ms,"
          "saltus_ms\n", out);
    for (int k = 0; k < count; k++)
        for (int mesh = 0; mesh < VERSUS_MESHES && versus[k].status == OK; mesh++)
            for (int i = 0; i < VERSUS_QUANTITIES; i++)
                put_row(out, &versus[k], i, mesh);
}
