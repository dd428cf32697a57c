#include <string.h>

static int blank(char c)
{
    return c == ' ' || c == '\t';
}

/* Removes blanks at both ends, in place; how many. */
int trim(char *s)
{
    size_t n = strlen(s), from = 0, kept;

    while (blank(s[from]))
        from++;
    if (from == n) {
        s[0] = '\0';
        return n == 0 ? 0 : (int)n;
    }
    kept = n - from;
    while (kept > 0 && blank(s[from + kept - 1]))
        kept--;
    if (kept == 0)
        return -1;
    if (from > 0)
        memmove(s, s + from, kept);
    s[kept] = '\0';
    return (int)(n - kept);
}
