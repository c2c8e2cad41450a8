import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { patchOfNewFile } from '../formats/file-patch.ts';
import {
  ASK_PREFIX,
  DENIED_PREFIX,
  GATE,
  GATE_VARIABLE,
  type GateAnswer,
  type GateSettings,
  type GateTool,
  TOOL_PREFIX,
  type ToolAnswer,
} from './extension-protocol.ts';

/** Runs inside Pi, which never asks for permission. This extension asks through a dialog that Pi's RPC mode passes to Signalbox. Only Node's own modules. */
export default function gate(pi: Pi): void {
  const settings = readSettings(process.env[GATE_VARIABLE]);
  const state: ExtensionState = { mode: settings.mode, settings, inputs: [], created: new Map() };
  pi.on('session_start', (_event, context) => report(pi, state, context));
  pi.on('tool_call', (event, context) => checkToolCall(state, event, context));
  pi.on('tool_result', (event) => describe(state, event));
  pi.on('message_end', ({ message }) => (message.role === 'user' ? { message: stamped(message, state.inputs.shift()) } : undefined));
  for (const tool of settings.tools ?? []) registerTool(pi, tool);
  pi.registerCommand(GATE, {
    description: 'Used by Signalbox to steer its approvals',
    handler: async (words, context) => handleCommand(pi, state, words, context),
  });
}

/** The part of Pi's extension API used here (the same in 0.73.1 and 0.87.1). */
interface Pi {
  on(event: 'session_start', handler: (event: object, context: Context) => void): void;
  on(event: 'tool_call', handler: (event: ToolCall, context: Context) => Promise<Blocked | undefined>): void;
  on(event: 'tool_result', handler: (event: ToolResult) => { details: object } | undefined): void;
  on(event: 'message_end', handler: (event: { readonly message: Message }) => { message: Message } | undefined): void;
  registerCommand(name: string, command: { description: string; handler(words: string, context: CommandContext): Promise<void> }): void;
  registerTool(tool: OwnTool): void;
  getActiveTools(): string[];
}

interface Context {
  readonly cwd: string;
  readonly signal?: AbortSignal | undefined;
  readonly ui: {
    select(title: string, options: string[], more?: { signal?: AbortSignal }): Promise<string | undefined>;
    input(title: string, placeholder: undefined, more?: { signal?: AbortSignal }): Promise<string | undefined>;
    setStatus(key: string, text: string): void;
  };
  isIdle(): boolean;
}

interface CommandContext extends Context {
  waitForIdle(): Promise<void>;
}

