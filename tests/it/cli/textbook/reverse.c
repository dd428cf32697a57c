#include <stdio.h>
#include <string.h>

void reverse(char str[])
{
    int i, len = strlen(str);
    for (i = 0; i < len / 2; i++) {
        char tmp = str[i];
        str[i] = str[len - i - 1];
        str[len - i - 1] = tmp;
    }
}

int main()
{
    char word[20] = "paths";
    reverse(word);
    printf("Reversed: %s\n", word);
    if (strcmp(word, "shtap") == 0)
        puts("as expected");
    return 0;
}
