#include <stdio.h>
#include <string.h>
struct command { const char *name; int code; };
static const struct command commands[] = { { "add", 1 }, { "list", 2 }, { "quit", 3 }, { NULL, 0 } };
int find(const char *word)
{
    int i;
    for (i = 0; commands[i].name != NULL; i++)
        if (strcmp(commands[i].name, word) == 0)
            return commands[i].code;
    return 0;
}
int main(void)
{
    char word[8];
    if (scanf("%7s", word) != 1) return 1;
    switch (find(word)) {
    case 1: printf("added\n"); break;
    case 2: printf("nothing\n"); break;
    case 3: printf("bye\n"); break;
    default: printf("unknown: %s\n", word);
    }
    return 0;
}
