import { expect, test } from 'vitest';
import { firstChunk } from './first-chunk.ts';

/** By module: who imports it. */
const graph = (importers: Readonly<Record<string, readonly string[]>>) => ({
  getModuleInfo: (id: string) => ({ isEntry: id === 'main', importers: importers[id] ?? [] }),
});

test('what the entry imports is in the first file, through however many others and in a circle; what is only asked for later is not', () => {
  const house = graph({ a: ['b', 'main'], b: ['a'], c: ['lazy'], shared: ['lazy', 'b'] });
  expect(['main', 'a', 'b', 'c', 'lazy', 'shared'].map((id) => firstChunk(id, house))).toEqual(['first', 'first', 'first', null, null, 'first']);
  expect(firstChunk('main.css', house)).toBeNull();
});
