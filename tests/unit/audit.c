// LINK: workloads everybranch
#include "tools/audit/stack.c"

#include "heap.h"

#include "test.h"

/*
 * A program at 0x1000, linked there: main calls foo; foo loops and returns; then what else
 * a record can be of.
 */
static const uint8_t code[] = {
    0x90,                         /* 00 main: nop                         */
    0xe8, 0x0a, 0x00, 0x00, 0x00, /* 01 call foo (10)                     */
    0xeb, 0x01,                   /* 06 jmp 09                            */
    0x90,                         /* 08 nop                               */
    0xff, 0xd0,                   /* 09 call rax                          */
    0x0f, 0x05,                   /* 0b syscall                           */
    0xc3,                         /* 0d ret                               */
    0x90, 0x90,                   /* 0e nop, nop                          */
    0x39, 0xd8,                   /* 10 foo: cmp eax, ebx                 */
    0x75, 0xfc,                   /* 12 jne 10                            */
    0xc3,                         /* 14 ret                               */
    0xff, 0xe0,                   /* 15 jump: jmp rax                     */
    0xe9, 0xf4, 0xff, 0xff, 0xff, /* 17 tail: jmp foo (10)                */
    0x06,                         /* 1c no instruction of 64-bit code     */
    0x90, 0x90, 0x90,             /* 1d nop                               */
    0x90, 0xff, 0xe0,             /* 20 table: nop, jmp rax               */
    0x90, 0x90, 0x90, 0x90, 0x90, /* 23 nop                               */
    0xb8, 0xcd, 0x80, 0x00, 0x00, /* 28 prefixed: mov eax, 80cdh          */
    0xf3, 0xc3,                   /* 2d rep ret                           */
    0x90, 0x90,                   /* 2f nop                               */
    0xcd, 0x80,                   /* 31 int 80h                           */
};
#define AT(offset) (UINT64_C(0x1000) + (offset))
#define KERNEL     UINT64_C(0xffffffff81000000)

static struct audit audit;
static struct image image;
static struct segment segment = { .at = 0x1000, .size = sizeof(code), .is_code = true };
static struct workload own;
static struct loaded loaded;

static struct traced_branch stack[16];
static size_t count;

static void add_name(const char *text, uint64_t begin, uint64_t end)
{
    names_add(&image.names, (struct name){ .begin = image.place + AT(begin),
                                           .end = image.place + AT(end),
                                           .text = format_text("%s", text),
                                           .is_function = true,
                                           .is_sized = true });
}

static void given(const char *model)
{
    audit_begin(&audit, "t.txt");
    image = (struct image){ .name = "prog",
                            .program = { .file = -1 },
                            .place = UINT64_C(1) << PLACE_SHIFT,
                            .segments = &segment,
                            .segment_count = 1 };
    add_name("main", 0x00, 0x0e);
    add_name("foo", 0x10, 0x15);
    add_name("jump", 0x15, 0x17);
    add_name("tail", 0x17, 0x1c);
    add_name("falls", 0x0e, 0x10);
    add_name("table", 0x20, 0x23);
    add_name("prefixed", 0x28, 0x33);
    names_sort(&image.names);
    own = (struct workload){ .name = "prog", .code = code, .size = sizeof(code) };
    loaded = (struct loaded){ .own = &own, .at = image.place + 0x1000 };
    audit.images = (struct images){ .at = &image, .count = 1 };
    code_at_places(&audit.images.code, &loaded, 1);
    audit.model = model ? model_named(model) : NULL;
    audit.line = 7;
    count = 0;
}

static void over(void)
{
    names_free(&image.names);
    code_free(&audit.images.code);
    audit.images = (struct images){ .count = 0 };
    audit_free(&audit);
}

/* One more, newest first. */
static struct traced_branch *branch(uint64_t from, uint64_t to)
{
    stack[count] = (struct traced_branch){ .from = from, .to = to, .times = 1 };
    return &stack[count++];
}

static void judged(void)
{
    audit_stack(&audit, 0, stack, count);
    count = 0;
}

