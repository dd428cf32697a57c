#include <stdio.h>

/* A reading for a table, in the narrowest form that keeps its size apparent. */
int print_reading(double value, int form)
{
	switch (form) {
	case 0:
		printf("%#.0f|", value);
		break;
	case 1:
		printf("%#.0e %#.3g\n", value, value);
		break;
	case 2:
		printf("%G %E %+F\n", value, value, value);
		break;
	case 3:
		printf("%a %.2A %#014.0a\n", value, value, value);
		break;
	default:
		return -1;
	}
	if (value > 2)
		return 1;
	return 0;
}
