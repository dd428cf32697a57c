int read_sensor(void);
_Bool is_ready(void);

/* Two readings that agree, or -1. */
int sample(int tolerance)
{
	int first, second, difference;

	if (tolerance < 0 || tolerance > 100)
		return -2;
	if (!is_ready())
		return -3;
	first = read_sensor();
	if (first < 0 || first > 4095)
		return -1;
	if (!is_ready())
		return first;
	second = read_sensor();
	if (second < 0 || second > 4095)
		return -1;
	difference = first - second;
	if (difference < 0)
		difference = -difference;
	if (difference > 4095)
		return -4;
	return difference <= tolerance ? (first + second) / 2 : -1;
}
