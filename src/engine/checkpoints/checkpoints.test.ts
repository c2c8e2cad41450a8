import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  AGENT,
  checkpoints,
  createWithCheckpoints,
  gitBytes,
  repository,
  revert,
  S1,
  shell,
  snapshot,
  TURN,
  turn,
} from '../../../test/support/checkpoints/turns.ts';
import { ADA } from '../../../test/support/engine/test-engine.ts';
import { proofCount } from '../../../test/support/proof-length.ts';
import { waitFor } from '../../../test/support/wait-for.ts';
import { createCheckpoints, type TakeRequest } from '../../git/checkpoints.ts';
import { BOUNDS } from '../../git/side/stage-folder.ts';
import { openSqliteJournal } from '../../journal/sqlite/open-journal.ts';
import { isRefusal } from '../../protocol/command.ts';
import type { CheckpointId, CommandId, SessionId } from '../../protocol/ids.ts';

const S2 = 's2' as SessionId;

/** What a shell can do to files. */
const EDITS = 'sed -i s/one/1/ a.txt; echo new > made.txt; mkdir -p deep/er; echo x > deep/er/f; rm b.txt; chmod +x sub/c.txt; ln -s a.txt link';
const CHANGED = ['a.txt', 'b.txt', 'deep/er/f', 'link', 'made.txt', 'sub/c.txt'];

test('[R312] a turn that edits only through a shell can be previewed, reverted and undone, byte for byte, and the person’s repository is not touched', async () => {
  const setup = await createWithCheckpoints();
  const { work, engine } = setup;
  repository(work);
  const start = snapshot(work);
  const git = gitBytes(work);
  const after = await turn(setup, S1, work, () => shell(work, EDITS));
  expect(after).toMatchObject({ when: 'after', turnId: expect.any(String), left: [] });
  expect(after.changed.map(({ path }) => path)).toEqual(CHANGED);
  const edited = snapshot(work);
  const message = setup.events(S1).find((event) => event.type === 'user.message');
  const preview = await engine.previewRevert(S1, { to: message?.seq ?? 0 });
  if (isRefusal(preview)) throw new Error(preview.message);
  expect(preview.files.map(({ path, action, selected }) => `${path} ${action} ${selected}`)).toEqual([
    'a.txt restore true',
    'b.txt restore true',
    'deep/er/f delete true',
    'link delete true',
    'made.txt delete true',
    'sub/c.txt restore true',
  ]);
  expect(snapshot(work)).toEqual(edited);
  const done = await revert(setup, S1, { to: message?.seq ?? 0 });
  expect(done.files.map(({ path }) => path).toSorted()).toEqual(CHANGED);
  expect(snapshot(work)).toEqual(start);
  expect(existsSync(join(work, 'deep'))).toBe(false);
  const undo = checkpoints(setup, S1).find(({ checkpointId }) => checkpointId === done.undo);
  await revert(setup, S1, { to: undo?.seq ?? 0 });
  expect(snapshot(work)).toEqual(edited);
  expect(gitBytes(work)).toEqual(git);
});

test('[R313] a file edited by hand after the turn is refused by name; forced, it is restored and the hand edit stays in a checkpoint', async () => {
  const setup = await createWithCheckpoints();
  const { work } = setup;
  repository(work);
  const after = await turn(setup, S1, work, () => shell(work, 'echo agent >> a.txt; echo agent > made.txt'));
  const [before] = checkpoints(setup, S1);
  writeFileSync(join(work, 'a.txt'), 'by hand\n');
  const refused = await revert(setup, S1, { to: before?.seq ?? 0, paths: ['a.txt'] });
  expect(refused.files).toEqual([{ path: 'a.txt', result: 'refused', why: 'Somebody edited it after the agent.' }]);
  expect(readFileSync(join(work, 'a.txt'), 'utf8')).toBe('by hand\n');
  expect(existsSync(join(work, 'made.txt'))).toBe(true);
  const forced = await revert(setup, S1, { to: before?.seq ?? 0, force: ['a.txt'] });
  expect(forced.files).toEqual([
    { path: 'made.txt', result: 'deleted' },
    { path: 'a.txt', result: 'restored' },
  ]);
  expect(readFileSync(join(work, 'a.txt'), 'utf8')).toBe('one\ntwo\n');
  await revert(setup, S1, { to: checkpoints(setup, S1).find(({ checkpointId }) => checkpointId === forced.undo)?.seq ?? 0 });
  expect(readFileSync(join(work, 'a.txt'), 'utf8')).toBe('by hand\n');
  expect(after.late).toBeUndefined();
});

