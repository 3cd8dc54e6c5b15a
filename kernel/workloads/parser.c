/*
 * Recursive descent over arithmetic: calls and returns as the text has them, with
 * parentheses 30 deep.
 */
#include "program.h"

#define ROUNDS 160

static const char text[] =
    "(1+2)*3-4*(5-(6+7)*8)+((((9))))*(1-(2-(3-(4-(5-(6-(7-(8-9))))))))"
    "+12*(34+56*(78-90))-((1+1)*(2+2)*(3+3))"
    "+(((((((((((((((((((((((((((((7)))))))))))))))))))))))))))))";

FUNCTION uint64_t sum(const char **at);

FUNCTION uint64_t number(const char **at)
{
    uint64_t value = 0;
    while (**at >= '0' && **at <= '9')
        value = value * 10 + (uint64_t)(*(*at)++ - '0');
    return value;
}

FUNCTION uint64_t factor(const char **at)
{
    if (**at != '(')
        return number(at);
    (*at)++;
    uint64_t value = sum(at);
    (*at)++;
    return value;
}

FUNCTION uint64_t product(const char **at)
{
    uint64_t value = factor(at);
    while (**at == '*') {
        (*at)++;
        value *= factor(at);
    }
    return value;
}

FUNCTION uint64_t sum(const char **at)
{
    uint64_t value = product(at);
    while (**at == '+' || **at == '-')
        if (*(*at)++ == '+')
            value += product(at);
        else
            value -= product(at);
    return value;
}

PROGRAM("a recursive-descent parser of arithmetic")
{
    uint64_t result = 0;
    for (int round = 0; round < ROUNDS; round++) {
        const char *at = text;
        result = result * 3 + sum(&at);
    }
    return result;
}
