#include <stdlib.h>

struct contact {
    char initials[4];
    int number;
};

struct book {
    struct contact *contacts;
    int size, room;
};

/* The contact with a number; NULL where there is none. */
static struct contact *find(struct book *book, int number)
{
    int i;

    for (i = 0; i < book->size; i++)
        if (book->contacts[i].number == number)
            return &book->contacts[i];
    return NULL;
}

/* Adds a contact where its number is new; -1 where there is no memory. */
int add_contact(struct book *book, int number, char initial)
{
    struct contact *contact;

    if (book->size < 0 || find(book, number))
        return 0;
    if (book->size == book->room) {
        int room = book->room + 2;
        struct contact *more = realloc(book->contacts, (size_t)room * sizeof *more);

        if (more == NULL)
            return -1;
        book->contacts = more;
        book->room = room;
    }
    contact = &book->contacts[book->size++];
    contact->number = number;
    contact->initials[0] = initial;
    contact->initials[1] = '\0';
    return 1;
}
