typedef enum { NUMBER, PLUS, MINUS, END } kind_t;
typedef struct { kind_t kind; short value; } token_t;

/* Sums up NUMBER ((PLUS | MINUS) NUMBER)* END; the place of an error in *wrong. */
int evaluate(const token_t *tokens, int *wrong)
{
	const token_t *t = tokens;
	int sum = 0, sign = 1;

	*wrong = -1;
	while (t - tokens < 9) {
		if (t->kind != NUMBER) {
			*wrong = (int)(t - tokens);
			return 0;
		}
		sum += sign * t->value;
		t++;
		switch (t->kind) {
		case PLUS:
			sign = 1;
			break;
		case MINUS:
			sign = -1;
			break;
		case END:
			return sum;
		default:
			*wrong = (int)(t - tokens);
			return sum;
		}
		t++;
	}
	return sum;
}
