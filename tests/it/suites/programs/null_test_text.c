#include <string.h>

/* Compares two names of which one may be missing: the missing one comes last. */
int compare_names(const char *a, const char *b)
{
    if (!a && !b)
        return 0;
    if (!a || !b)
        return a ? -1 : 1;
    if (*a == '\0' || *b == '\0')
        return *a == *b ? 0 : (*a ? -1 : 1);
    if (strcmp(a, "root") == 0)
        return -2;
    if (a[0] != b[0])
        return a[0] < b[0] ? -1 : 1;
    return 2;
}
