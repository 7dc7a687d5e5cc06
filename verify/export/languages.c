/*
 * languages.c - the languages of languages.def.
 */
#include <stddef.h>
#include <string.h>

#include "export/language.h"

#define LANGUAGE(NAME) extern const struct language language_##NAME;
#include "export/languages.def"
#undef LANGUAGE

const struct language *const languages[] = {
#define LANGUAGE(NAME) &language_##NAME,
#include "export/languages.def"
#undef LANGUAGE
    NULL};

const struct language *language_find(const char *name)
{
    int k = 0;
    while (languages[k] && strcmp(languages[k]->name, name) != 0)
        k++;
    return languages[k];
}
