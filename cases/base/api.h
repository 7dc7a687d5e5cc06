/*
 * api.h - how public headers declare what libsaltus exports (ELF visibility, gcc and
 * clang).
 *
 * The library is compiled with hidden visibility. Functions and tables declared between
 * SALTUS_API_BEGIN and SALTUS_API_END are exported, all others are not; C++ sees them
 * with the linkage of C. The build makes the version script from the same declarations
 * (formulations/plugins/exports.awk).
 */
#ifndef SALTUS_API_H
#define SALTUS_API_H

#ifdef __cplusplus
#define SALTUS_API_BEGIN _Pragma("GCC visibility push(default)") extern "C" {
#define SALTUS_API_END } _Pragma("GCC visibility pop")
#else
#define SALTUS_API_BEGIN _Pragma("GCC visibility push(default)")
#define SALTUS_API_END _Pragma("GCC visibility pop")
#endif

/* The symbol of a declaration whose name in C is a word of the language of formulas (add,
   mul, spring): saltus_add. A program that defines a symbol `add` for itself does not
   collide with the library. */
#define SALTUS_WORD(name) __asm__("saltus_" #name)

#endif
