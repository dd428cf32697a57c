#include <stdio.h>
static const char *digits[10] = { "-----", ".----", "..---", "...--", "....-", ".....", "-....", "--...", "---..", "----." };
int dots(const char *code)
{
    int n = 0;
    while (*code) {
        if (*code == '.') n++;
        code++;
    }
    return n;
}
int main(void)
{
    int d;
    if (scanf("%d", &d) != 1 || d < 0 || d > 9) { printf("no digit\n"); return 1; }
    printf("%d %s %d\n", d, digits[d], dots(digits[d]));
    if (dots(digits[d]) > 5) printf("never\n");
    return 0;
}
