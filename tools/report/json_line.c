/* json_line.h */
#include "json_line.h"

#include "log.h"
#include "text.h"

static void json_tries(struct json *json, const char *key, const struct tries *tries)
{
    json_array(json, key);
    for (size_t i = 0; i < tries->count; i++)
        json_count(json, NULL, tries->differed[i]);
    json_close(json);
}

/* A number in decimal; all others are text as in the log. */
static void json_value(struct json *json, const char *key, const struct log_field *field,
                       const void *line)
{
    char buffer[LOG_LINE_MAX];
    struct text text = text_into(buffer, sizeof(buffer));
    uint64_t number;

    if (field->type == LOG_TRIES) {
        json_tries(json, key, (const void *)((const char *)line + field->at));
        return;
    }
    log_put_value(&text, field, line);
    if (field->type == LOG_FLAG)
        json_bool(json, key, true);
    else if (field->type >= LOG_DECIMAL && read_decimal(span_of(buffer), &number))
        json_count(json, key, number);
    else
        json_text(json, key, buffer);
}

/* What stands for a field that is not in the line. */
static void json_missing(struct json *json, const char *key, const struct log_field *field,
                         const void *line)
{
    if (field->type == LOG_COUNT)
        json_count(json, key, 0);
    else if (field->type == LOG_FLAG)
        json_bool(json, key, false);
    else if (field->type == LOG_TRIES)
        json_value(json, key, field, line);
    else
        json_null(json, key);
}

/* Two groups of a line may have the same field, of which one is there at most. */
static bool comes_again(const struct log_field *field)
{
    const struct log_field *later = field + 1;

    while (later->key && later->type != LOG_OWN && later->at != field->at)
        later++;
    return later->key && later->type != LOG_OWN;
}

void json_fields(struct json *json, enum log_line word, const void *line)
{
    const struct log_field *field = log_words[word].fields, *skipped_to = field;
    const struct log_field *printed = NULL; /* of a member that is in two fields */

    for (; field->key && field->type != LOG_OWN; field++) {
        const struct span name = log_key(field);
        char key[32];
        struct text text = text_into(key, sizeof(key));

        text_span(&text, name);
        if (field >= skipped_to && !log_field_is_there(field, line))
            skipped_to = log_group_end(field);
        if (field >= skipped_to)
            json_value(json, key, field, line);
        else if (!comes_again(field) && !(printed && printed->at == field->at))
            json_missing(json, key, field, line);
        if (field >= skipped_to && comes_again(field))
            printed = field;
    }
}

void json_line(struct json *json, const char *key, enum log_line word, const void *line,
               bool is_there)
{
    if (!is_there) {
        json_null(json, key);
        return;
    }
    json_object(json, key);
    json_fields(json, word, line);
    json_close(json);
}
