/*
 * test_fingerprint_leaves.c - the fingerprint of a model file changes with each leaf of
 * it, one by one, by the list of all keys (file/keys.def); what does not count is listed
 * here by name, with the reason.
 */
#include <criterion/criterion.h>
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/whole_file.h"
#include "element_texts.h"
#include "file/document.h"
#include "file/keys.h"
#include "file/opened.h"
#include "file/write.h"
#include "mechanisms/catalogue.h"
#include "model_internal.h"

TestSuite(fingerprint_leaves, .timeout = 240);

/* What a fingerprint does not tell, and why. What "counts where" it is used may be
   another or not. */
static const struct {
    enum section section;
    const char *key, *reason;
} irrelevant[] = {
    {SECTION_ROOT, "format", "another format of model files is refused"},
    {SECTION_ROOT, "name", "files have a line for it, which must agree"},
    {SECTION_ROOT, "title", "explains"},
    {SECTION_ROOT, "source", "explains"},
    {SECTION_ROOT, "declared", "explains"},
    {SECTION_ROOT, "classes", "what is asked of a case is judged anew each time"},
    {SECTION_ROOT, "time", "stands in no file: its column is t"},
    {SECTION_ROOT, "multipliers", "stand in no file: their columns are lambda.1, ..."},
    {SECTION_ROOT, "impulses", "stand in no file"},
    {SECTION_ROOT, "definitions", "count where a formula uses them, by what they are"},
    {SECTION_ROOT, "places", "count where an element or formula uses them"},
    {SECTION_ROOT, "gravity", "counts where an element has mass"},
    {SECTION_PLACE, NULL, "counts where an element or formula uses it"},
    {SECTION_FRAME, "y", "counts where a joint uses it"},
    {SECTION_DRIVEN_DISTANCE, "a", "counts by its frame, which has no short form"},
    {SECTION_DRIVEN_DISTANCE, "b", "counts by its frame, which has no short form"},
    {SECTION_ROOT, "draw", "is a picture"},
    {SECTION_PARAMETER, "nominal", "files have it as it is stated, which must agree"},
    {SECTION_PARAMETER, "meaning", "explains"},
    {SECTION_PARAMETER, "fixed", "files list by what they are differentiated"},
    {SECTION_JOINT, "name", "stands in no file"},
    {SECTION_DRIVEN_ANGLE, "name", "stands in no file"},
    {SECTION_DRIVEN_DISTANCE, "name", "stands in no file"},
    {SECTION_BALANCE, NULL, "is judged anew on every motion"},
    {SECTION_PUBLISHED, NULL, "is judged anew on every motion"},
    {SECTION_TWIN, NULL, "is judged anew on every motion"},
    {SECTION_EQUALITY, NULL, "is judged anew on every motion"},
};

/* Why a key does not count; NULL: it does. */
static const char *reason_of(enum section section, const char *key)
{
    for (size_t k = 0; k < sizeof irrelevant / sizeof *irrelevant; k++)
        if (irrelevant[k].section == section &&
            (!irrelevant[k].key || strcmp(irrelevant[k].key, key) == 0))
            return irrelevant[k].reason;
    return NULL;
}

static bool counts(enum section section, const char *key)
{
    return !reason_of(section, key);
}

static bool may_count(enum section section, const char *key)
{
    const char *reason = reason_of(section, key);
    return !reason || strncmp(reason, "count", 5) == 0;
}

/* --- one change --------------------------------------------------------------------- */

enum { KEYS = 400 };
static int seen[KEYS];          /* leaves of a key whose change was another fingerprint */

static bool fingerprint_of(const char *source, uint64_t *fingerprint)
{
    struct diagnosis diagnosis = {.t = NAN};
    struct document *document = document_read("leaves.yaml", source, &diagnosis);
    struct opened *opened = document ? opened_new(document, &diagnosis) : NULL;
    struct model *model = opened ? model_record(&opened->desc, &diagnosis) : NULL;
    bool good = model != NULL;
    if (good)
        *fingerprint = model->fingerprint;
    model_free(model);
    if (opened)
        opened_free(opened);
    return good;
}

