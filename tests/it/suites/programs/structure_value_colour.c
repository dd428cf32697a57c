typedef struct { unsigned char red, green, blue; } colour_t;
typedef struct { colour_t stops[2]; unsigned char at[2]; } gradient_t;

#define LERP(a, b, t, n) ((unsigned char)((a) + ((b) - (a)) * (t) / (n)))

static colour_t mix(gradient_t g, int t)
{
	int n = g.at[1] - g.at[0];
	colour_t c = g.stops[0];

	if (n > 0 && t > 0) {
		c.red = LERP(g.stops[0].red, g.stops[1].red, t, n);
		c.green = LERP(g.stops[0].green, g.stops[1].green, t, n);
		c.blue = LERP(g.stops[0].blue, g.stops[1].blue, t, n);
	}
	return c;
}

int shade(gradient_t g, unsigned char place)
{
	colour_t c;

	if (g.at[0] >= g.at[1])
		return -1;
	if (place < g.at[0])
		c = g.stops[0];
	else if (place >= g.at[1])
		c = g.stops[1];
	else
		c = mix(g, place - g.at[0]);
	if (c.red == c.green && c.green == c.blue)
		return 0;
	return c.red > c.blue ? 1 : 2;
}
