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
#ifndef SALTUS_CODE_H
#define SALTUS_CODE_H

#include <stdbool.h>
#include <stddef.h>

struct code;

/* When is a program compiled? It computes the same to the bit. */
enum code_use {
    CODE_AUTO,          /* when it has been interpreted for as long as that will take */
    CODE_NEVER,
    CODE_ALWAYS         /* at once */
};

/*
 * To interpret a row takes 2 to 3 ns, to write it as text 0.3 us, to compile what is
 * written of it 200 us - in a loop that is one iteration -, to look for what has been
 * compiled about 2 ms. What will be needed is not known, so each is done when as much
 * time has been spent without: that is never more than twice what was best.
 */
struct rental {
    double rows;        /* interpreted so far */
    double look, make;  /* at so many; INFINITY: no more */
};

enum rental_due { RENTAL_NOTHING, RENTAL_LOOK, RENTAL_MAKE };

/* Of a program with so many rows, of which so many are compiled. */
void rental_init(struct rental *rental, double rows, double compiled);
/* True: at once. */
bool rental_use(struct rental *rental, enum code_use use);
/* So many rows more have been interpreted: is it time to look for code, or to make it? */
enum rental_due rental_spend(struct rental *rental, double rows);

/* How many numbers a vector of the code may have where nothing but vectors is computed
   with. */
int code_widest(void);

/* The compiler that is called, and its flags. */
void code_command(char *text, size_t size);

/* The compiled text, which defines `symbol`. `made`: compiles it if it is not in the
   cache; else NULL. NULL, too, where it cannot be had. */
struct code *code_open(const char *text, const char *symbol, bool made);
void code_close(struct code *code);
/* Address of the symbol, of an object or of a function, to be cast to its type. NULL
   where there is no code. */
void *code_symbol(const struct code *code);
typedef void any_function(void);
any_function *code_function(const struct code *code);

/* A program that is interpreted until its code is there: rental and code together. The
   program is whatever `text` takes, which returns it as C, malloc'ed. */
struct rented {
    const char *symbol;
    char *(*text)(const void *program);
    struct rental rental;
    struct code *code;          /* NULL: it is interpreted */
};

/* With so many rows, of which so many are compiled. */
void rented_init(struct rented *rented, const char *symbol,
                 char *(*text)(const void *program), double rows, double compiled);
void rented_clear(struct rented *rented);
/* True: there is code from now on. */
bool rented_use(struct rented *rented, const void *program, enum code_use use);
/* So many rows of it have been interpreted. True as above. */
bool rented_spend(struct rented *rented, const void *program, double rows);

#endif
