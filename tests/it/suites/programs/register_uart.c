#include <stdint.h>

typedef struct {
	volatile uint32_t data;
	volatile uint32_t state;
	uint32_t pins[2];
} Uart;

#define UART1 ((Uart *)0x40011000u)
#define CLOCK (*(volatile uint32_t *)0x40021018u)
#define FIFO ((volatile uint8_t *)0x40012000u)

void uart_put(uint8_t byte)
{
	CLOCK |= 1u << 14;
	while (!(UART1->state & 0x80u))
		;
	UART1->data = byte;
	UART1->pins[1] = byte;
}

int fifo_first(int n)
{
	return n > 0 && FIFO[n] == 0x7e;
}

/* The divider of a rate, in sixteenths. */
int divider(uint32_t clock, uint32_t rate)
{
	if (rate == 0)
		return -1;
	if (clock / rate < 16)
		return -2;
	return (int)(clock / rate);
}
