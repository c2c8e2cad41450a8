import { expect, test } from 'vitest';
import { takeKeyFromAddress } from './key.ts';

const KEY = 'k'.repeat(43);

/** The page's address and storage after it has looked for a key. */
function taken(hash: string, base = 'http://box/', isStorageOpen = true) {
  const addresses: string[] = [];
  const stored = new Map<string, string>();
  takeKeyFromAddress(base, {
    location: { hash, pathname: '/s/abc', search: '?side=raw' },
    history: { state: null, replaceState: (_state: unknown, _title: string, url?: string | URL | null) => void addresses.push(String(url)) },
    storage: {
      setItem: (name: string, value: string) => {
        if (!isStorageOpen) throw new Error('denied');
        stored.set(name, value);
      },
    },
  });
  return { address: addresses[0], stored: Object.fromEntries(stored) };
}

const addresses: readonly (readonly [hash: string, address: string | undefined])[] = [
  [`#key=${KEY}`, '/s/abc?side=raw'],
  [`#key=${KEY}&e12`, '/s/abc?side=raw#e12'],
  [`#key=${KEY}&a=1&b=2`, '/s/abc?side=raw#a=1&b=2'],
  ['#e12', undefined],
  ['', undefined],
  ['#key=', undefined],
  ['#key=<script>', undefined],
];
for (const [hash, address] of addresses) {
  test(`[R296] the key in "${hash.replace(KEY, 'KEY')}" is removed from the address and the rest restored`, () => {
    expect(taken(hash)).toEqual({ address, stored: address === undefined ? {} : { 'signalbox:new-key:/': KEY } });
  });
}

test('two servers on one origin have separate keys', () => {
  expect(taken(`#key=${KEY}`, 'http://box/one/').stored).toEqual({ 'signalbox:new-key:/one/': KEY });
});

test('a browser without storage still clears the address', () => {
  expect(taken(`#key=${KEY}`, 'http://box/', false)).toEqual({ address: '/s/abc?side=raw', stored: {} });
});
