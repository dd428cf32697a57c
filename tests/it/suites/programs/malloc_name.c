#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Greets by a name without its ending. */
int greet(const char *name)
{
    size_t n = strlen(name);

    if (n == 0 || n > 9)
        return 1;
    char *shorter = (char *)malloc(n + 1);
    if (shorter == 0) {
        fputs("no memory\n", stderr);
        return 2;
    }
    strcpy(shorter, name);
    if (n > 3 && shorter[n - 1] == 'y')
        shorter[n - 1] = '\0';
    printf("Hello, %s\n", shorter);
    if (strlen(shorter) < n) {
        free(shorter);
        return 3;
    }
    free(shorter);
    return 0;
}
