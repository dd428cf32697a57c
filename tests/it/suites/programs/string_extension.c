#include <string.h>

typedef enum { UNKNOWN, IMAGE, TEXT, HIDDEN } file_type;

file_type type_of(const char *name)
{
    const char *dot = strrchr(name, '.');

    if (name[0] == '\0')
        return UNKNOWN;
    if (dot == NULL)
        return UNKNOWN;
    if (dot == name)
        return HIDDEN;
    dot++;
    if (!strcmp(dot, "png") || !strcmp(dot, "gif"))
        return IMAGE;
    if (strncmp(dot, "tx", 2) == 0)
        return dot[2] == 't' && dot[3] == '\0' ? TEXT : UNKNOWN;
    if (strchr(dot, '.'))
        return HIDDEN;
    return *dot == 'c' || *dot == 'h' ? TEXT : UNKNOWN;
}
