struct session {
	int id;
	unsigned flags;
	char user[8];
	unsigned char tries;
};

#define LOCKED 0x01u
#define ADMIN  0x80u

int may_enter(const struct session *s, struct session *parent)
{
	int level;

	if (!s)
		return -1;
	level = (s->flags & ADMIN) ? 2 : 1;
	if (s->flags & LOCKED)
		goto refuse;
	if (s->tries > 3 && level < 2)
		goto refuse;
	if (parent != 0 && parent->id == s->id)
		return level + (parent->user[0] == s->user[0]);
	if (s->user[0] == 0)
		return 0;
	return level;
refuse:
	if (parent)
		parent->tries = 0;
	return 0;
}
