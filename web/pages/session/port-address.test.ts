import { expect, test } from 'vitest';
import { portAddress } from './port-address.ts';

const cases: readonly (readonly [string, string, string, string | undefined])[] = [
  ['a loopback address, from the same machine', '127.0.0.1', 'localhost', 'http://127.0.0.1:5173/'],
  ['a loopback address, from another machine: no link', '127.0.0.1', 'box.example', undefined],
  ['all addresses: the one in the page’s address', '0.0.0.0', 'box.example', 'http://box.example:5173/'],
  ['all IPv6 addresses, page opened by an IPv6 address', '::', '[fd00::1]', 'http://[fd00::1]:5173/'],
  ['IPv6 loopback', '::1', '127.0.0.1', 'http://[::1]:5173/'],
  ['one address of the machine', '192.168.1.5', 'box.example', 'http://192.168.1.5:5173/'],
];
for (const [title, address, page, url] of cases) {
  test(`[R461] ${title}`, () => expect(portAddress(5173, address, page).url).toBe(url));
}
