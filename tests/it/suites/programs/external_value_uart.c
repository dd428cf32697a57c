#include <stdint.h>

extern uint8_t uart_status(void);
extern char uart_read(void);
unsigned short crc_step(unsigned short crc, char c);

#define READY 0x20
#define ERROR 0x0F

int receive_frame(void)
{
    unsigned short crc = 0xFFFF;
    int length = 0;

    for (int waited = 0; waited < 3; waited++) {
        uint8_t status = uart_status();
        char c;

        if (status & ERROR)
            return -1;
        if (!(status & READY))
            continue;
        c = uart_read();
        if (c == '\n')
            break;
        crc = crc_step(crc, c);
        length++;
    }
    if (length == 0)
        return 0;
    if (length > 3)
        return -3;
    return crc == 0 ? length : -2;
}