/* The walk through one file. */
struct walk {
    const char *name, *source;
    const struct document *document;
    uint64_t fingerprint;
};

/* A changed source is refused, is another model, or has changed what does not count. */
static void try(const struct walk *walk, int key, const char *changed)
{
    uint64_t other;
    if (strcmp(walk->source, changed) == 0 || !fingerprint_of(changed, &other))
        return;
    bool same = other == walk->fingerprint;
    const struct key_info *info = &key_info[key];
    if (counts(info->section, info->name))
        cr_expect(!same, "%s: another %s of %s has the same fingerprint:\n%s",
                  walk->name, info->name, section_info[info->section].name, changed);
    else if (!may_count(info->section, info->name))
        cr_expect(same, "%s: %s of %s is said not to count, and does:\n%s", walk->name,
                  info->name, section_info[info->section].name, changed);
    seen[key] += !same;
}

/* Puts another text in the place of a leaf; it stands there plain or between quotation
   marks. */
static void replace(const struct walk *walk, int key, const struct node *leaf,
                    const char *text)
{
    const char *at = walk->source + leaf->offset;
    size_t length = strlen(leaf->text), quotes = *at == '"' ? 1 : 0;
    if (leaf->replaced || strncmp(at + quotes, leaf->text, length) != 0)
        return;
    char *changed = memory_new((int)(strlen(walk->source) + strlen(text) + 8), 1);
    sprintf(changed, "%.*s\"%s\"%s", leaf->offset, walk->source, text,
            at + length + 2 * quotes);
    try(walk, key, changed);
    free(changed);
}

/* x of x, vx, ax, P_x, x_plus, vx_plus. */
static bool is_of_name(const char *token, size_t length, const char *name, size_t *begin)
{
    size_t own = strlen(name), end = length;
    if (length > 5 && strncmp(token + length - 5, "_plus", 5) == 0)
        end -= 5;
    if (end < own || strncmp(token + end - own, name, own) != 0)
        return false;
    *begin = end - own;
    return *begin == 0 || token[*begin - 1] == '_' ||
           (*begin == 1 && (*token == 'v' || *token == 'a'));
}

/* Gives a thing another name wherever its name stands, as a token or part of one. */
static void rename_all(const struct walk *walk, int key, const char *name)
{
    enum { ROOM = 400000 };
    char *changed = memory_new(ROOM, 1), *out = changed;
    const char *in = walk->source;
    if (strpbrk(name, "<>\"\\ ") || !*name)
        in += strlen(in);
    bool token = name[strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_"
                                   "0123456789")] == '\0';
    while (*in && out < changed + ROOM - 200) {
        size_t length = 0, begin, own = strlen(name);
        while (isalnum((unsigned char)in[length]) || in[length] == '_')
            length++;
        if (!token && strncmp(in, name, own) == 0) {
            out += sprintf(out, "%szz", name);
            in += own;
        } else if (token && length > 0 && is_of_name(in, length, name, &begin)) {
            out += sprintf(out, "%.*szz%.*s", (int)(begin + own), in,
                           (int)(length - begin - own), in + begin + own);
            in += length;
        } else {
            for (size_t k = 0; k < (length ? length : 1); k++)
                *out++ = *in++;
        }
    }
    *out = '\0';
    if (*changed)
        try(walk, key, changed);
    free(changed);
}

/* --- the walk ----------------------------------------------------------------------- */

static void next_word(const struct walk *walk, int key, const struct node *leaf,
                      const char *const *word)
{
    for (; *word; word++)
        if (strcmp(*word, leaf->text) != 0)
            replace(walk, key, leaf, *word);
}

