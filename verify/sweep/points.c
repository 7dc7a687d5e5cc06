/*
 * points.c - grids, random samples and Latin hypercubes of parameter values (points.h)
 */
#include "sweep/points.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/splitmix.h"
#include "options/args.h"
#include "sweep/identity.h"

const long most_trajectories = 1000000000;

/* --- random numbers ----------------------------------------------------------------- */

/* Random bits as a function of (seed, parameter, k), not as the next of a stream. */
static uint64_t random_bits(uint64_t seed, uint64_t key, uint64_t k)
{
    return splitmix64(splitmix64(splitmix64(seed) ^ key) ^ k);
}

/* A number in (0, 1), of 53 bits. */
static double uniform(uint64_t bits)
{
    return ((double)(bits >> 11) + 0.5) * 0x1p-53;
}

/*
 * The image of k in a random permutation of 0 .. count - 1: a Feistel network of four
 * rounds permutes the numbers of 2b bits that cover them, and is repeated until it comes
 * back among them (Black, Rogaway 2002: cycle walking).
 */
static long permuted(uint64_t key, long k, long count)
{
    int half = 1;
    while (half < 31 && 1L << 2 * half < count)
        half++;
    uint64_t mask = (1u << half) - 1u, x = (uint64_t)k;
    do {
        uint64_t left = x >> half, right = x & mask;
        for (uint64_t round = 0; round < 4; round++) {
            uint64_t other = left ^ (random_bits(key, round, right) & mask);
            left = right;
            right = other;
        }
        x = left << half | right;
    } while (x >= (uint64_t)count);
    return (long)x;
}

/* The place of sample k between the ends of an axis, 0 to 1. Latin hypercube (McKay,
   Beckman, Conover 1979): each of the N equal parts of the axis has one point. */
static double sampled(const struct points *points, const struct axis *axis, long k)
{
    double u = uniform(random_bits(points->seed, axis->key, (uint64_t)k));
    if (!points->latin)
        return u;
    uint64_t key = splitmix64(points->seed ^ splitmix64(axis->key));
    return ((double)permuted(key, k, points->samples) + u) / (double)points->samples;
}

/* --- axes --------------------------------------------------------------------------- */

/* The value at part/whole of the way between the ends of an axis, which are exact. */
static double between(const struct axis *axis, double part, double whole)
{
    if (part <= 0)
        return axis->lo;
    if (part >= whole)
        return axis->hi;
    if (axis->logarithmic)
        return axis->lo * pow(axis->hi / axis->lo, part / whole);
    return (axis->lo * (whole - part) + axis->hi * part) / whole;
}

bool points_count(struct points *points)
{
    points->count = points->samples > 0 ? points->samples : 1;
    for (int i = 0; i < points->axes; i++) {
        long n = points->axis[i].n > 0 ? points->axis[i].n : 1;
        if (n > most_trajectories / points->count)
            return false;
        points->count *= n;
    }
    return points->count <= most_trajectories;
}

void points_set(const struct points *points, long k, double *value)
{
    long sample = points->samples > 0 ? k % points->samples : 0;
    long place = points->samples > 0 ? k / points->samples : k;
    for (int i = points->axes - 1; i >= 0; i--) {
        const struct axis *axis = &points->axis[i];
        double *to = &value[axis->parameter];
        if (axis->n > 0) {
            *to = between(axis, (double)(place % axis->n), (double)(axis->n - 1));
            place /= axis->n;
        } else {
            *to = between(axis, sampled(points, axis, sample), 1.0);
        }
    }
}

void print_shortest(FILE *stream, double x)
{
    char text[40];
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, x);
        if (!(strtod(text, NULL) < x || strtod(text, NULL) > x))
            break;
    }
    fputs(text, stream);
}

void points_print(FILE *stream, const struct points *points, const struct model *model,
                  const char *prefix)
{
    for (int i = 0; i < points->axes; i++) {
        const struct axis *axis = &points->axis[i];
        fprintf(stream, "%s%s %s from ", prefix, axis->n > 0 ? "grid" : "sample",
                model->parameter[axis->parameter].name);
        print_shortest(stream, axis->lo);
        fputs(" to ", stream);
        print_shortest(stream, axis->hi);
        if (axis->n > 0)
            fprintf(stream, ", %ld points", axis->n);
        fputs(axis->logarithmic ? ", logarithmic\n" : "\n", stream);
    }
    if (points->samples > 0)
        fprintf(stream, "%s%ld samples%s, seed %llu\n", prefix, points->samples,
                points->latin ? " as a Latin hypercube" : "",
                (unsigned long long)points->seed);
}

/* --- reading ------------------------------------------------------------------------ */

/* The next of the texts between colons, whole, empty at the end; `text` is cut there. */
static const char *next_piece(char **text)
{
    char *piece = *text, *end = piece + strcspn(piece, ":");
    *text = end + (*end == ':');
    *end = '\0';
    return piece;
}

static bool points_number(const char *text, long *n)
{
    char *end;
    *n = strtol(text, &end, 10);
    return end != text && *end == '\0' && *n >= 1 && *n <= most_trajectories;
}

/* The fault of an axis that has been read, in words; NULL: none. */
static const char *slip_of(const struct axis *axis, bool grid)
{
    if (axis->logarithmic && !(axis->lo > 0))
        return "log needs a lower end above zero";
    if (axis->lo > axis->hi)
        return "the lower end comes first";
    if (grid && axis->n == 1 && axis->lo < axis->hi)
        return "one point cannot be both ends; give at least 2";
    if (grid && axis->n > 1 && !(axis->lo < axis->hi))
        return "the ends are the same; give 1 point, or --set";
    if (!grid && !(axis->lo < axis->hi))
        return "the ends are the same; give --set instead";
    return NULL;
}

/* Reads the axis in `text`; `rest` is a copy, which is cut. */
static bool read_pieces(const char *text, char *rest, bool grid, struct axis *axis,
                        char *error, int size)
{
    const char *form = grid ? "LO:HI:N or LO:HI:N:log" : "LO:HI or LO:HI:log";
    const char *lo = next_piece(&rest), *hi = next_piece(&rest);
    const char *n = grid ? next_piece(&rest) : "", *scale = next_piece(&rest);
    axis->logarithmic = strcmp(scale, "log") == 0;

    const char *wrong = NULL;
    if (*rest || (scale[0] && !axis->logarithmic) || text[strlen(text) - 1] == ':')
        snprintf(error, (size_t)size, "'%s' is not of the form %s", text, form);
    else if (!read_number(lo, &axis->lo) || !read_number(hi, &axis->hi))
        snprintf(error, (size_t)size, "'%s' is not a number; the form is %s",
                 read_number(lo, &axis->lo) ? hi : lo, form);
    else if (grid && !points_number(n, &axis->n))
        snprintf(error, (size_t)size,
                 "'%s' is not a number of points from 1 to %ld; the form is %s", n,
                 most_trajectories, form);
    else if ((wrong = slip_of(axis, grid)))
        snprintf(error, (size_t)size, "'%s': %s", text, wrong);
    else
        return true;
    return false;
}

bool axis_read(const char *text, bool grid, const struct model *model, int parameter,
               struct axis *axis, char *error, int size)
{
    char *copy = memory_text(text, strlen(text));
    *axis = (struct axis){.parameter = parameter,
                          .key = text_identity(model->parameter[parameter].name)};
    bool good = read_pieces(text, copy, grid, axis, error, size);
    free(copy);
    return good;
}
