// Leads from error to error in a marked text, by buttons or by n and p; without this file Tab does. Among the links to
// the units before and after, the same keys lead from unit to unit.
"use strict";

for (const text of document.querySelectorAll("[data-marks]")) {
  const errors = [...text.querySelectorAll("a.tag")];
  let place = -1;

  const go = (step) => {
    const focused = errors.indexOf(document.activeElement);
    if (focused >= 0) place = focused;
    place = place < 0 && step < 0 ? errors.length - 1 : (place + step + errors.length) % errors.length;
    errors[place].focus({ preventScroll: true });
    errors[place].scrollIntoView({ block: "center" });
  };

  text.querySelector(".marks-keys").hidden = errors.length === 0;
  text.querySelector("[data-previous-mark]").addEventListener("click", () => go(-1));
  text.querySelector("[data-next-mark]").addEventListener("click", () => go(1));
  text.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !event.target.matches("a.tag")) return;
    if (event.key === "n") go(1);
    if (event.key === "p") go(-1);
  });
}

for (const units of document.querySelectorAll("[data-units]")) {
  units.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const rel = { n: "next", p: "prev" }[event.key];
    const link = rel && units.querySelector(`[rel=${rel}]`);
    // The fragment brings the focus to the same links of the next page, so that the key can be pressed again.
    if (link) window.location.href = `${link.href}#${units.id}`;
  });
}
