import type { KeyboardEvent } from 'react';

const LINES = '.line-comment';

/**
 * Keys in the gutter of a file or a diff: Enter on the text goes to the first line in view, the arrows to its neighbors, Esc back. Enter on a line comments
 * on it. True if the key did something.
 */
export function moveInGutter(event: KeyboardEvent<Element>): boolean {
  const { target, currentTarget, key } = event;
  if (!(currentTarget instanceof HTMLElement)) return false;
  if (event.ctrlKey || event.metaKey || event.altKey || !(target instanceof HTMLElement)) return false;
  const next = target.matches(LINES) ? stepFrom(currentTarget, target, key) : key === 'Enter' && target.tabIndex === 0 && firstInView(target);
  if (!next) return false;
  event.preventDefault();
  event.stopPropagation();
  next.focus({ preventScroll: true });
  next.scrollIntoView({ block: 'nearest' });
  return true;
}

function stepFrom(area: HTMLElement, line: HTMLElement, key: string): HTMLElement | undefined {
  if (key === 'Escape') return line.closest<HTMLElement>('[tabindex="0"]') ?? undefined;
  const lines = linesIn(area);
  const at = lines.indexOf(line);
  if (key === 'ArrowLeft' || key === 'ArrowRight') return sameRow(line, lines[at + (key === 'ArrowRight' ? 1 : -1)]);
  if (key !== 'ArrowDown' && key !== 'ArrowUp') return undefined;
  const step = key === 'ArrowDown' ? 1 : -1;
  for (let next = at + step; next >= 0 && next < lines.length; next += step) if (rowOf(lines[next]) !== rowOf(line)) return lines[next];
  return undefined;
}

/** In the order of the rows: a virtualized list keeps it only in their positions. */
const linesIn = (area: HTMLElement): readonly HTMLElement[] =>
  [...area.querySelectorAll<HTMLElement>(LINES)].sort((a, b) => indexOf(a) - indexOf(b) || (a.compareDocumentPosition(b) & 4 ? -1 : 1));

const rowOf = (line: HTMLElement | undefined): Element | null | undefined => line?.closest('[data-index]');
const indexOf = (line: HTMLElement): number => Number(rowOf(line)?.getAttribute('data-index') ?? 0);
const sameRow = (line: HTMLElement, other: HTMLElement | undefined): HTMLElement | undefined => (rowOf(line) === rowOf(other) ? other : undefined);

function firstInView(area: HTMLElement): HTMLElement | undefined {
  const { top } = area.getBoundingClientRect();
  const lines = linesIn(area);
  return lines.find((line) => line.getBoundingClientRect().top >= top) ?? lines.at(-1);
}
