#include <stdio.h>
#include <ctype.h>
#include <string.h>

int isPalindrome(char *s)
{
    int l = 0;
    int h = strlen(s) - 1;
    while (h > l) {
        while (l < h && !isalpha(s[l])) l++;
        while (l < h && !isalpha(s[h])) h--;
        if (tolower(s[l++]) != tolower(s[h--]))
            return 0;
    }
    return 1;
}

int main(void)
{
    char text[] = "Was it a rat?";
    if (isPalindrome(text))
        printf("\"%s\" is a palindrome\n", text);
    else
        printf("\"%s\" is not a palindrome\n", text);
    return 0;
}
