/*
 * model_margin.c - bounds checking of the arrays that a case file fills, by margins and
 * guard pages.
 *
 * C does not check an index. So every array that a case writes has MARGIN entries before
 * its first and after its last, and M as many rows and columns: an index that is wrong by
 * no more writes into the margin, where model_check_margins() finds it and names the
 * array, the index and the line of the case file. While a case is recorded, guard pages
 * stand on both sides of the margins: a farther index is a fault at the store, which
 * model_guard.c tells in the same words.
 */
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/memory.h"
#include "model_internal.h"

/* --- pages -------------------------------------------------------------------------- */

enum { PAGE = 4096 };           /* bytes; a power of two, or a part of a page */

/* Bytes of guard pages before and behind an array: room for indices that are wrong by
   4096 and by a million formulas. */
static const size_t far_before = 1 << 16, far_behind = 1 << 24;

/* An array between guard pages; arrays of the model that this thread records. */
struct guarded {
    char *start;                /* start of the array, with its margin */
    size_t bytes;
    struct guarded *next;
};
static _Thread_local struct guarded *guarded;
static _Thread_local bool guarding;

bool margin_guard(bool on)
{
    bool before = guarding;
    struct rlimit space;
    guarding = on && sysconf(_SC_PAGESIZE) == PAGE &&
               getrlimit(RLIMIT_AS, &space) == 0 && space.rlim_cur == RLIM_INFINITY;
    return before;
}

static struct guarded **find_guarded(const void *start)
{
    struct guarded **at = &guarded;
    while (*at && (*at)->start != start)
        at = &(*at)->next;
    return at;
}

