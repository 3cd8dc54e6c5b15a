/*
 * What the report page does beyond showing: the theme, the order of a table's rows, and
 * opening what a link leads to or what is to be printed.  All of the content is there
 * without it.
 */
"use strict";

(function () {
  const root = document.documentElement;

  /* A page that was opened from a file may have no storage. */
  function kept(value) {
    try {
      if (value !== undefined)
        localStorage.setItem("everybranch-theme", value);
      return localStorage.getItem("everybranch-theme");
    } catch (error) {
      return null;
    }
  }

  function theme() {
    const choice = document.getElementById("theme");

    function apply() {
      if (choice.value === "system")
        delete root.dataset.theme;
      else
        root.dataset.theme = choice.value;
    }
    choice.parentElement.hidden = false;
    if (["light", "dark"].includes(kept()))
      choice.value = kept();
    choice.addEventListener("change", function () {
      kept(choice.value);
      apply();
    });
    apply();
  }

  /* The cell's place among the others: its verdict's, worst first, or its text's. */
  function key(row, column) {
    const cell = row.cells[column];

    return "rank" in cell.dataset ? -Number(cell.dataset.rank) : cell.textContent;
  }

  function compare(a, b) {
    return a < b ? -1 : a > b ? 1 : 0;
  }

  /* Up, down, and then as they were. */
  function sort(button) {
    const head = button.closest("th");
    const table = head.closest("table");
    const body = table.tBodies[0];
    const was = head.getAttribute("aria-sort");
    const now = was === "ascending" ? "descending" : was === "descending" ? null : "ascending";
    const rows = Array.from(body.rows);

    for (const other of table.querySelectorAll("th[aria-sort]"))
      other.removeAttribute("aria-sort");
    if (now)
      head.setAttribute("aria-sort", now);
    rows.sort(function (a, b) {
      const order = now ? compare(key(a, head.cellIndex), key(b, head.cellIndex)) : 0;

      return (now === "descending" ? -order : order) || a.dataset.at - b.dataset.at;
    });
    body.append(...rows);
    document.getElementById("said").textContent =
      now ? "sorted by " + button.textContent.trim() + ", " + now : "what fails first, then in the order of the plan";
  }

  /* What a link leads to is opened, and everything around it. */
  function reveal() {
    let at = location.hash.length > 1 && document.getElementById(location.hash.slice(1));
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

  theme();
  print();
  for (const button of document.querySelectorAll("button.sort")) {
    button.disabled = false;
    button.addEventListener("click", function () { sort(button); });
  }
  window.addEventListener("hashchange", reveal);
  reveal();
})();
