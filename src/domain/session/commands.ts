import type { Command, CommandOf, Refusal } from '../../protocol/command.ts';
import type { BlobRef, EventBody, ImageRef } from '../../protocol/event.ts';
import { LIMITS } from '../../protocol/limits.ts';
import {
  answerAnnotation,
  answerPlan,
  editAnnotation,
  isWholeAnswer,
  makeAnnotation,
  markReviewed,
  noteReview,
  refusedReview,
  settleAnnotation,
  withdrawAnnotation,
} from '../annotation/decide.ts';
import { decideFinish } from '../finish/finish-commands.ts';
import { answer } from '../permission/answer.ts';
import { hookCommand } from '../permission/hook-ask.ts';
import { toolCommand } from '../permission/tool-ask.ts';
import { acknowledge, lease } from '../queue/lease.ts';
import { leaveLine } from '../queue/line.ts';
import { clear, pause, pauseAfterInterrupt, resume, resumeQueue } from '../queue/pause.ts';
import * as queue from '../queue/queue.ts';
import * as waiting from '../queue/waiting.ts';
import { requestWorktree, type WorktreePlan, waitsForWorktree, worktreeRefusal } from '../worktree/decide.ts';
import { type AdoptedPast, adopt, RECORD_NOT_DELETED, settleAdopted } from './adopt.ts';
import { advance, openRunOrJoinLine } from './advance.ts';
import { cancelContinuation, schedule, unschedule } from './continuation.ts';
import { type Decision, type DecisionContext, Draft } from './draft.ts';
import { foundDriver, requestTakeover, takeOver } from './driver.ts';
import { endRun } from './end-run.ts';
import { startHandover } from './handover.ts';
import { type RevertGround, revert } from './revert.ts';
import { rewind } from './rewind.ts';
import { set } from './settings.ts';
import type { Driver, RunPhase, SessionState } from './state.ts';
import { waitsForSlot } from './status.ts';

/** A message whose long text and images are already stored as blobs, so that events stay small. */
export interface PreparedMessage {
  readonly text: string;
  readonly blob?: BlobRef;
  readonly images: readonly ImageRef[];
}

export interface PreparedCommand {
  readonly command: Command;
  readonly message?: PreparedMessage;
  readonly node: string;
  /** Of a session that continues another: what it shows of the past. */
  readonly inherited?: readonly (EventBody & { readonly at: string })[];
  /** The session it continues is private, so this one is too. */
  readonly closed?: boolean;
  /** The other program that has the conversation open; it is ended first. */
  readonly driver?: Driver;
  /** The agent's own id of the message that the command names by its seq. */
  readonly messageId?: string;
  /** The file that an annotation was made on. */
  readonly file?: BlobRef;
  /** The session whose agent starts this one: its owner owns this one too. */
  readonly starter?: { readonly sessionId: string; readonly owner: string; readonly ownerId: string };
  /** For a revert: the checkpoint, and who works in the folder. */
  readonly revert?: RevertGround;
  /** The past session that this command adopts. */
  readonly past?: AdoptedPast;
  /** The worktree in which the new session works. */
  readonly worktree?: WorktreePlan;
}

/** What a command leads to: events and effects, or a refusal. */
export function decideCommand(state: SessionState, asked: PreparedCommand, now: DecisionContext): Decision | Refusal {
  const { command } = asked;
  if (command.type === 'session.create') return create(state, command, asked, now);
  if (state.born === null && asked.past === undefined) return { refused: 'not-found', message: `There is no session ${state.id}.` };
  if (state.deleted) return { refused: 'session-deleted', message: `Session ${state.id} was deleted.` };
  const draft = new Draft(state, now);
  if (state.born === null && asked.past !== undefined) adopt(draft, asked.past, asked);
  const refusal = execute(draft, command, asked);
  if (refusal !== undefined) return refusal;
  settleAdopted(draft);
  draft.settle();
  return draft.done();
}

