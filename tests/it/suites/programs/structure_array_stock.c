struct article { long number; int count; short shelf; };

int take(struct article *a, int n, long number, int count)
{
	struct article *end = a + n;

	if (n <= 0 || count <= 0)
		return -1;
	while (a < end && a->number != number)
		a++;
	if (a == end)
		return -2;
	if (a->count < count)
		return -3;
	a->count -= count;
	if (a->count == 0) {
		a->shelf = -1;
		return 1;
	}
	return 0;
}
