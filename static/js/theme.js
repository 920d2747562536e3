// Sets the theme before the first paint; a blocking script in <head>, so that a dark page never flashes white.
// Without a choice of the visitor's own, the page follows the system. It also leaves room for what own.js awaits, where
// somebody was logged in before.
(() => {
  const root = document.documentElement;
  const system = matchMedia("(prefers-color-scheme: dark)");

  const chosen = () => {
    try {
      const theme = localStorage.getItem("theme");
      return theme === "dark" || theme === "light" ? theme : null; // the admin, under the same key, also knows "auto"
    } catch {
      return null; // storage is blocked: the system decides
    }
  };

  const choose = (theme) => {
    try {
      if (theme === (system.matches ? "dark" : "light")) localStorage.removeItem("theme");
      else localStorage.setItem("theme", theme);
    } catch {
      // The choice then lasts as long as the page.
    }
    root.dataset.bsTheme = theme;
  };

  const show = () => {
    root.dataset.bsTheme = chosen() ?? (system.matches ? "dark" : "light");
  };

  root.classList.add("has-js");
  try {
    root.classList.toggle("awaits-own", localStorage.getItem("logged-in") === "yes");
    root.style.setProperty("--own-line", sessionStorage.getItem(`own-line ${location.pathname}`) ?? "0px");
  } catch {
    // Then the page moves a little when it comes.
  }
  show();
  system.addEventListener("change", show);
  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-theme-switch]")) choose(root.dataset.bsTheme === "dark" ? "light" : "dark");
  });
})();
