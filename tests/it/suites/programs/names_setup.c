#define min(a, b) ((a) < (b) ? (a) : (b))
#define max(a, b) ((a) > (b) ? (a) : (b))
#define assert_equal(a, b) do { if ((a) != (b)) failures = min(failures, 8) + 1; } while (0)

char stdin_text[8] = "ready";
int input, output, failures;
static int main_called;

void setup(void)
{
	main_called = 0;
	failures = 0;
}

void teardown(int unused) { main_called = 1; }

int run(int argv_1, int reset)
{
	if (reset)
		setup();
	assert_equal(stdin_text[0], 'r');
	assert_equal(input, output);
	if (max(argv_1, 3) == 3 && !main_called)
		return failures;
	if (failures > 9)
		return -1;
	if (failures == 2)
		teardown(reset);
	return main_called ? 10 : 11;
}
