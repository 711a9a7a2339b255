"use strict";

// Tables become sortable by buttons in their heads; without this script they are read as they are.
for (const table of document.querySelectorAll("table.sortable")) {
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const descending = head.getAttribute("aria-sort") === "ascending";
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", descending ? "descending" : "ascending");
      sort(table.tBodies[0], column, head.classList.contains("number"), descending ? -1 : 1);
    });
  });
}

function sort(body, column, isNumber, direction) {
  const value = (row) => {
    const text = row.cells[column].textContent.trim();
    return isNumber ? parseFloat(text.replace("∞", "Infinity")) : text;
  };
  const rows = [...body.rows].map((row) => [value(row), row]);
  rows.sort(([a], [b]) => {
    if (!isNumber) return direction * a.localeCompare(b, undefined, { numeric: true });
    // What is undefined stands last in either direction.
    if (Number.isNaN(a) || Number.isNaN(b)) return Number.isNaN(a) - Number.isNaN(b);
    return a === b ? 0 : direction * (a < b ? -1 : 1);
  });
  body.append(...rows.map(([, row]) => row));
}

// On paper nothing can be unfolded.
addEventListener("beforeprint", () => {
  for (const details of document.querySelectorAll("details")) details.open = true;
});
