#include <stddef.h>

struct job {
	int priority;
	int done;
	struct job *next;
};

int clock_now(void);
void report(const struct job *job, int when);

int run_all(struct job *first, int limit)
{
	int started = 0;
	for (struct job *job = first; job; job = job->next) {
		if (job->done)
			continue;
		report(job, clock_now());
		if (job->priority > limit)
			return -1;
		job->done = 1;
		if (!job->done)
			return -2;
		started++;
	}
	return started;
}