/* Another name of the same section, of modes or bodies, in the place of one. */
static void other_name(const struct walk *walk, int key, const struct node *leaf,
                       const char *section)
{
    const struct node *all = node_find(walk->document->root, section);
    for (int k = 0; all && all->kind == NODE_TABLE && k < all->count; k++)
        if (strcmp(all->key[k]->text, leaf->text) != 0)
            replace(walk, key, leaf, all->key[k]->text);
}

static void change(const struct walk *walk, int key, const struct node *leaf)
{
    static const char *const flag[] = {"true", "false", NULL}, *const axis[] = {"x", "y",
        "z", NULL}, *const direction[] = {"rising", "falling", "either", NULL},
        *const velocity[] = {"explicit", "constrained", "impulsive", NULL},
        *const ground[] = {"ground", NULL}, *const body[] = {"planar", "euler", "natural",
        NULL};
    char *text = memory_new((int)strlen(leaf->text) + 20, 1);
    switch (key_info[key].shape) {
    case IS_WORDS:
    case IS_POINTS:
    case IS_WORD:
        rename_all(walk, key, leaf->text);
        break;
    case IS_TEXT:
        if (!strcmp(key_info[key].name, "name") &&
            counts(key_info[key].section, "name"))
            rename_all(walk, key, leaf->text);
        sprintf(text, key_info[key].section == SECTION_PARAMETER ? "kg*%s" : "%sx",
                leaf->text);
        replace(walk, key, leaf, text);
        break;
    case IS_FLAG:
    case IS_FLAGS:
        next_word(walk, key, leaf, flag);
        break;
    case IS_AXIS:
        next_word(walk, key, leaf, axis);
        break;
    case IS_DIRECTION:
        next_word(walk, key, leaf, direction);
        break;
    case IS_VELOCITY:
        next_word(walk, key, leaf, velocity);
        break;
    case IS_AT_ENDS:
        next_word(walk, key, leaf, at_ends_text);
        break;
    case IS_BODIES:
        next_word(walk, key, leaf, body);
        break;
    case IS_BODY_NAME:
    case IS_PLACE_PAIR:
        next_word(walk, key, leaf, ground);
        other_name(walk, key, leaf, "bodies");
        break;
    case IS_MODE_NAME:
        other_name(walk, key, leaf, "modes");
        break;
    case IS_DERIVED:
        break;
    case IS_INTEGERS:
        sprintf(text, "%d", atoi(leaf->text) + 1);
        replace(walk, key, leaf, text);
        break;
    default:                    /* formulas; names of places and bodies */
        next_word(walk, key, leaf, ground);
        if (key_info[key].shape == IS_FRAME || key_info[key].shape == IS_PLACE)
            other_name(walk, key, leaf, "bodies");
        sprintf(text, atof(leaf->text) == 0 && isdigit((unsigned char)*leaf->text)
                          ? "1" : "(%s)*3", leaf->text);
        replace(walk, key, leaf, text);
    }
    free(text);
}

static int key_of(enum section section, const char *name)
{
    for (int k = 0; key_info[k].name; k++)
        if (key_info[k].section == section && strcmp(key_info[k].name, name) == 0)
            return k;
    return -1;
}

static bool is_loop(const struct node *name)
{
    return strncmp(name->text, "for ", 4) == 0;
}

static void walk_section(const struct walk *walk, enum section section,
                         const struct node *table);

