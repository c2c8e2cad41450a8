import { setImmediate as breathe, setTimeout as pause } from 'node:timers/promises';
import type { DemoLine, DemoOrder, Picture } from '../wire.ts';
import { COMMANDS, MODELS, TOOLS, VERSION } from './about.ts';
import { readOrder } from './orders.ts';
import { Interrupted } from './progress.ts';
import type { Recollection } from './recollection.ts';
import { sceneFor } from './scenes.ts';
import { type Settings, set } from './settings.ts';
import { beginTurn, type Turn } from './turn.ts';

export interface AgentSetting {
  readonly session: string;
  readonly cwd: string;
  readonly settings: Settings;
  readonly paceMs: number;
  readonly recollection: Recollection;
  readonly write: (line: string) => void;
}

export interface DemoAgent {
  take(line: string): void;
  /** Nobody can answer any more: what waits for a person is given up, the rest is finished. */
  endOfInput(): void;
  /** Gives up the running turn and takes no more. */
  leave(): void;
}

const UNHURRIED = MODELS[1].value;

type Input = Extract<DemoOrder, { type: 'input' }>;

interface Desk extends AgentSetting {
  readonly queue: Input[];
  readonly print: (line: DemoLine) => void;
  turn?: Turn | undefined;
  /** Inputs that joined the running turn. */
  joined: readonly Input[];
  leaving: boolean;
  attended: boolean;
}

export function createAgent(setting: AgentSetting): DemoAgent {
  const desk: Desk = {
    ...setting,
    queue: [],
    joined: [],
    leaving: false,
    attended: true,
    print: (line) => setting.write(JSON.stringify(line.type === 'delta' ? line : { ...line, at: new Date().toISOString() })),
  };
  desk.print(greeting(setting));
  return {
    take: (line) => line.trim() !== '' && obey(desk, readOrder(line)),
    endOfInput() {
      desk.attended = false;
      desk.turn?.inputEnded();
    },
    leave() {
      desk.leaving = true;
      desk.turn?.interrupt('the program was asked to end');
    },
  };
}

function greeting({ session, cwd, settings }: AgentSetting): DemoLine {
  const { mode, model, thinking } = settings;
  const lists = { tools: TOOLS, models: MODELS.map((one) => ({ ...one })), commands: COMMANDS.map((command) => ({ ...command })) };
  return { type: 'ready', session, version: VERSION, cwd, mode, model, thinking, ...lists };
}

function obey(desk: Desk, order: DemoOrder | { readonly wrong: string }): void {
  if ('wrong' in order) desk.print({ type: 'problem', text: order.wrong });
  else if (order.type === 'answer') answer(desk, order);
  else if (order.type === 'interrupt') interrupt(desk, order.request);
  else if (order.type === 'set') desk.print(set(desk.settings, order));
  else accept(desk, order);
}

function answer(desk: Desk, order: Extract<DemoOrder, { type: 'answer' }>): void {
  if (!desk.turn?.answer(order)) desk.print({ type: 'reply', to: order.request, ok: false, detail: 'nothing waits for this answer' });
}

function interrupt(desk: Desk, request: string): void {
  const running = desk.turn !== undefined;
  desk.turn?.interrupt('you interrupted');
  desk.print({ type: 'reply', to: request, ok: running, ...(running ? {} : { detail: 'nothing was running' }) });
}

function accept(desk: Desk, input: Input): void {
  if (desk.queue.some((other) => other.id === input.id) || desk.recollection.knows(input.id)) {
    desk.print({ type: 'dropped', input: input.id, reason: 'it was taken before' });
    return;
  }
  if (input.steer && desk.turn) return join(desk, desk.turn, input);
  desk.queue.push(input);
  if (!desk.turn) void work(desk);
}

/** A steering message becomes part of the turn that runs. */
function join(desk: Desk, turn: Turn, input: Input): void {
  desk.recollection.took(input.id, input.text);
  desk.joined = [...desk.joined, input];
  desk.print({ type: 'joined', input: input.id, text: input.text });
  turn.hear(input.images.length === 0 ? input.text : `${input.text} (with ${picturesText(input.images)})`);
}

async function work(desk: Desk): Promise<void> {
  for (let input = desk.queue.shift(); input && !desk.leaving; input = desk.queue.shift()) await play(desk, input);
  if (desk.leaving) process.exit(0);
}

async function play(desk: Desk, input: Input): Promise<void> {
  const { recollection, print, cwd, settings } = desk;
  const before = recollection.said();
  recollection.took(input.id, input.text);
  const pace = () => (desk.paceMs > 0 ? pause(desk.paceMs * (settings.model === UNHURRIED ? 2 : 1)) : breathe());
  const turn = beginTurn({ number: recollection.turns, text: input.text, before, isAttended: () => desk.attended, print, pace, cwd, settings });
  desk.turn = turn;
  const startedAt = Date.now();
  print({ type: 'began', input: input.id, text: input.text });
  const end = await outcome(turn, input);
  for (const { id } of desk.joined) recollection.answered(id, '', []);
  recollection.answered(input.id, turn.result(), turn.texts());
  desk.turn = undefined;
  desk.joined = [];
  print({ type: 'ended', input: input.id, ms: Date.now() - startedAt, denials: turn.denials(), result: turn.result(), ...end });
}

async function outcome(turn: Turn, { images }: Input): Promise<{ stop: string; aborted: boolean; problem?: string }> {
  try {
    if (images.length > 0)
      await turn.say(`You sent me ${picturesText(images)}. I am only a script, so I cannot see what is in ${images.length === 1 ? 'it' : 'them'}.`);
    await sceneFor(turn.text)(turn);
    return { stop: 'end_turn', aborted: false };
  } catch (error) {
    if (error instanceof Interrupted) return { stop: 'interrupted', aborted: true };
    return { stop: 'error', aborted: false, problem: error instanceof Error ? error.message : String(error) };
  }
}

function picturesText(images: readonly Picture[]): string {
  const each = images.map(({ mediaType, base64 }) => `${mediaType.replace('image/', '').toUpperCase()} of ${Buffer.byteLength(base64, 'base64')} bytes`);
  return `${images.length === 1 ? 'a picture' : `${images.length} pictures`} (${each.join(', ')})`;
}
