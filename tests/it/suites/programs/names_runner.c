#include <stdlib.h>

typedef unsigned char byte;
struct runner { byte lane; short time; };
struct suite { struct runner first, second; int expect; };

static int compare(const struct runner *a, const struct runner *b, int unused)
{
    return a->time < b->time ? -1 : a->time > b->time;
}

static inline int never_called(void) { return abs(-1); }

int runner(struct suite *suite, const int check)
{
    int test, tests[2] = { 0 };

    for (test = 0; test < 2; test++) {
        if (check & 1 << test)
            tests[test] = compare(&suite->first, &suite->second, test);
        else if (suite->first.lane == suite->second.lane)
            tests[test] = 2;
    }
    if (tests[0] != tests[1] && (check & 3) == 3)
        return -1;
    if (tests[0] == suite->expect)
        exit(tests[1] < 0);
    if (suite->first.lane > -1 == 0)
        return 5;
    return tests[0] + tests[1] > 3 ? 4 : 0;
}
