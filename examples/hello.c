/*
 * title: A text with Hello
 * source: ST12, Table 2, benchmark Hello; written anew
 * look at: Does a text, which a zero ends, have the word Hello anywhere? The Reach tab finds one that has; its loops are within each
 *          other.
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

int hello(const int text[]) {
    const int word[] = {'H', 'e', 'l', 'l', 'o', 0};
    if (has(text, word))
        return 1;
    return 0;
}