test('a hand edit between two turns is not taken for the agent’s, even if a later turn left it alone', async () => {
  const setup = await createWithCheckpoints();
  const { work } = setup;
  repository(work);
  await turn(setup, S1, work, () => shell(work, 'echo agent > a.txt'));
  writeFileSync(join(work, 'a.txt'), 'by hand\n');
  writeFileSync(join(work, 'mine.txt'), 'mine\n');
  await turn(setup, S1, work, () => shell(work, 'echo second > b.txt'));
  const preview = await setup.engine.previewRevert(S1, { to: checkpoints(setup, S1)[0]?.seq ?? 0 });
  if (isRefusal(preview)) throw new Error(preview.message);
  expect(preview.files).toMatchObject([
    { path: 'a.txt', refused: 'Somebody edited it after the agent.', canForce: true },
    { path: 'b.txt', selected: true },
  ]);
  expect(preview.others.map(({ path }) => path)).toEqual(['mine.txt']);
});

test('a symlink in place of a folder is refused by name, and nothing is written through it', async () => {
  const setup = await createWithCheckpoints();
  const { work, folder } = setup;
  repository(work);
  await turn(setup, S1, work, () => shell(work, 'echo agent > sub/c.txt'));
  const outside = join(folder, 'outside');
  mkdirSync(outside);
  writeFileSync(join(outside, 'c.txt'), 'agent\n');
  rmSync(join(work, 'sub'), { recursive: true });
  symlinkSync(outside, join(work, 'sub'));
  const done = await revert(setup, S1, { to: checkpoints(setup, S1)[0]?.seq ?? 0, force: ['sub/c.txt'] });
  expect(done.files).toMatchObject([{ path: 'sub/c.txt', result: 'refused', why: 'sub is a link' }]);
  expect(readFileSync(join(outside, 'c.txt'), 'utf8')).toBe('agent\n');
});

test('files are not restored while a session in the folder is working, and the refusal names it', async () => {
  const setup = await createWithCheckpoints();
  const { work } = setup;
  repository(work);
  await turn(setup, S1, work, () => shell(work, 'echo agent > a.txt'));
  await setup.do({ type: 'session.create', sessionId: S2, agent: AGENT, cwd: join(work, 'sub'), options: {}, prompt: TURN, title: 'Other' });
  await waitFor('a request', () => setup.engine.permissions(S2)[0]);
  const [before] = checkpoints(setup, S1);
  await expect(revert(setup, S1, { to: before?.seq ?? 0 })).rejects.toThrow('The session “Other” is working in this folder');
  expect(await setup.engine.previewRevert(S1, { to: before?.seq ?? 0 })).toMatchObject({ refused: 'conflict' });
});

