typedef unsigned int word;

volatile word watchdog;
const volatile word reset_cause;
word resets;

int start_up(int cold)
{
	word cause = reset_cause & 0x7u;

	watchdog = 0xABCDu;
	if (cold && cause == 0) {
		resets = 0;
		return 0;
	}
	if (cause & 4u) {
		watchdog = 0;
		return -1;
	}
	while (watchdog != 0) {
		if (resets > 1000)
			return 3;
		resets++;
	}
	if (cause > 7)
		return 4;
	return cause == 1 ? 1 : 2;
}
