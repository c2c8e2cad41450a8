interface ModuleInfo {
  readonly isEntry: boolean;
  readonly importers: readonly string[];
}

interface Graph {
  getModuleInfo(id: string): ModuleInfo | null;
}

/** What is needed before anything shows goes into one file: left alone, what two surfaces share is cut into dozens that compress badly. */
export const firstChunk = (id: string, graph: Graph): string | null => (!id.endsWith('.css') && isFirst(id, graph) ? 'first' : null);

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
