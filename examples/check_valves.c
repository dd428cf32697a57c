/*
 * title: Broken valves
 * source: BDP16, Fig. 1, in own words
 * look at: An alarm is due when too many valves are broken. Branches finds the array that sets it off, and proves that the check of the index cannot fail.
 */
#include <stdio.h>
#include <stdlib.h>
#define BROKEN (-1)
#define TOLERANCE 2

int state_of(int state[], int valves, int valve)
{
    if (valve < 0 || valve >= valves) {
        printf("there is no such valve");
        exit(1);
    }
    return state[valve];
}

int check_valves(int state[], int valves, int before, int after)
{
    int broken = 0;
    while (before > 0)
        before--;
    for (int valve = 0; valve < valves; valve++)
        if (state_of(state, valves, valve) == BROKEN)
            broken++;
    if (broken > TOLERANCE)
        printf("alarm");
    while (after > 0)
        after--;
    return broken;
}
