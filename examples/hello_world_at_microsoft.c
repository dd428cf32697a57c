/*
 * title: A text with four words
 * source: ST12, Table 2, benchmark HWM; written anew
 * look at: All four words, in any order: the more words, the more ways through the loops.
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

int hello_world_at_microsoft(const int text[]) {
    const int first[] = {'H', 'e', 'l', 'l', 'o', 0};
    const int second[] = {'W', 'o', 'r', 'l', 'd', 0};
    const int third[] = {'A', 't', 0};
    const int fourth[] = {'M', 'i', 'c', 'r', 'o', 's', 'o', 'f', 't', '!', 0};
    int with_first = has(text, first);
    int with_second = has(text, second);
    int with_third = has(text, third);
    int with_fourth = has(text, fourth);
    if (with_first && with_second && with_third && with_fourth)
        return 1;
    return 0;
}
