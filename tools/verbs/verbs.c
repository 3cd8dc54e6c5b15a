/*
 * What the program does, verb by verb.  A new verb is a row here, its function in a file
 * of its own; the help, the manual page and the shells' completion follow from the row.
 */
#include "verbs.h"

#include <string.h>

#include "count_of.h"
#include "pager.h"
#include "select.h"
#include "symbols.h"

#define OUTPUT(about_it)                                  \
    {                                                     \
        .letter = 'o', .name = "output", .value = "FILE", \
        .about = about_it "; never over another file"     \
    }

const struct verb verbs[] = {
    {
        .name = "check",
        .operands = "LOG...",
        .about = "compare every run with its expected trace",
        .more = "A log is a file, or - for standard input.  Several are judged one by one, "
                "and the exit code is that of the worst.  Rows with a failure come first.  The "
                "table is split at the terminal's width, and in a file at COLUMNS, if that is "
                "set.",
        .examples = "check build/run/emulator-skylake/everybranch.log\n"
                    "check --tap --no-skip serial.txt\n"
                    "check --json logs/*.log",
        .run = verb_check,
        .json = true,
        .least = 1,
        .options = {
            { .name = "tap", .about = "as TAP 13 instead of the report" },
            { .name = "junit", .value = "FILE", .about = "also as JUnit XML, replacing FILE" },
            { .name = "bytes", .about = "with how many bytes each run took on the wire" },
            { .name = "no-skip",
              .about = "a skip is a failure where the model's row has the feature" },
        },
    },
    {
        .name = "expect",
        .operands = "MODEL METHOD WORKLOAD",
        .about = "the trace that is expected there, and what limits it",
        .more = "MODEL is a row of the table (`everybranch models`), or unknown.",
        .examples = "expect core2 lbr loop\nexpect unknown step wt\n"
                    "expect skylake lbr kinds --filter jcc+far",
        .run = verb_expect,
        .json = true,
        .least = 3,
        .most = 3,
        .options = { { .name = "filter",
                       .value = "FILTER",
                       .about = "with these records filtered out: jcc+far, callstack" } },
    },
    {
        .name = "cat",
        .operands = "LOG",
        .about = "the log in a form that diffs cleanly between machines",
        .more = "Packed runs are unpacked, and repeats are folded in one way.",
        .examples = "cat everybranch.log | less",
        .options = { { .name = "packed", .about = "packed runs stay packed" } },
        .run = verb_cat,
        .json = true,
        .least = 1,
        .most = 1,
    },
    {
        .name = "diff",
        .operands = "A B",
        .about = "what differs between the logs of two machines",
        .more = "A and B are logs.  It prints what the machines are, then what differs by "
                "facility, workload and method, then the records around each first "
                "difference.  Exit 0: all runs that both made are the same.",
        .examples = "diff metal.log kvm.log",
        .run = verb_diff,
        .json = true,
        .least = 2,
        .most = 2,
    },
    {
        .name = "show",
        .operands = "LOG",
        .about = "the trace as annotated disassembly",
        .more = "Branches are marked as taken or not, repeats are shown once with their "
                "count, and gaps in the records are named.  Of each workload it shows the "
                "most complete run, unless an option names others.",
        .examples = "show --workload loop everybranch.log\n"
                    "show --run 5 --elf build/everybranch.so everybranch.log\n"
                    "show --follow /dev/ttyUSB0",
        .run = verb_show,
        .least = 1,
        .most = 1,
        .json = true,
        .options = {
            SELECT_OPTIONS,
            SYMBOLS_OPTION,
            { .name = "follow", .letter = 'f',
              .about = "each run as it arrives, of a log that is still being written" },
            { .name = "unfold", .about = "each iteration of a loop separately" },
            PAGER_OPTIONS,
        },
    },
    {
        .name = "wt",
        .operands = "LOG",
        .about = "the call tree, and the instructions of each function",
        .more = "Trace and watch, rebuilt from the branches alone.  A line each time a function "
                "begins or continues: its instructions so far, those of its callees, its "
                "depth.  Then the instructions of each function's invocations.  Of each "
                "workload it shows the most complete run, unless an option names others.",
        .examples = "wt --workload wt everybranch.log\n"
                    "wt --workload quicksort --summary everybranch.log",
        .run = verb_wt,
        .least = 1,
        .most = 1,
        .json = true,
        .options = {
            SELECT_OPTIONS,
            SYMBOLS_OPTION,
            { .name = "depth", .value = "N", .about = "at most N levels of calls" },
            { .name = "summary", .about = "only the table of functions" },
            PAGER_OPTIONS,
        },
    },
    {
        .name = "cost",
        .operands = "LOG",
        .about = "what each method costs, in events and in ticks",
        .more = "Events, instructions and ticks, in total and for each branch and event, beyond "
                "the untraced run (method none) of the same boot; and branch-step compared "
                "with single-step.  With the kernel's option cost=20 each run is made 20 "
                "times, and the fewest ticks count.  Without an option here: the most "
                "informative workload.",
        .examples = "cost everybranch.log\n"
                    "cost --workload wt,quicksort everybranch.log",
        .run = verb_cost,
        .least = 1,
        .most = 1,
        .json = true,
        .options = {
            { .name = "workload", .value = "WORKLOADS", .about = "of these" },
            { .name = "all", .about = "of every workload" },
        },
    },
    {
        .name = "report",
        .operands = "LOG...",
        .about = "one page (HTML), several machines side by side",
        .more = "The page needs no network and no other file.  It replaces an earlier report, "
                "and no other file.  Of a log that is cut short it shows what there is, and "
                "exits with 2.",
        .examples = "report metal.log kvm.log -o report.html",
        .run = verb_report,
        .least = 1,
        .json = true,
        .options = {
            { .letter = 'o',
              .name = "output",
              .value = "FILE",
              .about = "written there (report.html), replacing only an earlier report; - is "
                       "standard output" },
            { .name = "no-skip",
              .about = "a skip is a failure where the model's row has the feature" },
        },
    },
    {
        .name = "submit",
        .operands = "LOG",
        .about = "a log for the corpus, without what should not be public",
        .examples = "submit everybranch.log\nsubmit everybranch.log -o corpus/mine.log",
        .run = verb_submit,
        .json = true,
        .least = 1,
        .most = 1,
        .options = { OUTPUT("written there, instead of a name made from its contents") },
    },
    {
        .name = "cfg",
        .operands = "LOG",
        .about = "basic blocks and the edges between them, as a graph",
        .more = "From the trace alone, with counts.  dot is input for Graphviz; svg is a "
                "picture of one workload, which needs Graphviz' program dot.  An edge never "
                "taken is dashed, a hot one thick, and calls, returns and events have lines "
                "and arrows of their own.  A picture of many blocks is too wide: --function "
                "draws one function and the names of those around it.  dot may take 30 "
                "seconds, or DOT_TIMEOUT seconds.",
        .examples = "cfg everybranch.log --workload=loop --format=svg -o loop.svg\n"
                    "cfg everybranch.log --workload=wt --method=step | dot -Tpng >wt.png",
        .run = verb_cfg,
        .json = true,
        .least = 1,
        .most = 1,
        .options = {
            SELECT_OPTIONS,
            SYMBOLS_OPTION,
            { .name = "format",
              .value = "FORMAT",
              .choices = "dot svg",
              .about = "dot (the default) or svg" },
            { .name = "function", .value = "NAME", .about = "only this function" },
            OUTPUT("written there"),
        },
    },
    {
        .name = "coverage",
        .operands = "LOG...",
        .about = "which code ran, and both directions of each Jcc",
        .more = "All runs of all logs are added up.  The total is the code that can be "
                "reached from the workload's start, its handlers and everything that ran, "
                "by direct branches and by falling through.  drcov is DynamoRIO's format, "
                "version 2, and addresses are MODULE+OFFSET lines; Lighthouse reads both.  "
                "The module is BOOTX64.EFI, or the workload's name if the log contains the "
                "workload.",
        .examples = "coverage everybranch.log\n"
                    "coverage --workload=quicksort,parser --format=drcov -o c.drcov a.log "
                    "b.log",
        .run = verb_coverage,
        .least = 1,
        .json = true,
        .options = {
            { .name = "method", .value = "METHODS", .about = "only runs by these" },
            { .name = "workload", .value = "WORKLOADS", .about = "only these" },
            { .name = "format",
              .value = "FORMAT",
              .choices = "text drcov addresses",
              .about = "text (the default), drcov or addresses" },
            OUTPUT("written there"),
        },
    },
    {
        .name = "export",
        .operands = "LOG",
        .about = "for other tools: perf, callgrind, Chrome, flame graphs",
        .more = "brstack and branches are text as perf script -F ip,sym,brstack and "
                "--itrace=b print it; callgrind is for callgrind_annotate and KCachegrind; "
                "chrome for Perfetto, chrome://tracing and speedscope; folded for "
                "flamegraph.pl.  A trace has no clock: an instruction is a nanosecond.",
        .examples = "export everybranch.log --format=chrome -o trace.json\n"
                    "export everybranch.log --workload=quicksort --format=callgrind "
                    "-o callgrind.out.1\n"
                    "export everybranch.log --format=brstack --fields=ip,brstack",
        .run = verb_export,
        .json = true,
        .least = 1,
        .most = 1,
        .options = {
            { .name = "format",
              .value = "FORMAT",
              .choices = "brstack branches callgrind chrome folded",
              .about = "brstack, branches, callgrind, chrome or folded" },
            { .name = "fields",
              .value = "FIELDS",
              .choices = "ip,sym,brstack ip,brstack",
              .about = "of brstack: ip,sym,brstack (the default) or ip,brstack" },
            { .name = "uncut",
              .about = "of brstack: a sample continues across a missing record" },
            SELECT_OPTIONS,
            SYMBOLS_OPTION,
            OUTPUT("written there"),
        },
    },
    {
        .name = "pack",
        .operands = "FILE.asm",
        .about = "a workload of your own, for the stick's folder workloads",
        .more = "It needs nasm, ld and objcopy.  docs/adding.md explains how to write such "
                "a file.",
        .examples = "pack mine.asm\npack mine.asm -o other.ebw",
        .run = verb_pack,
        .json = true,
        .least = 1,
        .most = 1,
        .options = { OUTPUT("written there, instead of to NAME.ebw in this folder") },
    },
    {
        .name = "audit",
        .operands = "FILE",
        .about = "compare the branch trace of another tool with the program",
        .more = "FILE is text of `perf script`, or - for standard input: -F pid,ip,brstack "
                "(or brstacksym), or ip,addr of intel_bts.  With --header the processor and "
                "the filter are known, with --show-mmap-events where each file lay.  Exit 0: "
                "nothing is wrong, or only what this processor is known for; 1: a rule of a "
                "manual is broken.  docs/audit.md has the rules.",
        .examples = "audit trace.txt --elf prog\n"
                    "audit - --elf prog --elf libfoo.so --cpu=skylake\n"
                    "audit edges.txt --format=bolt --elf prog",
        .run = verb_audit,
        .json = true,
        .least = 1,
        .most = 1,
        .options = {
            { .name = "elf", .value = "FILE", .repeats = true,
              .about = "a program or library that ran; FILE@0xN: it lay N higher" },
            { .name = "format", .value = "FORMAT", .choices = "perf brstackoff bolt",
              .about = "perf (the default), brstackoff or bolt (pre-aggregated)" },
            { .name = "cpu", .value = "MODEL",
              .about = "the processor, where the trace has no header" },
            { .name = "branch-filter", .value = "FILTER",
              .about = "what was recorded, as perf record -j has it: any,u" },
            { .name = "junit", .value = "FILE", .about = "also as JUnit XML, replacing FILE" },
        },
    },
    {
        .name = "models",
        .operands = "",
        .about = "the known processors, with sources",
        .run = verb_models,
        .json = true,
    },
    {
        .name = "platforms",
        .operands = "",
        .about = "hypervisors and emulators, and what works under each",
        .run = verb_platforms,
        .json = true,
    },
    {
        .name = "methods",
        .operands = "",
        .about = "the tracing methods",
        .run = verb_methods,
        .json = true,
    },
    {
        .name = "workloads",
        .operands = "",
        .about = "the workloads, which are traced",
        .run = verb_workloads,
        .json = true,
    },
    {
        .name = "rules",
        .operands = "",
        .about = "the rules that traces must follow, with source and confidence",
        .more = "Unconfirmed and derived rules come first: a difference there on silicon is "
                "measured, and is no failure.  Below each rule: the methods, the models and "
                "the workloads that rest on it.  The expected trace of a workload is in its "
                "file; what each facility should do is listed by platforms.",
        .run = verb_rules,
        .json = true,
    },
    {
        .name = "options",
        .operands = "[OPTION...]",
        .about = "what everybranch.cfg and BOOT= may hold",
        .more = "Without an operand it lists all options and their values.  Operands are "
                "checked: exit 2 and a sentence for a wrong one, and a line for each that "
                "has no effect with the methods.",
        .examples = "options\noptions method=bts,bts-pmi buffer=16 threshold=4",
        .run = verb_options,
        .json = true,
        .most = 99,
        .options = { { .name = "workload",
                       .value = "NAME",
                       .about = "assume that there is also a workload of that name",
                       .repeats = true } },
    },
};
const size_t verb_count = COUNT_OF(verbs);

const struct verb *verb_named(const char *name)
{
    for (size_t i = 0; i < verb_count; i++)
        if (strcmp(verbs[i].name, name) == 0)
            return &verbs[i];
    return NULL;
}