/* True if this is all that was found. */
static bool only(enum flaw flaw, uint64_t times)
{
    for (size_t i = 0; i < FLAWS; i++)
        if (audit.found[i].count != (i == flaw ? times : 0)) {
            printf("# %s: %d times\n", flaw_rows[i].name, (int)audit.found[i].count);
            return false;
        }
    return true;
}
#define nothing() only(FLAWS, 0)

static bool is_used(const struct rule *rule)
{
    for (enum audit_rule i = 0; i < RULES; i++)
        if (rule_of(i) == rule)
            return true;
    for (enum flaw i = 0; i < FLAWS; i++)
        if (flaw_rows[i].known_by && rule_named(flaw_rows[i].known_by) == rule)
            return true;
    return false;
}

TEST(audit_uses_the_rules_that_say_so_and_no_others)
{
    const struct rule *rule;

    for (size_t n = 0; (rule = rule_nth(n)); n++)
        if (is_used(rule) != rule->of_audit)
            test_fails(__FILE__, __LINE__, rule->name);
    for (enum audit_rule i = 0; i < RULES; i++)
        CHECK(rule_of(i) && rule_of(i)->source && rule_counts(i));
}

TEST(a_finding_is_known_where_the_rule_that_accounts_for_it_holds)
{
    static const struct {
        enum flaw flaw;
        const char *model, *known_by;
    } rows[] = {
        { FOUND_DOUBLED_NEWEST, "skylake", "lbr-doubled" },
        { FOUND_DOUBLED_ADDED, "skylake", "lbr-doubled" },
        { FOUND_DOUBLED, "skylake", NULL },
        { FOUND_DOUBLED_NEWEST, "haswell", NULL },
        { FOUND_DOUBLED_NEWEST, NULL, NULL },
        { FOUND_FUSED, "zen4", "lbr-fused-further" },
        { FOUND_FUSED, "zen3", NULL },
        { FOUND_FUSED, NULL, NULL },
        { FOUND_MISSED_DIRECT, NULL, "record-direct" },
        { FOUND_LOST, "skylake", NULL },
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const struct model *model = rows[i].model ? model_named(rows[i].model) : NULL;
        const struct rule *rule = flaw_known_by(rows[i].flaw, model);

        CHECK_TEXT(rule ? rule->name : "none",
                   rows[i].known_by ? rows[i].known_by : "none");
        CHECK((flaw_weight(rows[i].flaw, model) == WEIGHT_KNOWN) == (rule != NULL));
    }
    CHECK_TEXT(flaw_known_on(FOUND_FUSED)->name, "zen4");
    CHECK(!flaw_known_on(FOUND_LOST));
}

/* main calls foo, which goes round twice and returns; main jumps on. */
static void the_whole_way(void)
{
    branch(AT(0x06), AT(0x09));
    branch(AT(0x14), AT(0x06));
    branch(AT(0x12), AT(0x10));
    branch(AT(0x12), AT(0x10));
    branch(AT(0x01), AT(0x10));
}

TEST(a_trace_that_is_right_breaks_nothing)
{
    given("skylake");
    the_whole_way();
    judged();
    CHECK(nothing() && worst_found(&audit) == WEIGHT_SOFTWARE);
    CHECK(audit.checked[RULE_FROM] == 5 && audit.checked[RULE_TARGET] == 4);
    CHECK(audit.checked[RULE_PLACE] == 1 && audit.checked[RULE_RETURN] == 1);
    CHECK(audit.checked[RULE_STRAIGHT] == 4 && audit.broken_pairs == 0);
    CHECK(audit.checked[RULE_NEWEST] == 1);
    /* Only the two rounds of the loop could be in the opposite order. */
    CHECK(audit.opposite_impossible == 3 && audit.opposite_unknown == 0);
    over();
}

TEST(a_record_that_is_missing_is_named)
{
    given("skylake");
    branch(AT(0x06), AT(0x09));
    branch(AT(0x12), AT(0x10)); /* the return is gone */
    branch(AT(0x01), AT(0x10));
    judged();
    CHECK(only(FOUND_LOST, 1) && audit.broken_pairs == 1);
    CHECK(worst_found(&audit) == WEIGHT_BROKEN);
    CHECK_TEXT(audit.found[FOUND_LOST].examples[0],
               "t.txt:7: branch 1 at main+0x6 (0x1006), after one to foo (0x1010)");
    over();
}

