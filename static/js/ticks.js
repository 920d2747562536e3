// A box with data-ticks="NAME" ticks all boxes of that name in its form that are not folded away, and is itself ticked
// while all of them are; without this file the server takes it for all.
for (const all of document.querySelectorAll("[data-ticks]")) {
  const boxes = () => [...all.closest("section").querySelectorAll(`[name="${all.dataset.ticks}"]`)];

  all.addEventListener("change", () => boxes().forEach((box) => { box.checked = all.checked; }));
  all.closest("section").addEventListener("change", (event) => {
    if (event.target !== all) all.checked = boxes().every((box) => box.checked);
  });
}
