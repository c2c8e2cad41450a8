import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { patchOfNewFile } from '../formats/whole-patch.ts';
import { ASKS, DENIED, GATE, GATE_VARIABLE, type GateAnswer, type GateOrders } from './gate-words.ts';

/** Runs inside Pi, which asks nobody by itself: this asks, through a dialog that Pi's RPC mode hands to Signalbox. Node's own modules only. */
export default function gate(pi: Pi): void {
  const orders = readOrders(process.env[GATE_VARIABLE]);
  const own: Own = { mode: orders.mode, orders, inputs: [], created: new Map() };
  pi.on('session_start', (_event, context) => report(pi, own, context));
  pi.on('tool_call', (event, context) => judge(own, event, context));
  pi.on('tool_result', (event) => describe(own, event));
  pi.on('message_end', ({ message }) => (message.role === 'user' ? { message: stamped(message, own.inputs.shift()) } : undefined));
  pi.registerCommand(GATE, {
    description: 'Used by Signalbox to steer its approvals',
    handler: async (words, context) => obey(pi, own, words, context),
  });
}

/** As much of Pi's extension interface as is used here (the same in 0.73.1 and 0.87.1). */
interface Pi {
  on(event: 'session_start', handler: (event: object, context: Context) => void): void;
  on(event: 'tool_call', handler: (event: ToolCall, context: Context) => Promise<Blocked | undefined>): void;
  on(event: 'tool_result', handler: (event: ToolResult) => { details: object } | undefined): void;
  on(event: 'message_end', handler: (event: { readonly message: Message }) => { message: Message } | undefined): void;
  registerCommand(name: string, command: { description: string; handler(words: string, context: CommandContext): Promise<void> }): void;
  getActiveTools(): string[];
}

interface Context {
  readonly cwd: string;
  readonly signal?: AbortSignal | undefined;
  readonly ui: {
    select(title: string, options: string[], more?: { signal?: AbortSignal }): Promise<string | undefined>;
    setStatus(key: string, text: string): void;
  };
  isIdle(): boolean;
}

interface CommandContext extends Context {
  waitForIdle(): Promise<void>;
}

interface ToolCall {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly input: Record<string, unknown>;
}

interface ToolResult extends ToolCall {
  readonly details?: unknown;
  readonly isError: boolean;
}

interface Blocked {
  readonly block: true;
  readonly reason: string;
}

interface Message {
  readonly role: string;
  readonly [GATE]?: { readonly input?: string };
}

interface Own {
  mode: GateOrders['mode'];
  readonly orders: GateOrders;
  /** Ids of inputs whose messages Pi has not begun to work on. */
  inputs: string[];
  /** What calls that make new files will have written. */
  readonly created: Map<string, string>;
}

/** Pi's file has no ids of ours: a message of a user says there which input of ours it was, or that it was none. The model is not sent this. */
const stamped = (message: Message, input: string | undefined): Message => ({ ...message, [GATE]: input === undefined ? {} : { input } });

/** Whatever cannot be read is the strictest. */
function readOrders(text: string | undefined): GateOrders {
  try {
    return { mode: 'default', allowed: [], denied: [], ...(JSON.parse(text ?? '{}') as Partial<GateOrders>) };
  } catch {
    return { mode: 'default', allowed: [], denied: [] };
  }
}

function report(pi: Pi, { mode }: Own, { ui }: Context): void {
  ui.setStatus(GATE, JSON.stringify({ mode, tools: pi.getActiveTools(), version: versionOfPi() }));
}

/** Pi does not tell its version to a client; it lies beside the program that runs. */
function versionOfPi(): string | undefined {
  try {
    for (let folder = dirname(realpathSync(process.argv[1] ?? '')); folder !== dirname(folder); folder = dirname(folder)) {
      const file = join(folder, 'package.json');
      if (!existsSync(file)) continue;
      const { version } = JSON.parse(readFileSync(file, 'utf8')) as { version?: string };
      if (version !== undefined) return version;
    }
  } catch {
    // A version that is not known is not shown.
  }
  return undefined;
}

const READS = new Set(['read', 'grep', 'find', 'ls']);
const EDITS = new Set(['write', 'edit']);

async function judge(own: Own, call: ToolCall, context: Context): Promise<Blocked | undefined> {
  const { toolName, input } = call;
  if (own.orders.denied.includes(toolName)) return { block: true, reason: `${DENIED}${toolName} is switched off in this session.` };
  const answer = mayRun(own, toolName) ? ({ behavior: 'allow' } as const) : await ask(call, context);
  if (answer.behavior === 'deny') return { block: true, reason: `${DENIED}${answer.message}` };
  if (answer.input !== undefined) replace(input, answer.input);
  noteNewFile(own, call, context);
  return undefined;
}

/** What only reads runs unasked; whatever else an extension brings may write, run or reach out. */
function mayRun({ mode, orders }: Own, tool: string): boolean {
  if (mode === 'bypassPermissions' || READS.has(tool) || orders.allowed.includes(tool)) return true;
  return mode === 'acceptEdits' && EDITS.has(tool);
}

/** Without the signal Pi would wait for the answer even when it was told to stop. A dialog that was closed is a no. */
async function ask({ toolCallId, toolName: tool, input }: ToolCall, { ui, signal }: Context): Promise<GateAnswer> {
  const said = await ui.select(`${ASKS}${JSON.stringify({ toolCallId, tool, input })}`, ['allow', 'deny'], signal === undefined ? {} : { signal });
  if (said === undefined) return { behavior: 'deny', message: 'The turn was stopped before anybody answered.' };
  try {
    const answer = JSON.parse(said) as GateAnswer;
    return answer.behavior === 'allow' ? answer : { behavior: 'deny', message: String(answer.message) };
  } catch {
    return { behavior: 'deny', message: 'The answer could not be read.' };
  }
}

/** Pi runs a call with the arguments that it finds in the event afterwards. */
function replace(input: Record<string, unknown>, changed: Readonly<Record<string, unknown>>): void {
  for (const name of Object.keys(input)) delete input[name];
  Object.assign(input, changed);
}

function noteNewFile(own: Own, { toolCallId, toolName, input }: ToolCall, { cwd }: Context): void {
  const { path, content } = input;
  if (toolName !== 'write' || typeof path !== 'string' || typeof content !== 'string') return;
  if (!existsSync(resolve(cwd, path))) own.created.set(toolCallId, content);
}

/** Pi tells the patch of an edit only: a new file gets one here. */
function describe(own: Own, { toolCallId, details, isError }: ToolResult): { details: object } | undefined {
  const content = own.created.get(toolCallId);
  own.created.delete(toolCallId);
  if (content === undefined || isError) return undefined;
  return { details: { ...(typeof details === 'object' ? details : {}), created: true, patch: patchOfNewFile(content) } };
}

async function obey(pi: Pi, own: Own, words: string, context: CommandContext): Promise<void> {
  const [, order, value = ''] = /^(\S+)(?: (.*))?$/s.exec(words) ?? [];
  if (order === 'input') {
    // What an idle agent was given and did not take, it refused.
    if (context.isIdle()) own.inputs = [];
    own.inputs.push(value);
  }
  if (order === 'mode' && (value === 'default' || value === 'acceptEdits' || value === 'bypassPermissions')) {
    own.mode = value;
    report(pi, own, context);
  }
  // The answer to this order is sent when the order is carried out.
  if (order === 'rest') await context.waitForIdle();
}
