/*
 * sundials.h - names of the peers of SUNDIALS. Their files are compiled twice: for the
 * libraries as Debian builds them and, REBUILT, with their source (Makefile).
 */
#ifndef SALTUS_SUNDIALS_H
#define SALTUS_SUNDIALS_H

#include <sundials/sundials_config.h>

#include "peers/flags.h"

#ifdef REBUILT
#define NAMED(id) peer_##id##_rebuilt
#define SUFFIX "-rebuilt"
#define BUILD_OF(library) \
    library " " SUNDIALS_VERSION " from Debian's source, " PEER_FLAGS
#else
#define NAMED(id) peer_##id
#define SUFFIX ""
#define BUILD_OF(library) library " " SUNDIALS_VERSION " as Debian builds it"
#endif

/* Defines a peer; `opener`, `solver` and `closer` are open, solve and close. */
#define SUNDIALS_PEER(id, library, text, about, opener, solver, closer)                  \
    extern const struct peer NAMED(id);                                                  \
    const struct peer NAMED(id) = {                                                      \
        .name = text SUFFIX, .title = about, .build = BUILD_OF(library),                 \
        .loosest = 1e-5, .open = opener, .solve = solver, .close = closer,               \
    }

#endif
