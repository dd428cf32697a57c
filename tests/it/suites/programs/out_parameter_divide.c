/* Division that rounds towards minus infinity. */
int
floor_divide(a, b, quotient, rest)
	int a, b;
	int *quotient;
	int *rest;
{
	if (b == 0)
		return -1;
	if (b == -1 && a < -2147483647)
		return -2;
	*quotient = a / b;
	*rest = a % b;
	if (*rest != 0 && (*rest < 0) != (b < 0)) {
		(*quotient)--;
		*rest += b;
	}
	if (*rest == b)
		return -3;
	return *quotient < 0;
}