function execute(draft: Draft, command: Exclude<Command, { type: 'session.create' }>, asked: PreparedCommand): Refusal | undefined {
  switch (command.type) {
    case 'input.send':
      return send(draft, command, asked.message);
    case 'input.cancel':
      return waiting.cancel(draft, command);
    case 'input.edit':
      return waiting.edit(draft, command, asked.message);
    case 'input.move':
      return waiting.move(draft, command);
    case 'input.steer':
      return waiting.steer(draft, command);
    case 'queue.pause':
      return pause(draft, command);
    case 'queue.resume':
      return resume(draft, command);
    case 'queue.clear':
      return clear(draft);
    case 'turn.interrupt':
      return interrupt(draft, command);
    case 'permission.answer':
      return answer(draft, command);
    case 'session.stop':
      return stop(draft);
    case 'session.sleep':
      return sleep(draft);
    case 'session.wake':
      return wake(draft);
    case 'session.delete':
      return remove(draft);
    case 'session.describe':
      return describe(draft, command);
    case 'item.mark':
      return markItem(draft, command);
    case 'model.set':
    case 'mode.set':
    case 'thinking.set':
      return set(draft, command);
    case 'files.rewind':
      return rewind(draft, command, asked.messageId);
    case 'files.revert':
      return revert(draft, command, asked.revert);
    case 'checkpoints.enable':
      return enableCheckpoints(draft, command);
    case 'session.takeover':
      return takeOver(draft, command);
    case 'continuation.schedule':
      return schedule(draft, command);
    case 'continuation.cancel':
      return unschedule(draft, command);
    case 'annotation.make':
      return makeAnnotation(draft, command, asked.file);
    case 'annotation.edit':
      return editAnnotation(draft, command);
    case 'annotation.withdraw':
      return withdrawAnnotation(draft, command);
    case 'annotation.settle':
      return settleAnnotation(draft, command);
    case 'annotation.answer':
      return answerAnnotation(draft, command);
    case 'review.send':
      return sendReview(draft, command, asked.message);
    case 'review.mark':
      return markReviewed(draft, command);
    case 'tool.ask':
    case 'tool.question':
    case 'tool.answer':
    case 'agent.refuse':
      return toolCommand(draft, command);
    case 'hook.ask':
    case 'hook.settle':
    case 'hook.report':
      return hookCommand(draft, command);
    case 'input.lease':
      return lease(draft);
    case 'input.acknowledge':
      return acknowledge(draft, command);
    case 'git.note':
    case 'git.trust':
    case 'git.start':
    case 'git.record':
    case 'pr.link':
    case 'pr.update':
    case 'pr.dismiss':
      return decideFinish(draft, command);
  }
}

const DISK_LOW: Refusal = { refused: 'disk-low', message: 'The disk is nearly full. Free some space, then send again.' };

function create(state: SessionState, command: CommandOf<'session.create'>, asked: PreparedCommand, now: DecisionContext): Decision | Refusal {
  if (state.born !== null) return { refused: 'conflict', message: `Session ${state.id} already exists with other settings. Choose another id.` };
  if (asked.message !== undefined && !now.hasDiskSpace) return DISK_LOW;
  const draft = new Draft(state, now);
  const { agent, cwd, options, title, origin, parent } = command;
  const { starter } = asked;
  const owner = starter?.owner ?? now.actor?.name ?? 'nobody';
  draft.emit({
    type: 'session.created',
    agent,
    cwd,
    options,
    node: asked.node,
    owner,
    ...(title !== undefined && { title }),
    ...(origin !== undefined && { origin }),
    ...(parent !== undefined && { parent }),
    ...(starter !== undefined && { startedBy: { sessionId: starter.sessionId, ownerId: starter.ownerId } }),
    ...(asked.past !== undefined && { base: asked.past.base }),
  });
  if (asked.closed === true) draft.emit({ type: 'meta.changed', closed: true });
  for (const event of asked.inherited ?? []) draft.inherit(event);
  startHandover(draft);
  if (asked.message !== undefined) accept(draft, command.commandId, asked.message, 'queue');
  if (asked.worktree === undefined) start(draft, command, asked.driver);
  else requestWorktree(draft, asked.worktree);
  draft.settle();
  return draft.done();
}

