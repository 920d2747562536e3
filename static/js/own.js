// Marks the visitor's own rows and fills tokens of forms on a page that everybody gets, once htmx has brought them.
// Without this file the page is as a stranger sees it, with links to log in and to the own runs.
"use strict";

(() => {
  const root = document.documentElement;

  const mark = () => {
    const marks = document.getElementById("own-marks");
    const own = new Set(marks.dataset.entries?.split(" "));
    const tag = marks.querySelector("[data-tag]");
    // The token is that of the form to log out; a stranger's comes with the marks.
    const token = document.querySelector("#own-account [name=csrfmiddlewaretoken]")?.value ?? marks.dataset.token ?? "";
    for (const field of document.querySelectorAll("input.own-token")) field.value = token;
    for (const row of document.querySelectorAll("[data-entry]")) {
      if (!own.has(row.dataset.entry)) continue;
      row.classList.add("is-own");
      const cell = marks.querySelector(`[data-cell="${row.dataset.entry}"]`);
      if (cell) row.querySelector(".team")?.replaceChildren(...cell.childNodes);
      else if (tag) row.querySelector(".team")?.append(tag.cloneNode(true));
    }
  };

  // The next page leaves room from the start, and this one the next time, so that nothing moves.
  const remember = () => {
    const line = document.getElementById("own-line");
    try {
      localStorage.setItem("logged-in", document.querySelector("#own-account .menu") ? "yes" : "no");
      if (line) sessionStorage.setItem(`own-line ${location.pathname}`, `${line.offsetHeight}px`);
    } catch {
      // Storage is blocked: pages move a little.
    }
  };

  // Whoever was quicker on the keyboard than the piece stays where they are.
  document.addEventListener("htmx:oobBeforeSwap", (event) => {
    const place = event.detail.target;
    if (place.contains(document.activeElement)) setTimeout(() => place.querySelector("a, summary")?.focus());
  });

  document.addEventListener("htmx:afterRequest", (event) => {
    if (event.target.id !== "own-piece") return;
    root.classList.remove("awaits-own");
    mark();
    remember();
    event.target.remove();
  });
})();
