#include <ctype.h>
#include <string.h>

/* Points for a password; negative if it is not allowed. */
int strength(const char *s)
{
	size_t n = strlen(s);
	int digits = 0, upper = 0, points = 0;

	if (n < 4)
		return -1;
	if (n > 12)
		return -2;
	if (strcmp(s, "secret") == 0 || strcmp(s, "1234") == 0)
		return -3;
	for (; *s; s++) {
		unsigned char c = (unsigned char)*s;

		if (isdigit(c))
			digits++;
		else if (isupper(c))
			upper++;
		if (!isprint(c))
			return -4;
	}
	if (digits > 0)
		points++;
	if (upper > 0 && upper < (int)n)
		points++;
	if (digits + upper > 12)
		return -5;
	return points;
}
