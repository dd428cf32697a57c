/* A date as file systems pack it. */
struct packed_date {
	unsigned day : 5;
	unsigned month : 4;
	unsigned year : 7;
};

static const unsigned char lengths[12] = {
	31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31
};

int next_day(struct packed_date *d)
{
	unsigned last;

	if (d->day == 0 || d->month == 0 || d->month > 12)
		return -1;
	last = lengths[d->month - 1];
	if (d->month == 2 && (1980 + d->year) % 4 == 0 && d->year != 120)
		last++;
	if (d->day > last)
		return -2;
	if (d->day < last) {
		d->day++;
		return 0;
	}
	d->day = 1;
	if (d->month < 12) {
		d->month++;
		return 1;
	}
	d->month = 1;
	d->year++;
	if (d->year == 0)
		return 3;
	return d->year > 127 ? 4 : 2;
}
