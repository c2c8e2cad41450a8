import type { EventOf, TypeMadeBy } from '../../protocol/event.ts';
import { countText, tokensText } from '../amounts.ts';
import type { Handlers } from '../handle-event.ts';
import { limitText } from '../limit-text.ts';
import type { SessionState } from '../session/state.ts';
import { createdText, endingText, metaText, named, ruleText, sizeOf } from './decision-text.ts';
import { actedText, prUpdatedText } from './finish-text.ts';
import type { BoundaryItem, MarkType } from './item.ts';
import { plain } from './masked-line.ts';
import { resolvedText } from './resolved-text.ts';
import { firstLine } from './tool-kind.ts';

/** What happened, in one line: the same words on the page, in an export and in a terminal. */
export interface Sentence {
  readonly text: string;
  readonly tone: Tone;
}

/** quiet: as expected; trouble: something failed, but nobody has to act; caution: a person should look; stop: something is lost or was not done. */
export type Tone = 'quiet' | 'trouble' | 'caution' | 'stop';

/** What each surface writes in its own way. */
interface Notation {
  /** A time, relative to another one. */
  readonly moment: (at: string, from: string) => string;
  readonly mode: (mode: string) => string;
}

/** The table of sentences, in a surface's notation. */
export const sentencesIn = ({ moment, mode }: Notation): Handlers<MarkType, [], Sentence> => ({
  'session.created': ({ origin, cwd }) => quiet(`${origin === undefined ? 'Started' : ORIGINS[origin.kind]} in ${cwd}`),
  'session.started': ({ model, version }) => quiet(['Agent ready', model, version].filter((part) => part !== undefined).join(' · ')),
  'session.exited': exited,
  'turn.started': ({ cause }) => quiet(`The agent started on its own: ${cause}`),
  'limit.reported': ({ at, kind, status, resetsAt }) => {
    const isNear = status.includes('warning');
    const until = resetsAt === undefined ? '' : `, resets at ${moment(resetsAt, at)}`;
    return { text: `${limitText(kind, isNear)}${until}`, tone: isNear ? 'trouble' : 'caution' };
  },
  'context.compacted': compacted,
  'context.forgotten': ({ reason }) => stop(`The agent no longer remembers a message above: ${reason}`),
  'task.updated': ({ title, kind, status, detail }) => quiet(`${title ?? kind}: ${status}${detail === undefined ? '' : ` · ${detail}`}`),
  'hook.ran': hookRan,
  'model.changed': ({ model, reason }) => quiet(`Model changed to ${model}: ${reason}`),
  'mode.changed': ({ mode: now, reason }) => quiet(`Permission mode: ${mode(now)} · ${reason}`),
  'thinking.changed': ({ thinking, reason }) => quiet(`Thinking changed to ${thinking}: ${reason}`),
  'setting.refused': ({ setting, value, reason }) => caution(`The agent didn't change its ${setting} to ${value}: ${reason}`),
  'files.rewound': ({ canRewind, files, problem }) =>
    canRewind
      ? quiet(`${countText(files.length, 'file')} restored: ${files.join(', ')}`)
      : stop(`Files were not restored: ${problem ?? 'the agent could not'}`),
  'checkpoint.skipped': ({ reason, off }) =>
    off ? caution(`Checkpoints are off for this folder: ${reason}`) : { text: `No checkpoint was made: ${reason}`, tone: 'trouble' },
  'checkpoint.enabled': () => quiet('Checkpoints are on again'),
  'revert.done': reverted,
  'driver.found': ({ what, pid }) => caution(`Another program has this conversation open: ${what ?? 'process'} ${pid}`),
  'driver.gone': ({ reason }) => quiet(`The other program closed this conversation: ${reason}`),
  'takeover.requested': ({ pid }) => quiet(`Taking over from process ${pid}`),
  'continuation.scheduled': ({ at, resumesAt }) => quiet(`Resumes automatically at ${moment(resumesAt, at)}`),
  'continuation.ended': ({ outcome, reason }) => quiet(outcome === 'sent' ? 'Resumed automatically' : `Won't resume automatically: ${reason}`),
  'handover.ready': ({ how }) => quiet(HANDOVERS[how]),
  'retry.reported': ({ attempt, maxAttempts, error }) => ({
    text: `Retrying (${attempt}${maxAttempts === undefined ? '' : ` of ${maxAttempts}`}): ${error === 'overloaded' ? 'service overloaded' : error}`,
    tone: 'trouble',
  }),
  'notice.shown': ({ level, text }) => ({ text, tone: level === 'info' ? 'quiet' : level === 'warning' ? 'caution' : 'stop' }),
  'review.ended': reviewed,
  'output.lost': ({ reason }) => stop(`Some of the agent's output was lost here: ${reason}`),
  'script.started': ({ kind, command }) => quiet(`${SCRIPTS[kind]} started: ${firstLine(command)}`),
  'script.ended': scriptEnded,
  'git.trusted': ({ actor, names }) => quiet(`${actor?.name ?? 'Somebody'} confirmed ${countText(names.length, 'change')} to hooks and git settings`),
  'git.acted': (event) => ({ text: `${event.actor?.name ?? 'Somebody'} ${actedText(event)}`, tone: event.ok ? 'quiet' : 'caution' }),
  'pr.linked': ({ number, url }) => quiet(`Pull request #${number}: ${url}`),
  'pr.updated': prUpdatedText,
});

