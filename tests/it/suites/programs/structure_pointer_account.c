#include <stddef.h>

/* A current account with a monthly allowance for withdrawals. */
struct account {
	char owner[12];
	long balance;
	unsigned short withdrawals;
	unsigned char tier;
	_Bool frozen;
	signed char status;
};

int withdraw(struct account *a, long amount)
{
	unsigned limit = a->tier > 2 ? 50u : 10u;

	if (a->frozen || a->owner[0] == '\0')
		return -1;
	if (amount <= 0 || amount > 1000000)
		return -2;
	if (a->withdrawals >= limit) {
		a->status = 'L';
		return -3;
	}
	if (a->balance < amount) {
		a->frozen = 1;
		a->status = -1;
		return -4;
	}
	a->balance -= amount;
	a->withdrawals++;
	if (a->balance == 0)
		a->status = 'E';
	if (a->withdrawals == limit)
		a->status = 'W';
	return a->status == 'W' || a->status == 'E';
}
