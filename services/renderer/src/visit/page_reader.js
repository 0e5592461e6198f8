// Runs in an isolated world, which the page's scripts cannot reach.
(() => {
  let mutated = performance.now();
  new MutationObserver(() => { mutated = performance.now(); }).observe(document, { subtree: true, childList: true });

  const pause = milliseconds => new Promise(resume => setTimeout(resume, milliseconds));
  const frame = () => Promise.race([new Promise(requestAnimationFrame), pause(100)]);

  const SHOWS = 'img, picture, video, audio, canvas, svg, iframe, frame, object, embed, button, select, textarea, input';

  /** Returns true if the page shows nothing but a loading text, and has scripts that may fill it. */
  const waits = () => {
    if (document.scripts.length === 0 || !document.body) return false;
    const paints = [document.body, ...document.body.children].some(e => getComputedStyle(e).backgroundImage !== 'none');
    if (paints || shadowRoots().length > 0) return false;
    const says = document.body.textContent.length < 10_000 ? document.body.innerText.trim() : 'much';
    if (says !== '') return /^(loading|please wait)\b.{0,20}$/i.test(says);
    return document.body.querySelector(SHOWS) === null;
  };

  /** Returns the milliseconds since the last added or removed node, and whether the fonts are loaded. */
  const state = () => ({
    still: performance.now() - mutated,
    fonts: document.fonts.status === 'loaded',
  });

  /** Returns the scrolling element: the page itself, or an element that fills it. */
  const scroller = () => {
    const page = document.scrollingElement ?? document.documentElement;
    if (page.scrollHeight > innerHeight + 10) return page;
    const middle = document.elementsFromPoint(innerWidth / 2, innerHeight / 2);
    return middle.find(e => e.scrollHeight > e.clientHeight + 10 && e.clientHeight > innerHeight / 2) ?? page;
  };

  const isLazy = element =>
    element.matches('[loading=lazy i]') && !element.complete || getComputedStyle(element).contentVisibility === 'auto';

  /** Maximum number of elements whose styles are read to find out whether a page has to be scrolled. */
  const MAX_STYLED = 20_000;

  /** Returns whether scrolling may change the page: `never`, `always`, or `scripted` if that depends on its scripts. */
  const scrolling = () => {
    const view = scroller();
    if (view.scrollHeight <= view.clientHeight) return 'never';
    const elements = [document, ...shadowRoots()].flatMap(tree => [...tree.querySelectorAll('*')]);
    // Documents of frames have scripts of their own.
    const hasFrames = () => document.querySelector('iframe, frame, object, embed') !== null;
    return elements.length > MAX_STYLED || hasFrames() || elements.some(isLazy) ? 'always' : 'scripted';
  };

  /** Scrolls through the page once, so that lazy content is loaded, and back to the top. */
  const scroll = async (until, most) => {
    const view = scroller();
    const ends = performance.now() + until;
    for (let top = 0; top < Math.min(view.scrollHeight, most) && performance.now() < ends; top += innerHeight * 0.9) {
      view.scrollTo({ top, behavior: 'instant' });
      await frame();
      await pause(30);
    }
    view.scrollTo({ top: 0, behavior: 'instant' });
    await frame();
  };

  /** Stops animations: finite ones at their end, endless ones at their start. */
  const freeze = async () => {
    for (const animation of document.getAnimations()) {
      try {
        if (animation.effect?.getComputedTiming().endTime === Infinity) {
          animation.pause();
          animation.currentTime = 0;
        } else {
          animation.finish();
        }
      } catch { /* an animation without a timeline cannot be finished */ }
    }
    await frame();
    await frame();
  };

  /** Returns the height of the whole page in CSS pixels. */
  const size = () => {
    const [root, body] = [document.documentElement, document.body];
    return { height: Math.max(root.scrollHeight, body?.scrollHeight ?? 0, root.offsetHeight, innerHeight) };
  };

  const shadowRoots = () => {
    const roots = [];
    const within = tree => {
      for (const element of tree.querySelectorAll('*')) {
        if (element.shadowRoot) {
          roots.push(element.shadowRoot);
          within(element.shadowRoot);
        }
      }
    };
    within(document);
    return roots;
  };

  const ruleTexts = sheet => Array.from(sheet.cssRules).filter(rule => !(rule instanceof CSSImportRule)).map(rule => rule.cssText);
  const text = sheet => Array.from(sheet.cssRules, rule => rule.cssText).join('\n');

  /** Returns true if an inline stylesheet differs from its text (CSSOM changes do not update the text). */
  const differs = (element, sheet) => {
    const written = new CSSStyleSheet();
    try { written.replaceSync(element.textContent); } catch { return false; }
    const [live, source] = [ruleTexts(sheet), ruleTexts(written)];
    return live.length !== source.length || live.some((rule, index) => rule !== source[index]);
  };

  /** Sets an element's attributes to the state of its live stylesheet: its media, and whether it applies. */
  const settle = element => {
    const sheet = element.sheet;
    if (!sheet) return;
    if (sheet.disabled) {
      if (element.localName === 'link') element.setAttribute('disabled', '');
      else element.setAttribute('media', 'not all');
      return;
    }
    if (element.getAttribute('rel')?.toLowerCase().includes('alternate')) element.setAttribute('rel', 'stylesheet');
    element.removeAttribute('title');
    if (sheet.media.mediaText !== (element.getAttribute('media') ?? '')) element.setAttribute('media', sheet.media.mediaText);
  };

  /** Returns the URL of a stylesheet as the network log has it: without a fragment. */
  const address = sheet => sheet.href.split('#', 1)[0];

  const readable = sheet => {
    try { return !!sheet.cssRules; } catch { return false; }
  };

  /** Number of points in each direction at which the background is sampled. */
  const points = 5;

  /** Returns the theme of most of the first viewport: `light` or `dark`, by its background. */
  const theme = () => {
    const paint = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
    const scheme = getComputedStyle(document.documentElement).colorScheme;
    const canvas = /\bdark\b/.test(scheme) && (!/\blight\b/.test(scheme) || matchMedia('(prefers-color-scheme: dark)').matches) ? '#121212' : '#fff';
    // The background of the root, or else of the body, is propagated to the canvas (CSS Backgrounds 3 §2.11.2).
    const ofCanvas = [document.body, document.documentElement].map(element => element ? getComputedStyle(element).backgroundColor : canvas);
    let dark = 0;
    for (let n = 0; n < points * points; n++) {
      const [x, y] = [(n % points + 0.5) / points * innerWidth, (Math.floor(n / points) + 0.5) / points * innerHeight];
      const grounds = document.elementsFromPoint(x, y).map(element => getComputedStyle(element).backgroundColor);
      for (const ground of [...grounds, ...ofCanvas, canvas].reverse()) {
        paint.fillStyle = ground;
        paint.fillRect(0, 0, 1, 1);
      }
      const [red, green, blue] = paint.getImageData(0, 0, 1, 1).data;
      if (0.2126 * red + 0.7152 * green + 0.0722 * blue < 110) dark++;
    }
    return dark * 2 > points * points ? 'dark' : 'light';
  };

  /** Returns the parts of the document that are not in the network log. Modifies the document, so it must come last. */
  const read = (mark, most) => {
    const roots = shadowRoots();
    const links = [];
    for (const tree of [document, ...roots]) {
      for (const element of tree.querySelectorAll('style, link')) {
        const sheet = element.sheet;
        if (!sheet) continue;
        const changed = element.hasAttribute(mark);
        element.removeAttribute(mark);
        settle(element);
        if (element.localName === 'style') {
          if (differs(element, sheet)) element.textContent = text(sheet);
        } else if (sheet.href) {
          const own = readable(sheet);
          links.push({ href: address(sheet), readable: own, text: changed && own ? text(sheet) : null });
        }
      }
    }
    const adopted = document.adoptedStyleSheets.filter(sheet => !sheet.disabled)
      .map(sheet => ({ text: text(sheet), media: sheet.media.mediaText }));
    for (const root of roots) {
      for (const sheet of root.adoptedStyleSheets.filter(sheet => !sheet.disabled)) {
        const style = document.createElement('style');
        if (sheet.media.mediaText) style.setAttribute('media', sheet.media.mediaText);
        style.textContent = text(sheet);
        root.append(style);
      }
    }
    const seen = theme();
    // CDATA sections of XHTML are no part of HTML's syntax.
    const sections = document.createTreeWalker(document, NodeFilter.SHOW_CDATA_SECTION);
    while (sections.nextNode()) {
      const section = sections.currentNode;
      sections.currentNode = section.parentNode;
      section.replaceWith(document.createTextNode(section.data));
    }
    const root = document.documentElement;
    const doctype = document.doctype ? new XMLSerializer().serializeToString(document.doctype) : '';
    const outer = root?.cloneNode(false).outerHTML ?? '';
    const close = outer.lastIndexOf('</');
    const inner = root?.getHTML({ serializableShadowRoots: true, shadowRoots: roots }) ?? '';
    const html = doctype + (close < 0 ? outer : outer.slice(0, close) + inner + outer.slice(close));
    return {
      url: location.href, base: document.baseURI, encoding: document.characterSet, links, adopted, theme: seen,
      html: html.length > most ? '' : html, tooLarge: html.length > most,
    };
  };

  /** Returns the text of a stylesheet whose response body is not available. */
  const linked = href => {
    for (const tree of [document, ...shadowRoots()]) {
      for (const { sheet } of tree.querySelectorAll('link')) if (sheet?.href && address(sheet) === href && readable(sheet)) return text(sheet);
    }
    return null;
  };

  globalThis.limner = { state, waits, scrolling, scroll, freeze, size, read, linked };
})()
