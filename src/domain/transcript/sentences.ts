import type { EventOf, TypeMadeBy } from '../../protocol/event.ts';
import { countText, tokensText } from '../amounts.ts';
import type { Handlers } from '../handle-event.ts';
import { limitText } from '../limit-text.ts';
import { modelText } from '../model-text.ts';
import { describeScope } from '../policy/describe.ts';
import type { SessionState } from '../session/state.ts';
import { createdText, endingText, metaText, named, ruleText, sizeOf } from './decision-text.ts';
import { actedText, prUpdatedText } from './finish-text.ts';
import type { BoundaryItem, MarkType } from './item.ts';
import { plain } from './masked-line.ts';
import { errorText } from './outcomes.ts';
import { answeredText, toolCallText, toolTitle } from './own-tools.ts';
import { resolvedText } from './resolved-text.ts';
import { firstLine } from './tool-kind.ts';

/** What happened, in one line: the same words on the page, in an export and in a terminal. */
export interface Sentence {
  readonly text: string;
  readonly tone: Tone;
  /** An address that belongs to it. */
  readonly href?: string;
}

/** quiet: as expected; trouble: something failed, but nobody has to act; caution: a person should look; stop: something is lost or was not done. */
export type Tone = 'quiet' | 'trouble' | 'caution' | 'stop';

/** What each surface writes in its own way. */
interface Notation {
  /** A time, relative to another one. */
  readonly moment: (at: string, from: string) => string;
  readonly mode: (mode: string) => string;
  /** The title of the agent, if the surface knows it. */
  readonly agent?: string;
}

