/*
 * read_event.c - events of a model file: guards, conditions, resets, impulses, costs,
 * balances (reader.h).
 */
#include <string.h>

#include "file/element.h"
#include "model_internal.h"

/* --- resets ------------------------------------------------------------------------- */

/* One value after the event, by its name. */
static void read_value(struct reader *reader, const struct node *name,
                       const struct node *value)
{
    static const int after[] = {BLOCK_Q_PLUS, BLOCK_V_PLUS, BLOCK_S_PLUS};
    struct event *event = reader->event;
    int block, i;
    if (!yaml_variable(reader, name, "a reset", after, 3, &block, &i))
        return;
    formula *out = block == BLOCK_Q_PLUS   ? event->q_plus
                   : block == BLOCK_V_PLUS ? event->v_plus : event->s_plus;
    out[i] = yaml_formula(reader, value);
}

void read_explicit(struct reader *reader, const struct node *value)
{
    if (!yaml_is(reader, value, NODE_LIST, "explicit"))
        return;
    for (int i = 0; i < value->count; i++) {
        const struct node *pair = value->item[i];
        if (pair->kind == NODE_LIST && pair->count == 2)
            read_value(reader, pair->item[0], pair->item[1]);
        else
            yaml_refuse(reader, pair, "`explicit` is a list of pairs [name, formula]");
    }
}

void read_reset(struct reader *reader, const struct node *value)
{
    if (!yaml_is(reader, value, NODE_TABLE, "reset"))
        return;
    if (node_find(value, "explicit")) {
        yaml_section(reader, SECTION_RESET, value, "a reset");
        return;
    }
    for (int i = 0; i < value->count; i++)
        read_value(reader, value->key[i], value->item[i]);
}

void read_velocity(struct reader *reader, const struct node *value)
{
    int word = yaml_word(reader, value, "velocity", reset_velocity_text);
    if (word >= 0)
        reader->event->velocity = (enum velocity_reset)word;
}

void read_joints(struct reader *reader, const struct node *value)
{
    if (yaml_flag(reader, value, "joints"))
        event_impulse_joints(reader->event);
}

void read_Psi(struct reader *reader, const struct node *value)
{
    reader->impulse.Psi = yaml_formula(reader, value);
}

void read_E(struct reader *reader, const struct node *value)
{
    reader->impulse.E = yaml_formula(reader, value);
}

void read_Psi_level(struct reader *reader, const struct node *value)
{
    reader->impulse.velocity_level = yaml_flag(reader, value, "velocity_level");
}

void read_impulse_rows(struct reader *reader, const struct node *value)
{
    struct event *event = reader->event;
    if (!yaml_is(reader, value, NODE_LIST, "impulses"))
        return;
    for (int i = 0; i < value->count; i++) {
        reader->impulse.Psi = reader->impulse.E = (formula){NULL, 0};
        reader->impulse.velocity_level = false;
        yaml_section(reader, SECTION_IMPULSE, value->item[i], "an impulse");
        if (!reader->impulse.Psi.tape) {
            yaml_refuse(reader, value->item[i], "an impulse has a row `Psi`");
            continue;
        }
        event_impulse(event, reader->impulse.Psi, reader->impulse.E);
        event->Psi_velocity_level[event->impulses - 1] = reader->impulse.velocity_level;
    }
}

/* --- other parts of an event -------------------------------------------------------- */

void read_conditions(struct reader *reader, const struct node *value)
{
    if (value->kind == NODE_TEXT)
        event_require(reader->event, yaml_formula(reader, value));
    else if (yaml_is(reader, value, NODE_LIST, "conditions"))
        for (int i = 0; i < value->count; i++)
            event_require(reader->event, yaml_formula(reader, value->item[i]));
}

void read_terminal(struct reader *reader, const struct node *value)
{
    reader->event->terminal = yaml_flag(reader, value, "terminal");
}

void read_event_cost(struct reader *reader, const struct node *value)
{
    yaml_costs(reader, value, "cost", reader->event->cost);
}

void read_balances(struct reader *reader, const struct node *value)
{
    if (!yaml_is(reader, value, NODE_LIST, "balances"))
        return;
    for (int i = 0; i < value->count; i++) {
        const struct node *part = value->item[i];
        yaml_section(reader, SECTION_BALANCE, part, "a balance");
        const struct node *name = node_find(part, "name");
        const struct node *left = node_find(part, "left");
        const struct node *right = node_find(part, "right");
        if (!name || !left || !right)
            yaml_refuse(reader, part, "a balance has `name`, `left` and `right`");
        else
            event_balance(reader->event, yaml_text(reader, name, "name"),
                          yaml_formula(reader, left), yaml_formula(reader, right));
    }
}

static enum direction read_direction(struct reader *reader, const struct node *value)
{
    static const char *const words[] = {"falling", "either", "rising", NULL};
    static const enum direction direction[] = {FALLING, EITHER, RISING};
    int word = yaml_word(reader, value, "direction", words);
    return word < 0 ? EITHER : direction[word];
}

static void read_event(struct reader *reader, const struct node *name,
                       const struct node *part)
{
    struct model *model = reader->model;
    if (!yaml_keys(reader, SECTION_EVENT, part, "an event"))
        return;
    const struct node *from = node_find(part, "from"), *to = node_find(part, "to");
    const struct node *guard = node_find(part, "guard");
    const struct node *direction = node_find(part, "direction");
    if (!from && model->modes > 1)
        yaml_refuse(reader, name, "event %.60s does not say which mode it leaves: add "
                      "`from`", name->text);
    if (!guard)
        yaml_refuse(reader, name, "event %.60s has no guard: add `guard`, a function "
                      "that is zero at the event", name->text);
    if (!direction)
        yaml_refuse(reader, name, "event %.60s has no direction: add `direction: "
                      "rising`, falling or either", name->text);
    for (int k = 0; k < model->events; k++)
        if (strcmp(model->event[k]->name, name->text) == 0)
            yaml_refuse(reader, name, "event %.60s is there twice", name->text);
    struct mode *leaves = from ? yaml_mode(reader, from) : model->mode[0];
    struct mode *enters = to ? yaml_mode(reader, to) : leaves;
    reader->names = elements_names(reader, leaves ? leaves : model->mode[0]);
    formula f = guard ? yaml_formula(reader, guard) : (formula){NULL, 0};
    enum direction way = direction ? read_direction(reader, direction) : EITHER;
    model_at_column(model, reader->document->path, name->line, name->column);
    reader->event = model_event(model, name->text, leaves ? leaves : model->mode[0],
                                enters ? enters : model->mode[0], f, way);
    yaml_section(reader, SECTION_EVENT, part, "an event");
    reader->names = NULL;
}

void read_events(struct reader *reader, const struct node *events)
{
    yaml_named(reader, events, "events", read_event);
}
