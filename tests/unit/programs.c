// LINK: workloads everybranch
/*
 * The programs in C: their branches alone must make as many instructions as this machine's
 * processor counts when it runs them one at a time.
 */
#include "tools/trace/walk.c"

#include <unistd.h>

#include "lines.h"
#include "test.h"

#define PROGRAM_AT 0x5e010000
#define CALL       0x5e001200
#define BACK       0x5e001202

static struct log the_log = { .name = "made.log",
                              .machine.caller = { .call = CALL, .back = BACK } };
static struct loaded loaded = { .at = PROGRAM_AT }, *workloads[] = { &loaded };
static struct run run = { .workload = &loaded, .cpu = &the_log.machine.cpu };

/* What the recorder counted when this was built, in a file beside this test. */
static unsigned long long counted(const char *name)
{
    char self[2000] = "", path[4000], line[200];
    unsigned long long count = 0;
    FILE *file;

    if (readlink("/proc/self/exe", self, sizeof(self) - 1) < 0)
        return 0;
    *strrchr(self, '/') = 0;
    snprintf(path, sizeof(path), "%s/../../workloads/%s.inc", self, name);
    file = fopen(path, "r");
    while (file && fgets(line, sizeof(line), file))
        if (strncmp(line, "%define INSTRUCTIONS ", 21) == 0)
            count = strtoull(line + 21, NULL, 10);
    if (file)
        fclose(file);
    return count;
}

/* A log of all its branches, as a buffer that is large enough would have them. */
static void log_of(const struct workload *own)
{
    static struct pack pack;
    struct expected expected;
    struct transfer t;

    loaded.own = own;
    run.method = method_named("bts");
    forget_lines(&run);
    expected_of(&expected, own, PROGRAM_AT, CALL, BACK, &pack);
    while (expected.source.next(&expected.source, &t))
        add_line(&run, (struct branch){ t.from, t.to, 0 }, 0, 1);
}

static unsigned long long walked(size_t *gaps)
{
    struct walk walk;
    struct range range;
    unsigned long long insns = 0;

    walk_of(&walk, &the_log, &run);
    *gaps = 0;
    while (walk_next(&walk, &range)) {
        insns += range.insns;
        *gaps += range.gap != GAP_NONE;
    }
    walk_free(&walk);
    return insns;
}

TEST(their_branches_make_the_instructions_that_ran)
{
    size_t programs = 0, gaps;

    for (const struct workload *own = __start_workloads; own < __stop_workloads; own++) {
        if (!own->packed)
            continue;
        log_of(own);
        unsigned long long want = counted(own->name), got = walked(&gaps);
        printf("# %s: %llu instructions from %llu branches\n", own->name, got,
               (unsigned long long)run.records);
        CHECK(want > 100000 && got == want && gaps == 0);
        programs++;
    }
    forget_lines(&run);
    CHECK(programs >= 4);
}

void test_setup(void)
{
    the_log.workloads = workloads;
    the_log.workload_count = 1;
}
