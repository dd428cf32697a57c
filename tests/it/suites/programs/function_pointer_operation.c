struct operation {
    char symbol;
    unsigned char priority;
    int (*apply)(int, int);
};

static int add(int a, int b) { return a + b; }
static int subtract(int a, int b) { return a - b; }
static int divide(int a, int b) { return b ? a / b : 0; }

static const struct operation operations[] = {
    { '+', 1, add }, { '-', 1, subtract }, { '/', 2, divide },
};

int calculate(short a, char symbol, short b)
{
    const int n = sizeof operations / sizeof operations[0];
    int i = 0;

    while (i < n && operations[i].symbol != symbol)
        i++;
    if (i == n)
        return -1;
    if (operations[i].priority > 1 && b == 0)
        return -2;
    int result = operations[i].apply(a, b);
    if (result > 65535)
        return -3;
    if (result == 0)
        return 0;
    return result < 0 ? 1 : 2;
}
