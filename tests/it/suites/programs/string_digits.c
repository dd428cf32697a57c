#include <ctype.h>
#include <limits.h>

/* A number in decimal, or in hexadecimal behind 0x; -1 if it is none or too large. */
int parse_number(const char *s)
{
	int value = 0, base = 10, any = 0;

	while (isspace((unsigned char)*s))
		s++;
	if (s[0] == '0' && tolower((unsigned char)s[1]) == 'x') {
		base = 16;
		s += 2;
	}
	for (;; s++) {
		int digit;

		if (isdigit((unsigned char)*s))
			digit = *s - '0';
		else if (base == 16 && isxdigit((unsigned char)*s))
			digit = toupper((unsigned char)*s) - 'A' + 10;
		else
			break;
		if (digit >= base)
			return -3;
		if (value > (INT_MAX - digit) / base)
			return -1;
		value = value * base + digit;
		any = 1;
	}
	if (*s != '\0' || !any)
		return -2;
	return value;
}
