#include <stdlib.h>

int primes_up_to(int n)
{
	int count = 0, i, j;

	if (n < 2)
		return 0;
	if (n > 12)
		n = 12;
	char *struck = calloc(n + 1, 1);
	if (!struck)
		return -1;
	for (i = 2; i <= n; i++) {
		if (struck[i])
			continue;
		count++;
		for (j = i + i; j <= n; j += i)
			struck[j] = 1;
	}
	if (struck[2])
		count = -2;
	free(struck);
	return count > 5 ? -3 : count;
}
