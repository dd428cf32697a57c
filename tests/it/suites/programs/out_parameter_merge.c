/* Merges two ascending sequences, each value once. */
int merge(const short *a, int m, const short *b, int n, short *out)
{
	int i = 0, j = 0, k = 0;

	if (m < 0 || n < 0 || m > 8 || n > 8)
		return -1;
	while (i < m || j < n) {
		short v;

		if (j == n || (i < m && a[i] <= b[j]))
			v = a[i++];
		else
			v = b[j++];
		if (k > 0 && out[k - 1] == v)
			continue;
		if (k > 0 && out[k - 1] > v)
			return -2;
		out[k++] = v;
	}
	if (k > m + n)
		return -3;
	return k;
}
