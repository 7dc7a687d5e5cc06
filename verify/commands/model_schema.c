/*
 * model_schema.c - the keys of a model file as a JSON Schema (model_schema.h)
 */
#include "commands/model_schema.h"

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "file/keys.h"
#include "model.h"

/* --- pieces ------------------------------------------------------------------------- */

static cJSON *of_type(const char *type)
{
    cJSON *schema = cJSON_CreateObject();
    cJSON_AddStringToObject(schema, "type", type);
    return schema;
}

/* A piece that the schema has under a name. */
static cJSON *reference(const char *name)
{
    char path[80];
    cJSON *schema = cJSON_CreateObject();
    snprintf(path, sizeof path, "#/$defs/%s", name);
    cJSON_AddStringToObject(schema, "$ref", path);
    return schema;
}

static cJSON *either(cJSON *one, cJSON *other)
{
    cJSON *schema = cJSON_CreateObject();
    cJSON *list = cJSON_AddArrayToObject(schema, "anyOf");
    cJSON_AddItemToArray(list, one);
    cJSON_AddItemToArray(list, other);
    return schema;
}

static cJSON *list_of(cJSON *item)
{
    cJSON *schema = of_type("array");
    /* an item of a list may be a loop */
    cJSON_AddItemToObject(schema, "items", either(item, reference("loop")));
    return schema;
}

static cJSON *table_of(cJSON *value)
{
    cJSON *schema = of_type("object");
    cJSON *patterns = cJSON_AddObjectToObject(schema, "patternProperties");
    cJSON_AddItemToObject(patterns, "^(for .*|<<)$", cJSON_CreateObject());
    cJSON_AddItemToObject(schema, "additionalProperties", value);
    return schema;
}

static cJSON *one_of(const char *const *words)
{
    cJSON *schema = cJSON_CreateObject();
    cJSON *list = cJSON_AddArrayToObject(schema, "enum");
    for (; *words; words++)
        cJSON_AddItemToArray(list, cJSON_CreateString(*words));
    return schema;
}

/* By names, or in their order. */
static cJSON *vector(void)
{
    return either(table_of(reference("formula")), list_of(reference("entry")));
}

/* The name of a place, its components, or where it is on a body. */
static cJSON *place(void)
{
    return either(reference("text"),
                  either(list_of(reference("formula")), reference("place")));
}

/* --- values of keys ----------------------------------------------------------------- */

static cJSON *shape_of(const struct key_info *key)
{
    static const char *const directions[] = {"falling", "either", "rising", NULL};
    static const char *const dimensions[] = {"plane", "space", NULL};
    static const char *const bodies[] = {"planar", "euler", "natural", NULL};
    static const char *const axes[] = {"x", "y", "z", NULL};
    static const char *const velocities[] = {"explicit", "constrained", "impulsive",
                                             NULL};
    const char *section = section_info[key->of].name;
    switch (key->shape) {
    case IS_TEXT: case IS_WORD: case IS_MODE_NAME: return reference("text");
    case IS_WORDS: return either(reference("text"), list_of(reference("text")));
    case IS_FLAG: return of_type("boolean");
    case IS_FLAGS: return list_of(of_type("boolean"));
    case IS_INTEGERS: return table_of(reference("formula"));
    case IS_FORMULA: return reference("formula");
    case IS_FORMULAS:
        return either(table_of(reference("formula")), list_of(of_type("array")));
    case IS_LIST_OF_FORMULAS: return list_of(reference("formula"));
    case IS_SUM: return either(reference("formula"), list_of(reference("formula")));
    case IS_VECTOR: case IS_STATES: case IS_COSTS: return vector();
    case IS_MATRIX: return either(table_of(vector()), list_of(vector()));
    case IS_STATE: return table_of(reference("formula"));
    case IS_RESET: return table_of(cJSON_CreateObject());
    case IS_DRAWING: return list_of(list_of(place()));
    case IS_DIRECTION: return one_of(directions);
    case IS_VELOCITY: return one_of(velocities);
    case IS_AT_ENDS: return one_of(at_ends_text);
    case IS_PART: return reference(section);
    case IS_PARTS:
        return either(table_of(key->of == SECTION_PARAMETER
                                   ? either(reference("formula"), reference(section))
                                   : reference(section)), list_of(reference(section)));
    case IS_LIST: return list_of(reference(section));
    case IS_POINTS:
        return either(list_of(reference("text")), table_of(one_of(dimensions)));
    case IS_BODIES: return table_of(one_of(bodies));
    case IS_BODY_NAME: return reference("text");
    case IS_PLACES: return table_of(place());
    case IS_PLACE: return place();
    case IS_PLACE_PAIR: return list_of(place());
    case IS_FRAME: return either(reference("text"), reference(section));
    case IS_COMPONENTS: case IS_EULER_PARAMETERS: return list_of(reference("formula"));
    case IS_AXIS: return one_of(axes);
    case IS_MOMENTS: return either(reference("formula"), list_of(reference("formula")));
    case IS_DERIVED: break;
    }
    return cJSON_CreateObject();
}

static cJSON *section_schema(enum section section)
{
    cJSON *schema = of_type("object");
    cJSON *properties = cJSON_AddObjectToObject(schema, "properties");
    for (const struct key_info *key = key_info; key->name; key++) {
        if (key->section != section)
            continue;
        cJSON *value = shape_of(key);
        cJSON_AddStringToObject(value, "description", key->meaning);
        cJSON_AddItemToObject(properties, key->name, value);
    }
    cJSON *patterns = cJSON_AddObjectToObject(schema, "patternProperties");
    cJSON_AddItemToObject(patterns, "^(for .*|<<)$", cJSON_CreateObject());
    cJSON_AddBoolToObject(schema, "additionalProperties", false);
    return schema;
}

static cJSON *loop(void)
{
    cJSON *schema = of_type("object");
    cJSON *patterns = cJSON_AddObjectToObject(schema, "patternProperties");
    cJSON_AddItemToObject(patterns, "^for .* in .*\\.\\..*$", of_type("array"));
    cJSON_AddNumberToObject(schema, "maxProperties", 1);
    return schema;
}

char *model_schema(void)
{
    cJSON *root = section_schema(SECTION_ROOT), *text, *entry;
    cJSON_AddStringToObject(root, "$schema",
                            "https://json-schema.org/draft/2020-12/schema");
    cJSON_AddStringToObject(root, "title", "saltus model file");
    cJSON *pieces = cJSON_AddObjectToObject(root, "$defs");
    static const char *const scalar[] = {"string", "number", NULL};
    cJSON_AddItemToObject(pieces, "text", text = cJSON_CreateObject());
    cJSON_AddItemToObject(text, "type", cJSON_CreateStringArray(scalar, 2));
    cJSON_AddItemToObject(pieces, "formula", cJSON_Duplicate(text, true));
    cJSON_AddItemToObject(pieces, "entry", entry = cJSON_CreateObject());
    static const char *const or_null[] = {"string", "number", "null"};
    cJSON_AddItemToObject(entry, "type", cJSON_CreateStringArray(or_null, 3));
    cJSON_AddItemToObject(pieces, "loop", loop());
    for (int section = SECTION_PARAMETER; section < SECTIONS; section++)
        cJSON_AddItemToObject(pieces, section_info[section].name,
                              section_schema((enum section)section));
    char *json = cJSON_Print(root);
    if (!json)
        memory_exhausted();
    char *out = memory_text(json, strlen(json));
    cJSON_free(json);
    cJSON_Delete(root);
    return out;
}
