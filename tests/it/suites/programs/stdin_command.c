#include <stdio.h>
#include <string.h>

int main(void)
{
	char line[16];
	unsigned at;

	printf("> ");
	if (fgets(line, sizeof line, stdin) == NULL) {
		putchar('\n');
		return 1;
	}
	at = strcspn(line, "\n");
	line[at] = '\0';
	if (at == 0)
		return 0;
	if (strcmp(line, "quit") == 0) {
		puts("bye");
		return 2;
	}
	if (line[0] == '#')
		return 3;
	if (strncmp(line, "say ", 4) == 0) {
		puts(line + 4);
		return line[4] == '\0' ? 4 : 5;
	}
	if (at > 15)
		return 6;
	puts("what?");
	return 7;
}
