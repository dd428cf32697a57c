/*
 * title: A test behind a loop
 * source: DBG10, appendix, with one more decision behind the loop
 * look at: Each round of the loop asks whether z is i. Behind the loop z == 1 contradicts the first round in which z was
 *          said not to be 1; neither x nor what p holds has anything to do with it.
 * expect: infeasible prefixes (50 instructions) = 440
 * expect: generalized paths, average = 3327.26
 * expect: generalized paths, maximum = 9342
 *
 * The printed program has `z == 1` alone behind the loop; its numbers come out only with the other condition beside it.
 */
void f1(int x, int y, int z) {
    int a, p, i;
    a = x != 0 ? 5 : 6;
    for (i = 1; i < y; i++)
        if (z != i)
            p = i * p;
    if (i >= y && z == 1)
        printf("one\n");
}

#pragma culdesac ints unbounded
