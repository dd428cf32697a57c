struct packet {
	unsigned char version;
	unsigned short length;
	unsigned int sequence;
	char kind;
	unsigned char data[16];
	unsigned long long stamp;
};

enum verdict { ACCEPTED, BAD_VERSION, BAD_LENGTH, STALE, BAD_SUM };

/* Takes the packet as the newest one if it is sound, and marks it as read. */
enum verdict accept_packet(struct packet *p, unsigned int *newest)
{
	unsigned char sum = 0;
	int i;

	if (p->version != 4 && p->version != 6)
		return BAD_VERSION;
	if (p->length < 4 || p->length > sizeof p->data)
		return BAD_LENGTH;
	if (p->sequence <= *newest && p->stamp < 0x100000000ULL)
		return STALE;
	for (i = 0; i < p->length - 1; i++)
		sum += p->data[i];
	if (sum != p->data[p->length - 1])
		return BAD_SUM;
	*newest = p->sequence;
	if (p->kind == 'A')
		p->kind = 'a';
	else if (p->kind != 'a')
		p->data[0] ^= 0xFF;
	return ACCEPTED;
}
