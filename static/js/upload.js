// The upload form: files dropped onto the page, a list of what was chosen, and a stop before what the site cannot take.
"use strict";

for (const zone of document.querySelectorAll("[data-drop]")) {
  const form = zone.closest("form");
  const input = zone.querySelector("input[type=file]");
  const list = zone.querySelector(".drop-files");
  const refused = zone.querySelector(".drop-refused");
  const sending = form.querySelector(".sending");
  const button = form.querySelector("button.btn-primary");
  const isClosed = button.disabled; // whatever is chosen
  const most = { bytes: Number(zone.dataset.maxBytes), files: Number(zone.dataset.maxFiles) };

  // As evalsite.wording.size says it.
  const size = (bytes) => {
    if (bytes < 1024) return `${bytes} byte${bytes === 1 ? "" : "s"}`;
    if (bytes < 1024 ** 2) return `${Math.round(bytes / 1024)} kB`;
    return `${(bytes / 1024 ** 2).toFixed(1).replace(".0", "")} MB`;
  };

  const row = (name, text) => {
    const item = document.createElement("li");
    for (const part of [name, text]) {
      const span = document.createElement("span");
      span.textContent = part;
      item.append(span);
    }
    return item;
  };

  const chosen = () => {
    const files = [...input.files];
    return { files, total: files.reduce((sum, file) => sum + file.size, 0) };
  };

  // Why the site would refuse the files, or "".
  const refusal = ({ files, total }) => {
    if (files.length > most.files) {
      return `These are ${files.length} files, and ${most.files} can be sent one by one. Pack them into a zip archive.`;
    }
    if (total <= most.bytes) return "";
    const found = size(total) === size(most.bytes) ? `a little more than ${size(most.bytes)}` : size(total);
    const advice =
      files.length === 1 && /\.zip$/i.test(files[0].name)
        ? "Leave out of the archive what the layout does not name."
        : "Pack them into a zip archive, in which they are much smaller.";
    const subject = files.length === 1 ? "This file is" : "Together these files are";
    return `${subject} ${found}, and an upload may have ${size(most.bytes)}. ${advice}`;
  };

  const show = () => {
    const now = chosen();
    const words = refusal(now);
    list.replaceChildren(...now.files.map((file) => row(file.name, size(file.size))));
    refused.textContent = words;
    refused.hidden = !words;
    button.disabled = isClosed || Boolean(words);
  };

  // Beside the zone, too: a browser would leave the page, and what was typed, to open the file.
  for (const event of ["dragenter", "dragover"]) {
    document.addEventListener(event, (e) => {
      e.preventDefault();
      zone.classList.add("is-over");
    });
  }
  document.addEventListener("dragleave", (e) => {
    if (!e.relatedTarget) zone.classList.remove("is-over");
  });
  document.addEventListener("drop", (e) => {
    e.preventDefault();
    zone.classList.remove("is-over");
    if (!e.dataTransfer.files.length) return;
    input.files = e.dataTransfer.files;
    show();
  });
  input.addEventListener("change", show);

  form.addEventListener("submit", () => {
    const { files, total } = chosen();
    if (!files.length) return;
    button.disabled = true;
    sending.textContent = `Sending ${size(total)}, then checking …`;
    sending.hidden = false;
  });
  // Back on the page, by the browser's button or with files that it has kept.
  window.addEventListener("pageshow", () => {
    sending.hidden = true;
    show();
  });
}
