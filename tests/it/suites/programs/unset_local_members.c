struct limits { int low, high; _Bool strict; };

int within(int value, int have_limits)
{
	struct limits l;
	short parts[2];

	if (have_limits) {
		l.low = -10;
		l.high = 10;
		l.strict = value > 100;
	}
	parts[0] = 1;
	if (value < l.low || value > l.high)
		return l.strict ? -2 : -1;
	if (value == l.high && parts[value & 1] == 1)
		return 2;
	if (l.low > l.high)
		return 3;
	return 0;
}
