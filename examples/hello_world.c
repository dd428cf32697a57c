/*
 * title: A text with Hello and World
 * source: ST12, Table 2, benchmark HW; written anew
 * look at: Both words, in any order: two searches in the same text, one after the other.
 * reach: return 1;
 */
int starts(const int text[], int from, const int word[]) {
    int i = 0;
    while (text[from + i] != 0 && word[i] != 0 && text[from + i] == word[i])
        ++i;
    return word[i] == 0;
}

int has(const int text[], const int word[]) {
    for (int from = 0; text[from] != 0; ++from)
        if (starts(text, from, word))
            return 1;
    return 0;
}

int hello_world(const int text[]) {
    const int first[] = {'H', 'e', 'l', 'l', 'o', 0};
    const int second[] = {'W', 'o', 'r', 'l', 'd', 0};
    int with_first = has(text, first);
    int with_second = has(text, second);
    if (with_first && with_second)
        return 1;
    return 0;
}
