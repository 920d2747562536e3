// Says of the row one points at, or has the focus on, whom it beats, ties with and loses to: each other row gets a
// class and a word, and a line under the board says it for all. Without this file the page of all pairs does.
"use strict";

for (const board of document.querySelectorAll("table.board")) {
  const rows = [...board.querySelectorAll("tr[data-signs]")];
  const said = document.querySelector("[data-said]");
  const signs = { "+": "worse", "-": "better", "=": "alike" }; // of the other row, seen from the one in focus
  const kinds = Object.values(signs).map((kind) => `is-${kind}`);
  const words = said?.dataset;
  const { lang } = document.documentElement;
  const list = new Intl.ListFormat(lang === "en" ? "en-GB" : lang, { type: "conjunction" });
  let chosen = null;

  const clear = () => {
    chosen = null;
    board.classList.remove("has-chosen");
    said.hidden = true;
    for (const row of rows) {
      row.classList.remove("is-chosen", ...kinds);
      row.querySelector(".place").removeAttribute("data-word");
    }
  };

  const choose = (row) => {
    if (row === chosen) return;
    clear();
    chosen = row;
    board.classList.add("has-chosen");
    row.classList.add("is-chosen");
    rows.forEach((other, number) => {
      const kind = signs[row.dataset.signs[number]];
      if (!kind) return;
      other.classList.add(`is-${kind}`);
      other.querySelector(".place").dataset.word = words[kind];
    });
    // A name in another direction than the words around it leaves them in their order.
    const name = document.createElement("bdi");
    name.textContent = row.dataset.name;
    said.replaceChildren(name, ` ${verdict(row)}`);
    said.hidden = false;
  };

  // A place's ends tell how many are better and worse on the whole board, of which the page may show a part.
  const verdict = (row) => {
    const [low, high] = row.dataset.places.split(" ").map(Number);
    const total = Number(board.dataset.teams);
    const counts = low
      ? { "+": total - high, "=": high - low, "-": low - 1 }
      : Object.fromEntries(["+", "=", "-"].map((sign) => [sign, row.dataset.signs.split(sign).length - 1]));
    const clauses = { "+": words.isBetter, "=": words.isAlike, "-": words.isWorse };
    const parts = Object.entries(clauses).filter(([sign]) => counts[sign]);
    const found = parts.map(([sign, clause]) => clause.replace("{n}", counts[sign]));
    return `${list.format(found) || words.notCompared}.`;
  };

  if (rows.length > 1) {
    rows.forEach((row, number) => { row.tabIndex = number ? -1 : 0; });
    rows[0].setAttribute("aria-describedby", "board-hint");
    board.addEventListener("pointerover", (event) => {
      const row = event.target.closest("tr[data-signs]");
      if (row && event.pointerType === "mouse") choose(row);
    });
    board.addEventListener("pointerleave", () => {
      const row = board.querySelector("tr[data-signs]:focus-visible, tr[data-signs]:has(:focus-visible)");
      row ? choose(row) : clear();
    });
    board.addEventListener("focusin", (event) => {
      const row = event.target.closest("tr[data-signs]");
      row ? choose(row) : clear();
    });
    board.addEventListener("focusout", (event) => {
      if (!board.contains(event.relatedTarget)) clear();
    });
    board.addEventListener("keydown", (event) => {
      const place = rows.indexOf(document.activeElement);
      const to = { ArrowDown: place + 1, ArrowUp: place - 1, Home: 0, End: rows.length - 1 }[event.key];
      if (event.key === "Escape") clear();
      if (place < 0 || to === undefined || !rows[to]) return;
      event.preventDefault();
      for (const each of rows) each.tabIndex = each === rows[to] ? 0 : -1;
      rows[to].focus();
    });
  }
}

// A second press on the number of runs closes what the first has opened.
document.addEventListener("htmx:beforeRequest", (event) => {
  const link = event.target.closest(".runs-link");
  if (!link) return;
  const opened = link.closest("tr").nextElementSibling;
  if (opened?.matches("tr.runs")) {
    event.preventDefault();
    opened.remove();
  }
  link.setAttribute("aria-expanded", String(!opened?.matches("tr.runs")));
});