function start(draft: Draft, command: CommandOf<'session.create'>, driver: Driver | undefined): void {
  if (driver !== undefined) {
    foundDriver(draft, driver);
    return requestTakeover(draft, command.commandId, driver.pid);
  }
  openRunOrJoinLine(draft, 'session.create');
  advance(draft, 'session.create');
}

function send(draft: Draft, command: CommandOf<'input.send'>, message: PreparedMessage | undefined): Refusal | undefined {
  if (message === undefined) return { refused: 'bad-request', message: 'The message is empty.' };
  const unable = worktreeRefusal(draft.state) ?? (command.mode === 'steer' ? waiting.cannotSteer(draft) : undefined);
  if (unable !== undefined) return unable;
  if (!draft.now.hasDiskSpace) return DISK_LOW;
  if (draft.state.queue.length >= LIMITS.queueLength) {
    return { refused: 'queue-full', message: `The queue is full (${LIMITS.queueLength} messages). Let the agent catch up, or cancel some.` };
  }
  accept(draft, command.commandId, message, command.mode ?? 'queue', command.context);
  if (command.resume === true) resumeQueue(draft, command.commandId);
  if (command.mode === 'steer' && draft.state.turn.phase === 'running') waiting.deliverSteered(draft, command.commandId);
  advance(draft, 'input.send');
  if (draft.state.driver !== null && draft.state.status.status === 'ended') draft.show('sleeping', 'input.accepted');
  return undefined;
}

/** The document is an ordinary message; the queue does the rest. Only a plan that is sent back takes it as its answer. */
function sendReview(draft: Draft, command: CommandOf<'review.send'>, message: PreparedMessage | undefined): Refusal | undefined {
  const { commandId, sessionId, text } = command;
  const queue = () => (isWholeAnswer(command) ? undefined : send(draft, { type: 'input.send', commandId, sessionId, text }, message));
  const refusal = refusedReview(draft, command) ?? answerPlan(draft, command) ?? queue();
  if (refusal === undefined) noteReview(draft, command);
  return refusal;
}

function accept(
  draft: Draft,
  commandId: Command['commandId'],
  message: PreparedMessage,
  mode: 'queue' | 'steer',
  context?: CommandOf<'input.send'>['context'],
): void {
  draft.emit({
    type: 'input.accepted',
    commandId,
    text: message.text,
    mode,
    ...(message.images.length > 0 && { images: [...message.images] }),
    ...(context !== undefined && { context }),
    ...(message.blob !== undefined && { blobs: { text: message.blob } }),
  });
}

function interrupt(draft: Draft, command: CommandOf<'turn.interrupt'>): Refusal | undefined {
  const { turn, run } = draft.state;
  const isWorking = turn.phase === 'running' || queue.inFlight(draft.state.queue) !== undefined;
  if (!isWorking || run.phase === 'none' || run.phase === 'ending') return { refused: 'nothing-to-interrupt', message: nothingToInterrupt(draft) };
  draft.emit({ type: 'interrupt.requested', commandId: command.commandId, ...(turn.phase === 'running' && { turnId: turn.turnId }) });
  draft.effect({ type: 'send-interrupt', run: run.run, commandId: command.commandId });
  pauseAfterInterrupt(draft, command.commandId);
  return undefined;
}

const nothingToInterrupt = ({ state }: Draft): string =>
  waitsForSlot(state) ? 'The session waits in line and does nothing yet. Stop it, or cancel its messages.' : idleText(state);

const idleText = (state: SessionState): string =>
  state.tasks.length === 0 ? 'The agent is idle, so there is nothing to interrupt.' : 'Only background tasks are running. Stop the session to end them.';

