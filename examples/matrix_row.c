/*
 * title: A row of a matrix
 * source: ST12, Table 2, benchmark MatrIR; written anew
 * look at: A row with more than 15 elements between 10 and 100, above the diagonal. The inner loop's counters begin anew in every row.
 * reach: return 1;
 */
int matrix_row(const int cells[], int rows, int columns) {
    int found = 0;
    for (int row = 0; row < rows; ++row) {
        int count = 0;
        for (int column = row; column < columns; ++column)
            if (cells[row * columns + column] > 10 && cells[row * columns + column] < 100)
                ++count;
        if (count > 15) {
            found = 1;
            break;
        }
    }
    if (rows > 20 && columns > 20 && found == 1)
        return 1;
    return 0;
}
