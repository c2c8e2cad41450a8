import { setTimeout as pause, setImmediate as yieldToEvents } from 'node:timers/promises';
import { COMMANDS, MODELS, TOOLS, VERSION } from './catalog.ts';
import { handlerFor } from './command-handlers.ts';
import type { ConversationFile } from './conversation-file.ts';
import { readRequest } from './read-request.ts';
import { type Settings, set } from './settings.ts';
import { startTurn, type Turn } from './turn.ts';
import { Interrupted } from './turn-state.ts';
import type { DemoLine, DemoRequest, Picture } from './wire.ts';

export interface AgentOptions {
  readonly session: string;
  readonly cwd: string;
  readonly settings: Settings;
  readonly paceMs: number;
  readonly conversation: ConversationFile;
  readonly write: (line: string) => void;
}

export interface DemoAgent {
  take(line: string): void;
  /** Nobody can answer anymore: stop waiting for a person, finish the rest. */
  endOfInput(): void;
  /** Stops the running turn and accepts no further input. */
  leave(): void;
}

const SLOW_MODEL = MODELS[1].value;

type Input = Extract<DemoRequest, { type: 'input' }>;

interface AgentContext extends AgentOptions {
  readonly queue: Input[];
  readonly print: (line: DemoLine) => void;
  turn?: Turn | undefined;
  /** Inputs that joined the running turn. */
  joined: readonly Input[];
  leaving: boolean;
  inputOpen: boolean;
}

export function createAgent(setting: AgentOptions): DemoAgent {
  const context: AgentContext = {
    ...setting,
    queue: [],
    joined: [],
    leaving: false,
    inputOpen: true,
    print: (line) => setting.write(JSON.stringify(line.type === 'delta' ? line : { ...line, at: new Date().toISOString() })),
  };
  context.print(greeting(setting));
  return {
    take: (line) => line.trim() !== '' && handle(context, readRequest(line)),
    endOfInput() {
      context.inputOpen = false;
      context.turn?.inputEnded();
    },
    leave() {
      context.leaving = true;
      context.turn?.interrupt('the program was asked to end');
    },
  };
}

function greeting({ session, cwd, settings }: AgentOptions): DemoLine {
  const { mode, model, thinking } = settings;
  const lists = { tools: TOOLS, models: MODELS.map((one) => ({ ...one })), commands: COMMANDS.map((command) => ({ ...command })) };
  return { type: 'ready', session, version: VERSION, cwd, mode, model, thinking, ...lists };
}

function handle(context: AgentContext, request: DemoRequest | { readonly wrong: string }): void {
  if ('wrong' in request) context.print({ type: 'problem', text: request.wrong });
  else if (request.type === 'answer') answer(context, request);
  else if (request.type === 'interrupt') interrupt(context, request.request);
  else if (request.type === 'set') context.print(set(context.settings, request));
  else accept(context, request);
}

function answer(context: AgentContext, reply: Extract<DemoRequest, { type: 'answer' }>): void {
  if (!context.turn?.answer(reply)) context.print({ type: 'reply', to: reply.request, ok: false, detail: 'no request is waiting for this answer' });
}

function interrupt(context: AgentContext, request: string): void {
  const running = context.turn !== undefined;
  context.turn?.interrupt('you interrupted');
  context.print({ type: 'reply', to: request, ok: running, ...(running ? {} : { detail: 'nothing was running' }) });
}

function accept(context: AgentContext, input: Input): void {
  if (context.queue.some((other) => other.id === input.id) || context.conversation.knows(input.id)) {
    context.print({ type: 'dropped', input: input.id, reason: 'it was already taken' });
    return;
  }
  if (input.steer && context.turn) return join(context, context.turn, input);
  context.queue.push(input);
  if (!context.turn) void runQueue(context);
}

/** A steering message joins the running turn. */
function join(context: AgentContext, turn: Turn, input: Input): void {
  context.conversation.took(input.id, input.text);
  context.joined = [...context.joined, input];
  context.print({ type: 'joined', input: input.id, text: input.text });
  turn.steer(input.images.length === 0 ? input.text : `${input.text} (with ${picturesText(input.images)})`);
}

async function runQueue(context: AgentContext): Promise<void> {
  for (let input = context.queue.shift(); input && !context.leaving; input = context.queue.shift()) await runTurn(context, input);
  if (context.leaving) process.exit(0);
}

async function runTurn(context: AgentContext, input: Input): Promise<void> {
  const { conversation, print, cwd, settings } = context;
  const before = conversation.inputTexts();
  conversation.took(input.id, input.text);
  const pace = () => (context.paceMs > 0 ? pause(context.paceMs * (settings.model === SLOW_MODEL ? 2 : 1)) : yieldToEvents());
  const turn = startTurn({ number: conversation.turns, text: input.text, before, isInputOpen: () => context.inputOpen, print, pace, cwd, settings });
  context.turn = turn;
  const startedAt = Date.now();
  print({ type: 'began', input: input.id, text: input.text });
  const end = await outcome(turn, input);
  for (const { id } of context.joined) conversation.answered(id, '', []);
  conversation.answered(input.id, turn.result(), turn.texts());
  context.turn = undefined;
  context.joined = [];
  print({ type: 'ended', input: input.id, ms: Date.now() - startedAt, denials: turn.denials(), result: turn.result(), ...end });
}

async function outcome(turn: Turn, { images }: Input): Promise<{ stop: string; aborted: boolean; problem?: string }> {
  try {
    if (images.length > 0)
      await turn.say(`You sent me ${picturesText(images)}. I am only a script, so I can't see what is in ${images.length === 1 ? 'it' : 'them'}.`);
    await handlerFor(turn.text)(turn);
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
