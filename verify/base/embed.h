/*
 * embed.h - a file of the source tree becomes text in the program.
 *
 * EMBED(style, "verify/drawings/style.gnuplot"); defines style [], which ends with a
 * zero. The path begins in the top folder, where the compiler is called from. The
 * Makefile names such files beside their objects, so that an edited one is compiled in
 * again.
 */
#ifndef SALTUS_EMBED_H
#define SALTUS_EMBED_H

#define EMBED(name, path)                                                             \
    __asm__(".pushsection .rodata\n"                                                  \
            ".hidden " #name "\n.global " #name "\n" #name ":\n"                      \
            ".incbin \"" path "\"\n.byte 0\n"                                         \
            ".popsection\n");                                                         \
    extern const char name[] __attribute__((visibility("hidden")))

#endif
