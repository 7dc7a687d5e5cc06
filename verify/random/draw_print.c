/*
 * draw_print.c - a draw as a case file.
 */
#include <string.h>

#include "random/draw.h"

enum { WIDTH = 88 };

/* Lines end at spaces, which stand around the signs of a sum. */
static void print_wrapped(FILE *stream, const char *head, const char *text,
                          const char *tail)
{
    int column = fprintf(stream, "%s", head);
    while (*text) {
        int word = (int)strcspn(text + 1, " ") + 1;
        if (column + word > WIDTH && *text == ' ')
            column = fprintf(stream, "\n       ");
        column += fprintf(stream, "%.*s", word, text);
        text += word;
    }
    fprintf(stream, "%s", tail);
}

/* Prints EQ(...) of a place, at the first of its terms: was it that one? `head` is
   everything before, and ends with "EQ(". */
static bool print_formula(FILE *stream, const struct draw *draw, int k, const char *head)
{
    char text[DRAW_FORMULA];
    bool first = k >= 0 && draw_formula(draw, k, text, sizeof text);
    if (first)
        print_wrapped(stream, head, text, ");\n");
    return first;
}

static void print_declarations(FILE *stream, const struct draw *draw)
{
    static const char *const word[NAMES_KINDS] = {
        "COORDINATES", "PARAMETERS", "AUXILIARY", "COSTS", "MULTIPLIERS", "IMPULSES"};
    char text[DRAW_NAMES], head[40];
    for (int what = 0; what < NAMES_KINDS; what++) {
        draw_names(draw, (enum drawn_names)what, text, sizeof text);
        snprintf(head, sizeof head, "    %s(", word[what]);
        if (text[0])
            print_wrapped(stream, head, text, ");\n");
    }
    fprintf(stream, "    TIME(t);\n\n");
    for (int j = 0; j < draw->p; j++)
        fprintf(stream, "    %s(%s, %s, \"1\", \"drawn\");\n",
                draw->parameter[j].fixed ? "FIXED" : "NOMINAL", draw->parameter[j].name,
                draw->parameter[j].value);
}

static void print_mode(FILE *stream, const struct draw *draw, int mode)
{
    static const char *const name[] = {"M", "F", "Phi", "f_s", "g"};
    fprintf(stream, "\n    mode[%d] = model_mode(model, \"%s\");\n", mode,
            draw_mode_name[mode]);
    for (int k = 0; k < draw->terms; k++) {
        const struct term *term = &draw->term[k];
        char head[60], column[8] = "";
        if (term->place > AT_G || term->owner != mode)
            continue;
        if (term->place == AT_M)
            snprintf(column, sizeof column, "[%d]", term->j);
        snprintf(head, sizeof head, "    model->%s[%d]%s = EQ(", name[term->place],
                 term->i, column);
        bool first = print_formula(stream, draw, k, head);
        if (first && term->place == AT_PHI && term->j == 1)
            fprintf(stream, "    mode[%d]->velocity_level[%d] = true;\n", mode, term->i);
    }
}

/* Prints everything of an event that is set after it was made; returns how much. */
static int print_reset(FILE *stream, const struct draw *draw, int e)
{
    static const char *const name[PLACES] = {
        [AT_Q_PLUS] = "q_plus", [AT_V_PLUS] = "v_plus", [AT_S_PLUS] = "s_plus",
        [AT_COST] = "cost"};
    const struct drawn_event *event = &draw->event[e];
    char head[60], E[DRAW_FORMULA], Psi[DRAW_FORMULA];
    int count = 0;
    for (int k = 0; k < draw->terms; k++) {
        const struct term *term = &draw->term[k];
        if (term->owner != e || !name[term->place])
            continue;
        snprintf(head, sizeof head, "    event->%s[%d] = EQ(", name[term->place],
                 term->i);
        if (stream)
            print_formula(stream, draw, k, head);
        count++;
    }
    for (int i = 0, k; (k = draw_find(draw, AT_PSI, e, i)) >= 0; i++, count++) {
        draw_formula(draw, k, Psi, sizeof Psi);
        int restitution = draw_find(draw, AT_E, e, i);
        if (restitution < 0 || !draw_formula(draw, restitution, E, sizeof E))
            snprintf(E, sizeof E, "0");
        if (stream)
            fprintf(stream, "    event_impulse(event, EQ(%s), EQ(%s));\n", Psi, E);
    }
    const struct { bool is; const char *line; } word[] = {
        {event->joints, "event_impulse_joints(event)"},
        {event->velocity == VELOCITY_CONSTRAINED, "event_constrain_velocity(event)"},
        {event->terminal, "event->terminal = true"}};
    for (size_t k = 0; k < sizeof word / sizeof *word; k++) {
        if (word[k].is && stream)
            fprintf(stream, "    %s;\n", word[k].line);
        count += word[k].is;
    }
    return count;
}