TEST(the_doubled_newest_record_is_known_of_skylake_alone)
{
    static const char *const rows[] = { "skylake", "nehalem", NULL };

    for (size_t i = 0; i < 3; i++) {
        given(rows[i]);
        branch(AT(0x06), AT(0x09))->cycles = 3;
        branch(AT(0x06), AT(0x09))->cycles = i == 0 ? 4 : 3;
        branch(AT(0x14), AT(0x06));
        judged();
        CHECK(audit.found[FOUND_DOUBLED_NEWEST].count == 1 && audit.broken_pairs == 1);
        CHECK(audit.copies_with_other_cycles == (i == 0));
        CHECK(flaw_weight(FOUND_DOUBLED_NEWEST, audit.model) ==
              (i == 0 ? WEIGHT_KNOWN : WEIGHT_BROKEN));
        over();
    }
}

TEST(the_newest_record_of_a_loop_is_no_copy)
{
    given("skylake");
    branch(AT(0x12), AT(0x10));
    branch(AT(0x12), AT(0x10));
    judged();
    CHECK(nothing() && audit.checked[RULE_NEWEST] == 1);
    over();
}

TEST(a_doubled_record_further_on_is_known_of_nobody)
{
    given("skylake");
    branch(AT(0x14), AT(0x06));
    branch(AT(0x01), AT(0x10));
    branch(AT(0x01), AT(0x10));
    judged();
    CHECK(only(FOUND_DOUBLED, 1));
    CHECK(flaw_weight(FOUND_DOUBLED, audit.model) == WEIGHT_BROKEN);
    over();
}

TEST(two_that_changed_places_are_named_once)
{
    given("skylake");
    branch(AT(0x06), AT(0x09));
    branch(AT(0x12), AT(0x10));
    branch(AT(0x14), AT(0x06)); /* these two */
    branch(AT(0x01), AT(0x10));
    judged();
    CHECK(only(FOUND_EXCHANGED, 1) && audit.broken_pairs == 2);
    over();
    given("skylake");
    branch(AT(0x06), AT(0x09));
    branch(AT(0x01), AT(0x10)); /* the oldest two */
    branch(AT(0x14), AT(0x06));
    judged();
    CHECK(only(FOUND_EXCHANGED, 1) && audit.broken_pairs == 2);
    over();
    given("skylake");
    branch(AT(0x14), AT(0x06)); /* the newest two */
    branch(AT(0x06), AT(0x09));
    branch(AT(0x12), AT(0x10));
    judged();
    CHECK(only(FOUND_EXCHANGED, 1) && audit.broken_pairs == 2);
    over();
}

TEST(a_stack_that_is_oldest_first_is_named)
{
    given("skylake");
    branch(AT(0x01), AT(0x10));
    branch(AT(0x12), AT(0x10));
    branch(AT(0x14), AT(0x06));
    branch(AT(0x06), AT(0x09));
    judged();
    CHECK(only(FOUND_REVERSED, 1));
    over();
    given("skylake"); /* in either order all except one record fit: not reversed */
    branch(AT(0x12), AT(0x10));
    branch(AT(0x12), AT(0x10));
    branch(AT(0x12), AT(0x10));
    branch(AT(0x14), AT(0x06));
    judged();
    CHECK(only(FOUND_ROTATED, 1));
    over();
}

TEST(a_stack_that_begins_at_the_wrong_entry_is_named)
{
    given("skylake");
    branch(AT(0x01), AT(0x10)); /* is the oldest */
    branch(AT(0x06), AT(0x09));
    branch(AT(0x14), AT(0x06));
    branch(AT(0x12), AT(0x10));
    branch(AT(0x12), AT(0x10));
    judged();
    CHECK(only(FOUND_ROTATED, 1) && audit.broken_pairs == 1);
    over();
}

