typedef struct point { short x, y; } point;

/* How many of the points lie in the square around the origin, which is put first. */
unsigned sift(point *p, unsigned n, short half)
{
    unsigned inside = 0;

    if (half < 0)
        return 0;
    for (unsigned i = 0; i < n; i++) {
        if (p[i].x < -half || p[i].x > half)
            continue;
        if (p[i].y < -half || p[i].y > half)
            continue;
        point t = p[i];
        p[i] = p[inside];
        p[inside++] = t;
    }
    if (inside > n)
        return 99;
    if (inside && p[0].x == 0 && p[0].y == 0)
        inside--;
    return inside;
}
