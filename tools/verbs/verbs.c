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
        .about = "hold every run against its truth",
        .more = "A log is a file, or - for standard input.  Several are judged one by one, "
                "and the exit code is that of the worst.  Rows with a failure stand first.  The "
                "table is cut to the terminal's width, and in a file to COLUMNS, if that is set.",
        .examples = "check build/run/emulator-skylake/everybranch.log\n"
                    "check --tap --no-skip serial.txt\n"
                    "check --json logs/*.log",
        .run = verb_check,
        .json = true,
        .least = 1,
        .options = {
            { .name = "tap", .about = "as TAP 13 instead of the report" },
            { .name = "junit", .value = "FILE", .about = "also as JUnit's XML, written anew" },
            { .name = "bytes", .about = "with the bytes on the wire of every run" },
            { .name = "no-skip", .about = "a skip of what the model's row has is a failure" },
        },
    },
    {
        .name = "expect",
        .operands = "MODEL METHOD WORKLOAD",
        .about = "what that must show, and what limits it",
        .more = "MODEL is a row of the table (`everybranch models`), or unknown.",
        .examples = "expect core2 lbr loop\nexpect unknown step wt\n"
                    "expect skylake lbr kinds --filter jcc+far",
        .run = verb_expect,
        .json = true,
        .least = 3,
        .most = 3,
        .options = { { .name = "filter",
                       .value = "FILTER",
                       .about = "with that left out: jcc+far, callstack" } },
    },
    {
        .name = "cat",
        .operands = "LOG",
        .about = "the log in a form that diffs clean between machines",
        .more = "Packed runs are unpacked, and all are folded in one way.",
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
        .about = "two machines: what differs",
        .more = "A and B are logs.  First who they are, then what differs by facility, "
                "workload and method, then the records around each first difference.  "
                "Exit 0: the same in all that both ran.",
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
        .more = "Branches are marked as taken or not, what repeats is shown once with its "
                "count, and what the records do not tell is named.  Of each workload the "
                "run that shows most is taken, unless an option names others.",
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
              .about = "every run as it comes, of a log that is still written" },
            { .name = "unfold", .about = "each round of a loop by itself" },
            PAGER_OPTIONS,
        },
    },
    {
        .name = "wt",
        .operands = "LOG",
        .about = "the call tree, and the instructions of each function",
        .more = "Trace and watch, rebuilt from the branches alone.  A line for each time that a function "
                "begins or goes on: its instructions so far, those of what it called, how "
                "deep it is.  Then what each function's invocations took.  Of each workload "
                "the run that shows most is taken, unless an option names others.",
        .examples = "wt --workload wt everybranch.log\n"
                    "wt --workload quicksort --summary everybranch.log",
        .run = verb_wt,
        .least = 1,
        .most = 1,
        .json = true,
        .options = {
            SELECT_OPTIONS,
            SYMBOLS_OPTION,
            { .name = "depth", .value = "N", .about = "only so many levels of calls" },
            { .name = "summary", .about = "only the table of functions" },
            PAGER_OPTIONS,
        },
    },
    {
        .name = "cost",
        .operands = "LOG",
        .about = "what each method takes, in events and in ticks",
        .more = "Events, instructions and ticks, in all and for each branch and event, beyond "
                "the untraced run (method none) of the same boot; and branch-step against "
                "single-step.  The option cost=20 of the kernel makes each run 20 times, and "
                "the least counts.  Without an option here: the workload that says most.",
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
        .more = "The page needs nothing beside itself: no network, no other file.  It is "
                "written over an earlier report, and over no other file.  Of a log that is cut "
                "short it shows what there is, and exits with 2.",
        .examples = "report metal.log kvm.log -o report.html",
        .run = verb_report,
        .least = 1,
        .json = true,
        .options = {
            { .letter = 'o',
              .name = "output",
              .value = "FILE",
              .about = "written there (report.html), over an earlier report alone; - is standard "
                       "output" },
            { .name = "no-skip", .about = "a skip of what the model's row has is a failure" },
        },
    },
    {
        .name = "submit",
        .operands = "LOG",
        .about = "a log for the corpus, without what is not to be public",
        .examples = "submit everybranch.log\nsubmit everybranch.log -o corpus/mine.log",
        .run = verb_submit,
        .json = true,
        .least = 1,
        .most = 1,
        .options = { OUTPUT("written there; else named by what it contains") },
    },
    {
        .name = "cfg",
        .operands = "LOG",
        .about = "basic blocks and the ways between them, as a graph",
        .more = "From the trace alone, with counts.  As dot it goes on to Graphviz; svg is "
                "a picture, of one workload, for which Graphviz' dot must be there.  A "
                "direction never taken is dashed, a hot one thick, and calls, returns and "
                "events have lines and arrows of their own.  Many blocks are too wide a "
                "picture: with --function it is of one function and the names of those "
                "around it.  dot may take 30 seconds, or what DOT_TIMEOUT says.",
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
              .about = "dot (so without it) or svg" },
            { .name = "function", .value = "NAME", .about = "of this function alone" },
            OUTPUT("written there"),
        },
    },
    {
        .name = "coverage",
        .operands = "LOG...",
        .about = "what ran of the code, and both ways of each Jcc",
        .more = "All runs of all logs are added up.  The whole is what can be reached from "
                "the workload's beginning, its handlers and all that ran, by direct "
                "branches and by running on.  drcov is DynamoRIO's file, version 2, and "
                "addresses are MODULE+OFFSET lines; Lighthouse reads both.  The module is "
                "BOOTX64.EFI, or the workload's name where the log brought it along.",
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
              .about = "text (so without it), drcov or addresses" },
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
              .about = "of brstack: ip,sym,brstack (so without it) or ip,brstack" },
            { .name = "uncut",
              .about = "of brstack: a sample goes on where a record is missing" },
            SELECT_OPTIONS,
            SYMBOLS_OPTION,
            OUTPUT("written there"),
        },
    },
    {
        .name = "pack",
        .operands = "FILE.asm",
        .about = "a workload of your own, for the stick's folder workloads",
        .more = "It needs nasm, ld and objcopy.  docs/adding.md tells how such a file is "
                "written.",
        .examples = "pack mine.asm\npack mine.asm -o other.ebw",
        .run = verb_pack,
        .json = true,
        .least = 1,
        .most = 1,
        .options = { OUTPUT("written there, instead of NAME.ebw in this folder") },
    },
    {
        .name = "audit",
        .operands = "FILE",
        .about = "the branch trace of another tool, against the program",
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
            { .name = "junit", .value = "FILE", .about = "also as JUnit's XML, written anew" },
        },
    },
    {
        .name = "models",
        .operands = "",
        .about = "the processors that are known, with source",
        .run = verb_models,
        .json = true,
    },
    {
        .name = "platforms",
        .operands = "",
        .about = "hypervisors and emulators, and what they leave",
        .run = verb_platforms,
        .json = true,
    },
    {
        .name = "methods",
        .operands = "",
        .about = "the ways to trace",
        .run = verb_methods,
        .json = true,
    },
    {
        .name = "workloads",
        .operands = "",
        .about = "what is traced",
        .run = verb_workloads,
        .json = true,
    },
    {
        .name = "rules",
        .operands = "",
        .about = "what traces are held to, with source and confidence",
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
        .more = "Without an operand all of them, and what may stand for each.  With some, "
                "whether they are right: exit 2 and a sentence where one is not, and a line "
                "for each that does nothing with the methods.",
        .examples = "options\noptions method=bts,bts-pmi buffer=16 threshold=4",
        .run = verb_options,
        .json = true,
        .most = 99,
        .options = { { .name = "workload",
                       .value = "NAME",
                       .about = "there is a workload of that name, too",
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
