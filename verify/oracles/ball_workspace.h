/*
 * ball_workspace.h - the numbers of a thread; for the ball_*.c files.
 */
#ifndef SALTUS_BALL_WORKSPACE_H
#define SALTUS_BALL_WORKSPACE_H

#include "oracles/ball.h"

struct workspace {
    long bits;              /* bits of operations; 0: the workspace is not open */
    acb_ptr *chunk;         /* numbers never move, so they lie in chunks */
    int chunks, room;
    long used;
    bool undecided;
};
extern _Thread_local struct workspace ball_workspace;

acb_ptr ball_new(void);

#endif
