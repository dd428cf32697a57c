/*
 * title: An advisory against collisions
 * source: shaped after the tcas program that DBG10 uses (Section IV-B)
 * look at: Many conditions in a row about few quantities. Most infeasible paths decide the same comparison twice, once for
 *          climbing and once for descending; one of them explains thousands.
 *
 * Two aircraft approach each other. The advisory is 0 (none), 1 (climb) or 2 (descend); alert tells whether to look at
 * all. All numbers are inputs.
 */
int own, other, rate, apart, above, below;
int trusted, equipped, silent, inhibited, level;

int margin(int l) {
    if (l == 0)
        return 400;
    if (l == 1)
        return 500;
    if (l == 2)
        return 640;
    return 740;
}

int climb_room(void) {
    if (inhibited)
        return above + 100;
    return above;
}

int may_climb(void) {
    int room = climb_room();
    if (room > below)
        return own >= other || below < margin(level);
    return other < own && apart >= 300 && above >= margin(level);
}

int may_descend(void) {
    int room = climb_room();
    if (room > below)
        return own < other && apart >= 300 && below >= margin(level);
    return other >= own || above >= margin(level);
}

int advisory(void) {
    int alert = trusted && rate <= 600 && apart > 600;
    int climb, descend;
    if (alert && (!equipped || silent)) {
        climb = may_climb() && own < other;
        descend = may_descend() && other < own;
        if (climb && descend)
            return 0;
        if (climb)
            return 1;
        if (descend)
            return 2;
    }
    return 0;
}

#pragma culdesac ints unbounded