TEST(from_beside_the_branch_is_named_with_its_distance)
{
    given("skylake");
    branch(AT(0x13), AT(0x10));
    branch(AT(0x01), AT(0x10));
    judged();
    CHECK(only(FOUND_SHIFTED, 1) && audit.broken_pairs == 0);
    CHECK_TEXT(audit.found[FOUND_SHIFTED].examples[0],
               "t.txt:7: branch 1: foo+0x3 (0x1013) -> foo (0x1010): the branch is 1 byte "
               "before");
    over();
}

TEST(from_before_the_branch_is_fusion_on_zen_4_alone)
{
    static const char *const rows[] = { "zen4", "skylake", NULL };

    for (size_t i = 0; i < 3; i++) {
        given(rows[i]);
        branch(AT(0x10), AT(0x10)); /* cmp and jne 10 */
        branch(AT(0x01), AT(0x10));
        judged();
        CHECK(only(FOUND_FUSED, 1) && audit.broken_pairs == 0);
        CHECK(worst_found(&audit) == (i == 0 ? WEIGHT_KNOWN : WEIGHT_BROKEN));
        over();
    }
}

TEST(from_that_is_near_no_branch_is_named)
{
    given("skylake");
    branch(AT(0x1d), AT(0x08));
    judged();
    CHECK(only(FOUND_NO_BRANCH, 1));
    over();
}

TEST(a_direct_branch_that_leads_elsewhere_is_named_with_its_target)
{
    given("skylake");
    branch(AT(0x06), AT(0x08));
    judged();
    CHECK(only(FOUND_WRONG_TO, 1));
    CHECK_TEXT(audit.found[FOUND_WRONG_TO].examples[0],
               "t.txt:7: branch 1: main+0x6 (0x1006) -> main+0x8 (0x1008): its target is "
               "main+0x9");
    over();
}

TEST(an_indirect_branch_leads_to_an_instruction)
{
    given("skylake");
    branch(AT(0x15), AT(0x1c));
    judged();
    CHECK(only(FOUND_NO_CODE, 1) && audit.checked[RULE_PLACE] == 1);
    over();
}

TEST(a_return_to_elsewhere_is_what_software_may_do)
{
    given("skylake");
    branch(AT(0x14), AT(0x08));
    judged();
    CHECK(only(FOUND_RETURN, 1) && worst_found(&audit) == WEIGHT_SOFTWARE);
    over();
}

TEST(an_interrupt_is_no_branch)
{
    given("skylake");
    branch(KERNEL, AT(0x12));
    branch(AT(0x12), KERNEL);
    branch(AT(0x0b), KERNEL); /* SYSCALL */
    judged();
    CHECK(nothing() && audit.left_out[LEFT_KERNEL] == 1 &&
          audit.left_out[LEFT_EVENTS] == 1);
    CHECK(audit.checked[RULE_FROM] == 1);
    over();
}

TEST(where_the_name_of_to_is_unknown_nothing_is_said_of_it)
{
    given("skylake");
    branch(AT(0x06), TRACED_UNNAMED);
    branch(AT(0x10), TRACED_UNNAMED); /* perhaps an interrupt */
    judged();
    CHECK(nothing() && audit.checked[RULE_FROM] == 1 && audit.left_out[LEFT_EVENTS] == 1);
    CHECK(audit.checked[RULE_TARGET] == 0);
    over();
}

TEST(a_filter_for_user_mode_tests_the_ring_that_is_entered)
{
    struct span wrong;

    given("skylake");
    CHECK(header_branch_filter(&audit, "any,u", &wrong));
    branch(KERNEL, AT(0x0d)); /* the return passes */
    branch(AT(0x01), AT(0x10));
    judged();
    CHECK(nothing() && audit.leaves_kernel == 1);
    branch(AT(0x0b), KERNEL);
    judged();
    CHECK(only(FOUND_KERNEL, 1) && worst_found(&audit) == WEIGHT_BROKEN);
    over();
}

static void next(uint64_t from, uint64_t to)
{
    count = 0;
    audit_next(&audit, 0, branch(from, to));
    audit_gap(&audit);
    count = 0;
}

/* bts-ring-from is not confirmed; that nothing inside the other ring is stored is stated.
 */
