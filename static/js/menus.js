// Closes an open <details class="menu"> by Escape or a click elsewhere; without this file it closes by its own summary.
(() => {
  const openMenus = () => document.querySelectorAll("details.menu[open]");

  document.addEventListener("click", (event) => {
    openMenus().forEach((menu) => {
      if (!menu.contains(event.target)) menu.open = false;
    });
  });

  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    openMenus().forEach((menu) => {
      menu.open = false;
      menu.querySelector("summary").focus();
    });
  });
})();

// In a line of links that scrolls, the one of this page is in sight.
for (const here of document.querySelectorAll(":is(.board-tabs, .board-sort, .desk-nav) ul a[aria-current]")) {
  const line = here.closest(".desk-nav") ?? here.closest("ul");
  const before = here.getBoundingClientRect().left - line.getBoundingClientRect().left;
  line.scrollLeft += before - (line.clientWidth - here.offsetWidth) / 2;
}
