// Adds the visitor's own time to each <time data-local>, or shows it alone, with the time in UTC as its title;
// also where htmx has put new ones in.
(() => {
  const { lang, dataset } = document.documentElement;
  const locale = lang === "en" ? "en-GB" : lang;
  const clock = new Intl.DateTimeFormat(locale, { hour: "2-digit", minute: "2-digit" });
  const day = new Intl.DateTimeFormat(locale, { day: "numeric", month: "short" });

  const wholeDay = new Intl.DateTimeFormat(locale, { day: "numeric", month: "short", year: "numeric" });

  const localise = (element) => {
    const isAlone = element.dataset.local === "alone";
    delete element.dataset.local;
    const time = new Date(element.dateTime);
    if (time.getTimezoneOffset() === 0) return;
    if (isAlone) {
      element.title = element.textContent.trim();
      element.textContent = `${wholeDay.format(time)}, ${clock.format(time)}`;
      return;
    }
    const isOtherDay = time.getDate() !== time.getUTCDate();
    const own = document.createElement("span");
    own.className = "own-time";
    own.textContent = ` (${dataset.yourTime} ${isOtherDay ? `${day.format(time)}, ` : ""}${clock.format(time)})`;
    element.append(own);
  };

  const localiseAll = () => document.querySelectorAll("time[data-local]").forEach(localise);

  localiseAll();
  document.addEventListener("htmx:afterSettle", localiseAll);
})();
