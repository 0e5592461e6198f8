// Progressive enhancement: every page works without this script.
"use strict";

const each = (root, selector, run) => root.querySelectorAll(selector).forEach(run);
const textOf = (element) => ("value" in element ? element.value : element.textContent);

function copying(root) {
  each(root, "[data-copy]", (button) => {
    const from = root.querySelector(button.dataset.copy) || document.querySelector(button.dataset.copy);
    if (!from || !navigator.clipboard) return;
    button.hidden = false;
    const label = button.textContent;
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(textOf(from));
      button.textContent = "Copied";
      setTimeout(() => { button.textContent = label; }, 1500);
    });
  });
  each(root, "[data-save]", (button) => {
    button.hidden = false;
    button.addEventListener("click", () => {
      const link = document.createElement("a");
      link.href = URL.createObjectURL(new Blob([textOf(document.querySelector(button.dataset.save))]));
      link.download = button.dataset.name;
      link.click();
      URL.revokeObjectURL(link.href);
    });
  });
}

// Makes values buttons that copy them.
function values(root) {
  if (!navigator.clipboard) return;
  each(root, "[data-value]", (code) => {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "value";
    button.title = "Copy";
    code.replaceWith(button);
    button.append(code);
    const text = code.textContent;
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(text);
      code.textContent = "Copied";
      setTimeout(() => { code.textContent = text; }, 1000);
    });
  });
}

// Shows times in the zone of the reader. The server knows only UTC.
function moments(root) {
  const parts = (at) => Object.fromEntries(new Intl.DateTimeFormat("en", {
    year: "numeric", month: "2-digit", day: "2-digit", hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZoneName: "short",
  }).formatToParts(at).map(({ type, value }) => [type, value]));
  each(root, "[data-moment]", (element) => {
    const utc = element.textContent;
    const written = utc.match(/^(\d{4}-\d\d-\d\d) (\d\d:\d\d) UTC$/);
    if (!written) return;
    const at = new Date(`${written[1]}T${written[2]}Z`);
    const { year, month, day, hour, minute, timeZoneName } = parts(at);
    const time = document.createElement("time");
    time.dateTime = at.toISOString();
    time.title = utc;
    time.textContent = `${year}-${month}-${day} ${hour}:${minute} ${timeZoneName}`;
    element.replaceChildren(time);
  });
}

// Shows values that only CSS draws: shadows and gradients. They load nothing.
function marks(root) {
  each(root, "[data-property]", (mark) => { mark.style[mark.dataset.property] = mark.dataset.styleValue; });
}

let tabCount = 0;

// Turns consecutive sections into tabs (WAI-ARIA APG, tabs with automatic activation).
function tabbing(root) {
  each(root, "[data-tabs]", (tabs) => {
    const panels = [...tabs.querySelectorAll(":scope > [data-tab]")];
    const list = document.createElement("div");
    list.setAttribute("role", "tablist");
    list.setAttribute("aria-label", tabs.dataset.tabs || "Parts of the component");
    const group = tabCount++;
    const buttons = panels.map((panel, index) => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = panel.dataset.tab;
      button.id = `tab-${group}-${index}`;
      panel.id = `panel-${group}-${index}`;
      button.setAttribute("role", "tab");
      button.setAttribute("aria-controls", panel.id);
      panel.setAttribute("role", "tabpanel");
      panel.setAttribute("aria-labelledby", button.id);
      panel.querySelector("h3").hidden = true;
      button.addEventListener("click", () => show(index));
      button.addEventListener("keydown", (event) => {
        const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
        const to = event.key === "Home" ? 0 : event.key === "End" ? panels.length - 1
          : step && (index + step + panels.length) % panels.length;
        if (to === undefined) return;
        event.preventDefault();
        show(to);
        buttons[to].focus();
      });
      list.append(button);
      return button;
    });
    const show = (chosen) => panels.forEach((panel, index) => {
      panel.hidden = index !== chosen;
      buttons[index].setAttribute("aria-selected", String(index === chosen));
      buttons[index].tabIndex = index === chosen ? 0 : -1;
    });
    tabs.prepend(list);
    show(0);
  });
  each(root, "form[data-auto]", (form) => { form.querySelector("button").hidden = true; form.submit(); });
}

function specimens(root) {
  let count = 0;
  each(root, "[data-font]", async (line) => {
    const family = `specimen-${Date.now()}-${count++}`;
    const face = new FontFace(family, `url(${JSON.stringify(line.dataset.font)})`);
    try {
      document.fonts.add(await face.load());
      line.style.fontFamily = family;
    } catch {
      line.title = "Its server lets no other site load this font";
    }
  });
  each(root, "[data-weight]", (line) => {
    if (/^\d{1,4}$/.test(line.dataset.weight)) line.style.fontWeight = line.dataset.weight;
    if (line.dataset.style === "italic") line.style.fontStyle = "italic";
  });
}

