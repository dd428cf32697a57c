/*
 * title: Leap years
 * source: a slip that many first programs have
 * look at: Every fourth year is a leap year, every hundredth is not, every four hundredth is. Two of these rules never come
 *          to their turn here; the Report says which, and why.
 */
int days_in_february(int year)
{
    if (year % 4 == 0)
        return 29;
    if (year % 100 == 0)
        return 28;
    if (year % 400 == 0)
        return 29;
    return 28;
}

int days_in_year(int year)
{
    int days = 337 + days_in_february(year);
    if (days == 366)
        return 366;
    return 365;
}
