// Files for a form: dropped anywhere on the page, listed with their sizes, and stopped where the site cannot take them.
// Words come from the page, where they are translated.
"use strict";

(() => {
  const zones = () => [...document.querySelectorAll("[data-drop]")];
  const inputOf = (zone) => zone.querySelector("input[type=file]");

  // As evalsite.wording.size says it, in the language of the page.
  const language = document.documentElement.lang;
  const inBytes = new Intl.NumberFormat(language, { style: "unit", unit: "byte", unitDisplay: "long" });
  const number = new Intl.NumberFormat(language, { maximumFractionDigits: 1 });
  const size = (bytes) => {
    if (bytes < 1024) return inBytes.format(bytes);
    if (bytes < 1024 ** 2) return `${Math.round(bytes / 1024)} kB`;
    return `${number.format(bytes / 1024 ** 2)} MB`;
  };

  const filled = (words, values) => words.replace(/\{(\w+)\}/g, (_, name) => values[name]);

  const row = (name, text) => {
    const item = document.createElement("li");
    for (const part of [name, text]) {
      const span = document.createElement("span");
      span.textContent = part;
      item.append(span);
    }
    return item;
  };

  // Why the site would refuse the files, or "".
  const refusal = (zone, files) => {
    const { maxBytes, maxFiles } = zone.dataset;
    const words = zone.querySelector(".drop-words").dataset;
    const most = { bytes: Number(maxBytes), files: Number(maxFiles) };
    const total = files.reduce((sum, file) => sum + file.size, 0);
    if (files.length > most.files) return filled(words.tooMany, { n: files.length, most: most.files });
    if (total <= most.bytes) return "";
    const found = size(total) === size(most.bytes) ? filled(words.littleMore, { size: size(most.bytes) }) : size(total);
    const isZip = files.length === 1 && /\.zip$/i.test(files[0].name);
    const sentence = files.length === 1 ? words.tooLargeOne : words.tooLargeAll;
    return `${filled(sentence, { found, most: size(most.bytes) })} ${isZip ? words.leaveOut : words.pack}`;
  };

  const show = (zone) => {
    const files = [...inputOf(zone).files];
    const words = refusal(zone, files);
    zone.querySelector(".drop-files").replaceChildren(...files.map((file) => row(file.name, size(file.size))));
    const refused = zone.querySelector(".drop-refused");
    refused.textContent = words;
    refused.hidden = !words;
    const kept = zone.querySelector("[data-kept]");
    if (kept) kept.hidden = files.length > 0;
    const form = zone.closest("form");
    for (const button of form.querySelectorAll("button.btn-primary:not([type=button])")) {
      button.dataset.closed ??= String(button.disabled); // by the site, whatever is chosen
      button.disabled = button.dataset.closed === "true" || Boolean(words);
    }
  };

  // The overlay: one field for each form that takes files, so that it is plain where they go.
  let overlay = null;
  const open = () => {
    if (overlay) return;
    overlay = document.createElement("div");
    overlay.className = "drop-overlay";
    overlay.setAttribute("aria-hidden", "true");
    for (const [number, zone] of zones().entries()) {
      const field = document.createElement("p");
      field.dataset.to = String(number);
      field.textContent = zone.dataset.dropTitle;
      overlay.append(field);
    }
    document.body.append(overlay);
  };
  const close = () => {
    overlay?.remove();
    overlay = null;
  };
  const fieldAt = (event) => event.target instanceof Element && event.target.closest(".drop-overlay [data-to]");

  const hasFiles = (event) => zones().length > 0 && event.dataTransfer?.types.includes("Files");
  for (const name of ["dragenter", "dragover"]) {
    document.addEventListener(name, (event) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      open();
      for (const field of overlay.children) {
        field.classList.toggle("is-over", overlay.children.length === 1 || field === fieldAt(event));
      }
    });
  }
  document.addEventListener("dragleave", (event) => {
    if (!event.relatedTarget) close();
  });
  document.addEventListener("drop", (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault(); // or the browser would leave the page, and what was typed, to open the file
    const own = event.target instanceof Element ? event.target.closest("[data-drop]") : null;
    const zone = own ?? zones()[Number(fieldAt(event)?.dataset?.to ?? 0)];
    close();
    if (!event.dataTransfer.files.length) return;
    inputOf(zone).files = event.dataTransfer.files;
    show(zone);
    zone.scrollIntoView({ block: "nearest" });
    const isTaken = !refusal(zone, [...inputOf(zone).files]);
    if (isTaken && zone.hasAttribute("data-at-once")) zone.closest("form").requestSubmit();
  });

  document.addEventListener("change", (event) => {
    const zone = event.target.matches("[data-drop] input[type=file]") && event.target.closest("[data-drop]");
    if (zone) show(zone);
  });
  // Back on the page, by the browser's button or with files that it has kept.
  window.addEventListener("pageshow", () => zones().forEach(show));

  globalThis.uploads = { size, filled };
})();
