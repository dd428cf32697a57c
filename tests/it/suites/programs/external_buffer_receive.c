int receive(char *buffer, int size);

#define SIZE 8

/* One message: its length, 'E' and a code, or nothing. */
int poll_message(int *code)
{
	char buffer[SIZE];
	int n = receive(buffer, SIZE);

	if (n <= 0)
		return n == 0 ? 0 : -1;
	if (n > SIZE)
		n = SIZE;
	if (buffer[0] == 'E') {
		*code = n > 1 ? buffer[1] : -1;
		return 2;
	}
	if (n < 3 || buffer[0] != 'M')
		return -2;
	if (buffer[1] != n - 2)
		return -3;
	if (buffer[2] == buffer[n - 1] && n > 3)
		return 3;
	return 1;
}