interface OwnTool extends GateTool {
  readonly label: string;
  readonly promptSnippet: string;
  execute(
    toolCallId: string,
    input: object,
    signal: AbortSignal | undefined,
    onUpdate: unknown,
    context: Context,
  ): Promise<{ content: object[]; details: object }>;
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

interface ExtensionState {
  mode: GateSettings['mode'];
  readonly settings: GateSettings;
  /** Ids of inputs whose messages Pi hasn't started to work on. */
  inputs: string[];
  /** Contents of new files, by the call that writes them. */
  readonly created: Map<string, string>;
}

/** Pi's file has none of our ids, so each user message is marked with its input, or as none of ours. The model doesn't see this. */
const stamped = (message: Message, input: string | undefined): Message => ({ ...message, [GATE]: input === undefined ? {} : { input } });

/** Unreadable settings mean the strictest mode. */
function readSettings(text: string | undefined): GateSettings {
  try {
    return { mode: 'default', allowed: [], denied: [], ...(JSON.parse(text ?? '{}') as Partial<GateSettings>) };
  } catch {
    return { mode: 'default', allowed: [], denied: [] };
  }
}

function report(pi: Pi, { mode }: ExtensionState, { ui }: Context): void {
  ui.setStatus(GATE, JSON.stringify({ mode, tools: pi.getActiveTools(), version: versionOfPi() }));
}

/** Pi doesn't report its version; package.json next to the running program has it. */
function versionOfPi(): string | undefined {
  try {
    for (let folder = dirname(realpathSync(process.argv[1] ?? '')); folder !== dirname(folder); folder = dirname(folder)) {
      const file = join(folder, 'package.json');
      if (!existsSync(file)) continue;
      const { version } = JSON.parse(readFileSync(file, 'utf8')) as { version?: string };
      if (version !== undefined) return version;
    }
  } catch {
    // An unknown version is not shown.
  }
  return undefined;
}

/** The call goes to Signalbox through a dialog, like a request for permission, and the answer is the tool's result. */
function registerTool(pi: Pi, tool: GateTool): void {
  pi.registerTool({
    ...tool,
    label: tool.name,
    promptSnippet: tool.description,
    async execute(toolCallId, input, signal, _onUpdate, { ui }) {
      const reply = await ui.input(
        `${TOOL_PREFIX}${JSON.stringify({ toolCallId, tool: tool.name, input })}`,
        undefined,
        signal === undefined ? {} : { signal },
      );
      if (reply === undefined) throw new Error('The turn was stopped before there was an answer.');
      const { text, isError } = JSON.parse(reply) as ToolAnswer;
      if (isError) throw new Error(text);
      return { content: [{ type: 'text', text }], details: {} };
    },
  });
}

const READS = new Set(['read', 'grep', 'find', 'ls']);
const EDITS = new Set(['write', 'edit']);

async function checkToolCall(state: ExtensionState, call: ToolCall, context: Context): Promise<Blocked | undefined> {
  const { toolName, input } = call;
  if (state.settings.denied.includes(toolName)) return { block: true, reason: `${DENIED_PREFIX}${toolName} is switched off in this session.` };
  const answer = mayRun(state, toolName) ? ({ behavior: 'allow' } as const) : await ask(call, context);
  if (answer.behavior === 'deny') return { block: true, reason: `${DENIED_PREFIX}${answer.message}` };
  if (answer.input !== undefined) replace(input, answer.input);
  noteNewFile(state, call, context);
  return undefined;
}

/** Read-only tools run without asking; any tool of another extension may write, run or use the network. */
function mayRun({ mode, settings }: ExtensionState, tool: string): boolean {
  if (mode === 'bypassPermissions' || READS.has(tool) || settings.allowed.includes(tool)) return true;
  if (settings.tools?.some((own) => own.name === tool)) return true;
  return mode === 'acceptEdits' && EDITS.has(tool);
}

/** Without the signal Pi would wait for the answer even after an abort. A closed dialog counts as a denial. */
async function ask({ toolCallId, toolName: tool, input }: ToolCall, { ui, signal }: Context): Promise<GateAnswer> {
  const reply = await ui.select(`${ASK_PREFIX}${JSON.stringify({ toolCallId, tool, input })}`, ['allow', 'deny'], signal === undefined ? {} : { signal });
  if (reply === undefined) return { behavior: 'deny', message: 'The turn was stopped before anyone answered.' };
  try {
    const answer = JSON.parse(reply) as GateAnswer;
    return answer.behavior === 'allow' ? answer : { behavior: 'deny', message: String(answer.message) };
  } catch {
    return { behavior: 'deny', message: 'The answer could not be read.' };
  }
}

/** Pi runs the call with the arguments left in the event. */
function replace(input: Record<string, unknown>, changed: Readonly<Record<string, unknown>>): void {
  for (const name of Object.keys(input)) delete input[name];
  Object.assign(input, changed);
}

function noteNewFile(state: ExtensionState, { toolCallId, toolName, input }: ToolCall, { cwd }: Context): void {
  const { path, content } = input;
  if (toolName !== 'write' || typeof path !== 'string' || typeof content !== 'string') return;
  if (!existsSync(resolve(cwd, path))) state.created.set(toolCallId, content);
}

/** Pi only reports the patch of an edit; this adds one for a new file. */
function describe(state: ExtensionState, { toolCallId, details, isError }: ToolResult): { details: object } | undefined {
  const content = state.created.get(toolCallId);
  state.created.delete(toolCallId);
  if (content === undefined || isError) return undefined;
  return { details: { ...(typeof details === 'object' ? details : {}), created: true, patch: patchOfNewFile(content) } };
}

async function handleCommand(pi: Pi, state: ExtensionState, words: string, context: CommandContext): Promise<void> {
  const [, command, value = ''] = /^(\S+)(?: (.*))?$/s.exec(words) ?? [];
  if (command === 'input') {
    // Inputs that an idle agent didn't take were refused.
    if (context.isIdle()) state.inputs = [];
    state.inputs.push(value);
  }
  if (command === 'mode' && (value === 'default' || value === 'acceptEdits' || value === 'bypassPermissions')) {
    state.mode = value;
    report(pi, state, context);
  }
  // Pi answers this command when it has finished.
  if (command === 'rest') await context.waitForIdle();
}
