// Sends a form with files by a script, which can tell how far it has come, and be stopped. Without it the form is sent
// by the browser as any other.
"use strict";

(() => {
  const { size, filled } = globalThis.uploads;
  class Stopped extends Error {}

  // What the page shows of a form that is being sent.
  class Progress {
    constructor(form, submitter) {
      this.place = form.querySelector(".sending");
      this.words = this.place.dataset;
      this.buttons = [...form.elements].concat(submitter ?? []).filter((each) => each.type === "submit");
      this.submitter = submitter;
      this.label = submitter && [...submitter.childNodes];
    }

    begin(stop) {
      this.closed = this.buttons.map((button) => button.disabled);
      for (const button of this.buttons) button.disabled = true;
      this.submitter?.replaceChildren(this.words.sending);
      this.place.hidden = false;
      this.bar = this.place.querySelector("progress");
      this.bar.hidden = false;
      this.place.querySelector("[data-stop]").hidden = false;
      this.place.querySelector("[data-stop]").onclick = stop;
      this.say(this.words.sending);
    }

    move(sent, total) {
      this.bar.max = total;
      this.bar.value = sent;
      this.place.querySelector(".sending-words").textContent = filled(this.words.sent, {
        sent: size(sent),
        size: size(total),
      });
    }

    checking() {
      this.bar.removeAttribute("value");
      this.place.querySelector(".sending-words").textContent = "";
      this.say(this.words.checking);
    }

    say(words) {
      this.place.querySelector(".sending-state").textContent = words;
    }

    // The form can be sent again; its files and words are still there.
    end(words) {
      this.buttons.forEach((button, number) => (button.disabled = this.closed[number]));
      this.submitter?.replaceChildren(...this.label);
      this.bar.hidden = true;
      this.place.querySelector("[data-stop]").hidden = true;
      this.place.querySelector(".sending-words").textContent = "";
      this.place.hidden = !words;
      this.say(words);
    }
  }

  // A request whose progress is told; resolves with the request, and rejects where there is no answer.
  const ask = (address, body, { onProgress, line }) =>
    new Promise((resolve, reject) => {
      const request = new XMLHttpRequest();
      line.stop = () => request.abort();
      request.open("POST", address);
      request.setRequestHeader("X-Requested-With", "XMLHttpRequest");
      request.upload.onprogress = (event) => onProgress(event.loaded, event.total);
      request.onload = () => resolve(request);
      request.onerror = () => reject(new Error("broken"));
      request.onabort = () => reject(new Stopped());
      request.send(body);
    });

  const json = (request) => {
    try {
      return JSON.parse(request.responseText);
    } catch {
      return null;
    }
  };

  const LARGE = 20 * 1024 ** 2; // bytes
  const hasLargeFiles = (form) => {
    const files = [...form.querySelector("[data-drop] input[type=file]").files];
    return files.reduce((sum, file) => sum + file.size, 0) > LARGE;
  };
  const isFilled = (form) => [...form.elements].every((field) => field.type === "file" || field.reportValidity());

  let current = null;
  // Back on the page by the browser's button: what was sent has arrived.
  window.addEventListener("pageshow", (event) => {
    if (event.persisted) current?.end("");
  });

  const send = async (form, submitter) => {
    const body = new FormData(form);
    if (submitter?.name) body.set(submitter.name, submitter.value);
    // What is missing in the form is better said before a hundred megabytes are sent.
    if (hasLargeFiles(form) && submitter?.name !== "check" && !isFilled(form)) return;
    const progress = new Progress(form, submitter);
    const line = { stop: () => {} };
    progress.begin(() => line.stop());
    current = progress;
    try {
      const onProgress = (sent, total) => (sent < total ? progress.move(sent, total) : progress.checking());
      arrive(await ask(form.action, body, { onProgress, line }), progress);
    } catch (error) {
      progress.end(error instanceof Stopped ? progress.words.stopped : progress.words.failed);
    }
  };

  // To the page that the site names, or its answer in the place of this page's content.
  const arrive = (request, progress) => {
    const answer = json(request);
    if (answer?.location) {
      location.assign(answer.location);
      return;
    }
    const page = new DOMParser().parseFromString(request.responseText, "text/html");
    const main = page.querySelector("main");
    if (!main || !main.querySelector("form[data-upload]")) {
      if (request.status === 200) location.assign(request.responseURL);
      else progress.end(main?.querySelector(".lead")?.textContent.trim() || progress.words.failed);
      return;
    }
    document.title = page.title;
    document.querySelector("main").replaceWith(document.adoptNode(main));
    document.dispatchEvent(new CustomEvent("htmx:afterSettle")); // times in the new content are told in one's own
    const kept = main.querySelector("[data-kept] input");
    history.replaceState(null, "", kept ? `?kept=${kept.value}` : location.pathname);
    const said = main.querySelector("[role=alert]:not([hidden]), .in-order") ?? main;
    said.tabIndex = -1;
    said.focus();
    said.scrollIntoView({ block: "start" });
  };

  document.addEventListener("submit", (event) => {
    const form = event.target.closest("form[data-upload]");
    if (!form || event.defaultPrevented) return;
    event.preventDefault();
    send(form, event.submitter);
  });

  document.addEventListener("click", (event) => {
    if (!event.target.closest("[data-choose]")) return;
    document.querySelector("[data-drop] input[type=file]")?.focus();
  });
})();
