import { join } from 'node:path';
import type { Plugin } from 'vite';

/** Vite's helper around `import()`. It preloads scripts, and a failed preload or import never recovers (base/browser/load-part.ts). */
const HELPER = '\0vite/preload-helper.js';

export const partFiles: Plugin = {
  name: 'part-files',
  apply: 'build',
  enforce: 'pre',
  resolveId: (id) => (id === HELPER ? OURS : undefined),
  load: (id) =>
    id === OURS ? `export { loadPart as __vitePreload } from ${JSON.stringify(join(import.meta.dirname, '../base/browser/load-part.ts'))};` : undefined,
};

const OURS = '\0part-files/helper.js';

/** Every file that a part needs, including its own: Vite omits that one if it is the only one. */
export const filesOfPart = (file: string, imports: string[], { hostType }: { hostType: 'html' | 'js' }): string[] =>
  hostType === 'html' ? imports : [...new Set([file, ...imports])];
