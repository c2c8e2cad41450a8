/** Moves the focus among the hits, from wherever it is. */
export function stepHit(by: 1 | -1): void {
  const links = [...document.querySelectorAll<HTMLElement>('.hit-link')];
  const at = links.findIndex((link) => link.matches(':focus'));
  const next = links[at < 0 ? 0 : Math.max(0, Math.min(links.length - 1, at + by))];
  next?.focus({ preventScroll: true });
  next?.scrollIntoView({ block: 'nearest' });
}
