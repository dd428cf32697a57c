struct date { unsigned short year; unsigned char month, day; };
struct line { int article; short count; };
struct order {
	struct date placed;
	struct line lines[3];
	struct { char country[3]; _Bool express; } shipping;
	unsigned used : 2;
};

/* What shipping costs in cents, or a negative number if the order makes no sense. */
long shipping_cost(struct order o)
{
	long pieces = 0;
	int i;

	if (o.placed.month < 1 || o.placed.month > 12)
		return -1;
	for (i = 0; i < (int)o.used; i++) {
		if (o.lines[i].article == 0)
			continue;
		if (o.lines[i].count < 0)
			return -2;
		pieces += o.lines[i].count;
	}
	if (pieces == 0)
		return 0;
	if (o.shipping.country[0] == 'F' && o.shipping.country[1] == 'R')
		return o.shipping.express ? 990 : 490;
	if (pieces > 98301)
		return -3;
	return o.placed.month == 12 ? 1500 + pieces : 1500;
}
