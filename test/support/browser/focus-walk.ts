import type { Page } from 'playwright-core';

/** More stops than most surfaces have. On longer ones, the last stops are checked backwards from the end. */
const FROM_BEGINNING = 40;
const FROM_END = 12;

/** An element that Tab focused, and why a person may not see that it has the focus. */
interface Stop {
  readonly name: string;
  readonly isKnown: boolean;
  readonly faults: readonly string[];
}

/** Walks over a surface with Tab only, and returns what is wrong with the elements that got the focus. */
export async function focusFaultsOf(page: Page): Promise<readonly string[]> {
  const first = await walk(page, 'Tab', FROM_BEGINNING);
  const last = first.length < FROM_BEGINNING ? [] : await walkBack(page);
  const faults = [...first, ...last].flatMap(({ name, faults }) => faults.map((fault) => `${name}: ${fault}`));
  return first.length === 0 ? ['Tab leads nowhere'] : faults;
}

async function walkBack(page: Page): Promise<readonly Stop[]> {
  await page.evaluate(() => {
    const root = document.querySelector<HTMLElement>('dialog[open]') ?? document.body;
    root.tabIndex = -1;
    root.focus();
    root.removeAttribute('tabindex');
  });
  return walk(page, 'Shift+Tab', FROM_END);
}

/** Stops at an element it has already seen, or after `most` steps. */
async function walk(page: Page, key: 'Tab' | 'Shift+Tab', most: number): Promise<readonly Stop[]> {
  const stops: Stop[] = [];
  for (let presses = 0; presses < most; presses++) {
    await page.keyboard.press(key);
    const stop = await page.evaluate(inspectStop);
    if (stop === undefined) continue;
    if (stop.isKnown) break;
    stops.push(stop);
  }
  return stops;
}

/** Runs in the page, so it can't call anything outside of itself. Undefined while the focus is between the last and the first element. */
function inspectStop(): Stop | undefined {
  const stop = document.activeElement;
  if (!(stop instanceof HTMLElement || stop instanceof SVGElement) || stop === document.body) return undefined;
  const walked: WeakSet<Element> = Reflect.get(window, 'walked') ?? new WeakSet();
  Reflect.set(window, 'walked', walked);
  const isKnown = walked.has(stop);
  walked.add(stop);

  // A field that is drawn by its label is where the label is. The control that moves over the panel is where the panel draws its ring.
  const isHidden = stop.getBoundingClientRect().width <= 2 || getComputedStyle(stop).opacity === '0';
  const drawn = isHidden ? (stop.closest('label') ?? document.querySelector('.plan .ring') ?? stop) : stop;
  const box = drawn.getBoundingClientRect();
  /** The visible area: what scroll containers and the window don't cut off. */
  const clip = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
  for (let at = drawn.parentElement; at !== null && at !== document.body; at = at.parentElement) {
    if (getComputedStyle(at).overflow === 'visible') continue;
    const edge = at.getBoundingClientRect();
    clip.left = Math.max(clip.left, edge.left);
    clip.top = Math.max(clip.top, edge.top);
    clip.right = Math.min(clip.right, edge.right);
    clip.bottom = Math.min(clip.bottom, edge.bottom);
  }
  const { outlineStyle, outlineWidth, outlineOffset } = getComputedStyle(drawn);
  // Half a pixel is rounding.
  const reach = (outlineStyle === 'none' ? 0 : Number.parseFloat(outlineWidth) + Number.parseFloat(outlineOffset)) - 0.5;
  const sides = { left: clip.left - box.left, top: clip.top - box.top, right: box.right - clip.right, bottom: box.bottom - clip.bottom };
  const cut = Object.entries(sides).filter(([, beyond]) => beyond + reach > 0);

  const [left, top] = [Math.max(box.left, clip.left), Math.max(box.top, clip.top)];
  const [width, height] = [Math.min(box.right, clip.right) - left, Math.min(box.bottom, clip.bottom) - top];
  const isOnScreen = width > 1 && height > 1;
  const spots = [
    [0.5, 0.5],
    [0.1, 0.2],
    [0.9, 0.2],
    [0.1, 0.8],
    [0.9, 0.8],
  ] as const;
  // Shapes in an SVG are covered by the invisible links of their lines.
  const hits = isOnScreen && drawn instanceof HTMLElement ? spots.map(([x, y]) => document.elementFromPoint(left + width * x, top + height * y)) : [];
  const covers = hits.filter((hit) => hit !== null && !hit.contains(drawn) && !drawn.contains(hit));

  /** The ring can be around the stop, its label, the field around it, or the current line of a list. */
  const ringed = [stop, drawn, stop.nextElementSibling, stop.parentElement, stop.parentElement?.parentElement, stop.querySelector('.at')];
  const rings = (): string =>
    JSON.stringify(
      ringed.map((part) =>
        [undefined, '::before', '::after'].map((which) => {
          if (!part) return '';
          const look = getComputedStyle(part, which);
          const outline = look.outlineStyle === 'none' ? '' : `${look.outlineStyle} ${look.outlineWidth} ${look.outlineColor}`;
          return [outline, look.boxShadow, look.borderColor, which !== undefined && look.backgroundColor];
        }),
      ),
    );
  const focused = rings();
  stop.blur();
  const unfocused = rings();
  stop.focus();

  return {
    name: `${stop.tagName.toLowerCase()}.${stop.getAttribute('class') ?? ''} “${(stop.getAttribute('aria-label') ?? stop.textContent ?? '').slice(0, 30)}”`,
    isKnown,
    faults: [
      ...(focused === unfocused ? ['has no ring'] : []),
      ...(isOnScreen ? [] : ['is not on the screen']),
      ...(isOnScreen && cut.length > 1 ? [`its ring is cut off (${cut.map(([side]) => side)})`] : []),
      ...(covers.length > 2 ? [`is covered by ${covers[0]?.outerHTML.slice(0, 80)}`] : []),
    ],
  };
}
