#include <stdio.h>
#include <string.h>
enum token { END, NUMBER, WORD, PLUS, BAD };
static const char *const names[] = { "end", "number", "word", "plus", "bad" };
static const char *input = "x1 + 42";
static int position;
enum token next(void)
{
    while (input[position] == ' ') position++;
    char c = input[position];
    if (c == '\0') return END;
    if (c >= '0' && c <= '9') {
        while (input[position] >= '0' && input[position] <= '9') position++;
        return NUMBER;
    }
    if (c >= 'a' && c <= 'z') {
        while (input[position] >= 'a' && input[position] <= 'z') position++;
        return WORD;
    }
    position++;
    return c == '+' ? PLUS : BAD;
}
int main(void)
{
    enum token t;
    position = 0;
    while ((t = next()) != END) {
        printf("%s ", names[t]);
        if (t == BAD) break;
    }
    printf("%c\n", names[t][0]);
    return 0;
}
