static long balance;
static int open_orders;
static enum { FRESH, ACTIVE, CLOSED } phase;

int deposit(long amount)
{
	if (phase == CLOSED || amount <= 0 || amount > 10000)
		return -1;
	if (balance > 50000)
		return -2;
	balance += amount;
	phase = ACTIVE;
	return 0;
}

int order(long amount)
{
	if (phase != ACTIVE || amount <= 0 || amount > balance)
		return -1;
	balance -= amount;
	open_orders++;
	return 0;
}

int close_account(int force)
{
	if (phase == CLOSED)
		return -1;
	if (phase == FRESH)
		return -2;
	if (balance < 0)
		return -3;
	if (open_orders > 0 && !force)
		return -4;
	phase = CLOSED;
	return balance == 0 ? 0 : 1;
}
