struct pupil {
	char name[12];
	double mark;
};

struct form {
	struct pupil pupils[2];
	union {
		int teacher;
		char room[4];
	};
};

int best(const struct pupil list[], int count)
{
	int i, at = 0;

	for (i = 1; i < count && i < 3; i++)
		if (list[i].mark > list[at].mark)
			at = i;
	return at;
}

int second_mark(const struct form *list, int at)
{
	if (at < 0 || at > 2)
		return -1;
	if (list[at].pupils[1].mark > 3)
		return 1;
	if (at == 2 && list[1].pupils[1].name[0] == 'x')
		return 2;
	return 0;
}
