/* How many of the first n lamps shine at once; the lamps are not switched off before. */
int shining(int n, int first)
{
	if (n < 1 || n > 4)
		return -1;
	int lamp[n], board[2][n];
	int count = 0;

	if (first)
		lamp[0] = board[0][0] = first;
	for (int i = 0; i < n; i++)
		if (lamp[i] == 7)
			count++;
	if (board[1][n - 1] == 9)
		return 100;
	return count;
}
