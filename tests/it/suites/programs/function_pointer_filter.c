#include <ctype.h>
#include <stddef.h>

typedef int (*predicate)(int);

static int is_vowel(int c)
{
	switch (tolower(c)) {
	case 'a': case 'e': case 'i': case 'o': case 'u':
		return 1;
	default:
		return 0;
	}
}

static int is_mark(int c)
{
	return c == '!' || c == '?';
}

static predicate wanted = is_vowel;

void filter_by(int marks)
{
	wanted = marks > 1 ? NULL : marks ? is_mark : is_vowel;
}

int filter(char *text, int n)
{
	int kept = 0;

	if (!wanted)
		return -1;
	for (int i = 0; i < n; i++) {
		if (text[i] < 0)
			continue;
		if (wanted(text[i]))
			text[kept++] = text[i];
	}
	if (kept == 0 && wanted == is_mark)
		return -2;
	return kept;
}
