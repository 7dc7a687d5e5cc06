/*
 * manual.h - the manual page and the completion of shells, made from the tables of the
 * command: commands.def, options.def, the help texts, and the tables of names.
 */
#ifndef SALTUS_MANUAL_H
#define SALTUS_MANUAL_H

#include <stdio.h>

/* Prints saltus(1) as macros of man(7). */
void manual_page(FILE *stream);
/* Prints saltus-model(5), from the keys of model files. */
void manual_model(FILE *stream);
/* Prints a function that completes command lines in bash, and its registration. */
void manual_bash(FILE *stream);
/* Likewise for zsh, as a file of a folder of its $fpath. */
void manual_zsh(FILE *stream);

#endif
