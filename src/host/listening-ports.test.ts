import { createServer, type Server } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { HAS_PROC } from './identity.ts';
import { parseSocket, portsOf } from './listening-ports.ts';

const listen = async (host: string): Promise<number> => {
  const server: Server = createServer();
  onTestFinished(() => void server.close());
  await new Promise<void>((done) => void server.listen(0, host, done));
  const at = server.address();
  return at !== null && typeof at === 'object' ? at.port : 0;
};

test.runIf(HAS_PROC)('[R461] a process’s listening sockets are found with their addresses, IPv4 and IPv6', async () => {
  const [four, all, six] = [await listen('127.0.0.1'), await listen('0.0.0.0'), await listen('::1')];
  const found = portsOf([process.pid]);
  const addressOf = (port: number) => found.filter((one) => one.port === port).map(({ address }) => address);
  expect([addressOf(four), addressOf(all), addressOf(six)]).toEqual([['127.0.0.1'], ['0.0.0.0'], ['::1']]);
  expect(portsOf([2 ** 22])).toEqual([]);
});

const END = '00000000:00000000 00:00000000 00000000     0        0';
const cases: readonly (readonly [string, string, object])[] = [
  ['IPv4', `   0: 0100007F:1435 00000000:0000 0A ${END} 77 1 0`, [['77', { port: 5173, address: '127.0.0.1' }]]],
  [
    'IPv6',
    `   0: B80D0120000000000000000001000000:1435 00000000000000000000000000000000:0000 0A ${END} 78 1 0`,
    [['78', { port: 5173, address: '2001:db8::1' }]],
  ],
  [
    'IPv4 in IPv6',
    `   0: 0000000000000000FFFF00000100007F:1435 00000000000000000000000000000000:0000 0A ${END} 79 1`,
    [['79', { port: 5173, address: '127.0.0.1' }]],
  ],
  ['a connection', `   0: 0100007F:1435 0100007F:9999 01 ${END} 80 1 0`, []],
  ['something else', 'garbage', []],
];
for (const [name, line, expected] of cases) test(`a line of /proc/net/tcp: ${name}`, () => expect(parseSocket(line)).toEqual(expected));
