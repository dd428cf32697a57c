#include <string.h>

#define ROOM 16

/* Writes FOLDER/NAME; the length, or -1 if it does not fit. */
int join(char *out, const char *folder, const char *name)
{
    size_t a = strlen(folder), b = strlen(name);

    out[0] = '\0';
    if (b == 0)
        return -2;
    if (name[0] == '/') {
        if (b + 1 > ROOM)
            return -1;
        strcpy(out, name);
        return (int)b;
    }
    if (a + b + 2 > ROOM)
        return -1;
    memcpy(out, folder, a);
    if (a > 0 && folder[a - 1] != '/')
        out[a++] = '/';
    memcpy(out + a, name, b + 1);
    if (strlen(out) != a + b)
        return -3;
    return (int)(a + b);
}
