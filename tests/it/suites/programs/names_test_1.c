#include <stdio.h>
#include <string.h>

typedef struct test { char name[6]; int expected; } test;
enum outcome { passed, skipped, failed };

static enum outcome test_2(test t, int actual)
{
    if (t.name[0] == '-')
        return skipped;
    return t.expected == actual ? passed : failed;
}

enum outcome test_1(test *tests, int test_count, int i)
{
    enum outcome result;
    test current;

    if (!tests || test_count != 1)
        return skipped;
    current = *tests;
    if (strlen(current.name) > sizeof current.name - 1)
        return failed;
    result = test_2(current, i);
    if (result == failed)
        printf("%d: expected %d, got %d\n", test_count, current.expected, i);
    else if (result == skipped && i > 0)
        return test_2(current, i - 1) == skipped ? skipped : failed;
    return result;
}
