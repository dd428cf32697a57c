#include <stdint.h>

/* The Internet checksum over 16-bit words, with the carries added. */
uint16_t checksum(const uint8_t *bytes, int n)
{
	uint32_t sum = 0;
	int i;

	if (n <= 0 || n > 8)
		return 0;
	for (i = 0; i + 1 < n; i += 2)
		sum += (uint32_t)bytes[i] << 8 | bytes[i + 1];
	if (n & 1)
		sum += (uint32_t)bytes[n - 1] << 8;
	while (sum >> 16)
		sum = (sum & 0xFFFF) + (sum >> 16);
	if (sum > 0xFFFF)
		return 1;
	if ((uint16_t)~sum == 0)
		return 0xFFFF;
	return (uint16_t)~sum;
}
