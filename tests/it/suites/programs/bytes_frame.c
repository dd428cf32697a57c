#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct frame {
	uint8_t version;
	uint8_t flags;
	uint16_t length;
	uint32_t sequence;
};

enum { SIGNED = 0x80 };

/* Reads the header of a frame out of a buffer; gives the length of what follows it, or what is wrong. */
int parse_frame(const uint8_t *buffer, size_t size, struct frame *out)
{
	struct frame frame;
	uint32_t checksum;

	if (size < sizeof frame)
		return -1;
	memcpy(&frame, buffer, sizeof frame);
	if (frame.version != 1)
		return -2;
	if (frame.length > size - sizeof frame)
		return -3;
	if (frame.flags & SIGNED) {
		if (frame.length < sizeof checksum)
			return -4;
		memcpy(&checksum, buffer + sizeof frame + frame.length - sizeof checksum, sizeof checksum);
		if (checksum != frame.sequence)
			return -5;
	}
	*out = frame;
	return frame.length;
}

/* Writes a frame with one number into a buffer; gives its size, or -1 where there is no room. */
int build_frame(uint8_t *buffer, size_t size, int16_t number)
{
	struct frame frame = { 1, 0, sizeof number, 7 };

	if (size < sizeof frame + sizeof number)
		return -1;
	if (number < 0)
		frame.flags |= SIGNED;
	memcpy(buffer, &frame, sizeof frame);
	memcpy(buffer + sizeof frame, &number, sizeof number);
	if (buffer[1] == SIGNED && buffer[9] < SIGNED)
		return -2;
	return sizeof frame + sizeof number;
}

/* Whether two headers are the same but for their sequence. */
int same_frame(const struct frame *a, const struct frame *b)
{
	struct frame copy = *a;

	if (memcmp(a, b, sizeof *a) == 0)
		return 2;
	copy.sequence = b->sequence;
	return memcmp(&copy, b, sizeof copy) == 0 ? 1 : 0;
}
