typedef struct Motor {
    unsigned char id;
    short speed;
    short target;
    unsigned int faults;
    long long ticks;
    _Bool running;
} Motor;

/* One period of the speed ramp; the answer is the change of speed. */
short ramp(Motor *motor, short step)
{
    short before = motor->speed;

    if (!motor->running) {
        if (motor->speed > 0)
            motor->speed = motor->speed / 2;
        else if (motor->speed < 0)
            motor->speed = 0;
        return before - motor->speed;
    }
    if (step < 1 || step > 100) {
        motor->faults |= 0x8u;
        motor->running = 0;
        return 0;
    }
    if (motor->speed < motor->target && motor->speed <= 3000) {
        motor->speed += step;
        if (motor->speed > motor->target)
            motor->speed = motor->target;
    } else if (motor->speed > motor->target && motor->speed >= -3000) {
        motor->speed -= step;
        if (motor->speed < motor->target)
            motor->speed = motor->target;
    }
    if (motor->ticks < 1000000000000LL)
        motor->ticks++;
    return motor->speed - before;
}
