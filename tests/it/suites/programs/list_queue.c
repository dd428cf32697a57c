#include <stdlib.h>

struct job {
    int number;
    unsigned char urgent;
    struct job *next;
};

struct queue {
    struct job *first, *last;
    int length;
};

/* Adds a job: an urgent one in front, any other at the end. */
int add(struct queue *queue, int number, int urgent)
{
    struct job *job = malloc(sizeof *job);

    if (!job)
        return -1;
    job->number = number;
    job->urgent = urgent != 0;
    job->next = NULL;
    if (queue->first == NULL) {
        queue->first = job;
        queue->last = job;
    } else if (urgent) {
        job->next = queue->first;
        queue->first = job;
    } else {
        queue->last->next = job;
        queue->last = job;
    }
    queue->length++;
    return queue->length > 3 ? 1 : 0;
}
