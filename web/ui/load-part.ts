/** The server answers, and does not have this file: it was updated after this page was loaded. The router knows the first words, and reloads the page once. */
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
  await Promise.all((files ?? []).map((file) => bring(new URL(file, importer).href)));
  return importPart();
}

/** What has come or is on its way, by address. */
const coming = new Map<string, Promise<void>>();

function bring(url: string): Promise<void> {
  const known = coming.get(url);
  if (known !== undefined) return known;
  const work = isInPage(url) ? Promise.resolve() : fetchFile(url).then(() => (url.endsWith('.css') ? addStyles(url) : undefined));
  coming.set(url, work);
  work.catch(() => coming.delete(url));
  return work;
}

const isInPage = (url: string): boolean => [...document.scripts].some(({ src }) => src === url);

async function fetchFile(url: string): Promise<void> {
  const response = await fetch(url);
  if (response.status === 404 || response.status === 410) throw new PartMissingError(url);
  if (!response.ok) throw new Error(`The server answered ${response.status} for ${url}`);
  // All of it: only a whole file is kept in the cache.
  await response.arrayBuffer();
}

const addStyles = (url: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const link = document.createElement('link');
    link.rel = 'stylesheet';
    link.crossOrigin = '';
    link.href = url;
    link.addEventListener('load', () => resolve());
    link.addEventListener('error', () => {
      link.remove();
      reject(new Error(`The styles at ${url} could not be loaded`));
    });
    document.head.append(link);
  });
