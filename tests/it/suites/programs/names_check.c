#ifndef NAMES_CHECK
#define NAMES_CHECK

#define EXPECT(x) ((x) ? 1 : 0)

static int tests;
static int failed = 0;
int suite;

static int unused_helper(int unused) { return 3; }

int check(int test_1, unsigned int expect)
{
	int runner = 0;

	tests++;
	if (test_1 < expect)
		runner = EXPECT(test_1 > 5);
	if (runner && suite != 0)
		failed = 1;
	switch ((long)test_1 - suite) {
	case 1:
		runner += 2;
	case 2:
		runner += 4;
		break;
	}
	if (runner == 3)
		return -1;
	return failed ? runner : -runner;
}

#endif
