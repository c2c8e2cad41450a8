import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { encode } from '../../src/agents/codex/encode.ts';
import { handshake } from '../../src/agents/codex/handshake.ts';
import { codex } from '../../src/agents/codex/index.ts';
import { NOTIFICATIONS } from '../../src/agents/codex/notifications.ts';
import { REQUESTS } from '../../src/agents/codex/requests.ts';
import type { CommandId } from '../../src/protocol/ids.ts';
import { codexPath } from '../support/agents/agent-clis.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const commandId = 'c' as CommandId;

/** The method of every request and notification that we send. */
const SENT = [
  ...(['new', 'resume', 'fork'] as const).flatMap((mode) => handshake({ cwd: '/w', options: {}, mode, agentSessionId: 'x' })),
  ...['hi', '/compact'].flatMap((text) => encode({ kind: 'input', commandId, text, images: [], steer: false }, codex.initial())),
  ...encode({ kind: 'interrupt', requestId: 'i' }, codex.initial()),
  ...encode({ kind: 'set', commandId, setting: 'model', value: 'm' }, codex.initial()),
].map((line) => String(JSON.parse(line).method));

test("every method, item kind and decision that we read or send is in the binary's own schema", ({ skip }) => {
  const found = codexPath('0.166.0');
  if ('skip' in found) return skip(found.skip);
  const folder = temporaryFolder('codex-schema');
  execFileSync(found.path, ['app-server', 'generate-json-schema', '--out', folder], { env: { ...process.env, CODEX_HOME: folder }, stdio: 'ignore' });
  const named = (file: string): ReadonlySet<string> => new Set(readFileSync(join(folder, `${file}.json`), 'utf8').match(/(?<=")[\w/]+(?=")/g));

  expect(missing(Object.keys(NOTIFICATIONS), named('ServerNotification'))).toEqual([]);
  expect(missing(Object.keys(REQUESTS), named('ServerRequest'))).toEqual([]);
  const sent = new Set([...named('ClientRequest'), ...named('ClientNotification')]);
  expect(missing(SENT, sent)).toEqual([]);
  expect(
    missing(['accept', 'acceptForSession', 'acceptWithExecpolicyAmendment', 'decline', 'cancel'], named('CommandExecutionRequestApprovalResponse')),
  ).toEqual([]);
  expect(missing(['accept', 'acceptForSession', 'decline', 'cancel'], named('FileChangeRequestApprovalResponse'))).toEqual([]);
  const items = ['userMessage', 'agentMessage', 'plan', 'reasoning', 'commandExecution', 'fileChange', 'mcpToolCall', 'webSearch', 'contextCompaction'];
  expect(missing(items, named('ServerNotification'))).toEqual([]);
  expect(missing(['clientUserMessageId', 'sandboxPolicy', 'approvalPolicy', 'effort', 'model', 'excludeTurns'], named('ClientRequest'))).toEqual([]);
});

const missing = (names: readonly string[], known: ReadonlySet<string>): readonly string[] => names.filter((name) => !known.has(name));
