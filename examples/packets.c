/*
 * title: Packets in slots
 * source: ST12, Table 2, benchmark WinDriver; written anew
 * look at: Packets go into the slots that they name. The check that the first slot without one is empty can fail: two may name the same.
 * reach: return 1;
 */
int packets(const int stream[], int slots, int size, int table[]) {
    if (slots <= 0 || size <= 0)
        return 0;
    for (int slot = 0; slot < slots; ++slot)
        for (int at = 0; at < size; ++at)
            table[slot * size + at] = 0;
    int count = stream[0];
    if (count < 0 || count > slots)
        return -1;
    for (int packet = 0; packet < count; ++packet) {
        int slot = stream[packet * (size + 1) + 1];
        if (slot < 0 || slot >= slots)
            return -2;
        for (int at = 0; at < size; ++at)
            table[slot * size + at] = stream[packet * (size + 1) + at + 2];
    }
    if (count < slots && size > 20 && table[count * size] != 0)
        return 1;
    return 0;
}
