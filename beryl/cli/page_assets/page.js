"use strict";
(() => {
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const cards = all(".result");
  const lines = "[data-q],[data-mark]";
  const keys = (element) => (element.dataset.q || element.dataset.mark || "").split(" ").filter(Boolean);
  let current = -1;
  let pinned = null;

  function clear() {
    all(".lit").forEach((element) => element.classList.remove("lit"));
  }

  function light(element) {
    clear();
    if (!element) return [];
    const wanted = new Set(keys(element));
    const section = element.closest(".search");
    const card = element.closest(".result");
    const places = card ? [section.querySelector(".query"), card] : [section];
    const found = places.flatMap((place) => all(lines, place)).filter((other) => keys(other).some((key) => wanted.has(key)));
    found.forEach((other) => other.classList.add("lit"));
    return found;
  }

  function within(element) {
    // Only the box that scrolls is moved, and the page itself only where it must be.
    const box = element.closest(".query, .code, .scroll");
    if (box && box.scrollHeight > box.clientHeight + 1) {
      const inner = element.getBoundingClientRect();
      const outer = box.getBoundingClientRect();
      if (inner.top < outer.top || inner.bottom > outer.bottom) {
        box.scrollTop += inner.top - outer.top - outer.height / 3;
      }
    }
    return element;
  }

  function reveal(found, from) {
    const card = from.closest(".result");
    const inQuery = found.filter((element) => element.closest(".query"));
    const inCard = found.filter((element) => element.closest(".result") === (card || cards[current]));
    const texts = (elements) => elements.filter((element) => element.matches(".line"));
    const boxes = (elements) => elements.filter((element) => element.matches(".node"));
    for (const group of [inQuery, inCard]) {
      if (group.includes(from)) continue;
      boxes(group).slice(0, 1).forEach(within);
      texts(group).slice(0, 1).forEach(within);
    }
    if (!card) {
      const target = texts(inCard)[0];
      if (target) target.scrollIntoView({ block: "nearest" });
    }
  }

  function pin(element) {
    all(".pinned").forEach((other) => other.classList.remove("pinned"));
    pinned = element && element !== pinned ? element : null;
    const found = light(pinned);
    if (pinned) {
      pinned.classList.add("pinned");
      reveal(found, pinned);
    }
  }

  function select(position, scroll) {
    if (position < 0 || position >= cards.length) return;
    if (position !== current) {
      if (current >= 0) {
        cards[current].classList.remove("current");
        cards[current].removeAttribute("aria-current");
      }
      current = position;
      const card = cards[current];
      card.classList.add("current");
      card.setAttribute("aria-current", "true");
      const open = new Set(card.dataset.open.split(" "));
      const covered = new Set(card.dataset.covered.split(" "));
      const query = card.closest(".search").querySelector(".query");
      all(".line", query).forEach((line) => {
        line.classList.toggle("open", open.has(line.dataset.line) && !covered.has(line.dataset.line));
        line.classList.toggle("away", line.matches(".match") && !covered.has(line.dataset.line));
      });
      all(".mark", query).forEach((node) => node.classList.toggle("away", !covered.has(node.dataset.mark)));
    }
    if (scroll) cards[current].scrollIntoView({ block: "start" });
  }

  function show(view) {
    document.body.dataset.view = view;
    all("[data-show]").forEach((button) => button.setAttribute("aria-pressed", String(button.dataset.show === view)));
  }

  function theme() {
    const dark = matchMedia("(prefers-color-scheme: dark)").matches;
    const now = document.documentElement.dataset.theme || (dark ? "dark" : "light");
    document.documentElement.dataset.theme = now === "dark" ? "light" : "dark";
  }

  function follow() {
    // #s1-r2 chooses the second result of the first query, #s1-r2-q7 also lights up line 7.
    const place = /^#(s\d+)-r(\d+)(?:-q(\d+))?$/.exec(location.hash);
    if (!place) return false;
    const card = document.getElementById(`${place[1]}-r${place[2]}`);
    if (!card) return false;
    const top = card.getBoundingClientRect().top;
    select(cards.indexOf(card), top < 0 || top > innerHeight * 0.6);
    const line = place[3] && document.querySelector(`#${place[1]} .query .line[data-q="${place[3]}"]`);
    if (line && line !== pinned) pin(line);
    return true;
  }

  const target = (event) => (event.target.closest ? event.target.closest(lines) : null);
  let pointer = "";
  document.addEventListener("mousemove", (event) => {
    const here = `${event.clientX},${event.clientY}`;
    if (here === pointer) return; // the page moved, not the pointer
    pointer = here;
    const card = event.target.closest && event.target.closest(".result");
    if (card) select(cards.indexOf(card), false);
    if (!pinned) light(target(event));
  });
  document.addEventListener("focusin", (event) => {
    const element = target(event);
    if (element && !pinned) light(element);
  });
  document.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (button && button.dataset.show) show(button.dataset.show);
    if (button && button.matches(".theme")) theme();
    if (button || event.target.closest("summary, a")) return;
    const card = event.target.closest(".result");
    if (card) select(cards.indexOf(card), false);
    const element = target(event);
    if (element || pinned) pin(element);
  });
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "j") select(Math.min(current + 1, cards.length - 1), true);
    else if (event.key === "k") select(Math.max(current - 1, 0), true);
    else if (event.key === "g") {
      const views = ["text", "graph", "both"];
      show(views[(views.indexOf(document.body.dataset.view) + 1) % views.length]);
    } else if (event.key === "t") theme();
    else if (event.key === "Escape") pin(null);
    else if ((event.key === "Enter" || event.key === " ") && target(event)) {
      event.preventDefault();
      pin(target(event));
    }
  });
  addEventListener("hashchange", follow);
  if (!follow()) select(0, false);
})();
