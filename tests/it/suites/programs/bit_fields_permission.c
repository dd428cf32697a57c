typedef struct {
	unsigned char owner : 3;
	unsigned char group : 3;
	unsigned char sticky : 1;
	_Bool directory : 1;
	unsigned short links : 10;
} permission;

#define READ 4u
#define WRITE 2u
#define EXECUTE 1u

static int allows(unsigned bits, unsigned wanted)
{
	return (bits & wanted) == wanted;
}

int access_file(permission p, int is_owner, unsigned wanted)
{
	unsigned bits = is_owner ? p.owner : p.group;

	if (wanted == 0 || wanted > 7)
		return -1;
	if (bits > 7)
		return -2;
	if (p.links == 1023)
		return -3;
	if (!allows(bits, wanted))
		return 0;
	if (p.directory && (wanted & EXECUTE) && !p.sticky)
		return 2;
	if ((wanted & (READ | WRITE)) == (READ | WRITE) && p.links > 1)
		return 3;
	return 1;
}
