/*
 * ball_workspace.h - what the ball_*.c files share: the numbers of a thread.
 */
#ifndef SALTUS_BALL_WORKSPACE_H
#define SALTUS_BALL_WORKSPACE_H

#include "oracles/ball.h"

struct workspace {
    long bits;              /* of operations; 0: not open */
    acb_ptr *chunk;         /* numbers never move, so they lie in chunks */
    int chunks, room;
    long used;
    bool undecided;
};
extern _Thread_local struct workspace ball_workspace;

acb_ptr ball_new(void);

#endif
