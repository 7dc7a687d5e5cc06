/*
 * trees.h - rooted trees, and the elementary weights of a Runge-Kutta method for them.
 *
 * Source: Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I, 1993, II.2.
 */
#ifndef SALTUS_ORIGINS_TREES_H
#define SALTUS_ORIGINS_TREES_H

enum { LARGEST_TREE = 11 };

/*
 * A tree of more than one vertex is the Butcher product of two: the root of `stem` gets
 * the root of `branch` as one more child.
 */
struct tree {
    int vertices;
    int stem, branch;  /* indices of smaller trees; -1: the single vertex */
    int children;      /* of the root */
    int single;        /* vertices that have exactly one child */
    int equal;         /* children of the root that equal `branch`, itself among them */
    long gamma, sigma; /* the density and the order of the group of symmetries */
};

/* All trees of 1 to LARGEST_TREE vertices, by their number of vertices: those of n
   vertices are trees first[n] to first[n + 1] - 1. */
extern struct tree *trees;
extern int first_tree[LARGEST_TREE + 2];

/* Makes the list of trees. Ends the program when no memory is left. */
void trees_make(void);

#endif
