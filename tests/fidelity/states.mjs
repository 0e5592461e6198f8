// Compares components with their original sections, while elements are hovered, focused, pressed and switched. On
// standard input: { chromium, home, user, page: { html, css }, cases: [{ name, selector, framework, code, css, files, inside }] };
// with `inside`, what is compared are the elements inside of the selected one, and their boxes, too. On standard output, for each case: the number of compared values, the number of values that a state changes, and the differences.
import { jsx, tailwind, vue } from '../../shared/extract/tests/compilers/build.mjs';
import { start } from './chromium.mjs';

const LONGHANDS = ['color', 'background-color', 'background-image', 'opacity', 'visibility', 'display', 'cursor', 'filter', 'box-shadow', 'transform', 'z-index', 'right', 'max-height', 'font-weight', 'font-size', 'letter-spacing', 'text-decoration-line', 'text-decoration-color', 'text-underline-offset', 'outline-style', 'outline-color', 'outline-width', 'outline-offset', 'border-top-color', 'border-bottom-color', 'border-left-width', 'border-top-width', 'border-bottom-width', 'border-top-left-radius', 'padding-top', 'padding-left', 'margin-top', 'fill', 'stroke'];

/** The states that a visitor causes on an element and its ancestors. */
const STATES = {
  hover: { own: ['hover'], around: ['hover'] },
  focus: { own: ['focus', 'focus-visible', 'focus-within'], around: ['focus-within'] },
  active: { own: ['active', 'hover'], around: ['active', 'hover'] },
};

/** Runs in the page: returns the elements of the section, in order. */
const MARK = `(selector, inside) => {
  let root = document.querySelector(selector);
  // The canvas of a page is around what was its body.
  while (inside && root.children.length === 1) root = root.firstElementChild;
  const all = [...root.querySelectorAll('*')];
  window.own = inside ? all : [root, ...all];
  const focusable = 'a[href], button, input, select, textarea, summary, [tabindex]';
  const tried = focusable + ', li, label, form, svg, h2, details';
  return own.map((e, at) => {
    e.setAttribute('data-at', at);
    return { tag: e.localName, parent: own.indexOf(e.parentElement), isTried: e.matches(tried), isFocusable: e.matches(focusable) };
  });
}`;

/** Runs in the page: switches an element; returns true if it can be switched. */
const SWITCH = `(at, name) => {
  const e = own[at];
  const can = { checked: /^(checkbox|radio)$/.test(e.type), open: e.localName === 'details', disabled: e.localName === 'button' }[name];
  if (can) e[name] = !e[name];
  return can;
}`;

/** Runs in the page: returns the styles of every element and its pseudo-elements, with colours as displayed. */
const LOOK = `longhands => {
  const canvas = window.canvas ??= Object.assign(document.createElement('canvas'), { width: 1, height: 1 }).getContext('2d', { willReadFrequently: true });
  const known = window.known ??= new Map();
  const shown = colour => {
    if (!known.has(colour)) {
      canvas.clearRect(0, 0, 1, 1);
      canvas.fillStyle = colour;
      canvas.fillRect(0, 0, 1, 1);
      const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
      known.set(colour, a ? 'rgba(' + [r, g, b, a] + ')' : 'rgba(0,0,0,0)');
    }
    return known.get(colour);
  };
  // Four properties are combined into one matrix, so that equivalent combinations are equal.
  const moved = (e, style) => {
    const { translate, rotate, scale, transform } = style;
    if ([translate, rotate, scale, transform].every(value => value === 'none')) return 'none';
    const sides = [e.offsetWidth, e.offsetHeight];
    const length = (value, at) => (value.endsWith('%') ? (parseFloat(value) / 100) * sides[at] : parseFloat(value));
    const matrix = new DOMMatrix();
    if (translate !== 'none') matrix.translateSelf(...translate.split(' ').map(length));
    if (rotate !== 'none') matrix.rotateSelf(parseFloat(rotate));
    if (scale !== 'none') { const [x, y = x] = scale.split(' ').map(Number); matrix.scaleSelf(x, y); }
    return matrix.multiply(new DOMMatrix(transform)).toString();
  };
  const one = (e, pseudo) => {
    const style = getComputedStyle(e, pseudo);
    if (pseudo === '::placeholder' ? e.localName !== 'input' : pseudo && /^(none|normal)$/.test(style.content)) return [];
    return longhands.map(name => (name === 'transform' ? moved(e, style) : style.getPropertyValue(name)).replace(/\\b(rgba?|oklch|oklab|lab|lch|color|hsla?)\\([^()]*\\)/g, shown));
  };
  return own.map(e => [null, '::before', '::after', '::placeholder'].map(pseudo => one(e, pseudo)));
}`;

/** Runs in the page: returns the boxes of all elements. */
const BOXES = `() => own.map(e => { const { x, y, width, height } = e.getBoundingClientRect(); return [x, y, width, height]; })`;

/** Removes invisible layers of a shadow, which Tailwind uses as placeholders. */
const plain = value => value.split(/, (?![^(]*\))/).filter(layer => !/^rgba\(0,0,0,0\) 0px 0px 0px 0px( inset)?$/.test(layer)).join(', ') || 'none';

