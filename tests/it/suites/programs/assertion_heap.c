#include <assert.h>

/* Sifts the last element of a heap up to its place. */
int sift_up(int heap[], int n)
{
	int at = n - 1, moves = 0;

	assert(n > 0 && n <= 16);
	while (at > 0) {
		int parent = (at - 1) / 2;

		assert(parent >= 0 && parent < at);
		if (heap[parent] >= heap[at])
			break;
		int t = heap[parent];
		heap[parent] = heap[at];
		heap[at] = t;
		at = parent;
		moves++;
	}
	if (moves > 4)
		return -1;
	assert(moves != 2 || at <= 3);
	return moves;
}