test('while two sessions work in one folder their checkpoints are shared, and a revert chooses nothing by itself', async () => {
  const setup = await createWithCheckpoints();
  const { work } = setup;
  repository(work);
  await setup.do({ type: 'session.create', sessionId: S2, agent: AGENT, cwd: work, options: {}, prompt: TURN });
  const request = await waitFor('a request', () => setup.engine.permissions(S2)[0]);
  const after = await turn(setup, S1, work, () => shell(work, 'echo agent > a.txt'));
  expect(after.shared).toBe(true);
  await setup.do({ type: 'permission.answer', sessionId: S2, requestId: request.requestId, behavior: 'allow' });
  await setup.event(S2, 'turn.completed');
  await setup.engine.drain();
  const [before] = checkpoints(setup, S1);
  expect(await setup.engine.previewRevert(S1, { to: before?.seq ?? 0 })).toMatchObject({
    shared: true,
    sharedWith: [S2],
    files: [{ path: 'a.txt', selected: false }],
  });
  expect((await revert(setup, S1, { to: before?.seq ?? 0 })).problem).toContain('Choose the files');
  expect((await revert(setup, S1, { to: before?.seq ?? 0, paths: ['a.txt'] })).files).toEqual([{ path: 'a.txt', result: 'restored' }]);
});

test('without a repository it works the same, and what tools make again is left out', async () => {
  const setup = await createWithCheckpoints();
  const { work } = setup;
  mkdirSync(join(work, 'node_modules'));
  writeFileSync(join(work, 'node_modules/x'), 'x');
  writeFileSync(join(work, 'a'), 'a');
  const after = await turn(setup, S1, work, () => shell(work, 'echo y > node_modules/x; rm a; echo b > b'));
  expect(after.changed.map(({ path }) => path)).toEqual(['a', 'b']);
  await revert(setup, S1, { to: checkpoints(setup, S1)[0]?.seq ?? 0 });
  expect(Object.keys(snapshot(work))).toEqual(['a', 'node_modules/x']);
});

test('a folder over a bound turns checkpoints off with the reason, until a person turns them on', async () => {
  let data = '';
  const setup = await createWithCheckpoints({ openCheckpoints: async () => createCheckpoints(data, { ...BOUNDS, untrackedFiles: 2 }) });
  data = setup.dataDir;
  const { work } = setup;
  for (const name of ['1', '2', '3']) writeFileSync(join(work, name), name);
  await expect(turn(setup, S1, work, () => undefined)).rejects.toThrow('There is no checkpoint');
  expect(await setup.event(S1, 'checkpoint.skipped')).toMatchObject({ reason: 'the folder has more than 2 new files', off: true });
  rmSync(join(work, '3'));
  expect(await setup.engine.checkpoints(S1)).toMatchObject({ checkpoints: [], skipped: { off: true } });
  await setup.do({ type: 'checkpoints.enable', sessionId: S1 });
  expect((await turn(setup, S1, work, () => shell(work, 'echo x > 1'))).changed).toMatchObject([{ path: '1' }]);
  expect((await setup.engine.checkpoints(S1))?.skipped).toBeUndefined();
});

test('deleting a session deletes its checkpoints; the other session in the folder keeps its own', async () => {
  const setup = await createWithCheckpoints();
  const { work } = setup;
  repository(work);
  await turn(setup, S1, work, () => shell(work, 'echo one > a.txt'));
  await turn(setup, S2, work, () => shell(work, 'echo two > a.txt'));
  await setup.do({ type: 'session.delete', sessionId: S1 });
  await setup.engine.drain();
  const refs = shell(setup.dataDir, 'git --git-dir=$(echo checkpoints/*.git) for-each-ref --format="%(refname)"');
  expect(refs).not.toContain(`/${S1}/`);
  await revert(setup, S2, { to: checkpoints(setup, S2)[0]?.seq ?? 0 });
  expect(readFileSync(join(work, 'a.txt'), 'utf8')).toBe('one\n');
});

