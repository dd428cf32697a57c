extern unsigned int effective_user();
extern signed char confirm(const char *question);
extern unsigned long long free_bytes(void);
extern unsigned short load(void);

enum result { DONE, DENIED, FULL, BUSY, CANCELLED };

enum result start_backup(unsigned long long size)
{
	enum result r = DONE;

	if (effective_user() != 0)
		return DENIED;
	if (free_bytes() < size) {
		if (confirm("remove old ones?") != 'y')
			return CANCELLED;
		if (free_bytes() < size)
			r = FULL;
	}
	if (r == BUSY)
		return r;
	while (r == DONE && load() > 8) {
		if (confirm("wait?") <= 0)
			r = BUSY;
	}
	return r;
}
