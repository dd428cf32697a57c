/* The code point that starts at s, 0xFFFD if the bytes are no UTF-8. */
unsigned long decode(const char *s)
{
	unsigned char lead = (unsigned char)s[0];
	unsigned long code;
	int more;

	if (lead < 0x80)
		return lead;
	if (lead < 0xC2 || lead > 0xF4)
		return 0xFFFD;
	more = lead >= 0xF0 ? 3 : lead >= 0xE0 ? 2 : 1;
	code = lead & (0x3Fu >> more);
	for (int i = 1; i <= more; i++) {
		if (s[i] >= 0 || (s[i] & 0x40))
			return 0xFFFD;
		code = code << 6 | (s[i] & 0x3F);
	}
	if (code >= 0xD800 && code <= 0xDFFF)
		return 0xFFFD;
	if ((more == 2 && code < 0x800) || (more == 3 && code < 0x10000))
		return 0xFFFD;
	if (code > 0x10FFFFul)
		return 0xFFFD;
	return code < 0x80 ? 0 : code;
}
