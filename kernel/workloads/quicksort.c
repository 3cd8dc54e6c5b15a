/*
 * Sorting by partition: branches that nothing predicts, and recursion of uneven depth.
 */
#include "program.h"

#define COUNT  700
#define ROUNDS 9

FUNCTION void sort(uint16_t *at, int count)
{
    if (count < 2)
        return;
    uint16_t pivot = at[count / 2];
    int i = 0, j = count - 1;
    while (i <= j) {
        while (at[i] < pivot)
            i++;
        while (at[j] > pivot)
            j--;
        if (i <= j) {
            uint16_t kept = at[i];
            at[i++] = at[j];
            at[j--] = kept;
        }
    }
    sort(at, j + 1);
    sort(at + i, count - i);
}

PROGRAM("quicksort of pseudo-random numbers, nine times")
{
    uint16_t numbers[COUNT];
    uint32_t state = 1;
    uint64_t sum = 0;
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < COUNT; i++)
            numbers[i] = (uint16_t)program_random(&state);
        sort(numbers, COUNT);
        for (int i = 1; i < COUNT; i++)
            sum = sum * 31 + numbers[i] + (numbers[i - 1] > numbers[i]);
    }
    return sum;
}