const nothing = (): undefined => undefined;

/** What somebody decided, for the audit: it follows their name, and is given the state before. Undefined for mere consequences of a decision. */
export const DECISIONS: Handlers<TypeMadeBy<'person'>, [SessionState], string | undefined> = {
  'session.created': (_, event) => createdText(event),
  'run.opened': (state, event) => (event.reason === 'session.wake' ? `woke the agent in ${named(state)}` : undefined),
  'run.ending': endingText,
  'input.accepted': (_, event) => `sent a message (${sizeOf(event)})${event.mode === 'steer' ? ' mid-turn' : ''}`,
  'input.edited': (_, event) => `edited a queued message (${sizeOf(event)})`,
  'input.moved': () => 'moved a queued message',
  'input.steered': () => 'sent a queued message mid-turn',
  'input.cancelled': (_, event) => `cancelled a queued message: ${plain(event.reason)}`,
  'input.delivered': nothing,
  'input.returned': nothing,
  'permission.resolved': resolvedText,
  'interrupt.requested': (state) => `interrupted the agent in ${named(state)}`,
  'setting.requested': (_, event) => `requested the ${event.setting} ${plain(event.value)}`,
  'rewind.requested': (_, event) => `asked to rewind files to message ${event.messageSeq}${event.dryRun ? ' (dry run)' : ''}`,
  'revert.requested': (_, event) =>
    `restored ${event.paths === undefined ? 'files' : countText(event.paths.length, 'file')} to event ${event.to}${event.force === undefined ? '' : `, overwriting ${countText(event.force.length, 'file')} edited since`}`,
  'checkpoint.enabled': (state) => `turned checkpoints on again in ${named(state)}`,
  'act.refused': (_, event) => `was refused: ${event.act}${event.target === undefined ? '' : ` on ${plain(event.target)}`} (role ${event.role})`,
  'takeover.requested': (_, event) => `took the conversation over from process ${event.pid}`,
  'continuation.scheduled': (_, event) => `scheduled it to resume automatically at ${event.resumesAt}`,
  'continuation.ended': (_, event) =>
    event.outcome === 'sent' ? `resumed automatically: ${plain(event.reason)}` : `cancelled the automatic resume: ${plain(event.reason)}`,
  'handover.ready': nothing,
  'meta.changed': (_, event) => metaText(event),
  'item.marked': (_, event) => `on event ${event.target}: ${metaText(event)}`,
  'annotation.made': (_, event) => `commented on ${targetText(event.target)}`,
  'annotation.edited': () => 'edited a comment',
  'annotation.withdrawn': () => 'withdrew a comment',
  'annotation.sent': nothing,
  'annotation.settled': (_, event) => `${SETTLED[event.outcome]} a comment`,
  'review.sent': (_, event) => `sent a review with ${countText(event.annotations.length, 'comment')}`,
  'session.deleted': (state) => `deleted the session ${named(state)}`,
  'rule.created': (_, event) =>
    `created the rule ${event.rule.id}: ${ruleText(event.rule)}${event.rule.replaces === undefined ? '' : `, replacing ${event.rule.replaces}`}`,
  'rule.revoked': (_, event) => `revoked the rule ${event.ruleId}: ${plain(event.reason)}`,
  'token.added': (_, event) => `created a token for ${plain(event.name)} with the role ${event.role}`,
  'token.revoked': (_, event) => `revoked the token of ${plain(event.name)}`,
  'conversations.closed': nothing,
  'review.requested': nothing,
  'background.ended': nothing,
  'script.started': (_, event) => `ran ${SCRIPTS[event.kind].toLowerCase()}: ${plain(firstLine(event.command))}`,
  'git.trusted': (_, event) => `confirmed changes to hooks and git settings: ${plain(event.names.join(', '))} (${event.sha256.slice(0, 12)})`,
  'git.started': (_, event) => `started a ${event.act}`,
  'git.acted': (_, event) => plain(actedText(event)),
  'pr.linked': (_, event) => `linked the pull request ${plain(event.url)}`,
  'pr.dismissed': (_, event) => `${event.sent ? 'sent to the agent' : 'dismissed'}: ${plain(event.card)}`,
};

