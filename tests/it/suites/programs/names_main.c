#include <stdio.h>

static int input_1, input_2;

static void setup_inputs(int unused)
{
	int x, y = 0;

	if (scanf("%d%d", &input_1, &input_2) == 2)
		return;
	input_2 = y;
}

int main()
{
	unsigned limit = 10;

	setup_inputs(1);
	if (input_1 > limit)
		puts("large");
	if (input_2 == 0)
		if (input_1 == 7)
			puts("seven");
		else
			puts("other");
	if (input_1 < 0 && !(input_1 > limit))
		puts("never");
}
