#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
	int value, celsius = 1;

	if (argc < 2 || argc > 3) {
		fprintf(stderr, "usage: convert NUMBER [-f]\n");
		return 64;
	}
	if (argc == 3) {
		if (strcmp(argv[2], "-f") != 0)
			return 65;
		celsius = 0;
	}
	value = atoi(argv[1]);
	if (value < -459 || value > 100000) {
		puts("out of range");
		return 1;
	}
	if (celsius)
		printf("%d F\n", value * 9 / 5 + 32);
	else
		printf("%d C\n", (value - 32) * 5 / 9);
	return 0;
}
