/*
 * code_cache.h - C text becomes a function: compiled by the system's compiler, kept in a
 * cache.
 *
 * The cache is a folder: SALTUS_CACHE, else saltus in XDG_CACHE_HOME, else in ~/.cache.
 * An entry is NAME.so beside NAME.c, the text it was made from, with the compiler, its
 * flags, and a checksum of NAME.so in its last two lines; NAME is a hash of all but the
 * checksum. An entry is used when all of that is as it should be, byte by byte, and the
 * files are the user's own and nobody else may write to them. Else it is made again,
 * under other names and renamed, by one process at a time. The oldest go when all are
 * larger than SALTUS_CACHE_MIB (64). A folder that is not the user's own, or that others
 * may write to, is not used.
 *
 * The compiler is that of compiler.h. Without one, or without a cache, there is no code:
 * what is interpreted stays interpreted, which is said once.
 */
#ifndef SALTUS_CODE_CACHE_H
#define SALTUS_CODE_CACHE_H

#include <stdbool.h>
#include <stddef.h>

struct code_cache_entry;

/* How many numbers a vector of the code may have where nothing but vectors is computed
   with. */
int code_cache_widest(void);

/* The compiler that is called, and its flags. */
void code_cache_command(char *text, size_t size);

/* The compiled text, which defines `symbol`. `made`: compiles it if it is not in the
   cache; else NULL. NULL, too, where it cannot be had. */
struct code_cache_entry *code_cache_open(const char *text, const char *symbol, bool made);
void code_cache_close(struct code_cache_entry *code);
/* Address of the symbol, of an object or of a function, to be cast to its type. NULL
   where there is no code. */
void *code_cache_symbol(const struct code_cache_entry *code);
typedef void any_function(void);
any_function *code_cache_function(const struct code_cache_entry *code);

#endif
