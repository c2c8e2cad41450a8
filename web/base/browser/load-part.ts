/** The server answers but doesn't have this file: it was updated after this page was loaded. The router recognizes this message and reloads the page once. */
export class PartMissingError extends Error {
  override readonly name = 'PartMissingError';

  constructor(url: string) {
    super(`Failed to fetch dynamically imported module: ${url}`);
  }
}

/**
 * Loads one part of the page. The build puts it around every `import()` (part-files.ts), with the part's own file, everything that file imports, and their
 * style sheets.
 *
 * Chromium 150 never asks again for a module whose first request failed, even if another address imports it; 156 does. Both never repeat a failed preload. So
 * each file is fetched first, which can be repeated; the import then finds it in the browser's cache. An import under a changed address would not help when a
 * shared file failed, and would run shared modules twice.
 */
export async function loadPart<T>(importPart: () => Promise<T>, files: readonly string[] | undefined, importer: string): Promise<T> {
  const urls = (files ?? []).map((file) => new URL(file, importer).href);
  for (const url of urls) if (isStyles(url)) slotOf(url);
  await Promise.all(urls.map(loadFile));
  return importPart();
}

const isStyles = (url: string): boolean => url.endsWith('.css');

/** Loaded files and those being loaded, by URL. */
const coming = new Map<string, Promise<void>>();

function loadFile(url: string): Promise<void> {
  const known = coming.get(url);
  if (known !== undefined) return known;
  const work = isInPage(url) ? Promise.resolve() : fetchFile(url).then(() => (isStyles(url) ? addStyles(url) : undefined));
  coming.set(url, work);
  work.catch(() => coming.delete(url));
  return work;
}

const isInPage = (url: string): boolean => [...document.scripts].some(({ src }) => src === url) || [...document.styleSheets].some(({ href }) => href === url);

async function fetchFile(url: string): Promise<void> {
  const response = await fetch(url);
  if (response.status === 404 || response.status === 410) throw new PartMissingError(url);
  if (!response.ok) throw new Error(`The server answered ${response.status} for ${url}`);
  // Read all of it: only complete files are cached.
  await response.arrayBuffer();
}

const slots = new Map<string, HTMLLinkElement>();

/** Later CSS rules win, so a style sheet's position is reserved when it is requested, whenever it arrives. */
function slotOf(url: string): HTMLLinkElement | undefined {
  if (slots.has(url) || isInPage(url)) return slots.get(url);
  const link = document.createElement('link');
  slots.set(url, link);
  document.head.append(link);
  return link;
}

const addStyles = (url: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const link = document.createElement('link');
    link.rel = 'stylesheet';
    link.crossOrigin = '';
    link.href = url;
    link.addEventListener('load', () => resolve());
    link.addEventListener('error', () => reject(new Error(`The styles at ${url} could not be loaded`)));
    // Browsers never retry a failed link element.
    slotOf(url)?.replaceWith(link);
    slots.set(url, link);
  });
