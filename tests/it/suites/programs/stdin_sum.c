#include <stdio.h>

int main(void)
{
	int count, value, i;
	long sum = 0;

	if (scanf("%d", &count) != 1) {
		puts("no count");
		return 1;
	}
	if (count < 1 || count > 5)
		return 2;
	for (i = 0; i < count; i++) {
		if (scanf("%d", &value) != 1) {
			printf("only %d numbers\n", i);
			return 3;
		}
		sum += value;
	}
	if (sum < 0)
		puts("below");
	else if (sum == 0)
		puts("even");
	else
		printf("%ld\n", sum);
	return 0;
}
