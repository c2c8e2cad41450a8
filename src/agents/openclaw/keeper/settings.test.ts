import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts';
import { parseLooseJson } from './loose-json.ts';
import { settingsOf } from './settings.ts';

function homeWith(config: string) {
  const folder = temporaryFolder('openclaw-settings');
  writeFileSync(join(folder, 'openclaw.json'), config);
  return { folder, env: { OPENCLAW_STATE_DIR: folder } };
}

test('settings are read as people write them, with comments and trailing commas', () => {
  expect(parseLooseJson('{ // one\n "a": "x // y", /* two */ "b": [1, 2, ], }')).toEqual({ a: 'x // y', b: [1, 2] });
  expect(parseLooseJson('{ a: 1 }')).toBeUndefined();
});

test("port and secret come from the config file, and OpenClaw's own variables win", () => {
  const { folder, env } = homeWith('{ "gateway": { "port": 4000, "auth": { "token": "in-file" } } }');
  expect(settingsOf(folder, env)).toEqual({ port: 4000, auth: { token: 'in-file' }, isOurToken: false });
  const set = { ...env, OPENCLAW_GATEWAY_PORT: '5000', OPENCLAW_GATEWAY_TOKEN: 'in-variable' };
  expect(settingsOf(folder, set)).toEqual({ port: 5000, auth: { token: 'in-variable' }, isOurToken: false });
  expect(settingsOf(folder, homeWith('{ "gateway": { "auth": { "password": "p" } } }').env)).toMatchObject({ port: 18789, auth: { password: 'p' } });
});

for (const config of ['', 'nonsense', '[]', '{ "gateway": 7 }', '{ "gateway": { "port": "x", "auth": { "token": { "ref": "elsewhere" } } } }']) {
  test(`when ${JSON.stringify(config)} has no secret, one is created and stored for its owner only`, () => {
    const { folder, env } = homeWith(config);
    const first = settingsOf(folder, env);
    expect(first).toMatchObject({ port: 18789, isOurToken: true });
    expect(settingsOf(folder, env)).toEqual(first);
    expect(first.auth).toEqual({ token: readFileSync(join(folder, 'token'), 'utf8').trim() });
  });
}
