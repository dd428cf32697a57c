#include <stddef.h>

/* Reads a level in tenths and writes it as a percentage; both pointers may be missing. */
int convert_level(const int *tenths, int *percent)
{
    if (tenths == NULL)
        return percent ? (*percent = 0, 1) : 2;
    if (!percent)
        return 3;
    if (*tenths < 0)
        *percent = 0;
    else if (*tenths > 1000)
        *percent = 100;
    else
        *percent = *tenths / 10;
    if (*percent > 100)
        return 4;
    return 0;
}
