// Of the matrix one cell is a stop for Tab, and arrows lead from it to the others; the pair that one points at, or has
// the focus on, is said in a line. Without this file each cell is a link of its own.
"use strict";

for (const matrix of document.querySelectorAll("table.matrix")) {
  const said = document.querySelector("[data-pair-said]");
  const links = [...matrix.querySelectorAll("td a")];
  let stop = links[0];

  const show = (cell) => {
    said.hidden = !cell;
    said.textContent = cell ? `${cell.title}.` : "";
  };

  const beside = (cell, [across, down]) => {
    const rows = [...matrix.querySelectorAll("tbody tr")];
    let row = rows.indexOf(cell.parentElement);
    let column = cell.cellIndex;
    do {
      row += down;
      column += across;
      const found = rows[row]?.cells[column]?.querySelector("a");
      if (found) return found;
    } while (rows[row]?.cells[column]);
    return null;
  };

  for (const link of links) link.tabIndex = link === stop ? 0 : -1;

  matrix.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    const cell = event.target.closest("td");
    if (!step || !cell) return;
    event.preventDefault();
    const next = beside(cell, step);
    if (!next) return;
    stop.tabIndex = -1;
    stop = next;
    stop.tabIndex = 0;
    stop.focus();
  });
  matrix.addEventListener("pointerover", (event) => show(event.target.closest("td[title]")));
  matrix.addEventListener("pointerleave", () => show(document.activeElement.closest(".matrix td[title]")));
  matrix.addEventListener("focusin", (event) => show(event.target.closest("td[title]")));
  matrix.addEventListener("focusout", () => show(null));
}