TEST(a_filter_of_bts_tests_the_ring_that_is_left)
{
    struct span wrong;

    given("core2");
    CHECK(header_branch_filter(&audit, "any,u", &wrong));
    next(AT(0x0b), KERNEL);
    CHECK(nothing() && audit.checked[RULE_BTS_RING] == 1);
    next(KERNEL, AT(0x0d));
    CHECK(only(FOUND_FROM_KERNEL, 1) && worst_found(&audit) == WEIGHT_SOFTWARE);
    next(KERNEL, KERNEL + 8);
    CHECK(audit.found[FOUND_KERNEL].count == 1 && worst_found(&audit) == WEIGHT_BROKEN);
    CHECK(audit.checked[RULE_BTS_RING] == 2 && audit.checked[RULE_RING] == 3);
    over();
    given("core2");
    CHECK(header_branch_filter(&audit, "any,k", &wrong));
    next(KERNEL, AT(0x0d));
    CHECK(nothing());
    next(AT(0x0b), KERNEL);
    CHECK(only(FOUND_FROM_USER, 1) && worst_found(&audit) == WEIGHT_SOFTWARE);
    next(AT(0x06), AT(0x09));
    CHECK(audit.found[FOUND_USER].count == 1 && worst_found(&audit) == WEIGHT_BROKEN);
    over();
}

TEST(a_system_call_without_a_record_is_passed_over)
{
    struct span wrong;

    given("skylake");
    CHECK(header_branch_filter(&audit, "any,u", &wrong));
    branch(AT(0x0d), AT(0x06));
    branch(AT(0x14), AT(0x0b));
    judged();
    CHECK(nothing() && audit.pairs_filtered == 1);
    over();
    given("skylake"); /* but all branches are recorded */
    branch(AT(0x0d), AT(0x06));
    branch(AT(0x14), AT(0x0b));
    judged();
    CHECK(only(FOUND_LOST, 1) && audit.pairs_filtered == 0);
    over();
}

TEST(what_is_not_recorded_may_stand_between)
{
    struct span wrong;

    given("skylake");
    CHECK(header_branch_filter(&audit, "any_ret", &wrong));
    branch(AT(0x0d), AT(0x06));
    branch(AT(0x14), AT(0x06));
    judged();
    CHECK(nothing() && audit.pairs_filtered == 1);
    over();
}

TEST(in_call_stack_mode_each_call_is_of_the_one_before)
{
    struct span wrong;

    given("skylake");
    CHECK(header_branch_filter(&audit, "stack,u", &wrong));
    branch(AT(0x01), AT(0x10)); /* main calls foo */
    branch(AT(0x09), AT(0x00)); /* something called main */
    judged();
    CHECK(nothing() && audit.checked[RULE_CALLS] == 2 && audit.checked[RULE_NESTED] == 1);
    branch(AT(0x01), AT(0x10));
    branch(AT(0x01), AT(0x10)); /* foo calls nobody */
    judged();
    CHECK(only(FOUND_OTHER_FUNCTION, 1));
    branch(AT(0x14), AT(0x06));
    judged();
    CHECK(audit.found[FOUND_NO_CALL].count == 1);
    over();
}

TEST(in_call_stack_mode_a_jump_out_of_a_function_leaves_no_record)
{
    struct span wrong;

    given("skylake");
    CHECK(header_branch_filter(&audit, "stack,u", &wrong));
    branch(AT(0x09), AT(0x00));
    branch(AT(0x09), AT(0x15)); /* into jmp rax, as of a linkage table */
    judged();
    CHECK(nothing() && audit.after_plt == 1 && audit.checked[RULE_NESTED] == 0);
    over();
}

TEST(in_call_stack_mode_a_function_may_come_to_another_one_without_a_call)
{
    static const uint64_t entered[] = { 0x17, 0x0e,
                                        0x20 }; /* jmp foo; falls into it; jmp rax */
    struct span wrong;

    for (size_t i = 0; i < 3; i++) {
        given("skylake");
        CHECK(header_branch_filter(&audit, "stack,u", &wrong));
        branch(AT(0x12), AT(0x10)); /* in foo */
        branch(AT(0x09), AT(entered[i]));
        judged();
        CHECK(audit.checked[RULE_NESTED] == 1 && only(FOUND_NO_CALL, 1));
        over();
    }
}

