// Runs in every document's main world before its own scripts: disables windows, dialogs and service workers, keeps shadow
// trees open, and records which stylesheets are changed through the CSSOM and whether scrolling may concern the scripts.
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

  const { apply: call } = Reflect;
  /** Runs a function before each call of a method or getter. A proxy has the name, length and text of the original. */
  const before = (owner, name, run, kind = 'value') => {
    const property = owner && Object.getOwnPropertyDescriptor(owner, name);
    if (!property?.[kind]) return;
    const apply = (original, self, given) => {
      run(self, given);
      return call(original, self, given);
    };
    Object.defineProperty(owner, name, { ...property, [kind]: new Proxy(property[kind], { apply }) });
  };

  const changed = new Set();
  const change = self => {
    const sheet = self instanceof CSSStyleSheet ? self : self?.parentStyleSheet;
    if (sheet) changed.add(sheet);
  };
  for (const method of ['insertRule', 'deleteRule', 'addRule', 'removeRule']) before(CSSStyleSheet.prototype, method, change);
  for (const method of ['insertRule', 'deleteRule']) before(CSSGroupingRule.prototype, method, change);
  for (const method of ['appendRule', 'deleteRule']) before(CSSKeyframesRule.prototype, method, change);

  let observes = false;
  before(IntersectionObserver.prototype, 'observe', () => { observes = true; });
  before(EventTarget.prototype, 'addEventListener', (self, [type]) => {
    if (typeof type !== 'string' || type.startsWith('scroll')) observes = true;
  });
  let measured = -Infinity;
  const measure = () => { measured = performance.now(); };
  before(Element.prototype, 'getBoundingClientRect', measure);
  before(Element.prototype, 'scrollTop', measure, 'get');
  for (const getter of ['scrollY', 'pageYOffset']) before(window, getter, measure, 'get');

  /** A script that has measured within this time, on a page that is stable for longer, does so all the time. */
  const POLLING_MILLISECONDS = 300;

  /** Returns true if a script listens for scrolling, observes intersections, or keeps measuring. */
  const watches = () => {
    const middle = document.elementsFromPoint(innerWidth / 2, innerHeight / 2);
    const hasHandler = [window, document, document.documentElement, ...middle].some(target => target?.onscroll || target?.onscrollend);
    return observes || hasHandler || performance.now() - measured < POLLING_MILLISECONDS;
  };

  // Marking is the last step before the page is read, after its scripts were stopped.
  const mark = attribute => changed.forEach(sheet => sheet.ownerNode?.setAttribute(attribute, ''));
  Object.defineProperty(window, name, { value: Object.freeze({ mark, watches }) });
})
