// Runs in every document's main world before its own scripts: disables windows, dialogs and service workers, keeps shadow
// trees open, and records which stylesheets are changed through the CSSOM.
(name => {
  window.open = () => null;
  window.alert = () => undefined;
  window.confirm = () => false;
  window.prompt = () => null;
  window.print = () => undefined;
  try { delete Navigator.prototype.serviceWorker; } catch { /* missing in insecure contexts */ }

  const attachShadow = Element.prototype.attachShadow;
  Element.prototype.attachShadow = function (init) {
    return attachShadow.call(this, init && typeof init === 'object' ? { ...init, mode: 'open' } : init);
  };

  const changed = new Set();
  const note = (prototype, method) => {
    const original = prototype?.[method];
    if (!original) return;
    prototype[method] = function (...given) {
      const sheet = this instanceof CSSStyleSheet ? this : this.parentStyleSheet;
      if (sheet) changed.add(sheet);
      return original.apply(this, given);
    };
  };
  for (const method of ['insertRule', 'deleteRule', 'addRule', 'removeRule']) note(CSSStyleSheet.prototype, method);
  for (const method of ['insertRule', 'deleteRule']) note(CSSGroupingRule.prototype, method);
  for (const method of ['appendRule', 'deleteRule']) note(CSSKeyframesRule.prototype, method);

  // Called when the page is read, after its scripts were stopped.
  Object.defineProperty(window, name, {
    value: mark => changed.forEach(sheet => sheet.ownerNode?.setAttribute(mark, '')),
  });
})
