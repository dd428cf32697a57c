#include <stdio.h>

typedef int (*action)(int);

static int stay(int x) { return x; }
static int twice(int x) { return x > 1000 ? 2000 : 2 * x; }
static int back(int x) { return x < -1000 ? 1000 : -x; }

static const action actions[] = { stay, twice, back, 0 };

int choose(unsigned entry, int x)
{
	action a;

	if (entry > 3) {
		puts("no such entry");
		return -1;
	}
	if (x < -5000 || x > 5000)
		return -2;
	a = actions[entry];
	if (!a)
		return 0;
	x = a(x);
	if (a == twice && x % 2 != 0)
		return -3;
	return x > 100 ? 100 : x;
}