static void walk_value(const struct walk *walk, int key, const struct node *value)
{
    const struct key_info *info = &key_info[key];
    if (value->kind == NODE_TABLE && value->count == 1 && is_loop(value->key[0])) {
        walk_value(walk, key, value->item[0]);
        return;
    }
    bool sections = info->shape == IS_PART || info->shape == IS_PARTS ||
                    info->shape == IS_LIST || info->shape == IS_PLACE ||
                    info->shape == IS_FRAME;
    if (value->kind == NODE_TEXT)
        change(walk, key, value);
    else if (value->kind == NODE_TABLE && sections && info->shape != IS_PARTS)
        walk_section(walk, info->of, value);
    else
        for (int i = 0; i < value->count; i++) {
            const struct node *name = value->kind == NODE_TABLE ? value->key[i] : NULL;
            if (name && !is_loop(name) &&
                (info->shape == IS_PARTS || info->shape == IS_BODIES ||
                 info->shape == IS_POINTS))
                rename_all(walk, key, name->text);
            bool part = info->shape == IS_PARTS && !(name && is_loop(name));
            if (part && value->item[i]->kind == NODE_TABLE &&
                !(value->item[i]->count == 1 && is_loop(value->item[i]->key[0])))
                walk_section(walk, info->of, value->item[i]);
            else if (part && value->item[i]->kind == NODE_TEXT)
                change(walk, key_of(SECTION_PARAMETER, "nominal"), value->item[i]);
            else
                walk_value(walk, key, value->item[i]);
        }
}

static void walk_section(const struct walk *walk, enum section section,
                         const struct node *table)
{
    for (int i = 0; i < table->count; i++) {
        int key = key_of(section, table->key[i]->text);
        if (key >= 0)
            walk_value(walk, key, table->item[i]);
        else if (is_loop(table->key[i]))
            walk_section(walk, section, table->item[i]);
    }
}

static void walk_text(const char *name, const char *source)
{
    struct diagnosis diagnosis = {.t = NAN};
    struct document *document = document_read(name, source, &diagnosis);
    cr_assert_not_null(document, "%s", diagnosis.place);
    struct walk walk = {name, source, document, 0};
    cr_assert(fingerprint_of(source, &walk.fingerprint), "%s", name);
    walk_section(&walk, SECTION_ROOT, document->root);
    document_free(document);
}

/* --- files that have all keys ------------------------------------------------------- */

static const char everything[] =
    "name: everything\n"
    "sizes: {N: 2}\n"
    "time: t\n"
    "coordinates: [x, y]\n"
    "auxiliary: [w]\n"
    "costs: [c]\n"
    "parameters:\n"
    "  m: {nominal: 2, unit: kg, meaning: mass, fixed: true}\n"
    "  g: {nominal: 9.81, unit: m/s^2}\n"
    "multipliers: [l]\n"
    "impulses: [P]\n"
    "definitions: {half: m/N}\n"
    "modes:\n"
    "  fly:\n"
    "    M: {x: {x: half}, y: {y: m}}\n"
    "    F: {x: t, y: -m*g}\n"
    "    f_s: {w: x}\n"
    "    T: [w*vx*vx/2]\n"
    "    V: x*x/2\n"
    "    forces:\n"
    "      - {along: x*y, force: t*m}\n"
    "      - {rate: x*vy, force: m}\n"
    "    Phi: [y - x*x, vx - t]\n"
    "    velocity_level: [false, true]\n"
    "    g: {c: l*l}\n"
    "    power: m*vx\n"
    "  rest:\n"
    "    M: {x: {x: m}, y: {y: m}}\n"
    "    Phi: [x - 1]\n"
    "energy: m*vx*vx/2\n"
    "events:\n"
    "  hit:\n"
    "    from: fly\n"
    "    to: rest\n"
    "    guard: x - m\n"
    "    direction: rising\n"
    "    conditions: [y + 2, \"pow(w, 2)\"]\n"
    "    terminal: true\n"
    "    velocity: constrained\n"
    "    reset: {x_plus: x, vx_plus: -vx, w_plus: w + 1}\n"
    "    cost: {c: vx}\n"
    "    balances: [{name: law, left: x_plus, right: x}]\n"
    "  land:\n"
    "    from: rest\n"
    "    to: fly\n"
    "    guard: y - 2\n"
    "    direction: falling\n"
    "    joints: true\n"
    "    impulses:\n"
    "      - {Psi: y - x, E: 1/2}\n"
    "      - {Psi: vy + x*vx, E: 1/3, velocity_level: true}\n"
    "initial:\n"
    "  t: 1/3\n"
    "  mode: fly\n"
    "  state: {x: 1, w: 0}\n"
    "  guess: {y: 1, vx: 2, vy: 1}\n"
    "  rows: [vy - 2*vx]\n"
    "end: 3\n"
    "stops: [1, 2]\n"
    "at_ends: skip\n"
    "terminal_cost: {c: x*x}\n"
    "draw: [[[x, y]]]\n"
    "published: [{quantity: q.x, value: 1.5, source: nobody}]\n"
    "twin: {case: pendulum, coordinates: [a, b], equal: [{name: e, own: x, twin: b}]}\n";

