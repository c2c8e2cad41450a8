import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { DIAMOND, nodeId, plansOf, statuses, step } from '../../../test/support/engine/plans.ts';
import { createEngine } from '../../../test/support/engine/test-engine.ts';
import { createRepository } from '../../../test/support/git-repository.ts';
import { waitFor } from '../../../test/support/wait-for.ts';
import type { RequestId } from '../../protocol/ids.ts';

// biome-ignore lint/suspicious/noThenProperty: a word of the plan format, never a function.
const ONE_FIX = { max: 1, then: 'gate' } as const;

test('[R611] a diamond runs in the order of its needs; each step is one session that gets the summaries of what it needs', async () => {
  const setup = await createEngine();
  const plans = plansOf(setup);
  await plans.create(DIAMOND);
  expect(statuses(plans.state())).toEqual({ top: 'ready', left: 'pending', right: 'pending', bottom: 'pending' });
  await plans.act({ type: 'plan.start' });
  const done = await plans.until('done', ({ status }) => status === 'done');
  expect(statuses(done)).toEqual({ top: 'done', left: 'done', right: 'done', bottom: 'done' });
  const started = plans.events().flatMap((event) => (event.type === 'node.started' ? [event.node] : []));
  expect([started[0], started.slice(1, 3).sort(), started[3]]).toEqual(['top', ['left', 'right'], 'bottom']);
  const [input] = setup.events(plans.session('bottom')).flatMap((event) => (event.type === 'input.accepted' ? [event] : []));
  expect(input?.text).toContain('## Result of the step “Do left” (left)');
  expect(input?.text).toContain(plans.node('left').summary);
  expect(input?.text).not.toContain('Do top');
  expect(input?.actor).toMatchObject({ kind: 'plan', id: 'build' });
  expect(setup.engine.session(plans.session('top'))).toMatchObject({ owner: 'Ada', ownerId: 'ada', plan: { planId: 'build', nodeId: 'top' } });
  expect(setup.engine.sessions()).toHaveLength(4);
});

test('[R612] a check that fails sends its output back in the same session; after the last try a gate opens', async () => {
  const setup = await createEngine();
  const plans = plansOf(setup);
  const tries = join(setup.folder, 'tries');
  const passesAtThird = `echo x >> ${tries}; test $(wc -l < ${tries}) -ge 3 || { echo not yet; exit 1; }`;
  await plans.create([step('a', [], { verify: { command: passesAtThird } }), step('b', ['a'], { verify: { command: 'echo never; exit 7' }, fix: ONE_FIX })]);
  await plans.act({ type: 'plan.start' });
  await plans.until('at its gate', ({ gates }) => gates.length > 0);
  const turns = (id: string) => setup.events(plans.session(id)).filter(({ type }) => type === 'turn.completed').length;
  expect([turns('a'), turns('b')]).toEqual([3, 2]);
  expect(plans.node('a')).toMatchObject({ status: 'done', attempts: [{ n: 1, fixes: 2, verified: { round: 3, ok: true } }] });
  const texts = setup.events(plans.session('a')).flatMap((event) => (event.type === 'input.accepted' ? [event.text] : []));
  expect(texts[1]).toContain('not yet');
  expect(plans.node('b')).toMatchObject({ status: 'waiting', attempts: [{ verified: { ok: false, output: expect.stringContaining('Exit code 7') } }] });
  await plans.act({ type: 'gate.decide', node: nodeId('b'), outcome: 'go' });
  await plans.until('done', ({ status }) => status === 'done');
});

test('[R613] a gate holds no process; “back” runs a step again with the words, and everything that needs it; “stop” ends the plan', async () => {
  const setup = await createEngine();
  const plans = plansOf(setup);
  await plans.create([step('a'), step('b', ['a']), step('look', ['b'], { kind: 'gate', prompt: 'Good?' })]);
  await plans.act({ type: 'plan.start' });
  const { gates } = await plans.until('at the gate', (plan) => plan.gates.length > 0);
  expect(gates).toMatchObject([{ node: 'look', question: 'Good?' }]);
  await plans.act({ type: 'gate.decide', node: nodeId('look'), outcome: 'back', to: nodeId('a'), words: 'in French please' });
  await plans.until('at the gate again', (plan) => plan.gateCount === 2);
  expect([plans.node('a').attempts.length, plans.node('b').attempts.length]).toEqual([2, 2]);
  const again = setup.events(plans.session('a', 2)).find((event) => event.type === 'input.accepted');
  expect(again?.type === 'input.accepted' && again.text).toContain('in French please');
  await plans.act({ type: 'gate.decide', node: nodeId('look'), outcome: 'stop' });
  expect(plans.state()).toMatchObject({ status: 'cancelled', gates: [] });
});

