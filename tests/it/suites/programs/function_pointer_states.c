/* A turnstile whose states are functions. */
enum event { COIN = 1, PUSH, SERVICE };

static int locked(int event);
static int unlocked(int event);
static int broken(int event);

static int (*state)(int) = locked;

static int locked(int event)
{
    if (event == COIN) {
        state = unlocked;
        return 1;
    }
    if (event == SERVICE)
        state = broken;
    return 0;
}

static int unlocked(int event)
{
    if (event == PUSH)
        state = locked;
    return event == COIN ? 2 : 0;
}

static int broken(int event)
{
    if (event == SERVICE)
        state = locked;
    return -1;
}

int handle(int event)
{
    if (event < COIN || event > SERVICE)
        return -2;
    return state(event);
}
