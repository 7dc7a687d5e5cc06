/*
 * read_mode.c - modes of a model file: M, F, Phi, f_s, g, energies and forces (reader.h).
 */
#include <string.h>

#include "elements/lagrange.h"
#include "file/reader.h"
#include "model_internal.h"

/* --- matrices and vectors ----------------------------------------------------------- */

static void read_row(struct reader *reader, const struct node *row, int i)
{
    yaml_vector(reader, row, "M", BLOCK_Q, reader->model->n, reader->mode->M[i]);
}

/* A table of tables, both by coordinates, or rows in the order of the coordinates. */
void read_M(struct reader *reader, const struct node *value)
{
    static const int coordinates = BLOCK_Q;
    int n = reader->model->n, block, i;
    if (value->kind == NODE_TEXT) {
        yaml_is(reader, value, NODE_TABLE, "M");
        return;
    }
    if (value->kind == NODE_LIST && value->count > n)
        yaml_refuse(reader, value->item[n], "M has %d rows, and there are %d "
                      "coordinates", value->count, n);
    for (int k = 0; k < value->count; k++)
        if (value->kind == NODE_LIST && k < n)
            read_row(reader, value->item[k], k);
        else if (value->kind == NODE_TABLE &&
                 yaml_variable(reader, value->key[k], "a row of M", &coordinates, 1,
                                 &block, &i))
            read_row(reader, value->item[k], i);
}

void read_F(struct reader *reader, const struct node *value)
{
    yaml_vector(reader, value, "F", BLOCK_Q, reader->model->n, reader->mode->F);
}

void read_f_s(struct reader *reader, const struct node *value)
{
    yaml_vector(reader, value, "f_s", BLOCK_S, reader->model->ns, reader->mode->f_s);
}

void read_g(struct reader *reader, const struct node *value)
{
    yaml_costs(reader, value, "g", reader->mode->g);
}

/* --- constraints -------------------------------------------------------------------- */

void read_Phi(struct reader *reader, const struct node *value)
{
    if (!yaml_is(reader, value, NODE_LIST, "Phi"))
        return;
    for (int i = 0; i < value->count; i++) {
        formula Phi = yaml_formula(reader, value->item[i]);
        /* a row that could not be read keeps its place */
        model_constraint(reader->model, Phi.tape ? Phi : integer(reader->model->tape, 0));
    }
}

void read_velocity_level(struct reader *reader, const struct node *value)
{
    struct mode *mode = reader->mode;
    int rows = 0;
    if (!yaml_is(reader, value, NODE_LIST, "velocity_level"))
        return;
    while (rows < mode->Phi_room && mode->Phi[rows].tape)
        rows++;
    if (value->count > rows)
        yaml_refuse(reader, value, "velocity_level has %d entries, and Phi has %d rows",
                      value->count, rows);
    for (int i = 0; i < value->count && i < rows; i++)
        mode->velocity_level[i] = yaml_flag(reader, value->item[i], "velocity_level");
}

/* --- energies and forces ------------------------------------------------------------ */

/* A formula, or a list of formulas that are added. */
static void read_sum(struct reader *reader, const struct node *value,
                     void (*add_term)(struct model *model, formula term))
{
    if (value->kind != NODE_LIST)
        add_term(reader->model, yaml_formula(reader, value));
    for (int i = 0; value->kind == NODE_LIST && i < value->count; i++)
        add_term(reader->model, yaml_formula(reader, value->item[i]));
}

void read_T(struct reader *reader, const struct node *value)
{
    read_sum(reader, value, model_kinetic);
}

void read_V(struct reader *reader, const struct node *value)
{
    read_sum(reader, value, model_potential);
}

void read_power(struct reader *reader, const struct node *value)
{
    reader->mode->power = yaml_formula(reader, value);
}

void read_along(struct reader *reader, const struct node *value)
{
    reader->load.place = yaml_formula(reader, value);
}

void read_rate(struct reader *reader, const struct node *value)
{
    if (reader->load.place.tape)
        yaml_refuse(reader, value, "a force acts along a place or on a rate: give one "
                      "of both");
    reader->load.place = yaml_formula(reader, value);
    reader->load.rate = true;
}

void read_force(struct reader *reader, const struct node *value)
{
    reader->load.force = yaml_formula(reader, value);
}

void read_forces(struct reader *reader, const struct node *value)
{
    if (!yaml_is(reader, value, NODE_LIST, "forces"))
        return;
    for (int i = 0; i < value->count; i++) {
        struct load *load = &reader->load;
        *load = (struct load){.rate = false};
        yaml_section(reader, SECTION_FORCE, value->item[i], "a force");
        if (!load->place.tape || !load->force.tape)
            yaml_refuse(reader, value->item[i], "a force has `force`, and `along` (a "
                          "place) or `rate`");
        else if (load->rate)
            model_force_on_rate(reader->model, load->place, load->force);
        else
            model_force(reader->model, load->place, load->force);
    }
}

/* --- modes -------------------------------------------------------------------------- */

static void read_mode(struct reader *reader, const struct node *name,
                      const struct node *part)
{
    const struct model *model = reader->model;
    for (int k = 0; k < model->modes; k++)
        if (strcmp(model->mode[k]->name, name->text) == 0)
            yaml_refuse(reader, name, "mode %.60s is there twice", name->text);
    model_at_column(reader->model, reader->document->path, name->line, name->column);
    reader->mode = model_mode(reader->model, name->text);
    if (!yaml_unset(part))
        yaml_section(reader, SECTION_MODE, part, "a mode");
    reader->names = NULL;
}

void read_modes(struct reader *reader, const struct node *modes)
{
    yaml_named(reader, modes, "modes", read_mode);
}