/** The table of sentences, in a surface's notation. */
export const sentencesIn = ({ moment, mode, agent }: Notation): Handlers<MarkType, [], Sentence> => ({
  'session.created': ({ origin, cwd }) => quiet(`${origin === undefined ? 'Started' : ORIGINS[origin.kind]} in ${cwd}`),
  'session.started': ({ model, version }) => {
    const name = [agent ?? 'Agent', version].filter((part) => part !== undefined).join(' ');
    return quiet(model === undefined ? name : `${name}, ${modelText(model, agent)}`);
  },
  'session.exited': exited,
  'turn.started': ({ cause }) => quiet(CAUSES[cause] ?? 'The agent started on its own'),
  'limit.reported': ({ at, kind, status, resetsAt }) => {
    const isNear = status.includes('warning');
    const until = resetsAt === undefined ? '' : `, resets at ${moment(resetsAt, at)}`;
    return { text: `${limitText(kind, isNear)}${until}`, tone: isNear ? 'trouble' : 'caution' };
  },
  'context.compacted': compacted,
  'context.forgotten': ({ reason }) => stop(`The agent no longer remembers a message above: ${reason}`),
  'task.updated': ({ title, kind, status, detail }) =>
    quiet(`${title ?? TASK_KINDS[kind] ?? 'Background task'}: ${status}${detail === undefined ? '' : ` · ${detail}`}`),
  'hook.ran': hookRan,
  'model.changed': ({ model, reason }) => quiet(`Model changed to ${modelText(model, agent)}: ${reason}`),
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
  'driver.found': ({ what }) => caution(`Another program has this conversation open${what === undefined ? '' : `: ${what}`}`),
  'driver.gone': ({ reason }) => quiet(`The other program closed this conversation: ${reason}`),
  'takeover.requested': () => quiet('Taking over from the other program'),
  'continuation.scheduled': ({ at, resumesAt }) => quiet(`Resumes automatically at ${moment(resumesAt, at)}`),
  'continuation.ended': ({ outcome, reason }) => quiet(outcome === 'sent' ? 'Resumed automatically' : `Won't resume automatically: ${reason}`),
  'queue.paused': ({ cause }) => caution(cause === 'interrupt' ? 'Interrupted: queued messages wait until you resume the queue' : 'Queue paused'),
  'queue.resumed': () => quiet('Queue resumed'),
  'handover.ready': ({ how }) => quiet(HANDOVERS[how]),
  'retry.reported': ({ attempt, maxAttempts, error }) => ({
    text: `Retrying (${attempt}${maxAttempts === undefined ? '' : ` of ${maxAttempts}`}): ${retryReason(error)}`,
    tone: 'trouble',
  }),
  'vcs.reported': repositoryChanged,
  'notice.shown': ({ level, text }) => ({ text, tone: level === 'info' ? 'quiet' : level === 'warning' ? 'caution' : 'stop' }),
  'review.ended': reviewed,
  'tool.asked': ({ tool, input }) => quiet(toolCallText(tool, input)),
  'tool.answered': ({ tool, text }) => caution(`${toolTitle(tool)} was refused: ${text}`),
  'hook.reported': ({ event, text }) => quiet(text ?? TERMINAL_REPORTS[event]),
  'output.lost': ({ reason }) => stop(`Some of the agent's output was lost here: ${reason}`),
  'script.started': ({ kind, command }) => quiet(kind === 'git' ? firstLine(command) : `${SCRIPTS[kind]} started: ${firstLine(command)}`),
  'script.ended': scriptEnded,
  'git.trusted': ({ actor, names }) => quiet(`${actor?.name ?? 'Somebody'} confirmed ${countText(names.length, 'change')} to hooks and git settings`),
  'git.acted': (event) => ({ text: `${event.actor?.name ?? 'Somebody'} ${actedText(event)}`, tone: event.ok ? 'quiet' : 'caution' }),
  'pr.linked': ({ number, url }) => quiet(`Pull request #${number}: ${url}`),
  'pr.updated': prUpdatedText,
  'worktree.requested': ({ branch, base, restores }) => quiet(restores ? `Restoring the worktree ${branch}` : `Making the worktree ${branch} from ${base}`),
  'worktree.prepared': ({ copied, skipped = [] }) => ({
    text: `${copied.files === 0 ? 'No files copied' : `${countText(copied.files, 'file')} copied`} into the worktree${skipped.length === 0 ? '' : `, ${skipped.length} skipped: ${skippedText(skipped)}`}`,
    tone: skipped.length === 0 ? 'quiet' : 'trouble',
  }),
  'worktree.made': ({ head }) => quiet(`The worktree is ready, at ${head.slice(0, 8)}`),
  'worktree.failed': ({ step, message }) => stop(`${WORKTREE_STEPS[step]}: ${message}`),
  'worktree.retried': () => quiet('Trying again to set up the worktree'),
  'worktree.merged': ({ into, conflicts = [] }) =>
    conflicts.length === 0 ? quiet(`Merged into ${into}`) : caution(`Not merged into ${into}: conflicts in ${conflicts.join(', ')}`),
  'worktree.archived': ({ left }) => quiet(`Worktree archived; the branch is kept${leftText(left)}`),
  'worktree.removed': ({ left }) => quiet(`Worktree removed; the branch is kept${leftText(left)}`),
});

const PREFERRED = {
  on: 'turned on resuming automatically when a usage limit resets,',
  off: 'turned off resuming automatically when a usage limit resets,',
  unset: 'removed the choice whether to resume automatically when a usage limit resets,',
} as const;

const TERMINAL_REPORTS = {
  SessionStart: 'Opened in a terminal',
  SessionEnd: 'Closed in the terminal',
  Stop: 'Done in the terminal',
  Notification: 'The agent in the terminal has something to say',
} as const;

const WORKTREE_STEPS = {
  add: 'The worktree could not be made',
  copy: 'Files could not be copied into the worktree',
  setup: 'The setup script failed',
  archive: 'The archive script failed, so the worktree stays',
  remove: 'The worktree was not removed',
  restore: 'The worktree could not be restored',
} as const;

const skippedText = (skipped: readonly { readonly path: string; readonly why: string }[]): string =>
  skipped
    .slice(0, 5)
    .map(({ path, why }) => `${path} (${why})`)
    .join(', ');

