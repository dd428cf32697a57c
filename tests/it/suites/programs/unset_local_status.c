int open_port(int number);
void close_port(int number);

int connect_twice(int first, int second)
{
	int a, b;

	if (first > 0) {
		a = open_port(first);
		if (a < 0)
			goto done;
	}
	if (second > 0)
		b = open_port(second);
	if (b == 7)
		close_port(second);
	if (b != 7 && b == 7)
		return 9;
done:
	if (first > 0 && a >= 0) {
		close_port(first);
		return 1;
	}
	return 0;
}
