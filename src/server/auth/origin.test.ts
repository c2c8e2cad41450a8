import { expect, test } from 'vitest';
import { LOCAL } from '../../../test/support/server/test-server.ts';
import { isOurHost, isOurOrigin } from './origin.ts';

const proxied = { ...LOCAL, publicUrl: 'https://box.example.org/x', allowedHosts: ['lan.example.org'] };
const everywhere = { ...LOCAL, host: '0.0.0.0' };
const tls = { ...LOCAL, host: 'box.lan', tls: { certFile: 'c', keyFile: 'k' } };

const hosts = [
  ['127.0.0.1:4750', LOCAL, true],
  ['localhost:4750', LOCAL, true],
  ['LOCALHOST', LOCAL, true],
  ['[::1]:4750', LOCAL, true],
  ['127.9.9.9', LOCAL, true],
  ['evil.example.org', LOCAL, false],
  ['127.0.0.1.evil.example.org', LOCAL, false],
  ['localhost.evil.example.org:4750', LOCAL, false],
  ['192.168.1.5:4750', LOCAL, false],
  ['evil@127.0.0.1', LOCAL, false],
  ['', LOCAL, false],
  [undefined, LOCAL, false],
  ['box.example.org', proxied, true],
  ['lan.example.org:8080', proxied, true],
  ['other.example.org', proxied, false],
  ['192.168.1.5:4750', everywhere, true],
  ['[fe80::1]:4750', everywhere, true],
  ['evil.example.org', everywhere, false],
  ['box.lan', tls, true],
] as const;
for (const [host, settings, expected] of hosts) {
  test(`the host ${host} is ${expected ? 'ours' : 'not ours'} when serving on ${settings.host}`, () => expect(isOurHost(host, settings)).toBe(expected));
}

const origins = [
  [undefined, undefined, LOCAL, true],
  [undefined, 'same-origin', LOCAL, true],
  [undefined, 'none', LOCAL, true],
  [undefined, 'cross-site', LOCAL, false],
  [undefined, 'same-site', LOCAL, false],
  ['http://127.0.0.1:4750', 'same-origin', LOCAL, true],
  ['http://127.0.0.1:9999', undefined, LOCAL, false],
  ['http://localhost:4750', undefined, LOCAL, false],
  ['https://evil.example.org', undefined, LOCAL, false],
  ['null', undefined, LOCAL, false],
  ['null', 'cross-site', LOCAL, false],
  ['null', 'same-origin', LOCAL, true],
  ['file://', undefined, LOCAL, false],
  ['nonsense', undefined, LOCAL, false],
  ['https://box.example.org', undefined, proxied, true],
  ['http://box.example.org', undefined, proxied, false],
  ['https://lan.example.org', undefined, proxied, true],
  ['http://127.0.0.1:4750', undefined, tls, false],
  ['https://127.0.0.1:4750', undefined, tls, true],
] as const;
for (const [origin, fetchSite, settings, expected] of origins) {
  test(`a change from the page ${origin} (${fetchSite}) is ${expected ? 'ours' : 'foreign'} when serving on ${settings.host}${'publicUrl' in settings ? ' behind a proxy' : ''}`, () => {
    expect(isOurOrigin({ origin, fetchSite, host: '127.0.0.1:4750' }, settings)).toBe(expected);
  });
}