const leftText = (left: string | undefined): string => (left === undefined ? '' : `. What was written in the meantime is in ${left}`);

const CAUSES: Readonly<Record<string, string>> = {
  'task-notification': 'The agent continued: a background task ended',
};

const TASK_KINDS: Readonly<Record<string, string>> = { subagent: 'Subagent', command: 'Background command' };

/** `overloaded (529)`, `server_error`: the code in words, the number dropped. */
function retryReason(error: string): string {
  const code = error.replace(/ \(\d+\)$/, '').replace(/^overloaded_error$/, 'overloaded');
  if (code === 'overloaded') return 'service overloaded';
  return errorText(code)?.replace(/^The /, 'the ') ?? 'the service failed';
}

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
  'queue.paused': (state, event) => (event.cause === 'interrupt' ? undefined : `paused the queue in ${named(state)}`),
  'queue.resumed': (state) => `resumed the queue in ${named(state)}`,
  'continuation.preferred': (_, { scope, choice }) => `${PREFERRED[choice]} ${describeScope(scope)}`,
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
  'tool.answered': (state, event) => answeredText(state, event),
  'agent.refused': (_, event) => `was refused: ${plain(event.what)}`,
  'worktree.requested': (_, event) => `${event.restores ? 'restored' : 'requested'} the worktree ${plain(event.branch)} from ${plain(event.base)}`,
  'worktree.retried': () => 'tried again to set up the worktree',
  'worktree.merged': (_, event) =>
    event.conflicts === undefined ? `merged the worktree into ${plain(event.into)}` : `tried to merge the worktree into ${plain(event.into)}`,
  'worktree.removing': (_, event) => `decided to ${event.archive ? 'archive' : 'remove'} the worktree${event.forced ? ', with force' : ''}`,
  'worktree.archived': (_, event) => `archived the worktree ${event.worktreeId}`,
  'worktree.removed': (_, event) => `removed the worktree ${event.worktreeId}`,
  'scripts.trusted': (_, event) => `trusted the scripts of ${plain(event.repo)} (${event.sha256.slice(0, 12)})`,
  'scripts.set': (_, event) => `set the scripts of ${plain(event.repo)}`,
  'webhook.added': (_, event) => `added a webhook to ${plain(event.webhook.url)} for ${event.webhook.events.join(', ')}`,
  'webhook.removed': (_, event) => `removed the webhook ${event.webhookId}`,
  'share.created': (_, event) => `shared the session ${event.share.sessionId} through a link until ${event.share.expiresAt}`,
  'share.revoked': (_, event) => `revoked the link ${event.shareId}`,
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
  return quiet(`Context compacted${trigger === 'unknown' ? '' : ` (${trigger})`}${sizes.length === 0 ? '' : `: ${sizes.join(' → ')} tokens`}`);
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

const REPOSITORY_ACTIONS: Readonly<Record<string, string>> = { commit: 'Committed', push: 'Pushed', merge: 'Merged', rebase: 'Rebased' };

function repositoryChanged({ action, branch, published }: EventOf<'vcs.reported'>): Sentence {
  if (published === undefined) {
    const what = Object.hasOwn(REPOSITORY_ACTIONS, action) ? REPOSITORY_ACTIONS[action] : `Repository changed (${action})`;
    return quiet(branch === undefined ? `${what}` : `${what} · ${branch}`);
  }
  const { repo, identifier, provider, url } = published;
  const kind = provider === 'gitlab' ? 'Merge request' : provider === 'gerrit' ? 'Change' : 'Pull request';
  return { ...quiet(`${kind} ${repo}${provider === 'gitlab' ? '!' : '#'}${identifier} · ${action.replaceAll('-', ' ')}`), href: url };
}

/** A sentence as plain text. */
export const plainSentence = ({ text, href }: Sentence): string => (href === undefined ? text : `${text}: ${href}`);

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
