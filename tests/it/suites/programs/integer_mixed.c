/* Comparisons in which types meet. */
int classify(char c, short s, unsigned u, long l, unsigned long long w)
{
    int found = 0;

    if ((unsigned char)c > 127)
        found |= 1;
    if (c < 0 && (unsigned char)c < 128)
        return -1;
    if (s + 1 > 32767)
        found |= 2;
    if ((short)(u & 0xFFFF) != (long)(u & 0xFFFF))
        found |= 4;
    if (l < u)
        found |= l < 0 ? 8 : 16;
    if (w + 1 == 0)
        found |= 32;
    if ((w ^ (w >> 1)) == 0xFF00000000000000ull)
        found |= 64;
    if (u << 4 >> 4 != u)
        found |= 128;
    if (found == 255)
        return 2;
    return found > 255 ? -2 : found != 0;
}
