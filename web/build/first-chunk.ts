import type { Plugin } from 'vite';

const FIRST = 'first';

interface ModuleInfo {
  readonly isEntry: boolean;
  readonly importers: readonly string[];
}

interface Graph {
  getModuleInfo(id: string): ModuleInfo | null;
}

/** What is needed before anything shows goes into one file: left alone, what two surfaces share is cut into dozens that compress badly. */
export const firstChunk = (id: string, graph: Graph): string | null => (!id.endsWith('.css') && isFirst(id, graph) ? FIRST : null);

/** Whether the entry imports it, directly or through others, without being asked for later. */
function isFirst(id: string, graph: Graph): boolean {
  const seen = new Set([id]);
  for (const each of seen) {
    const info = graph.getModuleInfo(each);
    if (info?.isEntry === true) return true;
    for (const importer of info?.importers ?? []) seen.add(importer);
  }
  return false;
}

/**
 * A word to the browser: compile all of it beside the page's thread while it arrives, and not function by function while somebody waits (docs/benchmarks.md tells
 * what that gains and costs). It must be the first line, and comments do not outlive being made small: hence at the very end.
 */
export const compiledAtOnce: Plugin = {
  name: 'compiled-at-once',
  apply: 'build',
  generateBundle: {
    order: 'post',
    handler: (_options, bundle) => {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type === 'chunk' && chunk.name === FIRST) chunk.code = `//# allFunctionsCalledOnLoad\n${chunk.code}`;
      }
    },
  },
};