TEST(fields_that_the_records_do_not_have_are_named)
{
    given("nehalem");
    branch(AT(0x06), AT(0x09))->cycles = 5;
    judged();
    CHECK(only(FOUND_CYCLES_NO_FIELD, 1));
    over();
    given("core2");
    branch(AT(0x06), AT(0x09))->missed = 1;
    judged();
    CHECK(only(FOUND_MISSED_NO_FIELD, 1));
    over();
    given("skylake");
    branch(AT(0x06), AT(0x09))->missed = 1;
    judged();
    CHECK(only(FOUND_MISSED_DIRECT, 1) && worst_found(&audit) == WEIGHT_KNOWN);
    CHECK(audit.missed_of_kind[KIND_JMP] == 1 && audit.of_kind[KIND_JMP] == 1);
    over();
}

static void add_edge(uint64_t from, uint64_t to, uint64_t times)
{
    const struct traced_branch edge = { .from = from, .to = to, .times = times };

    audit_edge(&audit, &edge);
}

TEST(added_up_branches_weigh_as_often_as_they_ran)
{
    struct traced_branch edge = {
        .from = AT(0x12), .to = AT(0x10), .times = 40, .missed = 3
    };

    given(NULL);
    audit_edge(&audit, &edge);
    audit_straight(&audit, AT(0x10), AT(0x14), 20);
    audit_edges_end(&audit);
    CHECK(nothing() && audit.records == 40 && audit.checked[RULE_STRAIGHT] == 20);
    audit_straight(&audit, AT(0x14), AT(0x06), 2);
    audit_edges_end(&audit);
    CHECK(only(FOUND_LOST, 2) && audit.broken_pairs == 2);
    over();
}

/* Whatever its code allows: 06 always leads to 09, 15 may lead into the midst of table. */
TEST(an_added_up_branch_follows_its_own_copy_if_the_trace_has_that_branch)
{
    static const uint64_t edges[][2] = { { 0x06, 0x09 }, { 0x15, 0x21 } };

    for (size_t i = 0; i < 2; i++)
        for (size_t early = 0; early < 2; early++) {
            const uint64_t from = AT(edges[i][0]), to = AT(edges[i][1]);

            given("skylake");
            if (early)
                add_edge(from, to, 5);
            audit_straight(&audit, to, from, 5);
            if (!early)
                add_edge(from, to, 5);
            audit_edges_end(&audit);
            CHECK(only(FOUND_DOUBLED_ADDED, 5) && audit.broken_pairs == 5);
            CHECK(worst_found(&audit) == WEIGHT_KNOWN);
            over();
        }
}

TEST(a_branch_accounts_for_as_many_copies_as_it_has_records)
{
    given("skylake");
    audit_straight(&audit, AT(0x09), AT(0x06), 3);
    audit_straight(&audit, AT(0x09), AT(0x06), 3);
    add_edge(AT(0x06), AT(0x09), 4);
    audit_edges_end(&audit);
    CHECK(audit.found[FOUND_DOUBLED_ADDED].count == 4);
    CHECK(audit.found[FOUND_LOST].count == 2 && worst_found(&audit) == WEIGHT_BROKEN);
    over();
    given("skylake"); /* the code alone does not excuse it */
    audit_straight(&audit, AT(0x09), AT(0x06), 3);
    audit_edges_end(&audit);
    CHECK(only(FOUND_LOST, 3));
    over();
}

TEST(counts_end_at_the_largest_number)
{
    given(NULL);
    add_edge(AT(0x12), AT(0x08), 5);
    add_edge(AT(0x12), AT(0x08), UINT64_MAX);
    audit_straight(&audit, AT(0x14), AT(0x06), 2);
    audit_straight(&audit, AT(0x14), AT(0x06), UINT64_MAX - 1);
    audit_edges_end(&audit);
    CHECK(audit.records == UINT64_MAX && audit.checked[RULE_FROM] == UINT64_MAX);
    CHECK(broken_of(&audit, RULE_TARGET) == UINT64_MAX);
    CHECK(audit.found[FOUND_LOST].count == UINT64_MAX && audit.broken_pairs == UINT64_MAX);
    over();
}

