unsigned long long now(void);
long offset_of(int zone);
unsigned char weekday(unsigned long long day);

#define DAY 86400ULL

int is_open(int zone)
{
	unsigned long long t = now();
	long offset = offset_of(zone);
	unsigned hour;

	if (offset < -43200L || offset > 50400L)
		return -1;
	if (t > 4102444800ULL || t < DAY)
		return -2;
	t += offset;
	hour = (unsigned)(t % DAY / 3600);
	if (hour > 23)
		return -3;
	switch (weekday(t / DAY)) {
	case 0:
		return 0;
	case 6:
		return hour >= 9 && hour < 13;
	case 1: case 2: case 3: case 4: case 5:
		return hour >= 9 && hour < 18;
	default:
		return -4;
	}
}