const quiet = (text: string): Sentence => ({ text, tone: 'quiet' });
const caution = (text: string): Sentence => ({ text, tone: 'caution' });
const stop = (text: string): Sentence => ({ text, tone: 'stop' });

const ORIGINS = {
  resume: 'Resumed an earlier conversation',
  fork: 'Forked a conversation',
  handover: 'Started with a summary',
} as const;

const SCRIPTS = { setup: 'Setup script', run: 'Run script', archive: 'Archive script', git: 'Git' } as const;

function scriptEnded({ kind, code, signal, message }: EventOf<'script.ended'>): Sentence {
  if (code === 0) return quiet(`${SCRIPTS[kind]} finished`);
  const how = code !== null ? `failed with exit code ${code}` : signal !== null ? `ended by ${signal}` : `did not finish: ${message ?? 'its end was not seen'}`;
  return { text: `${SCRIPTS[kind]} ${how}`, tone: 'trouble' };
}

const EXITS: Readonly<Record<string, string>> = {
  sleep: 'The agent went to sleep; the next message wakes it',
  stop: 'The agent was stopped',
  finished: 'The agent exited',
  disk: 'The agent was stopped: the disk is nearly full',
  stuck: 'The agent was stopped: it no longer responded',
};

/** For a crash, the signal or the exit code is all that is known. */
function exited({ reason, code, signal }: EventOf<'session.exited'>): Sentence {
  if (reason !== 'died') return quiet(EXITS[reason] ?? `The agent's process ended: ${reason}`);
  const how = signal ?? (code === undefined || code === null ? undefined : `exit ${code}`);
  return { text: `The agent crashed${how === undefined ? '' : ` (${how})`}`, tone: 'trouble' };
}

function reverted({ files, problem }: EventOf<'revert.done'>): Sentence {
  if (problem !== undefined) return stop(`Files were not restored: ${problem}`);
  const refused = files.filter(({ result }) => result === 'refused').length;
  const done = `${countText(files.length - refused, 'file')} restored`;
  return refused === 0 ? quiet(done) : caution(`${done}, ${refused} left alone`);
}

function compacted({ preTokens, postTokens, trigger, failed }: EventOf<'context.compacted'>): Sentence {
  if (failed !== undefined) return stop(`Compaction failed: ${failed}`);
  const sizes = [preTokens, postTokens].filter((size) => size !== undefined).map(tokensText);
  return quiet(`Context compacted (${trigger})${sizes.length === 0 ? '' : `: ${sizes.join(' → ')} tokens`}`);
}

/** What a review led to. */
function reviewed({ answered, skipped }: EventOf<'review.ended'>): Sentence {
  const total = answered.length + skipped.length;
  if (skipped.length === 0) return quiet(`Review: ${answered.length === total && total === 1 ? 'the comment was' : `all ${total} comments were`} answered`);
  return caution(`Review: ${answered.length} of ${total} answered. Skipped: ${skipped.join(', ')}`);
}

const SETTLED = { verified: 'verified', dropped: 'dropped', reopened: 'reopened' } as const;

const targetText = (target: EventOf<'annotation.made'>['target']): string =>
  target.type === 'code' ? `${plain(target.file)}:${target.lineStart}` : target.type === 'conversation' ? 'a message' : 'a tool call';

/** Output of several lines does not fit into a sentence. */
function hookRan({ name, event, outcome, output = '' }: EventOf<'hook.ran'>): Sentence {
  const line = output.trim();
  return quiet(`Hook ${name} (${event})${outcome === undefined ? '' : `: ${outcome}`}${line === '' || line.includes('\n') ? '' : ` · ${line}`}`);
}

/** Where the summary comes from, because it is not the conversation itself. */
const HANDOVERS = {
  compaction: 'Started with the summary from a compaction',
  agent: 'Started with a summary written by the agent',
  extract: 'Started with an excerpt of the messages; much is left out',
} as const;

export const boundaryText = (side: BoundaryItem['side']): string => (side === 'before' ? 'Before this session' : 'This session starts here');

export const unrecognisedText = (lines: number): string => `${countText(lines, 'line')} that Signalbox does not recognize`;