static void print_event(FILE *stream, const struct draw *draw, int e)
{
    const struct drawn_event *event = &draw->event[e];
    static const char *const direction[] = {"FALLING", "EITHER", "RISING"};
    char tail[20], text[DRAW_FORMULA];
    fprintf(stream, "\n");
    fprintf(stream, "    %smodel_event(model, \"%s\", mode[%d], mode[%d],\n",
            print_reset(NULL, draw, e) > 0 ? "event = " : "", draw_event_name[e],
            event->from, event->to);
    snprintf(tail, sizeof tail, "), %s);\n", direction[event->direction + 1]);
    draw_formula(draw, draw_find(draw, AT_GUARD, e, -1), text, sizeof text);
    print_wrapped(stream, "        EQ(", text, tail);
    print_reset(stream, draw, e);
}

static void print_ends(FILE *stream, const struct draw *draw)
{
    static const char *const name[PLACES] = {
        [AT_T0] = "t0", [AT_T_END] = "t_end", [AT_Q0] = "q0", [AT_GUESS] = "q_guess",
        [AT_V0] = "v0", [AT_V_GUESS] = "v_guess", [AT_S0] = "s0",
        [AT_S_GUESS] = "s_guess", [AT_W] = "w"};
    fprintf(stream, "\n");
    for (int k = 0; k < draw->terms; k++) {
        const struct term *term = &draw->term[k];
        char head[60], index[8] = "";
        if (term->place < AT_T0 || term->place == AT_GAMMA)
            continue;
        if (term->place != AT_T0 && term->place != AT_T_END)
            snprintf(index, sizeof index, "[%d]", term->i);
        snprintf(head, sizeof head, "    model->%s%s = EQ(", name[term->place], index);
        print_formula(stream, draw, k, head);
    }
    for (int i = 0, k; (k = draw_find(draw, AT_GAMMA, 0, i)) >= 0; i++) {
        char text[DRAW_FORMULA];
        draw_formula(draw, k, text, sizeof text);
        print_wrapped(stream, "    model_start_row(model, EQ(", text, "));\n");
    }
}

void draw_print(FILE *stream, const struct draw *draw)
{
    bool resets = false;
    for (int e = 0; e < draw->events; e++)
        resets = resets || print_reset(NULL, draw, e) > 0;
    fprintf(stream, "#include \"case.h\"\n\n"
                    "static void record(struct model *model)\n{\n");
    print_declarations(stream, draw);
    fprintf(stream, "\n    struct mode *mode[%d];\n", draw->modes);
    if (resets)
        fprintf(stream, "    struct event *event;\n");
    for (int mode = 0; mode < draw->modes; mode++)
        print_mode(stream, draw, mode);
    for (int e = 0; e < draw->events; e++)
        print_event(stream, draw, e);
    if (draw->events == 0)              /* no event reads the modes */
        fprintf(stream, "    (void)mode;\n");
    print_ends(stream, draw);
    fprintf(stream,
            "}\n\nCASE(random_%llu,\n    .name = \"%s\",\n"
            "    .title = \"a random mechanism\",\n"
            "    .source = \"saltus random --seed %llu\",\n"
            "    .declared = \"everything\",\n    .classes = \"\",\n"
            "    .record = record);\n",
            (unsigned long long)draw->seed, draw->name, (unsigned long long)draw->seed);
}
