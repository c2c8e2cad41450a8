import { expect, test } from 'vitest';
import { begin, found, freshCommandId } from '../../../test/support/engine/rules.ts';
import { ADA, createEngine, type EngineSetup } from '../../../test/support/engine/test-engine.ts';
import type { Entry, Journal } from '../../journal/journal.ts';
import { JournalUnwritable } from '../../journal/journal-errors.ts';
import type { CommandOf } from '../../protocol/command.ts';
import { WORKSPACE } from '../../protocol/event.ts';
import type { SessionId } from '../../protocol/ids.ts';
import type { Remember } from '../../protocol/rule.ts';

async function asking(setup: EngineSetup, prompt: string) {
  const id = await begin(setup, prompt);
  const { requestId } = await setup.event(id, 'permission.requested');
  return { id, requestId };
}

type Answer = CommandOf<'permission.answer'>;

const allowing = (asked: { id: SessionId; requestId: Answer['requestId'] }, remember: Remember, more: Partial<Answer> = {}): Answer => ({
  type: 'permission.answer',
  commandId: freshCommandId(),
  sessionId: asked.id,
  requestId: asked.requestId,
  behavior: 'allow',
  remember,
  ...more,
});

test('"allow and remember" creates the narrowest rule, and the next identical call is not asked about', async () => {
  const setup = await createEngine();
  const asked = await asking(setup, 'run date');
  await setup.engine.submit(allowing(asked, { scope: 'project' }), ADA);
  expect(setup.engine.rules()).toMatchObject([
    {
      behavior: 'allow',
      tool: 'Bash',
      command: 'date',
      agent: 'demo',
      scope: { kind: 'project', folder: setup.folder },
      fromRequest: asked.requestId,
      createdBy: ADA,
      uses: 0,
    },
  ]);
  expect(await setup.event(asked.id, 'permission.resolved')).toMatchObject({ outcome: 'allowed', actor: ADA, remember: { scope: 'project' } });
  const next = await begin(setup, 'run date');
  expect(await setup.event(next, 'permission.resolved')).toMatchObject({ outcome: 'allowed', actor: { kind: 'rule' } });
  const other = await asking(setup, 'run pwd');
  expect(setup.engine.permissions().map((open) => open.sessionId)).toEqual([other.id]);
});

test('a remembered rule answers other pending requests at once, and the answered request keeps the person as its actor', async () => {
  const setup = await createEngine();
  const [mine, other] = [await asking(setup, 'run date'), await asking(setup, 'run date')];
  await setup.engine.submit(allowing(mine, { scope: 'everywhere' }), ADA);
  expect(await setup.event(mine.id, 'permission.resolved')).toMatchObject({ actor: ADA });
  expect(await setup.event(other.id, 'permission.resolved')).toMatchObject({ outcome: 'allowed', actor: { kind: 'rule' } });
  expect(setup.engine.rules()).toMatchObject([{ uses: 1 }]);
});

test('a rule remembered for a session applies only there', async () => {
  const setup = await createEngine();
  const asked = await asking(setup, 'run date');
  await setup.engine.submit(allowing(asked, { scope: 'session' }), ADA);
  const done = await setup.event(asked.id, 'turn.completed');
  await setup.do({ type: 'input.send', sessionId: asked.id, text: 'run date' });
  await setup.event(asked.id, 'turn.completed', (event) => event.seq > done.seq);
  const elsewhere = await asking(setup, 'run date');
  expect(setup.engine.permissions().map((open) => open.sessionId)).toEqual([elsewhere.id]);
});

test('[R157] a rule that does not match the call it is made from is refused, and nothing changes', async () => {
  const setup = await createEngine();
  const asked = await asking(setup, 'run date');
  const answer = await setup.engine.submit(allowing(asked, { scope: 'session', rule: { tool: 'Bash', command: 'git status' } }), ADA);
  expect(answer).toMatchObject({ refused: 'bad-request', message: expect.stringContaining('does not match the request') });
  expect(setup.engine.rules()).toEqual([]);
  expect(setup.engine.permissions().map((open) => open.requestId)).toEqual([asked.requestId]);
});

