/* Cuts the first field off a line: text and end become the rest. */
int next_field(const char *begin, const char *end, char separator, char *field)
{
    const char *p = begin;
    int n = 0, quoted = 0;

    if (begin == end)
        return -1;
    while (p < end) {
        if (*p == '"') {
            quoted = !quoted;
            p++;
            continue;
        }
        if (*p == separator && !quoted)
            break;
        if (n == 7)
            return -2;
        field[n++] = *p++;
    }
    field[n] = '\0';
    if (n > 7)
        return -3;
    return quoted ? -4 : n;
}
