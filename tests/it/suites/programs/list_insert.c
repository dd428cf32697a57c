#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

/* Inserts a value into an ascending list. */
struct node *insert(struct node *head, int value)
{
    struct node *fresh = malloc(sizeof *fresh);

    if (fresh == NULL)
        return head;
    fresh->value = value;
    if (head == NULL || head->value >= value) {
        fresh->next = head;
        return fresh;
    }
    struct node *at = head;
    while (at->next != NULL && at->next->value < value)
        at = at->next;
    fresh->next = at->next;
    at->next = fresh;
    return head;
}
