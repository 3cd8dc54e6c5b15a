/*
 * Renders the JSON that the page carries (docs/json.schema.json; tools/verbs/verb_report.c says
 * what it has beyond `check`).  All text comes from logs, which anybody may have made, so it is
 * only ever set as text; the graphs, which Graphviz drew, are parsed as SVG.
 */
"use strict";

(function () {
  const report = JSON.parse(document.getElementById("data").textContent);
  const logs = report.logs;
  const SHOWN_MAX = 200;        /* differing runs of a machine that are shown in full */
  const OPEN_MAX = 5;           /* findings outside the runs that are shown at once   */
  const FOLD_LEAST = 6;         /* workloads that pass everywhere and are folded      */
  const INDENT_MAX = 12;        /* levels of calls that page.css has a step for       */
  const BAR_WIDTH = 160, BAR_HEIGHT = 10;

  /* From the best to the worst: a sign and a word, so that no colour is needed. */
  const VERDICTS = ["pass", "skip", "measured", "fail", "error"];
  const SIGNS = { pass: "\u2713", skip: "\u2013", measured: "\u2248", fail: "\u2717", error: "!" };
  const WORDS = { pass: "pass", skip: "skip", measured: "measured", fail: "FAIL", error: "ERROR" };
  const MEANINGS = {
    pass: "every record is what the workload must produce by that method on that model",
    fail: "the hardware did something else",
    measured: "silicon differs where no manual states what is right: reported, not failed",
    skip: "it cannot be done there; the reason is below the table",
    error: "the log or the program is at fault, so nothing is known",
  };
  const OUTCOMES = {
    pass: "all as expected", skip: "all as expected",
    measured: "as expected, and something was measured",
    fail: "a difference", error: "not usable",
  };

  /* --- elements ---------------------------------------------------------------------- */

  const byId = (id) => document.getElementById(id);
  const rank = (verdict) => VERDICTS.indexOf(verdict);
  const sum = (list, of) => list.reduce((total, item) => total + of(item), 0);
  const plural = (count) => count === 1 ? "" : "s";

  /* el("td", { class: "number" }, 5): strings and numbers become text, null nothing. */
  function el(tag, attributes, ...children) {
    const element = document.createElement(tag);

    for (const [name, value] of Object.entries(attributes || {}))
      if (value !== null && value !== false)
        element.setAttribute(name, value === true ? "" : value);
    element.append(...children.flat(Infinity).filter((child) => child !== null));
    return element;
  }

  /* 10832200 is "10,832,200"; a text such as "12+" is grouped before it comes here. */
  const grouped = (value) => typeof value === "number" ? value.toLocaleString("en") : value;
  const number = (value) => el("td", { class: "number" }, grouped(value));
  const head = (text, kind) => el("th", { scope: "col", class: kind || null }, text);
  const hidden = (text) => el("span", { class: "hidden" }, text);

  function sign(verdict) {
    return [el("span", { "aria-hidden": "true" }, SIGNS[verdict]), " " + WORDS[verdict]];
  }

  function badgeOfVerdict(verdict) {
    return el("span", { class: "v v-" + verdict }, sign(verdict));
  }

  function scroll(attributes, table) {
    return el("div", { class: "scroll", tabindex: "0", role: "group", ...attributes }, table);
  }

  function box(attributes, summary, ...inside) {
    return el("details", { class: "box", ...attributes }, el("summary", null, summary),
              el("div", { class: "inside" }, inside));
  }

  const section = (id) => byId(id).closest("section");

  /* A section without content goes, and its entry in the list of sections. */
  function fill(id, children) {
    if (children.length > 0)
      return section(id).append(...children);
    section(id).remove();
    document.querySelector("nav a[href='#" + id + "']").closest("li").remove();
  }

  /* --- machines ---------------------------------------------------------------------- */

  /* "core2", or of several "machine 2 (core2)"; a title begins with a capital letter. */
  function name(log, isTitle) {
    const row = !log.machine ? "unknown machine" : log.machine.row || "unknown model";

    return logs.length === 1 ? row
      : (isTitle ? "Machine " : "machine ") + (logs.indexOf(log) + 1) + " (" + row + ")";
  }

  function badge(log) {
    const machine = log.machine;

    if (!machine)
      return null;
    if (machine.emulated)
      return el("span", { class: "badge" }, "emulated");
    if (machine.hypervisor)
      return el("span", { class: "badge" }, "under " + (machine.platform || "a hypervisor"));
    return el("span", { class: "badge metal" }, "no hypervisor announced");
  }

  const inAll = (verdict) => sum(logs, (log) => log.counts[verdict]);

  function lead() {
    const worst = logs.reduce((so, log) => rank(log.verdict) > rank(so) ? log.verdict : so, "pass");
    const failed = inAll("fail"), errors = inAll("error");
    const runs = sum(logs, (log) => log.runs.length);
    const of = logs.filter((log) => rank(log.verdict) >= rank("fail")).length;

    document.title = WORDS[worst] + " " + logs.slice(0, 3).map((log) => name(log)).join("; ") +
      (logs.length > 3 ? "; ..." : "") + " - branch-trace report";
    byId("build").textContent = report.build;
    byId("lead").append(
      badgeOfVerdict(worst), " ",
      (failed + errors
       ? grouped(failed || errors) + " of " + grouped(runs) + " runs " +
         (failed ? "failed" + (errors ? ", " + grouped(errors) + " in error" : "")
          : errors === 1 ? "is in error" : "are in error")
       : of ? "a check outside the runs failed; " + grouped(runs) + " runs"
       : grouped(runs) + " runs, none failed") +
      (logs.length === 1 ? "" : ", on " + (of ? of + " of " : "") + logs.length + " machines") + "; " +
      grouped(sum(logs, (log) => sum(log.runs, (run) => run.branches))) + " branches.");
  }

  function loud() {
    const count = logs.filter((log) => log.machine && log.machine.emulated).length;

    if (count === 0)
      return byId("emulated").remove();
    byId("emulated").append(
      el("strong", null, count < logs.length
         ? count + " of these " + logs.length + " machines " + (count === 1 ? "is" : "are") +
           " emulated:"
         : count === 1 ? "This machine is emulated:" : "All of these machines are emulated:"),
      " nothing that was found there is a property of silicon.");
  }

  function card(log) {
    const counts = VERDICTS.filter((verdict) => log.counts[verdict])
      .map((verdict) => grouped(log.counts[verdict]) + " " + verdict).join(", ");
    const runs = grouped(log.runs.length) + " run" + plural(log.runs.length);
    const others = log.causes.filter((cause) => cause.runs.length === 0).length;

    return el("li", { class: "card" },
              el("h3", null, name(log, true)), el("p", null, badge(log)),
              el("p", null, badgeOfVerdict(log.verdict), " " + OUTCOMES[log.verdict]),
              el("p", null, runs + (counts && ": ") + counts +
                 (others ? "; " + others + " failed check" + plural(others) + " outside the runs" : "")),
              el("p", { class: "where" }, log.log));
  }

  /* A column for each kind of processor: which one it is, and what it is. */
  function columnsOf(log) {
    const first = { processor: 0, facilities: log.facilities };

    return [first].concat(log.other_processors).map((cpu, i) => ({
      log: log, kind: cpu.processor, facts: log.facts[i], facilities: cpu.facilities }));
  }

  function ranges(numbers) {
    const parts = [];

    for (let i = 0, next; i < numbers.length; i = next) {
      for (next = i + 1; next < numbers.length && numbers[next] === numbers[next - 1] + 1; next++) {
      }
      parts.push(numbers[i] + (next === i + 1 ? "" : (next === i + 2 ? ", " : " to ") +
                               numbers[next - 1]));
    }
    return parts.join(", ");
  }

  function processorsText(numbers) {
    return "processor" + plural(numbers.length) + " " + ranges(numbers);
  }

  function columnTitle(column) {
    const like = column.log.processors ? column.log.processors.like : [];
    const mine = [...like.keys()].filter((processor) => like[processor] === column.kind);

    return name(column.log, true) +
      (column.log.other_processors.length ? ": " + processorsText(mine) : "");
  }

  function probed(column, facility) {
    const found = column.facilities.find((row) => row.name === facility);

    if (!found)
      return el("td", null, "not tried");
    return el("td", null, el("strong", null, found.outcome), el("br"),
              el("span", { class: "small" }, found.evidence),
              !found.remark ? null :
              [el("br"), found.expected === false
               ? el("strong", { class: "v-fail" }, found.remark)
               : el("span", { class: "small" }, found.remark)]);
  }

  function rows(columns, title, all) {
    return el("tbody", null,
              el("tr", null, el("th", { scope: "rowgroup", colspan: columns.length + 1 }, title)),
              all.map(([what, cell]) => el("tr", null, el("th", { scope: "row" }, what),
                                           columns.map(cell))));
  }

  function facts() {
    const columns = logs.flatMap(columnsOf);
    const facilities = new Set(columns.flatMap((column) =>
      column.facilities.map((row) => row.name)));

    byId("facts").append(
      el("thead", null, el("tr", null, head("Machine"), columns.map((column) =>
        el("th", { scope: "col" }, columnTitle(column), " ", badge(column.log))))),
      rows(columns, "Found by trying", [...facilities].map((facility) =>
        [facility, (column) => probed(column, facility)])),
      rows(columns, "Who they are", [...columns[0].facts.keys()].filter((i) =>
        columns.some((column) => column.facts[i].text)).map((i) =>
        [columns[0].facts[i].title, (column) => el("td", null, column.facts[i].text || "-")])));
  }

  function notes() {
    const items = logs.flatMap((log) => log.notes.map((note) => name(log, true) + ": " + note).concat(
      log.avoided.map((it) => name(log, true) + ": not tried, since an earlier boot died of it: " +
                      it.what + " (see " + it.log + ")")));

    if (items.length)
      section("machines").append(
        el("h3", null, "Notes of the kernel"),
        el("ul", { class: "plain" }, items.map((text) => el("li", null, text))));
  }

  /* --- differences, found before the verdicts lead to them ----------------------------- */

  const isAtOnce = (log) => log.processors !== null && log.processors.like.length > 1;
  const suffix = (run) => run.filter === "none" ? "" : " filter=" + run.filter;
  const processorOf = (log, run) => isAtOnce(log) ? " processor " + run.processor : "";

  /* Of each log: the causes with their runs, and of each run the id of its cause. */
  const groups = logs.map((log, at) => {
    const byNumber = new Map(log.runs.map((run) => [run.run, run])), ids = new Map();
    const shown = log.causes.filter((cause) => cause.runs.length).slice(0, SHOWN_MAX)
      .map((cause) => ({ cause: cause, id: "m" + (at + 1) + "r" + cause.runs[0],
                         runs: cause.runs.map((run) => byNumber.get(run)) }));

    for (const group of shown)
      for (const run of group.runs)
        ids.set(run, group.id);
    return { shown: shown, ids: ids };
  });

  function rule(limit) {
    return [limit.rule, el("span", { class: "source" }, limit.confidence + ": " + limit.source)];
  }

  function rowOf(log, run) {
    const kind = isAtOnce(log) ? log.processors.like[run.processor] : 0;
    const other = log.other_processors.find((other) => other.processor === kind);

    return (other || log).machine.row;
  }

  function rulesOf(log, run) {
    const row = rowOf(log, run);
    const rules = log.rules.find((it) => it.method === run.method && it.row === row &&
                                 it.filter === run.filter).rules;
    const about = log.workloads.find((workload) => workload.name === run.workload).about;
    const rests = run.difference && run.difference.rests_on;

    return [
      rests ? el("p", null, el("strong", null, "It rests on a rule that no manual states:"), " ",
                 rule(rests)) : null,
      el("details", null,
         el("summary", null, "The rules for " + run.method + " on " + (row || "an unknown model") +
            ", with their sources"),
         el("p", null, "The expected trace is that of ", el("code", null, run.workload),
            " (" + about + ") as its author wrote it, without what this method cannot show:"),
         el("ul", { class: "limits" }, rules.map((limit) => el("li", null, rule(limit))))),
    ];
  }

  /*
   * Both sides next to each other: what was expected, and what was recorded instead.  A "-"
   * is a side without a record.
   */
  function records(difference) {
    const before = difference.records.findIndex((row) => row.differs);
    let got = difference.got_record - before, want = difference.want_record - before;

    function side(kind, text, count, differs) {
      const none = text === "-";
      const what = !none ? text : !differs ? "" : kind === "plus" ? "not recorded" : "not expected";

      return [el("td", { class: "number " + kind }, none ? "" : grouped(count)),
              el("td", { class: kind + (none && differs ? " hole" : "") },
                 (differs && !none ? kind === "plus" ? "+ " : "- " : "") + what)];
    }

    return scroll({ "aria-label": "Records around the difference" }, el(
      "table", { class: "records" },
      el("caption", null, "The records around it, oldest first (" + difference.kind + ")"),
      el("thead", null, el("tr", null, head(hidden("mark")), head("no.", "number"),
                           head("expected"), head("no.", "number"), head("recorded"))),
      el("tbody", null, difference.records.map((row) => el(
        "tr", { class: row.differs ? "here" : null },
        el("td", null, row.differs ? ["\u25b6", el("span", { class: "word" }, " differs")] : ""),
        side("minus", row.want, row.want === "-" ? want : want++, row.differs),
        side("plus", row.got, row.got === "-" ? got : got++, row.differs))))));
  }

  function code(cause) {
    if (cause.code.length === 0)
      return null;
    return el("pre", { class: "code", tabindex: "0" }, cause.code.map((insn) => [
      el(insn.differs ? "strong" : "span", null,
         (insn.differs ? "> " : "  ") + ("+" + insn.offset).padEnd(8) +
         (insn.label || "").padEnd(12) + insn.text), "\n"]));
  }

  /* Who recorded the same, who recorded what was expected, and what that suggests. */
  function witnesses(cause) {
    const where = cause.expect_at ? "EXPECT at " + cause.expect_at : "the expected trace";

    return [
      cause.as_expected_by.length ? el("p", null, "Recorded as expected by " +
                                       cause.as_expected_by.join(", ") + ".") : null,
      cause.unanimous ? el("p", { class: "loud" }, "All " + cause.methods.length +
                           " methods that recorded it agree with each other: is " + where +
                           " wrong?") : null,
    ];
  }

  /* One run for each method, since the rules are those of a method. */
  function byMethod(runs) {
    return [...new Map([...runs].reverse().map((run) => [run.method, run])).values()].reverse();
  }

  function difference(log, group, isFirst) {
    const run = group.runs[0], cause = group.cause;
    const processors = [...new Set(group.runs.map((run) => run.processor))].sort((a, b) => a - b);
    const who = isAtOnce(log) ? " " + processorsText(processors) : "";
    const workloads = [...new Set(group.runs.map((run) => run.workload))];
    const drawn = report.traces.findIndex((trace) => trace.workload === cause.workload);
    const graph = report.traces[drawn];

    return box({ id: group.id, class: "box on-paper", open: isFirst },
               [badgeOfVerdict(run.verdict), " ",
                el("span", { class: "title" },
                   cause.methods.join(", ") + ", " + workloads.join(", ") + suffix(run) + who),
                el("span", { class: "why" }, run.why)],
               el("p", { class: "small" }, log.log + ":" + run.line + ", run" +
                  plural(group.runs.length) + " " + ranges(group.runs.map((run) => run.run)) +
                  " of " + log.runs.length,
                  drawn < 0 || !cause.workload ? null
                  : [". ", el("a", { href: "#t" + drawn }, "The graph of " +
                            graph.workload + " by " + graph.method + ", on " +
                            name(logs[graph.log]))]),
               code(cause), run.difference ? records(run.difference) : null, witnesses(cause),
               byMethod(group.runs).map((run) => rulesOf(log, run)));
  }

  /* Facilities, and methods that pass and contradict each other. */
  function outsideRuns(log) {
    const all = log.causes.filter((cause) => cause.runs.length === 0);

    if (all.length === 0)
      return null;
    return box({ class: "box on-paper", open: all.length <= OPEN_MAX },
               [badgeOfVerdict("fail"), " ",
                el("span", { class: "title" }, "Outside the runs: " + all.length)],
               el("ul", { class: "plain" }, all.slice(0, SHOWN_MAX).map((cause) => el(
                 "li", null, "line " + cause.line + ": " + cause.what,
                 cause.contradicts.length > 1
                   ? "; and so with " + cause.contradicts.slice(1).join(", ") : ""))));
  }

  function differences(log, at) {
    const differing = log.runs.filter((run) => rank(run.verdict) >= rank("measured"));
    const more = differing.length - groups[at].ids.size;
    const error = log.error;

    if (rank(log.verdict) < rank("measured"))
      return [];
    return [
      el("h3", null, name(log, true)),
      error ? el("p", null, badgeOfVerdict("error"), " " + log.log +
                   (error.line ? ":" + error.line : "") + ": " + error.what + ".") : null,
      outsideRuns(log),
      groups[at].shown.map((group, i) => difference(log, group, i === 0)),
      more > 0 ? el("p", null, "And " + more + " more, which are in the table above; " +
                    "`everybranch check` lists each.") : null,
    ].flat().filter((child) => child !== null);
  }

  function allDifferences() {
    const all = logs.flatMap(differences);

    section("differences").append(...(all.length ? all : [
      el("p", null, "None: every record is as expected.")]));
  }

  /* --- verdicts ---------------------------------------------------------------------- */

  function verdictLink(at, run) {
    const id = groups[at].ids.get(run);

    return id ? el("a", { href: "#" + id }, sign(run.verdict)) : sign(run.verdict);
  }

  /* All runs of a cell, the worst first: a line each where it leads further, else one for all. */
  function cellRuns(log, at, runs) {
    const items = [];

    for (const verdict of [...VERDICTS].reverse()) {
      const alike = runs.filter((run) => run.verdict === verdict);
      const lines = rank(verdict) >= rank("measured") ? alike.map((run) => [run])
        : alike.length ? [alike] : [];

      items.push(...lines.map((line) => el(
        "li", { class: "v v-" + verdict }, verdictLink(at, line[0]),
        " " + line.map((run) => isAtOnce(log) ? "processor " + run.processor
                       : "run " + run.run).join(", "))));
    }
    return el("ul", null, items);
  }

  function worstOf(runs) {
    return runs.reduce((worst, run) => rank(run.verdict) > rank(worst.verdict) ? run : worst);
  }

  function cell(log, at, runs) {
    if (!runs)
      return el("td", null, "...");
    const worst = worstOf(runs);
    const alike = runs.filter((run) => run.verdict === worst.verdict).length;
    const isMany = runs.length > 1 && (alike < runs.length ||
                                       rank(worst.verdict) >= rank("measured"));

    return el("td", { class: "v v-" + worst.verdict }, !isMany
              ? verdictLink(at, worst)
              : el("details", null,
                   el("summary", null, sign(worst.verdict), " " + alike + "/" + runs.length),
                   cellRuns(log, at, runs)));
  }

  function matrix(at, heads, rows, folds) {
    return scroll({ class: "scroll" + (folds ? " folds" : ""), role: "region",
                    "aria-labelledby": "verdicts-" + (at + 1) }, el(
      "table", { class: "matrix" }, el("thead", null, el("tr", null, heads)),
      el("tbody", null, rows)));
  }

  /* Workloads, with each of the plan's filters, by methods; rows with a failure first. */
  function planned(log, at) {
    const filters = log.plan.filters.length ? log.plan.filters : [null];
    const cells = new Map();
    const key = (workload, filter, method) => JSON.stringify([workload, filter, method]);

    for (const run of log.runs) {
      const where = key(run.workload, log.plan.filters.length ? run.filter : null, run.method);

      cells.set(where, (cells.get(where) || []).concat([run]));
    }
    const never = new Set(log.plan.methods.filter((method) => log.runs.every(
      (run) => run.method !== method || run.verdict === "skip")));
    const rows = log.plan.workloads.flatMap((workload) => filters.map((filter) => {
      const runs = log.plan.methods.map((method) => cells.get(key(workload, filter, method)));
      const worst = runs.map((all) => all ? worstOf(all).verdict : null);

      return { title: workload + (filter ? " " + filter : ""), runs: runs,
               has: [...new Set(runs.flat().filter((run) => run).map((run) => "has-" + run.verdict))],
               fails: worst.some((verdict) => rank(verdict) >= rank("fail")),
               passes: worst.every((verdict, i) => verdict === "pass" ||
                                   (verdict === "skip" && never.has(log.plan.methods[i]))) };
    }));
    const shown = rows.filter((row) => row.fails).concat(rows.filter((row) => !row.fails));

    const passing = rows.filter((row) => row.passes).length;
    const folds = passing >= FOLD_LEAST;

    return [matrix(at, [head("workload" + (log.plan.filters.length ? ", filter" : ""))].concat(
      log.plan.methods.map((method) => head(method))), shown.map((row) => el(
      "tr", { class: row.has.concat(row.passes ? ["all-pass"] : [],
                                    row.passes && folds ? ["folds"] : []).join(" ") },
      el("th", { scope: "row" }, row.title), row.runs.map((runs) => cell(log, at, runs)))),
                   folds && passing === rows.length),
            folds ? unfold(passing, rows.length) : null];
  }

  /* Rows that pass everywhere say one thing, so they are one line until somebody asks. */
  function unfold(count, all) {
    const button = el("button", { type: "button", class: "unfold", "aria-expanded": "false" },
                      (count < all ? "and " : "") + count + " workloads " +
                      (count < all ? "that " : "") + "pass by every method that runs here");

    button.addEventListener("click", () => {
      const open = button.closest("div").classList.toggle("unfolded");

      button.setAttribute("aria-expanded", String(open));
    });
    return el("p", { class: "folded" }, button);
  }

  /* Which rows are shown: all, or those with a run of that verdict. */
  function filter() {
    const choices = [["", "all " + grouped(sum(logs, (log) => log.runs.length))]].concat(
      VERDICTS.filter(inAll).map((verdict) => [verdict, WORDS[verdict] + " " + grouped(inAll(verdict))]));
    const buttons = choices.map(([verdict, text]) => el(
      "button", { type: "button", "aria-pressed": String(verdict === ""),
                  id: "show-" + (verdict || "all"), class: verdict ? "v-" + verdict : null }, text));

    buttons.forEach((button, i) => button.addEventListener("click", () => {
      byId("matrices").dataset.show = choices[i][0];
      for (const other of buttons)
        other.setAttribute("aria-pressed", String(other === button));
    }));
    byId("filter").append(...buttons);
  }

  /* The runs of a log of commands, in their order. */
  function listed(log, at) {
    return matrix(at, ["run", "method", "workload", "verdict"].map((title) => head(title)),
                  log.runs.map((run) => el(
                    "tr", { class: "has-" + run.verdict }, el("th", { scope: "row" }, run.run), el("td", null, run.method),
                    el("td", null, run.workload + suffix(run) + processorOf(log, run)),
                    cell(log, at, [run]))));
  }

  /* Each reason once for a method, with the workloads unless it is all of them. */
  function skips(log) {
    const reasons = new Map();

    for (const run of log.runs.filter((run) => run.verdict === "skip")) {
      const key = JSON.stringify([run.method, run.why]);

      reasons.set(key, (reasons.get(key) || []).concat([run]));
    }
    if (reasons.size === 0)
      return null;
    return el("details", { class: "on-paper" },
              el("summary", null, "What was skipped there, and why"),
              el("ul", { class: "plain" }, [...reasons.values()].map((runs) => {
                const method = runs[0].method;
                const all = sum(log.runs, (run) => run.method === method) === runs.length;
                const on = [...new Set(runs.map((run) => run.workload))].join(", ");

                return el("li", null, el("strong", null, method),
                          (all ? "" : " on " + on) + ": " + runs[0].why);
              })));
  }

  function verdicts(log, at) {
    return el("div", null, el("h3", { id: "verdicts-" + (at + 1) }, name(log, true)),
              log.plan ? planned(log, at) : log.runs.length ? listed(log, at)
              : el("p", null, "No run was made."), skips(log));
  }

  /* --- cost -------------------------------------------------------------------------- */

  function bar(part) {
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");

    svg.setAttribute("class", "bars");
    svg.setAttribute("width", BAR_WIDTH);
    svg.setAttribute("height", BAR_HEIGHT);
    svg.setAttribute("aria-hidden", "true");
    for (const [kind, width] of [["bar-back", BAR_WIDTH], ["bar", part * BAR_WIDTH]]) {
      const rect = document.createElementNS("http://www.w3.org/2000/svg", "rect");

      rect.setAttribute("class", kind);
      rect.setAttribute("width", width);
      rect.setAttribute("height", BAR_HEIGHT);
      svg.append(rect);
    }
    return svg;
  }

  function cost(log) {
    const table = log.cost;

    if (!table)
      return [];
    const ticks = table.methods.map((row) => Math.max(1, row.ticks));
    const least = Math.min(...ticks) / 2, most = Math.max(2, ...ticks);
    const onScale = (value) => Math.log(Math.max(1, value) / least) / Math.log(most / least);
    const each = (count) => !table.branches ? "-"
      : (count / table.branches).toLocaleString("en", { minimumFractionDigits: 2, maximumFractionDigits: 2 });
    const [step, btf] = ["step", "btf"].map((method) =>
      table.methods.find((row) => row.method === method));

    return [
      el("h3", null, name(log, true)),
      step && btf && btf.events ? el(
        "p", null, "Single-stepping takes " + grouped(step.events) +
        " debug exceptions, branch-stepping " + grouped(btf.events) + ": " + (step.events / btf.events).toFixed(1) + " times fewer.") : null,
      scroll({ "aria-label": "Cost" }, el(
        "table", null,
        el("caption", null, table.workload + (table.branches
          ? ": " + grouped(table.instructions || 0) + " instructions, " + grouped(table.branches) + " branches"
          : ": what ran is not counted, since another compiler made it") + (log.machine && log.machine.emulated
             ? "; ticks are those of an emulator, and nothing of silicon" : "")),
        el("thead", null, el(
          "tr", null, head("method"), head("events", "number"), head("for each branch", "number"),
          head("ticks", "number"), head("ticks for each branch", "number"),
          head("ticks, logarithmic"), head(hidden("remark")))),
        el("tbody", null, table.methods.map((row) => el(
          "tr", null, el("th", { scope: "row" }, row.method), number(row.events),
          number(each(row.events)), number(row.ticks), number(each(row.ticks)),
          el("td", null, bar(onScale(row.ticks))),
          el("td", null, row.as_expected ? "" : "FAIL: a run was not as expected")))))),
    ].filter((child) => child !== null);
  }

  /* --- traces ------------------------------------------------------------------------ */

  /* Several graphs are in one page, and the names of their elements are all the same. */
  function graph(trace) {
    const svg = new DOMParser().parseFromString(trace.svg, "image/svg+xml").documentElement;

    for (const element of [svg, ...svg.querySelectorAll("[id]")])
      element.removeAttribute("id");
    const about = "Control-flow graph of " + trace.workload + ": " + trace.blocks + " blocks, " +
      trace.edges + " edges between them";

    return el("div", { class: "picture", tabindex: "0", role: "group", "aria-label": "Basic blocks" },
              el("div", { role: "img", "aria-label": about }, document.adoptNode(svg)));
  }

  function call(row) {
    const atLeast = row.at_least ? "+" : "";

    return el("tr", null,
              el("th", { scope: "row", class: "d" + Math.min(row.depth, INDENT_MAX) },
                 row.function + (row.how === "called" ? "" : " (" + row.how + ")")),
              number(row.depth), number(row.times), number(grouped(row.self) + atLeast),
              number(grouped(row.self + row.children) + atLeast));
  }

  function calls(trace) {
    return [
      scroll({ "aria-label": "Calls" }, el(
        "table", { class: "tree" },
        el("caption", null, "Calls; those with the same chain of callers are one row. " +
           "Instructions with a + are a minimum."),
        el("thead", null, el("tr", null, head("function"), head("depth", "number"),
                             head("times", "number"), head("own instructions", "number"),
                             head("with callees", "number"))),
        el("tbody", null, trace.calls.map(call)))),
      trace.further_calls ? el("p", { class: "small" }, "And " + trace.further_calls +
                               " further chains; `everybranch wt` has all calls.") : null,
      trace.gaps ? el("p", { class: "small" },
                      "Not all of this run is known: parts of it left no record.") : null,
    ];
  }

  function trace(trace, at) {
    const log = logs[trace.log];

    return box({ id: "t" + at }, [
      el("span", { class: "title" }, trace.workload), " " + trace.about,
      el("span", { class: "why" }, "by " + trace.method + suffix(trace) + processorOf(log, trace) +
         ", on " + name(log) + ": " + grouped(trace.branches) + " branches")],
               trace.svg ? graph(trace) : trace.readable ? null :
               el("p", { class: "small" }, trace.blocks + " blocks: too many for a picture; " +
                  "`everybranch cfg --function=` draws one of the functions."),
               calls(trace));
  }

  function traces() {
    return report.traces.map(trace).concat(report.graphviz ? [] : [
      el("p", { class: "loud" },
         "There are no pictures, since Graphviz was missing when this page was made.")]);
  }

  function legend() {
    byId("legend").append(...["pass", "fail", "measured", "skip", "error"].map((verdict) =>
      el("li", null, badgeOfVerdict(verdict), " " + MEANINGS[verdict])));
  }

  /* --- what a person does with it ------------------------------------------------------ */

  /* What a link leads to is opened, and everything around it. */
  function reveal() {
    let at = location.hash.length > 1 && byId(location.hash.slice(1));
    const goal = at;

    for (; at; at = at.parentElement)
      if (at.tagName === "DETAILS")
        at.open = true;
    if (goal)
      goal.scrollIntoView();
  }

  function print() {
    let opened = [];

    window.addEventListener("beforeprint", function () {
      opened = Array.from(document.querySelectorAll("details.on-paper:not([open])"));
      for (const details of opened)
        details.open = true;
    });
    window.addEventListener("afterprint", function () {
      for (const details of opened)
        details.open = false;
    });
  }

  lead();
  loud();
  byId("cards").append(...logs.map(card));
  facts();
  notes();
  filter();
  byId("matrices").append(...logs.map(verdicts));
  allDifferences();
  fill("cost", logs.flatMap(cost));
  fill("traces", traces());
  legend();
  byId("page").hidden = false;
  document.querySelector("nav").hidden = false;
  print();
  window.addEventListener("hashchange", reveal);
  reveal();
})();