test('[R614] a failed step blocks what needs it; resume continues in its session, retry starts another, skip counts as done, each once', async () => {
  const setup = await createEngine();
  const plans = plansOf(setup);
  await plans.create([step('a', [], { prompt: 'fail now', permissionMode: 'dontAsk' }), step('b', ['a']), step('c')], { parallel: 4 });
  await plans.act({ type: 'plan.start' });
  await plans.until('failed', ({ status }) => status === 'failed');
  expect(statuses(plans.state())).toEqual({ a: 'failed', b: 'blocked', c: 'done' });
  await plans.act({ type: 'node.resume', node: nodeId('a'), words: 'hello instead', commandId: 'resume' });
  await plans.act({ type: 'node.resume', node: nodeId('a'), words: 'hello instead', commandId: 'resume' });
  await plans.until('done', ({ status }) => status === 'done');
  expect(plans.node('a').attempts).toMatchObject([{ n: 1, inputs: [{ why: 'start' }, { why: 'resume' }] }]);
  expect(setup.events(plans.session('a')).filter(({ type }) => type === 'input.accepted')).toHaveLength(2);
});

test('[R614] retry and skip', async () => {
  const setup = await createEngine();
  const plans = plansOf(setup);
  await plans.create([step('a', [], { prompt: 'fail now', permissionMode: 'dontAsk' }), step('b', ['a'])]);
  await plans.act({ type: 'plan.start' });
  await plans.until('failed', ({ status }) => status === 'failed');
  await plans.act({ type: 'node.retry', node: nodeId('a') });
  await plans.until('failed again', ({ status, nodes }) => status === 'failed' && nodes[0]?.attempts.length === 2);
  expect(setup.engine.session(plans.session('a', 2))).toBeDefined();
  await plans.act({ type: 'node.skip', node: nodeId('a') });
  await plans.until('done', ({ status }) => status === 'done');
  expect(plans.node('a')).toMatchObject({ status: 'skipped', summary: 'skipped by Ada' });
  expect((await plans.refused({ type: 'node.skip', node: nodeId('a') })).message).toContain('skipped');
});

test('[R615] each step works in its own worktree; its branch is merged into the plan’s branch, and the user’s checkout stays as it was', async () => {
  const setup = await createEngine();
  const plans = plansOf(setup);
  const repo = createRepository(join(setup.folder, 'project'));
  const before = [repo.git('status', '--porcelain'), repo.git('rev-parse', 'HEAD'), readFileSync(join(repo.path, '.git', 'index')).toString('hex')];
  const command = (file: string) => ({ kind: 'command', prompt: `echo ${file} > ${file}` }) as const;
  await plans.create(
    [step('a', [], command('a.txt')), step('b', [], command('b.txt')), step('c', ['a', 'b'], { kind: 'command', prompt: 'cat a.txt b.txt' })],
    {},
    repo.path,
  );
  await plans.act({ type: 'plan.start' });
  const done = await plans.until('done', ({ status }) => status === 'done' || status === 'failed');
  expect(done.status).toBe('done');
  expect(repo.git('ls-tree', '--name-only', 'plan/build').split('\n')).toEqual(['a.txt', 'b.txt', 'readme.md']);
  expect(plans.node('c').summary).toBe('a.txt\nb.txt');
  expect([repo.git('status', '--porcelain'), repo.git('rev-parse', 'HEAD'), readFileSync(join(repo.path, '.git', 'index')).toString('hex')]).toEqual(before);
});

