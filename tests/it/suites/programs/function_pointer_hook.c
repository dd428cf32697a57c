typedef void (*hook_t)(int code);

static hook_t on_error;
static int last;
int errors;

void set_hook(hook_t hook)
{
	on_error = hook;
}

static void fail(int code)
{
	last = code;
	if (on_error)
		on_error(code);
	if (errors < 100)
		errors++;
}

int divide(int a, int b, int *quotient)
{
	if (b == 0) {
		fail(1);
		return -1;
	}
	if (a < -2147483647 && b == -1) {
		fail(2);
		return -2;
	}
	*quotient = a / b;
	if (last == 2)
		return 1;
	return 0;
}
