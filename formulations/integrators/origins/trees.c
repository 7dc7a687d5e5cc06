/*
 * trees.c - rooted trees, each made once, as Butcher products of smaller ones.
 *
 * Source: Butcher, Numerical Methods for Ordinary Differential Equations, 2016, 300-302.
 */
#include <stdio.h>
#include <stdlib.h>

#include "trees.h"

struct tree *trees;
int first_tree[LARGEST_TREE + 2];

/* The branch is never an earlier tree than the branch of the stem: so each tree is made
   in one way only. */
static void graft(int stem, int branch, int *count)
{
    const struct tree *s = &trees[stem], *b = &trees[branch];
    int equal = s->branch == branch ? s->equal + 1 : 1;

    if (s->branch > branch)
        return;
    trees[(*count)++] = (struct tree){
        .vertices = s->vertices + b->vertices,
        .stem = stem,
        .branch = branch,
        .children = s->children + 1,
        .single = s->single + b->single + (s->children == 0) - (s->children == 1),
        .equal = equal,
        .gamma = s->gamma / s->vertices * b->gamma * (s->vertices + b->vertices),
        .sigma = s->sigma * b->sigma * equal,
    };
}

void trees_make(void)
{
    enum { ROOM = 4096 };
    int count = 1;

    trees = calloc(ROOM, sizeof *trees);
    if (!trees) {
        fputs("no memory\n", stderr);
        exit(1);
    }
    trees[0] = (struct tree){
        .vertices = 1, .stem = -1, .branch = -1, .gamma = 1, .sigma = 1};
    first_tree[1] = 0;
    first_tree[2] = 1;
    for (int n = 2; n <= LARGEST_TREE; n++) {
        for (int m = 1; m < n; m++)
            for (int stem = first_tree[m]; stem < first_tree[m + 1]; stem++)
                for (int branch = first_tree[n - m]; branch < first_tree[n - m + 1];
                     branch++)
                    graft(stem, branch, &count);
        first_tree[n + 1] = count;
    }
}
