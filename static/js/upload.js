// Sends a form with files by a script, which can tell how far it has come, be stopped, send large files in parts, and
// go on after a broken line. Without it the form is sent by the browser as any other.
"use strict";

(() => {
  const { size, filled } = globalThis.uploads;
  const RETRIES = [1, 2, 4, 8, 15, 30, 30, 30, 30, 30]; // seconds to wait after a broken line
  class Stopped extends Error {}
  class Told extends Error {} // the site has said what is wrong

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
  const ask = (address, body, { headers = {}, onProgress = () => {}, line }) =>
    new Promise((resolve, reject) => {
      const request = new XMLHttpRequest();
      line.stop = () => request.abort();
      request.open("POST", address);
      request.setRequestHeader("X-Requested-With", "XMLHttpRequest");
      for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
      request.upload.onprogress = (event) => onProgress(event.loaded, event.total);
      request.onload = () => resolve(request);
      request.onerror = () => reject(new Error("broken"));
      request.onabort = () => reject(new Stopped());
      request.send(body);
    });

  const pause = (seconds, line) =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(resolve, seconds * 1000);
      line.stop = () => {
        clearTimeout(timer);
        reject(new Stopped());
      };
      window.addEventListener("online", resolve, { once: true });
    });

  const json = (request) => {
    try {
      return JSON.parse(request.responseText);
    } catch {
      return null;
    }
  };

  // The one file that is too large for a single request, if the form has such a file.
  const largeFile = (form) => {
    const zone = form.querySelector("[data-drop]");
    const files = zone.querySelector("input[type=file]").files;
    return form.dataset.parts && files.length === 1 && files[0].size > Number(zone.dataset.maxAtOnce) ? files[0] : null;
  };

  // Sends what is missing of the file; gives the token under which the site keeps it.
  const sendParts = async (form, file, progress, line) => {
    const csrf = form.elements.csrfmiddlewaretoken.value;
    const announced = new FormData();
    const facts = { csrfmiddlewaretoken: csrf, name: file.name, size: file.size, mark: String(file.lastModified) };
    for (const [name, value] of Object.entries(facts)) announced.set(name, value);
    const begun = await again(() => ask(form.dataset.parts, announced, { line }), progress, line);
    let { received } = begun;
    while (received < file.size) {
      progress.say(progress.words.sending);
      const from = received;
      const end = Math.min(from + begun.part_bytes, file.size);
      const sendPart = () => {
        const headers = {
          "Content-Range": `bytes ${from}-${end - 1}/${file.size}`,
          "Content-Type": "application/octet-stream",
          "X-CSRFToken": csrf,
        };
        const onProgress = (sent) => progress.move(from + sent, file.size);
        return ask(begun.parts, file.slice(from, end), { headers, onProgress, line });
      };
      received = (await again(sendPart, progress, line)).received;
      progress.move(received, file.size);
    }
    return begun.token;
  };

  // Asks until there is an answer that says how much has come, also over a line that breaks now and then.
  const again = async (send, progress, line) => {
    for (const seconds of [...RETRIES, 0]) {
      let request = null;
      try {
        request = await send();
      } catch (error) {
        if (error instanceof Stopped) throw error;
      }
      const answer = request && json(request);
      if (answer && "received" in answer) return answer;
      if (answer?.under_way) showUnderWay(answer.under_way);
      if (answer?.error && request.status !== 400) throw new Told(answer.error);
      if (request?.status === 200) throw new Told(progress.words.loggedOut); // the page of the log-in
      if (request?.status === 404) throw new Told(progress.words.failed);
      if (!seconds) break;
      progress.say(filled(progress.words.broken, { seconds }));
      await pause(seconds, line);
    }
    throw new Error("broken");
  };

  // What leaves no room for another large file, each with a button to give it up.
  const showUnderWay = (html) => {
    const page = new DOMParser().parseFromString(html, "text/html");
    document.querySelector("[data-under-way]").replaceChildren(...document.adoptNode(page.body).children);
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
    const large = largeFile(form);
    // What is missing in the form is better said before a hundred megabytes are sent.
    if (large && submitter?.name !== "check" && !isFilled(form)) return;
    const progress = new Progress(form, submitter);
    const line = { stop: () => {} };
    progress.begin(() => line.stop());
    current = progress;
    try {
      if (large) {
        const token = await sendParts(form, large, progress, line);
        body.delete("files");
        body.set("kept", token);
      }
      const onProgress = (sent, total) => (sent < total ? progress.move(sent, total) : progress.checking());
      arrive(await ask(form.action, body, { onProgress, line }), progress);
    } catch (error) {
      const { stopped, stoppedParts, failed } = progress.words;
      const stop = large ? stoppedParts : stopped;
      progress.end(error instanceof Stopped ? stop : error instanceof Told ? error.message : failed);
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
    const chooses = event.target.closest("[data-choose], [data-go-on]");
    const input = chooses && document.querySelector("[data-drop] input[type=file]");
    if (!input) return;
    if (chooses.matches("[data-go-on]")) input.click();
    else input.focus();
  });
})();
