/* The average of the latest four samples, once there are four of them. */
short smooth(short sample)
{
	static short window[4];
	static unsigned char filled = 0;
	static int sum = 0;
	static unsigned at;

	if (sample == -32768)
		return sample;
	if (filled == 4)
		sum -= window[at];
	else
		filled++;
	window[at] = sample;
	sum += sample;
	if (++at == 4)
		at = 0;
	if (filled < 4)
		return 0;
	if (sum > 400)
		return 100;
	return (short)(sum / 4);
}
