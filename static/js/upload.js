// Dropping files onto the upload form, and a list of what was chosen before it is sent.
"use strict";

for (const zone of document.querySelectorAll("[data-drop]")) {
  const input = zone.querySelector("input[type=file]");
  const list = zone.querySelector(".drop-files");
  const limit = Number(zone.dataset.maxBytes);

  const size = (bytes) =>
    bytes < 1024 ** 2 ? `${Math.max(1, Math.round(bytes / 1024))} kB` : `${(bytes / 1024 ** 2).toFixed(1)} MB`;

  const row = (name, text, isTooLarge) => {
    const item = document.createElement("li");
    for (const part of [name, text]) {
      const span = document.createElement("span");
      span.textContent = part;
      item.append(span);
    }
    item.classList.toggle("too-large", isTooLarge);
    return item;
  };

  const show = () => {
    const files = [...input.files];
    const total = files.reduce((sum, file) => sum + file.size, 0);
    list.replaceChildren(...files.map((file) => row(file.name, size(file.size), false)));
    if (total > limit) list.append(row("Together larger than this site takes", size(total), true));
  };

  for (const event of ["dragenter", "dragover"]) {
    zone.addEventListener(event, (e) => {
      e.preventDefault();
      zone.classList.add("is-over");
    });
  }
  for (const event of ["dragleave", "drop"]) {
    zone.addEventListener(event, () => zone.classList.remove("is-over"));
  }
  zone.addEventListener("drop", (e) => {
    e.preventDefault();
    input.files = e.dataTransfer.files;
    show();
  });
  input.addEventListener("change", show);
}
