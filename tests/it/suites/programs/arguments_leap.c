#include <stdio.h>
#include <stdlib.h>

#define DIVIDES(a, b) ((b) % (a) == 0)

int main(int argc, char *argv[])
{
	int year, month, days;

	if (argc != 3)
		return 2;
	year = atoi(argv[1]);
	month = atoi(argv[2]);
	if (year < 1583 || year > 9999)
		return 3;
	switch (month) {
	case 4: case 6: case 9: case 11:
		days = 30;
		break;
	case 2:
		days = 28;
		if (DIVIDES(4, year) && (!DIVIDES(100, year) || DIVIDES(400, year)))
			days++;
		break;
	default:
		if (month < 1 || month > 12)
			return 4;
		days = 31;
	}
	if (days < 28)
		return 5;
	printf("%d\n", days);
	return 0;
}
