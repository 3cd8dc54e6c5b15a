/*
 * An interpreter of byte code: one indirect jump through a table for each
 * instruction, from one place to many.
 */
#include "program.h"

enum { PUSH, ADD, SUB, DUP, SWAP, DROP, JUMP_IF, STORE, LOAD, HALT };

/* Sums i * i, by adding, while i counts down from the argument to 1. */
static const uint8_t code[] = {
    /* 0 */ STORE,    0,                                   /* i = argument     */
    /* 2 */ PUSH,     0,  STORE, 1,                        /* sum = 0          */
    /* 6 */ LOAD,     0,  LOAD,  0,                        /* product by adding: */
    /* 10 */ STORE,   2,  STORE, 3,                        /* a = b = i        */
    /* 14 */ LOAD,    1,  LOAD,  3, ADD,  STORE, 1,        /* sum += b */
    /* 21 */ LOAD,    2,  PUSH,  1, SUB,  DUP,   STORE, 2, /* --a */
    /* 29 */ JUMP_IF, 14,
    /* 31 */ LOAD,    0,  PUSH,  1, SUB,  DUP,   STORE, 0, /* --i */
    /* 39 */ JUMP_IF, 6,
    /* 41 */ LOAD,    1,  PUSH,  0, SWAP, DROP,  HALT,
};

#define ARGUMENT 84

FUNCTION uint64_t run(const uint8_t *program, uint64_t argument)
{
    uint64_t stack[16], variable[4] = { 0, 0, 0, 0 }, kept;
    int top = 0, at = 0;
    stack[0] = argument;
    for (;;) {
        switch (program[at++]) {
        case PUSH:
            stack[++top] = program[at++];
            break;
        case ADD:
            top--;
            stack[top] += stack[top + 1];
            break;
        case SUB:
            top--;
            stack[top] -= stack[top + 1];
            break;
        case DUP:
            top++;
            stack[top] = stack[top - 1];
            break;
        case SWAP:
            kept = stack[top];
            stack[top] = stack[top - 1];
            stack[top - 1] = kept;
            break;
        case DROP:
            top--;
            break;
        case JUMP_IF:
            at = stack[top--] ? program[at] : at + 1;
            break;
        case STORE:
            variable[program[at++]] = stack[top--];
            break;
        case LOAD:
            stack[++top] = variable[program[at++]];
            break;
        default:
            return stack[top + 1] * 1000003 + variable[1];
        }
    }
}

PROGRAM("a byte-code interpreter with a jump table")
{
    return run(code, ARGUMENT);
}