test('[R615] a conflict changes nothing: it waits at a gate, and no conflict marker gets into the plan’s branch', async () => {
  const setup = await createEngine();
  const plans = plansOf(setup);
  const repo = createRepository(join(setup.folder, 'project'));
  const change = (word: string) => ({ kind: 'command', prompt: `echo ${word} > readme.md` }) as const;
  await plans.create([step('a', [], change('one')), step('b', [], change('two'))], {}, repo.path);
  await plans.act({ type: 'plan.start' });
  const { gates } = await plans.until('at a gate', (plan) => plan.gates.length > 0);
  expect(gates).toMatchObject([{ why: 'merge', question: expect.stringContaining('readme.md') }]);
  expect(repo.git('show', 'plan/build:readme.md')).toMatch(/^(one|two)$/);
  const late = gates[0]?.node ?? nodeId('b');
  writeFileSync(join(setup.engine.session(plans.node(late).attempts[0]?.sessionId ?? ('' as never))?.cwd ?? '', 'readme.md'), 'both\n');
  const tree = setup.engine.session(plans.node(late).attempts[0]?.sessionId ?? ('' as never))?.worktree;
  const { execFileSync } = await import('node:child_process');
  execFileSync('git', ['-C', tree?.path ?? '', 'commit', '-qam', 'mine']);
  execFileSync('git', ['-C', tree?.path ?? '', 'merge', '-q', '-X', 'ours', 'plan/build'], { stdio: 'ignore' });
  await plans.act({ type: 'gate.decide', node: late, outcome: 'go' });
  await plans.until('done', ({ status }) => status === 'done');
  expect(repo.git('show', 'plan/build:readme.md')).toBe('both');
});

test('[R616] a budget pauses the plan once it is used up; nothing starts until it is raised', async () => {
  const setup = await createEngine();
  const plans = plansOf(setup);
  await plans.create([step('a'), step('b', ['a']), step('c', ['b'])], { budget: { turns: 2 } });
  await plans.act({ type: 'plan.start' });
  await plans.until('paused', ({ status }) => status === 'paused');
  expect(plans.state()).toMatchObject({ paused: { reason: 'budget' }, spent: { turns: 2, unknown: true }, neared: ['turns'] });
  expect(plans.node('c').attempts).toEqual([]);
  expect((await plans.refused({ type: 'plan.resume' })).message).toContain('Raise it first');
  await plans.act({ type: 'plan.revise', base: 1, ops: [{ op: 'set', set: { budget: { turns: 3 } } }] });
  await plans.act({ type: 'plan.resume' });
  await plans.until('done', ({ status }) => status === 'done');
  expect(plans.state().spent.turns).toBe(3);
});

test('[R617] a server that is closed in the middle of a step continues the plan; no message is sent twice', async () => {
  const setup = await createEngine();
  const plans = plansOf(setup);
  await plans.create(DIAMOND);
  await plans.act({ type: 'plan.start' });
  for (const id of ['top', 'left', 'bottom']) {
    await plans.until(`at ${id}`, ({ nodes }) => nodes.some((node) => node.id === id && node.attempts.length > 0));
    await setup.reopen();
  }
  await plans.until('done', ({ status }) => status === 'done');
  for (const { id } of DIAMOND) expect(setup.events(plans.session(id)).filter(({ type }) => type === 'input.accepted')).toHaveLength(1);
});

test('[R618] pausing starts nothing more and lets turns end; cancelling interrupts them', async () => {
  const setup = await createEngine();
  const plans = plansOf(setup);
  await plans.create([step('a', [], { prompt: 'run sleep 60', permissionMode: 'default' }), step('b')], { parallel: 1 });
  await plans.act({ type: 'plan.start' });
  await setup.event(plans.session('a'), 'permission.requested');
  expect(setup.engine.planWaits(plans.state().id)).toMatchObject({ a: { kind: 'person' }, b: { kind: 'parallel' } });
  await plans.act({ type: 'plan.pause' });
  expect(setup.engine.planWaits(plans.state().id)).toMatchObject({ b: { kind: 'plan' } });
  await plans.act({ type: 'plan.cancel' });
  expect(await setup.event(plans.session('a'), 'turn.completed')).toMatchObject({ interrupted: true });
  expect(plans.node('b').attempts).toEqual([]);
});

test('[R621] a gate and a used-up budget are cards of the inbox; own words send a step back', async () => {
  const setup = await createEngine();
  const plans = plansOf(setup);
  await plans.create([step('a'), step('look', ['a'], { kind: 'gate', prompt: 'Good?' }), step('b', ['look'])], { budget: { turns: 2 } });
  await plans.act({ type: 'plan.start' });
  const card = await waitFor('the card', () => setup.engine.permissions()[0]);
  expect(card).toMatchObject({ requestId: 'plan:build:gate1', sessionTitle: 'Build it', kind: 'question', input: { questions: [{ question: 'Good?' }] } });
  const answer = (requestId: RequestId, words: string) =>
    setup.do({ type: 'permission.answer', sessionId: card.sessionId, requestId, behavior: 'allow', answers: { 'Good?': words } });
  await answer(card.requestId, 'shorter please');
  await expect(answer(card.requestId, 'Continue')).rejects.toThrow('already-answered');
  const budget = await waitFor('the budget', () => setup.engine.permissions().find(({ requestId }) => requestId.includes('budget')));
  expect(plans.node('a').attempts).toHaveLength(2);
  await answer(budget.requestId, 'Raise it by half');
  const second = await waitFor('the gate again', () => setup.engine.permissions().find(({ requestId }) => requestId.endsWith('gate2')));
  await answer(second.requestId, 'Continue');
  await plans.until('done', ({ status }) => status === 'done');
  expect(setup.engine.permissions()).toEqual([]);
});

