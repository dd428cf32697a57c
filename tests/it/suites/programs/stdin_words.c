#include <ctype.h>
#include <stdio.h>

/* Counts words, and the lines that are longer than eight characters. */
int main(void)
{
    int c, words = 0, longer = 0, column = 0, inside = 0;

    while ((c = getchar()) != EOF) {
        if (c == '\n') {
            if (column > 8)
                longer++;
            column = 0;
        } else
            column++;
        if (isspace(c))
            inside = 0;
        else if (!inside) {
            inside = 1;
            words++;
        }
    }
    printf("%d %d\n", words, longer);
    if (words == 0 && longer > 0)
        return 1;
    return words > 2 ? 2 : 0;
}
