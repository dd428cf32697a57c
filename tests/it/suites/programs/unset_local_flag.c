#include <stdio.h>

/* The last blank in a line, if there was one. */
int last_blank(const char *line, unsigned char width)
{
	unsigned char at;
	char seen;
	int i;

	for (i = 0; i < width && line[i]; i++)
		if (line[i] == ' ') {
			at = i;
			seen = 'y';
		}
	if (seen != 'y') {
		puts("no blank");
		return -1;
	}
	if (at >= width)
		return -2;
	return at == 0 ? 0 : 1;
}
