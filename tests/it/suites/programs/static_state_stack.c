#define DEPTH 4

static int items[DEPTH];
static int top;

int push(int value)
{
	if (top >= DEPTH)
		return 0;
	items[top++] = value;
	return 1;
}

int pop(int *value)
{
	if (top == 0)
		return 0;
	*value = items[--top];
	return 1;
}

int audit(int limit)
{
	if (top < 0 || top > DEPTH)
		return -1;
	if (top == DEPTH)
		return 2;
	if (top >= 2 && items[top - 1] > limit && items[top - 2] > limit)
		return 1;
	return 0;
}
