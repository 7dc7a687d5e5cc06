/*
 * plot.c - work-precision diagrams and diagrams of growth, by gnuplot.
 */
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "growth/growth.h"
#include "tables/table.h"

static void begin(FILE *gnuplot, const char *title)
{
    fprintf(gnuplot, "set logscale xy\nset format '1e%%T'\nset mxtics 1\n"
            "set key outside right top vertical\n"
            "set title \"%s\" noenhanced\n", title);
}

/* Begins line k: lines stand in the order of the table, with a comma before all but the
   first. */
static void line(FILE *gnuplot, int k, const char *style, const char *name)
{
    fprintf(gnuplot, "%s$line%d using 1:2 with linespoints %s title \"%s\"",
            k > 0 ? ", \\\n    " : "plot ", k, style, name);
}

/* --- work and precision ------------------------------------------------------------- */

/* The line types of a family of peers, which its members take in turn. The last family
   has the peers of saltus. */
static const struct family { const char *begins; int type[4]; } families[] = {
    {"hand-", {3, 11}},   {"gsl-", {4}},        {"cvodes-", {1, 9, 7, 15}},
    {"idas-", {6, 14}},   {"petsc-", {12, 20}}, {"", {2, 5, 8, 10}},
};

static const struct family *family_of(const char *name)
{
    const struct family *family = families;
    while (strncmp(name, family->begins, strlen(family->begins)) != 0)
        family++;
    return family;
}

static bool is_foreign(const struct peer *peer)
{
    return strstr(peer->build, "Debian builds") != NULL;
}

/* The style of the `member`-th peer of its family. Peers that others built are dashed. */
static void style_of(const struct peer *peer, int member, char *style, size_t size)
{
    const struct family *family = family_of(peer->name);
    int types = 0;
    while (types < 4 && family->type[types])
        types++;
    snprintf(style, size, "lt %d pt %d dt %d", family->type[member%types], 4 + member%6,
             is_foreign(peer) ? 2 : 1);
}

/* Writes the rungs that count; the others would make the line go to and fro. */
static void ladder_data(FILE *gnuplot, int i, const struct ladder *ladder, int rounds)
{
    double least = INFINITY;
    fprintf(gnuplot, "$line%d << EOD\n", i);
    for (int k = 0; k < ladder->rungs; k++) {
        const struct rung *rung = &ladder->rung[k];
        if (rung_counts(rung, &least))
            fprintf(gnuplot, "%.6e %.6e\n", rung->error, microseconds(rung, rounds));
    }
    fputs("EOD\n", gnuplot);
}

void table_plot(FILE *gnuplot, const struct measuring *how,
                const struct workload *workload, int peers, const struct ladder *ladder)
{
    char title[120], style[120];
    int member[sizeof families/sizeof *families] = {0};
    snprintf(title, sizeof title, "%s: time of a %s by its true error", workload->name,
             workload->by > 0 ? "gradient" : "solution");
    begin(gnuplot, title);
    for (int i = 0; i < peers; i++)
        if (is_foreign(ladder[i].peer)) {
            fputs("set key title 'dashed: as Debian builds it' left\n",
                  gnuplot);
            break;
        }
    fputs("set xrange [*:*] reverse\n"
          "set xlabel 'true error of the answer: more digits to the right'\n"
          "set ylabel 'time of one solution [µs]'\n", gnuplot);
    for (int i = 0; i < peers; i++)
        ladder_data(gnuplot, i, &ladder[i], how->rounds);
    for (int i = 0; i < peers; i++) {
        int own = (int)(family_of(ladder[i].peer->name) - families);
        style_of(ladder[i].peer, member[own]++, style, sizeof style);
        line(gnuplot, i, style, ladder[i].peer->name);
    }
    fputs("\n", gnuplot);
}

/* --- growth ------------------------------------------------------------------------- */

/* The tics of the axis are the sizes, but for those whose numbers would overlap. Size 0
   has no place on a logarithmic axis. */
static void size_tics(FILE *gnuplot, const struct grown *grown)
{
    static const double room = 0.035;
    double tic[MOST_POINTS], least = INFINITY, most = 1;
    int tics = 0;
    for (int k = 0; k < grown->points; k++)
        if (grown->point[k].size > 0) {
            least = fmin(least, grown->point[k].size);
            most = fmax(most, grown->point[k].size);
        }
    fputs("unset mxtics\nset xtics ()\n", gnuplot);
    for (int k = 0; k < grown->points; k++) {
        double size = grown->point[k].size;
        bool free = size > 0;
        for (int i = 0; i < tics; i++)
            free = free && fabs(log(size/tic[i])) > room*log(most/least);
        if (free) {
            fprintf(gnuplot, "set xtics add (%g)\n", size);
            tic[tics++] = size;
        }
    }
}

/* Points of size 0 are left out. */
static void series_data(FILE *gnuplot, const struct grown *grown)
{
    for (int k = 0, series = 0; k < grown->points; k++) {
        const struct point *at = &grown->point[k];
        if (growth_begins(grown, k))
            fprintf(gnuplot, "%s$line%d << EOD\n", k > 0 ? "EOD\n" : "", series++);
        if (at->status == OK && at->size > 0)
            fprintf(gnuplot, "%d %.6e\n", at->size,
                    1e6*growth_ratio(at->each, NULL, grown->how.rounds));
    }
    fputs("EOD\n", gnuplot);
}

void growth_plot(FILE *gnuplot, const struct grown *grown)
{
    const struct growth *growth = grown->growth;
    char style[80];
    begin(gnuplot, growth->title);
    fprintf(gnuplot, "set autoscale xfix\nset offsets graph 0.05, graph 0.05, 0, 0\n"
            "set format x '%%g'\nset xlabel '%s'\nset ylabel 'time of one %s [µs]'\n",
            growth->axis, growth->part);
    size_tics(gnuplot, grown);
    series_data(gnuplot, grown);
    for (int k = 0, series = 0; k < grown->points; k++)
        if (growth_begins(grown, k)) {
            snprintf(style, sizeof style, "lt %d", series + 1);
            line(gnuplot, series++, style, grown->point[k].name);
        }
    fputs("\n", gnuplot);
}
