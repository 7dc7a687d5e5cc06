/*
 * code_cache.h - compiled code from C text, by the system's compiler, kept in a cache.
 *
 * The cache is a folder: SALTUS_CACHE, else saltus in XDG_CACHE_HOME, else in ~/.cache.
 * An entry is NAME.so beside NAME.c, the text it was made from, with the compiler, its
 * flags, and a checksum of NAME.so in its last two lines; NAME is a hash of all but the
 * checksum. An entry is used if text and checksum agree, byte by byte, and the files are
 * the user's own and nobody else may write to them. Otherwise one process at a time makes
 * the entry, under other names, and renames it. The oldest entries are removed when all
 * are larger than SALTUS_CACHE_MIB (64). A folder that is not the user's own, or that
 * others may write to, is not used.
 *
 * The compiler is that of compiler.h. Without a compiler, or without a cache, there is no
 * code: programs stay interpreted, and one message says so.
 */
#ifndef SALTUS_CODE_CACHE_H
#define SALTUS_CODE_CACHE_H

#include <stdbool.h>
#include <stddef.h>

struct code_cache_entry;

/* The most numbers in a vector of code that computes with nothing but vectors. */
int code_cache_widest(void);

/* text [size] = the compiler and its flags. */
void code_cache_command(char *text, size_t size);

/* Opens the code of a text that defines `symbol`. `made`: the text is compiled if it is
   not in the cache. NULL: there is no code. */
struct code_cache_entry *code_cache_open(const char *text, const char *symbol, bool made);
/* Unloads the code; NULL is allowed. */
void code_cache_close(struct code_cache_entry *code);
/* The address of the symbol, an object; NULL if there is no code. */
void *code_cache_symbol(const struct code_cache_entry *code);
typedef void any_function(void);    /* a function, to be cast to its type */
/* The address of the symbol, a function; NULL if there is no code. */
any_function *code_cache_function(const struct code_cache_entry *code);

#endif
