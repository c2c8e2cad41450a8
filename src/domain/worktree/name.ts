const MOST_CHARS = 40;

/** A short name for a branch and a folder, from what people wrote. Empty if nothing of it can be used. */
export function nameFrom(text: string): string {
  const words = text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-');
  const cut = words.replace(/^-+/, '').slice(0, MOST_CHARS);
  return cut.replace(/-[^-]*$/, (rest) => (cut.length === MOST_CHARS ? '' : rest)).replace(/-+$/, '');
}

/** Branches that Signalbox makes are below this name. */
export const branchOf = (name: string): string => `signalbox/${name}`;
