extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

static void require(int condition)
{
	if (!condition) {
		reach_error();
	}
}

int main(void)
{
	int floors = 6, floor = 0, steps = 0;

	while (steps < 8) {
		int wish = __VERIFIER_nondet_int();

		if (wish < 0 || wish >= floors)
			continue;
		if (wish > floor)
			floor++;
		else if (wish < floor)
			floor--;
		else
			break;
		steps++;
		require(floor >= 0);
	}
	require(floor < 5);
	return 0;
}
