/** More does not fit into sixteen pixels. */
const MOST = 9;

/** Where the icon lies: the file at rest, a drawing with the number while something waits. */
export function iconOf(waiting: number): string {
  return waiting === 0 ? 'icon.svg' : `data:image/svg+xml,${encodeURIComponent(lit(waiting > MOST ? `${MOST}+` : String(waiting)))}`;
}

const lit = (number: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#15181b"/><path d="M16 1l15 15-15 15L1 16z" fill="#f5b14c"/><text x="16" y="${number.length > 1 ? 21 : 22.5}" font-family="sans-serif" font-weight="700" font-size="${number.length > 1 ? 14 : 18}" text-anchor="middle" fill="#15181b">${number}</text></svg>`;
