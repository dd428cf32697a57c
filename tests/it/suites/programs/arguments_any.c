#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    int loud = 0, files = 0, i;

    for (i = 1; i < argc; i++) {
        if (argv[i][0] != '-')
            files++;
        else if (strcmp(argv[i], "-v") == 0)
            loud = 1;
        else {
            fprintf(stderr, "%s: no option\n", argv[i]);
            return 2;
        }
    }
    if (files == 0)
        return 1;
    if (loud)
        printf("%d files\n", files);
    return 0;
}