TEST(an_abort_leads_from_an_instruction_to_one)
{
    static const struct {
        uint64_t from, to;
        enum flaw flaw;
    } rows[] = {
        { 0x10, 0x08, FLAWS },
        { 0x29, 0x08, FOUND_NO_BRANCH }, /* from an immediate */
        { 0x10, 0x02, FOUND_NO_BRANCH }, /* into one          */
        { 0x10, 0x1c, FOUND_NO_BRANCH }, /* to no instruction */
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        given("skylake");
        branch(AT(rows[i].from), AT(rows[i].to))->abort = true;
        judged();
        CHECK(only(rows[i].flaw, rows[i].flaw != FLAWS));
        CHECK(audit.left_out[LEFT_ABORTS] == (rows[i].flaw == FLAWS));
        over();
    }
}

/* The bytes of an instruction can be others from their second one on. */
TEST(from_inside_an_instruction_is_no_branch)
{
    static const struct {
        uint64_t from, to;
        enum flaw flaw;
    } rows[] = {
        { 0x29, KERNEL, FOUND_NO_BRANCH }, /* CD 80, in an immediate          */
        { 0x2e, AT(0x06), FOUND_SHIFTED }, /* RET, after REP                  */
        { 0x2d, AT(0x06), FLAWS },         /* the whole of it                 */
        { 0x28, KERNEL, FLAWS },           /* an interrupt before the other   */
        { 0x31, KERNEL, FLAWS },           /* INT 80H that nothing leads to   */
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        given(NULL);
        branch(AT(rows[i].from), rows[i].to);
        judged();
        CHECK(only(rows[i].flaw, rows[i].flaw != FLAWS));
        over();
        given(NULL);
        add_edge(AT(rows[i].from), rows[i].to, 1);
        CHECK(only(rows[i].flaw, rows[i].flaw != FLAWS));
        over();
    }
}

TEST(a_stream_is_judged_across_its_pieces)
{
    given(NULL);
    audit_next(&audit, 0, branch(AT(0x01), AT(0x10)));
    for (size_t i = 1; i < PIECE; i++) {
        count = 0;
        audit_next(&audit, 0, branch(AT(0x12), AT(0x10)));
    }
    audit_next(&audit, 0, branch(AT(0x06), AT(0x09))); /* the return is gone */
    audit_gap(&audit);
    CHECK(only(FOUND_LOST, 1) && audit.records == PIECE + 1);
    CHECK(audit.checked[RULE_STRAIGHT] == PIECE && audit.checked[RULE_NEWEST] == 0);
    over();
}

TEST(the_header_names_processor_and_filter)
{
    static const char event[] =
        "# event : name = cycles:u, exclude_kernel = 1, branch_sample_type = ANY";
    static const char calls[] = "# event : branch_sample_type = USER|CALL_STACK|NO_FLAGS";
    static const char *const ids[][2] = {
        { "GenuineIntel,6,85,4", "skylake" },  { "GenuineIntel,6,44,2", "nehalem" },
        { "GenuineIntel,6,151,2", "archlbr" }, { "AuthenticAMD,25,17,0", "zen4" },
        { "AuthenticAMD,25,33,0", "zen3" },    { "AuthenticAMD,26,2,1", "zen4" },
    };

    given(NULL);
    header_event(&audit, (struct span){ event, sizeof(event) - 1 });
    CHECK(audit.recording.user_only && !audit.recording.hidden);
    over();
    given(NULL);
    header_event(&audit, (struct span){ calls, sizeof(calls) - 1 });
    CHECK(audit.recording.user_only && audit.recording.call_stack);
    over();
    for (size_t i = 0; i < sizeof(ids) / sizeof(ids[0]); i++) {
        given(NULL);
        header_cpuid(&audit, (struct span){ ids[i][0], strlen(ids[i][0]) });
        CHECK_TEXT(audit.model ? audit.model->name : "none", ids[i][1]);
        over();
    }
}

TEST(system_calls_are_paired_without_code)
{
    given(NULL);
    branch(0x700000, KERNEL);
    branch(KERNEL, 0x700002);
    branch(KERNEL, 0x700009);
    judged();
    CHECK(crossings_paired(&audit) == 1);
    over();
}
