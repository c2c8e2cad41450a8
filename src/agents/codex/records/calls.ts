import { itemOf, resultOf } from '../../formats/item-id.ts';
import { jsonObject } from '../../formats/json-object.ts';
import { isObject, object, optional, text } from '../../formats/shape.ts';
import { contentOf } from './content.ts';
import { agentAt, NOTHING, type Reader } from './line-result.ts';

interface Call {
  readonly call_id: string;
  readonly name: string;
  readonly arguments: string | undefined;
  readonly input: string | undefined;
}
const isCall = object<Call>({ call_id: text, name: text, arguments: optional(text), input: optional(text) });

/** A tool call by the model; later lines say whether it ran. */
export const callMade: Reader = (line) => {
  if (!isCall(line.payload)) return undefined;
  const { call_id: id, name, arguments: given = '', input: words } = line.payload;
  const input = words === undefined ? (jsonObject(given) ?? { arguments: given }) : { input: words };
  return { observations: [{ type: 'tool.started', itemId: itemOf(id), toolUseId: id, name, input, ...agentAt(line) }] };
};

const isReturn = object<{ readonly call_id: string }>({ call_id: text });

/** The result that the model got. For a call that was refused or cut off, this is all there is; a call that ran also has an item with more details. */
export const callReturned: Reader = (line) => {
  if (!isReturn(line.payload)) return undefined;
  const { call_id: id } = line.payload;
  const { output, exitCode } = outputOf(line.payload.output);
  if (line.ordinal !== undefined && RAN.test(output) && !SIGNALED.test(output)) return NOTHING;
  const isError = exitCode === undefined ? FAILED.test(output) : exitCode !== 0;
  return {
    observations: [{ type: 'tool.completed', ...resultOf(id), output, isError, ...agentAt(line) }],
  };
};

/** Commands and patches that ran have this before their output (0.166.0). */
const RAN = /^(?:Chunk ID: [^\n]*\n)?(?:Exit code: -?\d+\n)?Wall time: [\d.]+ seconds\n(?:Process [^\n]*\n)?(?:Original token count: \d+\n)?Output:\n/;
/** A command that a signal ended: its item is read as that of an interrupted one. */
const SIGNALED = /^Process (?:exited with code -\d|[^\n]*signal)/m;
const FAILED = /^[a-z_]+ failed\b|^unsupported |\baborted by user$|^Exit code: (?!0\n)/;

/** Older versions wrote the output of a command as JSON with its exit code (described, not seen). */
function outputOf(output: unknown): { readonly output: string; readonly exitCode?: number } {
  const content = contentOf(output).text;
  const old = content.startsWith('{"output":') ? jsonObject(content) : undefined;
  if (!text(old?.output)) return { output: content };
  const code = isObject(old.metadata) ? old.metadata.exit_code : undefined;
  return { output: old.output, ...(typeof code === 'number' ? { exitCode: code } : {}) };
}

/** The service itself searched (described, not seen): the only result is the answer that follows. */
export const searchMade: Reader = (line) => {
  const { id: given, action } = line.payload;
  const id = text(given) ? given : `search:${line.timestamp}`;
  const started = { type: 'tool.started', itemId: itemOf(id), toolUseId: id, name: 'web_search', input: isObject(action) ? action : {} } as const;
  const completed = { type: 'tool.completed', ...resultOf(id), output: '', isError: false } as const;
  return {
    observations: [
      { ...started, ...agentAt(line) },
      { ...completed, ...agentAt(line) },
    ],
  };
};