/** Returns true if two values look the same: lengths may be rounded, and colours differ by one step. */
function agree(a, b) {
  if (a === b) return true;
  const [x, y] = [plain(a), plain(b)];
  const numbers = text => (text.match(/-?[\d.]+/g) ?? []).map(Number);
  const words = text => text.replace(/-?[\d.]+/g, '#');
  // Beyond a certain radius a corner looks the same; half of the box is such a radius where it is a square.
  const isRound = value => value === '50%' || parseFloat(value) > 1e3;
  if (isRound(a) && isRound(b)) return true;
  // Lengths near a step of Tailwind's scale have its name.
  if ([a, b].every(value => /^-?[\d.]+px$/.test(value))) return Math.abs(parseFloat(a) - parseFloat(b)) <= 0.25;
  return words(x) === words(y) && numbers(x).every((number, at) => Math.abs(number - numbers(y)[at]) <= (x.includes('rgba(') ? 2 : 0.05));
}

const FROZEN = '<style>*, ::before, ::after { transition: none !important; animation: none !important }</style>';
const documentOf = (css, html) => `<!doctype html><html lang="en"><head><style>${css}</style>${FROZEN}</head><body>${html}</body></html>`;

async function written({ framework, code, css, files }) {
  const built = framework === 'jsx' ? await jsx({ code, files }) : framework === 'vue' ? await vue({ code, files }) : { html: code };
  const sheet = framework === 'html' ? '' : await tailwind(built.html);
  return documentOf(`${sheet}\n${css ?? ''}`, built.html);
}

/** Returns the styles of every element without a state, and in each tested state of each element. */
async function looks(page, html, selector, inside) {
  await page.show(html);
  const elements = await page.run(MARK, selector, inside);
  const boxes = inside ? await page.run(BOXES) : [];
  const { root } = await page.send('DOM.getDocument', { depth: 0 });
  const { nodeIds } = await page.send('DOM.querySelectorAll', { nodeId: root.nodeId, selector: '[data-at]' });
  const force = (at, forcedPseudoClasses) => page.send('CSS.forcePseudoState', { nodeId: nodeIds[at], forcedPseudoClasses });
  const looks = new Map([['rest', await page.run(LOOK, LONGHANDS)]]);
  for (const [at, element] of elements.entries()) {
    if (!element.isTried) continue;
    const around = [];
    for (let outer = element.parent; outer >= 0; outer = elements[outer].parent) around.push(outer);
    for (const [name, state] of Object.entries(STATES)) {
      if (name !== 'hover' && !element.isFocusable) continue;
      await Promise.all([force(at, state.own), ...around.map(outer => force(outer, state.around))]);
      looks.set(`${name} of ${element.tag} ${at}`, await page.run(LOOK, LONGHANDS));
      await Promise.all([at, ...around].map(own => force(own, [])));
    }
    for (const name of ['checked', 'open', 'disabled']) {
      if (!(await page.run(SWITCH, at, name))) continue;
      looks.set(`${name} the other way of ${element.tag} ${at}`, await page.run(LOOK, LONGHANDS));
      await page.run(SWITCH, at, name);
    }
  }
  return { tags: elements.map(element => element.tag), looks, boxes };
}

/** Returns true if a value has no visible effect: of an outline without style, the colour of a border without width. */
function isHidden(name, values) {
  const value = other => values[LONGHANDS.indexOf(other)] ?? 'none';
  if (name.startsWith('outline-')) return value('outline-style') === 'none';
  return name.startsWith('border-') && name.endsWith('-color') && value(name.replace('color', 'width')) === '0px';
}

/** Compares the changes by a state on both sides, and everything without a state. */
function compared(theirs, ours) {
  const report = { compared: 0, changed: 0, differences: [] };
  if (theirs.tags.join() !== ours.tags.join()) return { ...report, differences: [`${ours.tags} instead of ${theirs.tags}`] };
  theirs.boxes.forEach((box, at) => {
    const own = ours.boxes[at];
    if (box.some((side, index) => Math.abs(side - own[index]) > 1)) report.differences.push(`the box of ${theirs.tags[at]} ${at} is ${own}, not ${box}`);
  });
  const rest = [theirs.looks.get('rest'), ours.looks.get('rest')];
  for (const [state, look] of theirs.looks) {
    const copy = ours.looks.get(state);
    look.forEach((parts, at) => parts.forEach((values, part) => LONGHANDS.forEach((name, own) => {
      if ([values, copy[at][part]].every(side => isHidden(name, side))) return;
      const [a, b] = [values[own] ?? 'nothing', copy[at][part][own] ?? 'nothing'];
      const changes = a !== (rest[0][at][part][own] ?? 'nothing') || b !== (rest[1][at][part][own] ?? 'nothing');
      if (state !== 'rest' && !changes) return;
      report.compared += 1;
      report.changed += state !== 'rest';
      const where = `${theirs.tags[at]} ${at}${['', '::before', '::after', '::placeholder'][part]}`;
      if (!agree(a, b)) report.differences.push(`${state}: ${name} of ${where} is ${b}, not ${a}`);
    })));
  }
  return report;
}

let input = '';
for await (const chunk of process.stdin.setEncoding('utf8')) input += chunk;
const { chromium, home, user, page: original, cases } = JSON.parse(input);
const browser = start({ chromium, home, user });
const page = await browser.page();
const sections = new Map();
const reports = [];
for (const one of cases) {
  if (!sections.has(one.selector)) {
    const html = original.html.replace('<title>', `<style>${original.css}</style>${FROZEN}<title>`);
    sections.set(one.selector, await looks(page, html, one.selector, one.inside));
  }
  const own = await looks(page, await written(one), one.inside ? 'body' : 'body > *', one.inside);
  reports.push({ name: one.name, ...compared(sections.get(one.selector), own) });
}
process.stdout.write(JSON.stringify(reports), () => process.exit(0));
await browser.close();