/* New memory between guard pages; NULL: there can be none. */
static void *new_guarded(size_t bytes)
{
    char *whole = mmap(NULL, far_before + bytes + far_behind, PROT_NONE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (whole == MAP_FAILED)
        return NULL;
    if (mprotect(whole + far_before, bytes, PROT_READ | PROT_WRITE) != 0) {
        munmap(whole, far_before + bytes + far_behind);
        return NULL;
    }
    struct guarded *made = memory_new(1, sizeof *made);
    *made = (struct guarded){whole + far_before, bytes, guarded};
    guarded = made;
    return made->start;
}

/* Number of entries, with their margins, that fill whole pages. */
static int whole_room(int count, size_t size)
{
    size_t bytes = ((size_t)count + 2 * MARGIN) * size;
    return (int)((bytes + PAGE - 1) / PAGE * PAGE / size);
}

static void *new_pages(int entries, size_t size)
{
    void *pages = guarding ? new_guarded((size_t)entries * size) : NULL;
    return pages ? pages : memory_new(entries, size);
}

static void free_pages(void *start)
{
    struct guarded **at = find_guarded(start), *found = *at;
    if (!found) {
        free(start);
        return;
    }
    munmap(found->start - far_before, far_before + found->bytes + far_behind);
    *at = found->next;
    free(found);
}

/* The index of the entry at `address`, on the guard pages beside the array that begins
   at `start`; `otherwise`: it is on none of them. */
static int far_index(const void *start, size_t size, const char *address, int otherwise)
{
    const struct guarded *found = *find_guarded(start);
    if (!found || address < found->start - far_before ||
        address >= found->start + found->bytes + far_behind)
        return otherwise;
    intptr_t off = address - found->start, wide = (intptr_t)size;
    return (int)((off < 0 ? off - wide + 1 : off) / wide) - MARGIN;
}

/* --- arrays ------------------------------------------------------------------------- */

static void *array_new(int count, size_t size)
{
    return (char *)new_pages(whole_room(count, size), size) + MARGIN * size;
}

static void array_free(void *array, size_t size)
{
    if (array)
        free_pages((char *)array - MARGIN * size);
}

/* A copy with as much room, or more. Entries written beyond the old room stay in their
   places. */
static void *array_copy(void *old, int room, int needed, size_t size)
{
    char *copy = array_new(needed, size);
    memcpy(copy - MARGIN * size, (char *)old - MARGIN * size,
           (size_t)whole_room(room, size) * size);
    array_free(old, size);
    return copy;
}

formula *margin_new(int count)
{
    return array_new(count, sizeof(formula));
}

void margin_free(formula *f)
{
    array_free(f, sizeof *f);
}

bool *margin_flags_new(int count)
{
    return array_new(count, sizeof(bool));
}

void margin_flags_free(bool *flag)
{
    array_free(flag, sizeof *flag);
}

enum { FAR_ROW = 256 };         /* entries of a row that does not exist */

/* A square matrix. Its rows are parts of one array, of which a large mechanism never
   touches most. Rows beyond the margin lie on guard pages, or nowhere. */
formula **margin_square_new(int count)
{
    int side = count + 2 * MARGIN, rows = whole_room(count, sizeof(formula *));
    int entries = whole_room(side * side, sizeof(formula));
    formula *entry = new_pages(entries, sizeof *entry);
    formula **row = new_pages(rows, sizeof *row);
    for (int i = 0; i < side; i++)
        row[i] = entry + (size_t)i * (size_t)side + MARGIN;
    for (int i = side; i < rows && *find_guarded(entry); i++)
        row[i] = entry + entries + (size_t)(i - side) * FAR_ROW;
    return row + MARGIN;
}

void margin_square_free(formula **square)
{
    if (!square)
        return;
    free_pages(square[-MARGIN] - MARGIN);
    free_pages(square - MARGIN);
}

static formula **square_copy(formula **old, int count)
{
    formula **copy = margin_square_new(count);
    for (int i = -MARGIN; i < count + MARGIN; i++)
        for (int j = -MARGIN; j < count + MARGIN; j++)
            if (old[i][j].tape)         /* else the page of the copy stays untouched */
                copy[i][j] = old[i][j];
    margin_square_free(old);
    return copy;
}

/* Index of the first entry in [first, last) that is set outside of [from, to); `to`:
   there is none. */
static int given_outside(const formula *f, int from, int to, int first, int last)
{
    for (int i = first; i < last; i++)
        if ((i < from || i >= to) && f[i].tape)
            return i;
    return to;
}

bool margin_is_empty(const formula *f, int room)
{
    return given_outside(f, 0, 0, -MARGIN, room + MARGIN) == 0 && !f[0].tape;
}

formula *margin_grow(formula *old, int room, int needed)
{
    return array_copy(old, room, needed, sizeof *old);
}

bool *margin_flags_grow(bool *old, int room, int needed)
{
    return array_copy(old, room, needed, sizeof *old);
}

/* --- settling ----------------------------------------------------------------------- */

static void settle_array(formula **f, int room)
{
    *f = array_copy(*f, room, room, sizeof **f);
}

static void settle_flags(bool **flag, int room)
{
    *flag = array_copy(*flag, room, room, sizeof **flag);
}

void model_settle(struct model *model)
{
    int n = model->n, ns = model->ns, nz = model->nz, room = model->row_room;
    formula **const start[] = {&model->q0, &model->q_guess, &model->v0, &model->v_guess};
    for (size_t k = 0; k < sizeof start / sizeof *start; k++)
        settle_array(start[k], room);
    settle_array(&model->s0, ns);
    settle_array(&model->s_guess, ns);
    settle_array(&model->w, nz);
    for (int k = 0; k < model->modes; k++) {
        struct mode *mode = model->mode[k];
        mode->M = square_copy(mode->M, room);
        settle_array(&mode->F, room);
        settle_array(&mode->f_s, ns);
        settle_array(&mode->g, nz);
        settle_array(&mode->Phi, mode->Phi_room);
        settle_flags(&mode->velocity_level, mode->Phi_room);
    }
    for (int k = 0; k < model->events; k++) {
        struct event *event = model->event[k];
        settle_array(&event->q_plus, n);
        settle_array(&event->v_plus, n);
        settle_array(&event->s_plus, ns);
        settle_array(&event->cost, nz);
        settle_array(&event->Psi, event->impulse_room);
        settle_array(&event->E, event->impulse_room);
        settle_flags(&event->Psi_velocity_level, event->impulse_room);
    }
    model_move_pen(model, model->pen ? model->pen : model->mode[0]);
}

/* --- where a formula was written ---------------------------------------------------- */

void model_note_line(struct model *model, formula f)
{
    if (!f.tape)
        return;
    struct recording *at = model->recording;
    at->written = memory_grow(at->written, &at->written_room, at->writtens + 1,
                              sizeof *at->written);
    at->written[at->writtens++] = (struct written){f.row, at->line, at->column,
                                                  at->file};
}

void model_lines(const struct model *model, formula f, char *text, int size)
{
    const struct written *last = NULL;
    text[0] = '\0';
    for (int k = 0; k < model->recording->writtens; k++) {
        const struct written *now = &model->recording->written[k];
        int used = (int)strlen(text);
        if (now->row != f.row || (last && last->line == now->line))
            continue;
        if (!last)
            snprintf(text, (size_t)size, now->column > 0 ? "%s:%d:%d" : "%s:%d",
                     now->file, now->line, now->column);
        else if (now->column == 0 && used < size - 40)
            snprintf(text + used, (size_t)(size - used), " or %d", now->line);
        last = now;
    }
    if (last && strlen(text) + 3 < (size_t)size)
        strcat(text, ": ");
}

/* --- the check ---------------------------------------------------------------------- */

/* A check of one array. */
struct margin {
    const struct model *model;
    const char *address;        /* address of a fault whose entry is sought; NULL: none */
    struct diagnosis *diagnosis;
    const char *of;             /* ", mode slide"; "" for an array of the model */
    const char *name;           /* name of the array, like "F" */
    int count, room;
    const char *counted;        /* text like "coordinates are declared" */
};

static enum status refuse(const struct margin *margin, const formula *f,
                          const char *index)
{
    char line[160];
    if (margin->address)        /* the message of a slip has line and case already */
        return diagnose(margin->diagnosis, BAD_INPUT, NAN, "%s%s%s%s is given, but only "
                        "%d %s", *margin->of ? margin->of + 2 : "",
                        *margin->of ? ": " : "", margin->name, index, margin->count,
                        margin->counted);
    model_lines(margin->model, *f, line, sizeof line);
    return diagnose(margin->diagnosis, BAD_INPUT, NAN,
                    "%scase %s%s: %s%s is given, but only %d %s", line,
                    margin->model->desc->name, margin->of, margin->name, index,
                    margin->count, margin->counted);
}

static enum status check_array(const struct margin *margin, const formula *f)
{
    int count = margin->count, last = whole_room(margin->room, sizeof *f) - MARGIN;
    int i = margin->address
                ? far_index(f - MARGIN, sizeof *f, margin->address, count)
                : given_outside(f, 0, count, -MARGIN, last);
    char index[40];
    snprintf(index, sizeof index, "[%d]", i);
    return i == count && (margin->address || !f[i].tape) ? OK
                                                         : refuse(margin, f + i, index);
}

/* Checks a row of a matrix beyond the margin, or an entry of one. */
static enum status check_far_square(const struct margin *margin, formula *const *M)
{
    int side = margin->room + 2 * MARGIN;
    const formula *entry = M[-MARGIN] - MARGIN;
    int none = INT_MIN, i = far_index(M - MARGIN, sizeof *M, margin->address, none);
    int k = far_index(entry, sizeof *entry, margin->address, none);
    int behind = k + MARGIN - whole_room(side * side, sizeof *entry);
    char index[40];
    if (i == none && k == none)
        return OK;
    if (i != none)
        snprintf(index, sizeof index, "[%d]", i);
    else if (behind >= 0)
        snprintf(index, sizeof index, "[%d][%d]", behind / FAR_ROW + side - MARGIN,
                 behind % FAR_ROW);
    else
        snprintf(index, sizeof index, "[..][..]");
    return refuse(margin, NULL, index);
}

static enum status check_square(const struct margin *margin, formula *const *M)
{
    int n = margin->count;
    if (margin->address)
        return check_far_square(margin, M);
    for (int i = -MARGIN; i < margin->room + MARGIN; i++) {
        bool row = i >= 0 && i < n;
        int j = given_outside(M[i], 0, row ? n : 0, -MARGIN, margin->room + MARGIN);
        char index[40];
        snprintf(index, sizeof index, "[%d][%d]", i, j);
        if (M[i][j].tape && !(row && j >= 0 && j < n))
            return refuse(margin, &M[i][j], index);
    }
    return OK;
}

static enum status refuse_flag(const struct margin *margin, int i)
{
    if (margin->address)
        return diagnose(margin->diagnosis, BAD_INPUT, NAN, "%s: %s[%d] is set, but only "
                        "%d %s", margin->of + 2, margin->name, i, margin->count,
                        margin->counted);
    return diagnose(margin->diagnosis, BAD_INPUT, NAN,
                    "case %s%s: %s[%d] is set, but only %d %s",
                    margin->model->desc->name, margin->of, margin->name, i,
                    margin->count, margin->counted);
}

static enum status check_flags(const struct margin *margin, const bool *flag)
{
    int count = margin->count, last = whole_room(margin->room, sizeof *flag) - MARGIN;
    if (margin->address) {
        int i = far_index(flag - MARGIN, sizeof *flag, margin->address, count);
        return i == count ? OK : refuse_flag(margin, i);
    }
    for (int i = -MARGIN; i < last; i++)
        if (flag[i] && (i < 0 || i >= count))
            return refuse_flag(margin, i);
    return OK;
}

static const char *const coordinates = "coordinates are declared (COORDINATES)",
    *const states = "auxiliary states are declared (AUXILIARY)",
    *const costs = "costs are declared (COSTS)",
    *const rows = "constraints can be written so; model_constraint() appends more",
    *const impulses = "impulses are declared (event_impulse)";

struct array_of {
    const char *name;
    const formula *f;
    int count, room;
    const char *counted;
};

static enum status check_arrays(struct margin margin, const struct array_of *array,
                                int arrays)
{
    enum status status = OK;
    for (int k = 0; status == OK && k < arrays; k++) {
        margin.name = array[k].name;
        margin.count = array[k].count;
        margin.room = array[k].room;
        margin.counted = array[k].counted;
        status = check_array(&margin, array[k].f);
    }
    return status;
}

static enum status check_mode(struct margin margin, const struct mode *mode)
{
    const struct model *model = margin.model;
    int n = model->n, ns = model->ns, nz = model->nz, room = model->row_room;
    char of[120];
    const struct array_of array[] = {
        {"F", mode->F, n, room, coordinates}, {"f_s", mode->f_s, ns, ns, states},
        {"g", mode->g, nz, nz, costs}, {"Phi", mode->Phi, mode->Phi_room, mode->Phi_room,
                                        rows}};
    snprintf(of, sizeof of, mode->name[0] ? ", mode %.100s" : "%.100s", mode->name);
    margin.of = of;
    enum status status = check_arrays(margin, array, sizeof array / sizeof *array);
    margin = (struct margin){model, margin.address, margin.diagnosis, of, "M", n, room,
                             coordinates};
    if (status == OK)
        status = check_square(&margin, mode->M);
    margin.name = "velocity_level";
    margin.count = margin.room = mode->Phi_room;
    margin.counted = rows;
    return status != OK ? status : check_flags(&margin, mode->velocity_level);
}

static enum status check_event(struct margin margin, const struct event *event)
{
    const struct model *model = margin.model;
    int n = model->n, ns = model->ns, nz = model->nz;
    int k = event->impulses, room = event->impulse_room;
    char of[120];
    const struct array_of array[] = {
        {"q_plus", event->q_plus, n, n, coordinates},
        {"v_plus", event->v_plus, n, n, coordinates},
        {"s_plus", event->s_plus, ns, ns, states}, {"cost", event->cost, nz, nz, costs},
        {"Psi", event->Psi, k, room, impulses}, {"E", event->E, k, room, impulses}};
    snprintf(of, sizeof of, ", event %.100s", event->name);
    margin.of = of;
    enum status status = check_arrays(margin, array, sizeof array / sizeof *array);
    margin = (struct margin){model, margin.address, margin.diagnosis, of,
                             "Psi_velocity_level", k, room, impulses};
    return status != OK ? status : check_flags(&margin, event->Psi_velocity_level);
}

static enum status check_all(const struct model *model, const void *address,
                             struct diagnosis *diagnosis)
{
    int n = model->n, ns = model->ns, nz = model->nz, room = model->row_room;
    const struct margin margin = {.model = model, .address = address, .of = "",
                                  .diagnosis = diagnosis};
    const struct array_of array[] = {
        {"q0", model->q0, n, room, coordinates},
        {"q_guess", model->q_guess, n, room, coordinates},
        {"v0", model->v0, n, room, coordinates},
        {"v_guess", model->v_guess, n, room, coordinates},
        {"s0", model->s0, ns, ns, states}, {"s_guess", model->s_guess, ns, ns, states},
        {"w", model->w, nz, nz, costs}};
    enum status status = check_arrays(margin, array, sizeof array / sizeof *array);
    for (int k = 0; status == OK && k < model->modes; k++)
        status = check_mode(margin, model->mode[k]);
    for (int k = 0; status == OK && k < model->events; k++)
        status = check_event(margin, model->event[k]);
    return status;
}

enum status model_check_margins(const struct model *model, struct diagnosis *diagnosis)
{
    return check_all(model, NULL, diagnosis);
}

bool model_far_entry(const struct model *model, const void *address, char *text, int size)
{
    struct diagnosis diagnosis = {.t = NAN};
    bool found = check_all(model, address, &diagnosis) != OK;
    snprintf(text, (size_t)size, "%s", diagnosis.place);
    return found;
}
