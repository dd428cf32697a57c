volatile unsigned char status;
volatile unsigned char data;

#define READY 0x01
#define FAULT 0x80

int read_byte(int patience)
{
	unsigned char s;

	if (patience < 1 || patience > 4)
		return -1;
	do {
		s = status;
		if (s & FAULT) {
			status = FAULT;
			return -2;
		}
	} while (!(s & READY) && --patience > 0);
	if (patience == 0)
		return -3;
	s = data;
	if (s > 255)
		return -4;
	return s;
}
