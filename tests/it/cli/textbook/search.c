#include <stdio.h>

int main() {
    int a[100], n, key, low, high, mid, i;
    printf("Enter number of elements: ");
    scanf("%d", &n);
    printf("Enter %d integers in order:\n", n);
    for (i = 0; i < n; i++)
        scanf("%d", &a[i]);
    printf("Value to find: ");
    scanf("%d", &key);
    low = 0;
    high = n - 1;
    while (low <= high) {
        mid = (low + high) / 2;
        if (a[mid] < key)
            low = mid + 1;
        else if (a[mid] == key) {
            printf("%d found at location %d.\n", key, mid + 1);
            break;
        } else
            high = mid - 1;
    }
    if (low > high)
        printf("Not found! %d isn't present in the list.\n", key);
    return 0;
}
