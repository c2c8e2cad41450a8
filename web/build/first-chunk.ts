import type { Plugin } from 'vite';

const FIRST = 'first';

interface ModuleInfo {
  readonly isEntry: boolean;
  readonly importers: readonly string[];
}

interface Graph {
  getModuleInfo(id: string): ModuleInfo | null;
}

/** Everything needed for the first paint goes into one file: otherwise shared modules become dozens of files that compress badly. */
export const firstChunk = (id: string, graph: Graph): string | null => (!id.endsWith('.css') && isFirst(id, graph) ? FIRST : null);

/** Whether the entry imports it statically, directly or through others. */
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
 * Tells the browser to compile the whole file in the background while it loads, not function by function during the first render (docs/benchmarks.md has the
 * gain and the cost). It must be the first line, and minifying removes comments: so it is added at the very end.
 */
export const compileEagerly: Plugin = {
  name: 'compile-eagerly',
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
