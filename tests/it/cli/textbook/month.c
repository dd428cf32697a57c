#include <stdio.h>
char *month_name(int n)
{
    static char *name[] = { "Illegal month", "January", "February", "March", "April" };
    return (n < 1 || n > 4) ? name[0] : name[n];
}
int main(void)
{
    int n;
    scanf("%d", &n);
    char *m = month_name(n);
    printf("%s %c\n", m, m[0]);
    if (m[0] == 'F') printf("short\n");
    if (m[2] == 'x') printf("never\n");
    return 0;
}
