struct control {
    unsigned prescaler : 3;
    unsigned running : 1;
    unsigned overflow : 1;
    unsigned count : 8;
    int drift : 4;
};

struct control timer = { 1, 0, 0, 250, -1 };

unsigned advance(unsigned steps)
{
    unsigned turns = 0;

    if (!timer.running) {
        timer.running = steps > 100;
        return 0;
    }
    if (steps > 20)
        steps = 20;
    do {
        if (timer.prescaler == 7)
            break;
        timer.count++;
        if (timer.count == 0) {
            timer.overflow = 1;
            turns++;
        }
    } while (steps-- > 0);
    if (timer.drift > 7)
        return 99;
    if (timer.overflow && timer.drift < 0)
        timer.drift = -timer.drift;
    return turns;
}
