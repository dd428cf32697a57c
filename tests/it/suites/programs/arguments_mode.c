#include <stdio.h>

/* chmod-like: three octal digits, e.g. 644 */
int main(int argc, char *argv[])
{
    const char *name = argc > 0 ? argv[0] : "mode";
    int bits = 0;

    if (argc < 2) {
        printf("%s: no mode\n", name);
        return 1;
    }
    for (int i = 0; i < 3; i++) {
        char c = argv[1][i];
        if (c < '0' || c > '7') {
            printf("bad digit at %d\n", i);
            return c == '\0' ? 2 : 3;
        }
        bits = bits * 8 + (c - '0');
    }
    if (argv[1][3] != '\0')
        return 4;
    if ((bits & 0111) == 0111)
        putchar('x');
    if (bits > 0777)
        return 5;
    if (bits & 02)
        puts("others may write");
    return 0;
}
