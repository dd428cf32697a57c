/* A scanner for numbers such as -12.5 by a table of transitions. */
enum { START, SIGN, WHOLE, POINT, FRACTION, ERROR };
enum { DIGIT, DOT, MINUS, OTHER };

static const signed char next[5][4] = {
	{ WHOLE, ERROR, SIGN, ERROR },
	{ WHOLE, ERROR, ERROR, ERROR },
	{ WHOLE, POINT, ERROR, ERROR },
	{ FRACTION, ERROR, ERROR, ERROR },
	{ FRACTION, ERROR, ERROR, ERROR },
};

static int kind(char c)
{
	if (c >= '0' && c <= '9')
		return DIGIT;
	return c == '.' ? DOT : c == '-' ? MINUS : OTHER;
}

int is_number(const char *text)
{
	int state = START;

	while (*text && state != ERROR)
		state = next[state][kind(*text++)];
	if (state == WHOLE)
		return 1;
	return state == FRACTION ? 2 : 0;
}
