#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

static void ignore(int number)
{
	(void)number;
}

/* Sizes of a file, or why there is none. */
long size_of(const char *name)
{
	FILE *file = fopen(name, "rb");
	long size;

	if (file == NULL)
		return -1;
	signal(2, ignore);
	if (fseek(file, 0, 2) != 0)
		return -2;
	size = ftell(file);
	if (fclose(file) != 0)
		return -3;
	return size;
}

int level(int x)
{
	if (x > 3 && getenv("LEVEL") == NULL)
		return 1;
	if (rename("a", "b"))
		return 2;
	return 0;
}