test('when a person changes the input before allowing it, the rule is made from the changed input', async () => {
  const setup = await createEngine();
  const asked = await asking(setup, 'run date');
  const changed = { updatedInput: { command: 'pwd' } };
  expect(await setup.engine.submit(allowing(asked, { scope: 'session', rule: { tool: 'Bash', command: 'date' } }, changed), ADA)).toMatchObject({
    refused: 'bad-request',
  });
  await setup.engine.submit(allowing(asked, { scope: 'session' }, changed), ADA);
  expect(setup.engine.rules()).toMatchObject([{ command: 'pwd' }]);
});

test('a repeated answer creates no second rule, and a late answer creates none', async () => {
  const setup = await createEngine();
  const asked = await asking(setup, 'run date');
  const answer = allowing(asked, { scope: 'everywhere' });
  const first = await setup.engine.submit(answer, ADA);
  await setup.reopen();
  expect(await setup.engine.submit(answer, ADA)).toEqual(first);
  expect(await setup.engine.submit(allowing(asked, { scope: 'everywhere' }), ADA)).toMatchObject({ refused: 'already-answered' });
  expect(setup.engine.rules()).toHaveLength(1);
});

test('an answer that could not be stored is refused, and creates one rule when it is sent again', async () => {
  let isFull = false;
  const setup = await createEngine({ journal: (journal) => refusing(journal, ({ session }) => isFull && session !== WORKSPACE) });
  const asked = await asking(setup, 'run date');
  const answer = allowing(asked, { scope: 'everywhere' });
  isFull = true;
  expect(await setup.engine.submit(answer, ADA)).toMatchObject({ refused: 'disk-low' });
  expect(setup.engine.permissions()).toHaveLength(1);
  isFull = false;
  expect(await setup.engine.submit(answer, ADA)).toMatchObject({ commandId: answer.commandId });
  expect(await setup.event(asked.id, 'permission.resolved')).toMatchObject({ outcome: 'allowed', actor: ADA });
  expect(setup.engine.rules()).toHaveLength(1);
});

/** A journal that fails for some entries as if the disk were full. */
const refusing = (journal: Journal, isRefused: (entry: Entry) => boolean): Journal =>
  new Proxy(journal, {
    get: (real, name) => {
      if (name !== 'append') return typeof real[name as keyof Journal] === 'function' ? real[name as keyof Journal].bind(real) : undefined;
      return (entry: Entry) => {
        if (isRefused(entry)) throw new JournalUnwritable('journal.db', 'no space');
        return real.append(entry);
      };
    },
  });

test('a denial cannot be remembered with an answer and creates no rule', async () => {
  const setup = await createEngine();
  const asked = await asking(setup, 'run date');
  const answer = await setup.engine.submit(allowing(asked, { scope: 'session' }, { behavior: 'deny' }), ADA);
  expect(answer).toMatchObject({ refused: 'bad-request' });
  expect(setup.engine.rules()).toEqual([]);
});

test('a pending request has proposals for rules that match it', async () => {
  const setup = await createEngine();
  const asked = await asking(setup, 'run date');
  const offered = setup.engine.proposals(asked.requestId);
  const proposals = 'proposals' in offered ? offered.proposals : [];
  expect(proposals[0]?.pattern).toEqual({ tool: 'Bash', command: 'date' });
  expect(proposals.every(({ words }) => words !== '')).toBe(true);
  await setup.engine.submit(allowing(asked, { scope: 'session', rule: found(proposals.at(-1)).pattern }), ADA);
  expect(setup.engine.rules()).toHaveLength(1);
  expect(setup.engine.proposals(asked.requestId)).toMatchObject({ refused: 'not-found' });
});

test('a call that is not fully understood can be allowed once but not by a rule', async () => {
  const setup = await createEngine();
  const asked = await asking(setup, 'run date && rm -rf $(pwd)');
  expect(setup.engine.proposals(asked.requestId)).toMatchObject({ proposals: [], cannot: expect.stringMatching(/\w/) });
  const answer = await setup.engine.submit(allowing(asked, { scope: 'session' }), ADA);
  expect(answer).toMatchObject({ refused: 'bad-request', message: expect.stringContaining('Allow it once. Nothing was changed.') });
  expect(setup.engine.permissions()).toHaveLength(1);
});
