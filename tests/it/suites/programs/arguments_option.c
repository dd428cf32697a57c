#include <stdio.h>
#include <stdlib.h>

static int verbose;

static int level_of(const char *word)
{
    if (word[0] != '-')
        return -1;
    switch (word[1]) {
    case 'q':
        return 0;
    case 'v':
        switch (word[2]) {
        case '\0':
            return 1;
        case 'v':
            return word[3] ? -4 : 2;
        }
        break;
    case '\0':
        return -2;
    }
    return -3;
}

int main(int argc, char *argv[])
{
    if (argc <= 1)
        exit(0);
    verbose = level_of(argv[1]);
    if (verbose < 0) {
        fputs("unknown option\n", stderr);
        exit(-verbose);
    }
    if (verbose > 1 && argc > 2)
        printf("%s and %d more\n", argv[1], argc - 2);
    return verbose == 3 ? 9 : 0;
}
