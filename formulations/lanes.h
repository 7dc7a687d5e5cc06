/*
 * lanes.h - how many trajectories are integrated beside each other, one in each lane of
 * wide vectors: arrays are [..][LANES] there.
 */
#ifndef SALTUS_LANES_H
#define SALTUS_LANES_H

enum { LANES = 8 };

#endif