// Each player requests its animation when it is ready.
addEventListener("message", (event) => {
  if (event.data !== "ready") return;
  each(document, "iframe[data-player]", (frame) => {
    if (frame.contentWindow !== event.source) return;
    frame.contentWindow.postMessage(frame.nextElementSibling.value, "*");
  });
});

function confirming(root) {
  each(root, "form[data-confirm]", (form) => form.addEventListener("submit", (event) => {
    if (!confirm(form.dataset.confirm)) event.preventDefault();
  }));
}

// Longer texts would hold up the page.
const MAX_HIGHLIGHTED = 200_000;

// Code is highlighted when it comes near the screen: a page of the reference has dozens of examples.
const highlighter = new IntersectionObserver((seen) => {
  for (const { isIntersecting, target } of seen) {
    if (!isIntersecting) continue;
    highlighter.unobserve(target);
    hljs.highlightElement(target);
  }
}, { rootMargin: "300px" });

function highlighting(root) {
  each(root, "[class*='language-']", (code) => {
    const language = code.className.match(/language-(\w+)/)?.[1];
    if (language && globalThis.hljs?.getLanguage(language) && code.textContent.length <= MAX_HIGHLIGHTED) highlighter.observe(code);
  });
}

function enhance(root) {
  copying(root);
  values(root);
  moments(root);
  marks(root);
  tabbing(root);
  specimens(root);
  confirming(root);
  highlighting(root);
}

const STAGES = [[0, "Reading the page"], [4, "Still reading: loading its stylesheets"], [10, "Some pages need a browser, which takes longer"], [25, "Almost out of time"]];

function playground() {
  const form = document.getElementById("playground");
  if (!form) return;
  const progress = document.getElementById("progress");
  const choose = () => {
    const chosen = new FormData(form).get("operation");
    each(form, "[data-only]", (part) => { part.hidden = part.dataset.only !== chosen; });
  };
  form.addEventListener("change", choose);
  choose();
  const run = async (data) => {
    const stop = new AbortController();
    const cancel = progress.querySelector("[data-cancel]");
    const cancelling = () => stop.abort();
    cancel.addEventListener("click", cancelling);
    const started = performance.now();
    const tick = () => {
      const seconds = (performance.now() - started) / 1000;
      const stage = STAGES.findLast(([from]) => seconds >= from)[1];
      const shown = progress.querySelector("[data-stage]");
      if (shown.textContent !== stage) shown.textContent = stage;
      progress.querySelector("[data-seconds]").textContent = `${seconds.toFixed(0)} s`;
    };
    tick();
    const ticking = setInterval(tick, 1000);
    progress.hidden = false;
    progress.scrollIntoView({ block: "nearest" });
    const button = form.querySelector(".address button");
    button.disabled = true;
    const result = document.getElementById("result");
    result.setAttribute("aria-busy", "true");
    try {
      const answer = await fetch(form.action, { method: "POST", body: data, signal: stop.signal });
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const found = page.getElementById("result") || page.querySelector("main > section");
      result.replaceChildren(...(found ? found.childNodes : []));
      const address = result.querySelector("[data-address]");
      history.replaceState(null, "", address ? address.href : form.action);
      enhance(result);
      const heading = result.querySelector("#result-h, h1");
      if (heading) heading.focus({ preventScroll: true });
      result.scrollIntoView({ block: "start" });
    } catch (cause) {
      const line = document.createElement("p");
      line.className = "fault";
      line.setAttribute("role", "alert");
      line.textContent = cause.name === "AbortError"
        ? "You are no longer waiting for this call. It continues and is charged if it succeeds; extracting again then returns its result for free."
        : "The console does not respond. Try again in a moment.";
      result.replaceChildren(line);
    } finally {
      clearInterval(ticking);
      progress.hidden = true;
      button.disabled = false;
      result.removeAttribute("aria-busy");
      cancel.removeEventListener("click", cancelling);
    }
  };
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    run(new URLSearchParams(new FormData(form)));
  });
  // The forms of sections repeat the call for another section.
  document.addEventListener("submit", (event) => {
    if (!event.target.matches("form[data-section]")) return;
    event.preventDefault();
    const data = new URLSearchParams(new FormData(event.target));
    form.elements.selector.value = data.get("selector");
    run(data);
  });
}

// Shows results below the field while a query is typed.
function searching() {
  const form = document.querySelector("form[data-search]");
  const list = document.getElementById("found");
  const count = document.getElementById("found-count");
  if (!form || !list) return;
  let waiting;
  let latest = 0;
  const search = async () => {
    const number = ++latest;
    const query = form.elements.q.value.trim();
    let found = [];
    let text = "";
    if (query) {
      const answer = await fetch(`${form.action}?${new URLSearchParams({ q: query })}`);
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      found = [...page.querySelectorAll("#found > li")];
      text = page.getElementById("found-count")?.textContent ?? "";
    }
    if (number !== latest) return;
    list.replaceChildren(...found);
    count.textContent = text;
  };
  form.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => search().catch(() => {}), 200);
  });
}

enhance(document);
playground();
searching();