test('over the bound on disk, ordinary checkpoints of the oldest session are removed with an event; what undoes a revert stays', async () => {
  const setup = await createWithCheckpoints();
  const { work, folder } = setup;
  repository(work);
  await turn(setup, S1, work, () => shell(work, 'echo one > a.txt'));
  const { undo } = await revert(setup, S1, { to: checkpoints(setup, S1)[0]?.seq ?? 0 });
  await setup.reopen({ checkpointBytes: 1 });
  const other = join(folder, 'other');
  mkdirSync(other);
  await turn(setup, S2, other, () => undefined);
  await turn(setup, S2, other, () => undefined);
  const removed = await setup.event(S1, 'checkpoint.removed');
  expect(removed).toMatchObject({ reason: 'to make space', checkpointIds: [expect.any(String), expect.any(String)] });
  expect((await setup.engine.checkpoints(S1))?.checkpoints.map(({ checkpointId }) => checkpointId)).toEqual([undo]);
  expect(await setup.event(S2, 'checkpoint.skipped')).toMatchObject({ reason: expect.stringContaining('all the space') });
  await revert(setup, S1, { to: checkpoints(setup, S1).at(-1)?.seq ?? 0, force: ['a.txt'] });
  expect(readFileSync(join(work, 'a.txt'), 'utf8')).toBe('one\n');
});

test('a checkpoint that loses the race with the first tool call is late, and a revert to it chooses nothing', async () => {
  let data = '';
  let started = (): boolean => true;
  const openCheckpoints = async () => {
    const real = createCheckpoints(data);
    const take = async (request: TakeRequest) => {
      await waitFor('the tool', () => request.when !== 'before' || started());
      return real.take(request);
    };
    return { ...real, take };
  };
  const setup = await createWithCheckpoints({ openCheckpoints });
  data = setup.dataDir;
  const { work } = setup;
  repository(work);
  for (let race = 0; race < proofCount(2); race++) {
    const turns = () => setup.events(S1).filter((event) => event.type === 'tool.completed').length;
    const before = race === 0 ? 0 : turns();
    started = () => turns() > before;
    if (race === 0) await setup.do({ type: 'session.create', sessionId: S1, agent: AGENT, cwd: work, options: {}, prompt: 'tool 1' });
    else await setup.do({ type: 'input.send', sessionId: S1, text: 'tool 1' });
    await waitFor('both checkpoints', () => checkpoints(setup, S1).length === 2 * (race + 1));
  }
  const made = checkpoints(setup, S1).filter(({ when }) => when === 'before');
  expect(made.every(({ late }) => late === true)).toBe(true);
  expect(made.length).toBe(proofCount(2));
  expect(await setup.engine.previewRevert(S1, { to: made[0]?.seq ?? 0 })).toMatchObject({ late: true, files: [] });
});

test('[R314] after a restart, refs without an event are gone, a lock is removed, and an unfinished revert is repeated once', async () => {
  const setup = await createWithCheckpoints();
  const { work } = setup;
  repository(work);
  const start = snapshot(work);
  await turn(setup, S1, work, () => shell(work, EDITS));
  const side = shell(setup.dataDir, 'echo $PWD/checkpoints/*.git').trim();
  const [before] = checkpoints(setup, S1);
  // As after a kill: a ref whose event was not stored, a lock, a temporary file, and a revert that was only requested.
  await setup.close();
  shell(side, `git update-ref refs/sessions/s1/orphan ${before?.commit}; touch index.lock`);
  writeFileSync(join(work, '.signalbox-revert-0123456789abcdef'), 'half');
  const journal = openSqliteJournal({ dataDir: setup.dataDir });
  const requested = {
    type: 'revert.requested',
    commandId: 'r1' as CommandId,
    to: before?.seq ?? 0,
    checkpointId: before?.checkpointId as CheckpointId,
    actor: ADA,
  } as const;
  journal.append({ session: S1, after: journal.lastSeq(S1), at: new Date().toISOString(), events: [requested] });
  journal.close();
  await setup.reopen();
  await setup.event(S1, 'revert.done');
  await setup.engine.drain();
  expect(snapshot(work)).toEqual(start);
  expect(setup.events(S1).filter((event) => event.type === 'revert.done')).toHaveLength(1);
  expect(shell(side, 'git for-each-ref')).not.toContain('orphan');
  expect(existsSync(join(side, 'index.lock'))).toBe(false);
});
