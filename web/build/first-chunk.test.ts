import { expect, test } from 'vitest';
import { firstChunk } from './first-chunk.ts';

/** A module graph, given as the importers of each module. */
const graph = (importers: Readonly<Record<string, readonly string[]>>) => ({
  getModuleInfo: (id: string) => ({ isEntry: id === 'main', importers: importers[id] ?? [] }),
});

test('static imports of the entry are in the first file, however indirect or circular; lazy ones are not', () => {
  const modules = graph({ a: ['b', 'main'], b: ['a'], c: ['lazy'], shared: ['lazy', 'b'] });
  expect(['main', 'a', 'b', 'c', 'lazy', 'shared'].map((id) => firstChunk(id, modules))).toEqual(['first', 'first', 'first', null, null, 'first']);
  expect(firstChunk('main.css', modules)).toBeNull();
});
