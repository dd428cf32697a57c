struct record { unsigned short id; char name[6]; _Bool deleted; };

int load_record(int index, struct record *out);
int store_record(int index, const struct record *r);

int rename_record(int index, char first)
{
	struct record r = { 0 };

	if (index < 0)
		return -1;
	if (load_record(index, &r) != 0)
		return -2;
	if (r.deleted || r.id == 0)
		return -3;
	if (r.name[0] == first)
		return 0;
	if (first < 'a' || first > 'z') {
		r.deleted = 1;
		r.name[0] = '\0';
	} else {
		r.name[0] = first;
	}
	if (r.name[5] != '\0')
		r.name[5] = '\0';
	if (store_record(index, &r) < 0)
		return -4;
	return r.name[5] ? -5 : 1;
}
