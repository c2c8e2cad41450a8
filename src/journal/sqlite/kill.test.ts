import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { bundle } from '../../../test/support/bundle.ts';
import { commandOf, sessionOf } from '../../../test/support/journal/samples.ts';
import { temporaryFolder } from '../../../test/support/journal/temporary-folders.ts';
import type { Journal } from '../journal.ts';
import { openSqliteJournal } from './open-journal.ts';

const folder = temporaryFolder();
const child = bundle('test/support/journal/append-and-acknowledge.fixture.ts');

/** After how many acknowledgements each process is killed; which bytes are being written then is up to the machine. */
const KILLS = [1, 7, 2, 40, 13, 400];

interface Acknowledged {
  readonly session: string;
  readonly command: string;
  readonly seq: number;
}

test('[R7] every acknowledged entry survives SIGKILL at any moment, without gaps or duplicates', async () => {
  const dataDir = folder.make();
  const acknowledged: Acknowledged[] = [];
  for (const [life, kills] of KILLS.entries()) {
    acknowledged.push(...(await liveUntil(dataDir, life, kills)));
    const journal = openSqliteJournal({ dataDir });
    checkAcknowledged(journal, acknowledged);
    checkWhole(journal);
    checkMirror(dataDir, acknowledged);
    journal.close();
  }
  expect(acknowledged.length).toBeGreaterThanOrEqual(KILLS.reduce((sum, kills) => sum + kills));
});

async function liveUntil(dataDir: string, life: number, kills: number): Promise<readonly Acknowledged[]> {
  const writer = spawn(process.execPath, [child, dataDir, String(life)], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(writer, 'exit');
  const received: Acknowledged[] = [];
  for await (const line of createInterface({ input: writer.stdout })) {
    const [session = '', command = '', seq = ''] = line.split(' ');
    received.push({ session, command, seq: Number(seq) });
    if (received.length === kills) writer.kill('SIGKILL');
  }
  expect((await ended)[1]).toBe('SIGKILL');
  return received;
}

function checkAcknowledged(journal: Journal, acknowledged: readonly Acknowledged[]): void {
  for (const { session, command, seq } of acknowledged) {
    expect(journal.receipt(commandOf(command))).toMatchObject({ sessionId: session, seq });
    expect(journal.after(sessionOf(session), seq - 1, 1)).toMatchObject([{ type: 'input.accepted', commandId: command, seq }]);
  }
}

function checkWhole(journal: Journal): void {
  const positioned = journal.since(0, 1_000_000);
  const commands = positioned.flatMap(({ event }) => (event.type === 'input.accepted' ? [event.commandId] : []));
  expect(new Set(commands).size).toBe(commands.length);
  for (const session of journal.sessions()) {
    const seqs = positioned.filter((one) => one.session === session).map((one) => one.event.seq);
    expect(seqs).toEqual(Array.from({ length: journal.lastSeq(session) }, (_, index) => index + 1));
  }
}

function checkMirror(dataDir: string, acknowledged: readonly Acknowledged[]): void {
  for (const session of new Set(acknowledged.map((one) => one.session))) {
    const text = readFileSync(join(dataDir, 'sessions', session, 'people.ndjson'), 'utf8');
    const missing = acknowledged.filter((one) => one.session === session && !text.includes(`"commandId":"${one.command}"`));
    expect(missing).toEqual([]);
  }
}
