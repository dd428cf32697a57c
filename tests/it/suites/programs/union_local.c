/* Whether a number is itself without its lowest byte. */
int is_round(int value)
{
	union {
		int number;
		unsigned char bytes[4];
	} both;
	unsigned char copy[2];

	both.number = value;
	both.bytes[0] = 0;
	copy[1] = both.bytes[1];
	if (copy[1] > 200)
		return 2;
	if (both.number == value)
		return 1;
	return 0;
}
