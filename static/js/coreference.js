// Pointing at a mention, or coming to it by Tab, shows on both sides what became of its chain.
"use strict";

for (const chains of document.querySelectorAll("[data-chains]")) {
  const clear = () => {
    for (const lit of chains.querySelectorAll(".is-lit")) lit.classList.remove("is-lit");
  };

  const show = (event) => {
    clear();
    const mention = event.target.closest("[data-gold], [data-system]");
    if (!mention) return;
    const side = mention.dataset.side;
    for (const other of chains.querySelectorAll(`[data-${side}="${mention.dataset[side]}"]`)) {
      other.classList.add("is-lit");
    }
  };

  chains.addEventListener("pointerover", show);
  chains.addEventListener("pointerleave", clear);
  chains.addEventListener("focusin", show);
  chains.addEventListener("focusout", clear);
}