function stop(draft: Draft): Refusal | undefined {
  cancelContinuation(draft, 'the session was stopped');
  if (draft.state.run.phase === 'none') {
    if (draft.state.status.status !== 'ended') draft.show('ended', 'session.stop');
    return undefined;
  }
  if (draft.state.run.phase === 'ending') return stopEnding(draft, draft.state.run);
  endRun(draft, 'stop');
  return undefined;
}

/** The process is already ending. Stopping again means that nothing should follow, whatever was requested since. */
function stopEnding(draft: Draft, { run, reason, since }: Extract<RunPhase, { phase: 'ending' }>): undefined {
  if (reason === 'delete' || (reason === 'stop' && since === undefined)) return;
  draft.emit({ type: 'run.ending', run, reason: 'stop' });
}

function sleep(draft: Draft): Refusal | undefined {
  const { state } = draft;
  const isWorking = state.turn.phase === 'running' || state.queue.length > 0 || state.permissions.length > 0 || state.tasks.length > 0;
  if (isWorking && (state.run.phase !== 'none' || waitsForSlot(state)))
    return { refused: 'conflict', message: 'The agent is working. Interrupt or stop it first.' };
  leaveLine(draft, 'session.sleep');
  endRun(draft, 'sleep');
  return undefined;
}

/** After these, no new process is started unless a message is queued. */
const ENDS_FOR_GOOD: ReadonlySet<string> = new Set(['stop', 'sleep', 'handover', 'disk']);

function wake(draft: Draft): Refusal | undefined {
  const { run } = draft.state;
  const gone = worktreeRefusal(draft.state);
  if (gone !== undefined) return gone;
  if (run.phase === 'opened' || run.phase === 'ready') return undefined;
  if (waitsForWorktree(draft.state)) return { refused: 'conflict', message: 'The worktree of this session is not ready. Retry its setup first.' };
  if (draft.state.driver !== null)
    return { refused: 'driven-elsewhere', message: 'Another program has this conversation open. Take it over, or close it there.' };
  if (run.phase === 'ending') {
    if (ENDS_FOR_GOOD.has(run.reason)) draft.emit({ type: 'run.ending', run: run.run, reason: 'restart' });
    return undefined;
  }
  openRunOrJoinLine(draft, 'session.wake');
  advance(draft, 'session.wake');
  return undefined;
}

function remove(draft: Draft): Refusal | undefined {
  if (draft.state.base > 0) return RECORD_NOT_DELETED;
  endRun(draft, 'delete');
  draft.emit({ type: 'session.deleted' });
  draft.effect({ type: 'forget' });
  return undefined;
}

/** A bound was exceeded, and a person wants checkpoints nevertheless, or has tidied up. */
function enableCheckpoints(draft: Draft, { commandId }: CommandOf<'checkpoints.enable'>): undefined {
  draft.emit({ type: 'checkpoint.enabled', commandId });
  draft.effect({ type: 'enable-checkpoints' });
}

function describe(draft: Draft, command: CommandOf<'session.describe'>): Refusal | undefined {
  const { title, tags, star, note, archived, closed, giveComments } = command;
  draft.emit({
    type: 'meta.changed',
    ...(title !== undefined && { title }),
    ...(tags !== undefined && { tags }),
    ...(star !== undefined && { star }),
    ...(note !== undefined && { note }),
    ...(archived !== undefined && { archived }),
    ...(closed !== undefined && { closed }),
    ...(giveComments !== undefined && { giveComments }),
  });
  return undefined;
}

function markItem(draft: Draft, command: CommandOf<'item.mark'>): Refusal | undefined {
  const { seq, item, star, tags, note } = command;
  if (seq > draft.state.seq) return { refused: 'not-found', message: `There is no event ${seq} in session ${draft.state.id}.` };
  draft.emit({
    type: 'item.marked',
    target: seq,
    item,
    ...(star !== undefined && { star }),
    ...(tags !== undefined && { tags: [...new Set(tags)] }),
    ...(note !== undefined && { note }),
  });
  return undefined;
}