test('[R622] a usage limit makes the agent’s steps wait until it resets, also across a restart; then each starts once', async () => {
  const setup = await createEngine();
  const plans = plansOf(setup);
  await plans.create([step('a', [], { prompt: 'limit 3' }), step('b'), step('c', [], { kind: 'command', prompt: 'echo not held up' })], { parallel: 1 });
  await plans.act({ type: 'plan.start' });
  await plans.until('limited', ({ nodes }) => nodes[0]?.attempts[0]?.last === 'limited');
  await setup.reopen();
  await plans.until('done', ({ status }) => status === 'done');
  expect(plans.node('a').attempts).toMatchObject([{ n: 1, inputs: [{ why: 'start' }, { why: 'limit' }] }]);
  for (const id of ['b', 'c']) expect(plans.node(id).attempts).toHaveLength(1);
});

test('[R623] a step that has used its time is interrupted, and a gate asks; waiting for a person is no work', async () => {
  let ahead = 0;
  const setup = await createEngine({ now: () => new Date(Date.now() + ahead) });
  const plans = plansOf(setup);
  await plans.create([
    step('a', [], { prompt: 'wait for me', timeLimitMinutes: 1 }),
    step('b', [], { prompt: 'run sleep 1', timeLimitMinutes: 1, permissionMode: 'default' }),
  ]);
  await plans.act({ type: 'plan.start' });
  const request = await setup.event(plans.session('b'), 'permission.requested');
  await setup.event(plans.session('a'), 'turn.started');
  ahead = 61_000;
  await plans.act({ type: 'node.note', node: nodeId('a'), notes: 'looked' });
  const { gates } = await plans.until('at the gate', (plan) => plan.gates.length > 0);
  expect(gates).toMatchObject([{ node: 'a', why: 'time' }]);
  expect(await setup.event(plans.session('a'), 'turn.completed')).toMatchObject({ interrupted: true });
  expect(plans.node('b').status).toBe('running');
  await setup.do({ type: 'permission.answer', sessionId: plans.session('b'), requestId: request.requestId, behavior: 'deny' });
  await plans.act({ type: 'gate.decide', node: nodeId('a'), outcome: 'go', words: 'think about it' });
  await plans.until('done', ({ status }) => status === 'done');
  expect(plans.node('a').attempts).toMatchObject([{ n: 1, moreMinutes: 30, inputs: [{ why: 'start' }, { why: 'time' }] }]);
});

test('[R614] a step whose session is deleted has failed; a retry gets a new session', async () => {
  const setup = await createEngine();
  const plans = plansOf(setup);
  await plans.create([step('a', [], { prompt: 'run sleep 60', permissionMode: 'default' })]);
  await plans.act({ type: 'plan.start' });
  await setup.event(plans.session('a'), 'permission.requested');
  await setup.do({ type: 'session.delete', sessionId: plans.session('a') });
  await plans.until('failed', ({ status }) => status === 'failed');
  expect(plans.node('a')).toMatchObject({ status: 'failed', reason: 'Its session was deleted.' });
  await plans.act({ type: 'node.retry', node: nodeId('a') });
  await setup.event(plans.session('a', 2), 'permission.requested');
  expect(setup.engine.session(plans.session('a'))).toBeUndefined();
});

test('[R617] a server closes while a check runs; the next one reads how the check ended', async () => {
  const setup = await createEngine();
  const plans = plansOf(setup);
  const [go, runs] = [join(setup.folder, 'go'), join(setup.folder, 'runs')];
  await plans.create([step('a', [], { verify: { command: `echo x >> ${runs}; while [ ! -e ${go} ]; do sleep 0.02; done` } })]);
  await plans.act({ type: 'plan.start' });
  await waitFor('the check', () => existsSync(runs));
  await setup.reopen();
  writeFileSync(go, '');
  await plans.until('done', ({ status }) => status === 'done');
  expect(readFileSync(runs, 'utf8')).toBe('x\n');
});
