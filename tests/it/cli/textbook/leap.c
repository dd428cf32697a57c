#include <stdio.h>

int isLeap(int year)
{
    return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

int daysInMonth(int month, int year)
{
    const int days[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
    if (month == 2 && isLeap(year))
        return 29;
    return days[month - 1];
}

int main()
{
    int d, m, y;
    scanf("%d/%d/%d", &d, &m, &y);
    if (m < 1 || m > 12 || y < 1583) {
        printf("Invalid date\n");
        return 1;
    }
    if (d < 1 || d > daysInMonth(m, y)) {
        printf("Invalid day\n");
        return 1;
    }
    int day = d;
    for (int i = 1; i < m; i++)
        day += daysInMonth(i, y);
    printf("Day %d of the year\n", day);
    return 0;
}
