#include "lane_loops.h"

#include <math.h>

#include "lane_rows.h"

#define SET_TEXT "lane_loops_in.h"
#include "each_set.h"

const struct lane_loops *lane_loops(void)
{
    return WIDEST(loops);
}