/* Sections as lists; planar bodies with a guess. */
static const char lists[] =
    "bodies: {rod: planar, car: planar}\n"
    "parameters: [{name: g, nominal: 9.81}, {name: m, nominal: 1}]\n"
    "modes:\n"
    "  - {name: fall, elements: [{inertia: {body: rod, mass: m, moments: m}}, "
    "{distance: {from: rod, to: [0, 0], length: m}}]}\n"
    "  - {name: rest, M: {x_rod: {x_rod: 1}}}\n"
    "events:\n"
    "  - {name: end, from: fall, guard: x_rod, direction: either}\n"
    "initial: {bodies: {rod: {centre: [0, 1], angle: g}}}\n"
    "end: 1\n";

static const char frames[] =
    "bodies: {rod: euler, crank: euler}\n"
    "parameters: {m: 1}\n"
    "modes:\n"
    "  swing:\n"
    "    elements:\n"
    "      - inertia: {body: rod, mass: m, moments: [m, m, m]}\n"
    "      - inertia: {body: crank, mass: m, moments: [m, m, m]}\n"
    "      - coincidence: {a: rod, b: crank}\n"
    "end: 1\n";

static void walk_file(const char *path)
{
    char *text = whole_file(path);
    cr_assert_not_null(text, "%s", path);
    walk_text(path, text);
    free(text);
}

Test(fingerprint_leaves, each_leaf_counts_or_is_listed)
{
    static const char *const file[] = {
        "bricard", "flyball-governor", "pendulum-chain", "slider-crank-equal-arms",
        "slider-crank-friction", "slider-crank-spatial", "two-link-absolute"};
    walk_text("everything", everything);
    walk_text("lists", lists);
    walk_text("plane", plane);
    walk_text("space", space);
    walk_text("frames", frames);
    for (size_t k = 0; k < sizeof file / sizeof *file; k++) {
        char path[200];
        snprintf(path, sizeof path, "verify/tests/cases/models/%s.yaml", file[k]);
        walk_file(path);
    }
    for (int k = 0; key_info[k].name; k++) {
        const struct key_info *info = &key_info[k];
        bool leaf = info->shape != IS_DERIVED && info->shape != IS_PART &&
                    info->shape != IS_LIST;
        cr_expect(!leaf || seen[k] > 0 || !counts(info->section, info->name),
                  "no change of %s of %s was tried", info->name,
                  section_info[info->section].name);
    }
}

/* Cases of the catalogue as model files: each leaf of formulas that are in use. */
Test(fingerprint_leaves, each_leaf_of_cases_of_the_catalogue_counts)
{
    static const char *const name[] = {"pendulum-wall", "ball-restitution", "clutch",
                                       "impact-oscillator", "event-algebra"};
    for (size_t k = 0; k < sizeof name / sizeof *name; k++) {
        struct diagnosis diagnosis = {.t = NAN};
        char *text = model_file_text(case_find(name[k]), &diagnosis);
        cr_assert_not_null(text, "%s: %s", name[k], diagnosis.place);
        walk_text(name[k], text);
        free(text);
    }
}
