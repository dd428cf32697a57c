#include <stdio.h>

static int ask(void)
{
	int guess = -1;

	printf("your guess: ");
	if (scanf("%d", &guess) != 1)
		return -1;
	return guess;
}

int main()
{
	const int secret = 42;
	int tries = 0, guess;

	do {
		guess = ask();
		if (guess < 0)
			return 1;
		tries++;
		if (guess < secret)
			puts("more");
		else if (guess > secret)
			puts("less");
	} while (guess != secret && tries < 4);
	if (guess == secret) {
		printf("found after %d\n", tries);
		return 0;
	}
	return tries == 4 ? 2 : 3;
}
