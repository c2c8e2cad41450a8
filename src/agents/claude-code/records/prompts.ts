import type { Observation } from '../../../protocol/observation.ts';
import { isObject } from '../../formats/shape.ts';
import { parentOf } from '../lines/assistant.ts';
import { initial } from '../lines/state.ts';
import { contentOf } from '../lines/tool-result.ts';
import { USER_LINES } from '../lines/user.ts';
import { itemOf, stamp } from '../lines/wire.ts';
import type { RecordLine } from './entry.ts';

/** Observations from a prompt: a person's message, a command, or the output of one. */
export function observePrompt(line: RecordLine, content: unknown, inside?: string): readonly Observation[] | undefined {
  const { output, images } = contentOf(content);
  if (output.startsWith('<local-command-caveat>') || output.startsWith('[Request interrupted by user')) return [];
  if (output.startsWith('<local-command-std')) return commandOutput(line, output);
  if (output === '' && images.length === 0) return [];
  return [
    {
      type: 'user.message',
      text: commandIn(output) ?? output,
      origin: line.isSidechain || isFromAgent(line) ? 'agent' : 'elsewhere',
      ...(line.uuid === undefined ? {} : { itemId: itemOf(line.uuid) }),
      ...(images.length > 0 ? { rawImages: images } : {}),
      ...parentOf(inside),
      ...stamp(line),
    },
  ];
}

const commandOutput = ({ uuid, timestamp }: RecordLine, content: string): readonly Observation[] | undefined =>
  USER_LINES['user/replay']?.read(initial(), { uuid, timestamp, message: { content } })?.observations;

/** The CLI writes a notification from a background task as a prompt. */
function isFromAgent({ fields }: RecordLine): boolean {
  return isObject(fields.origin) && typeof fields.origin.kind === 'string' && fields.origin.kind !== 'human';
}

/** Commands from a person's own files have their message before their name. */
function commandIn(text: string): string | undefined {
  const found =
    /^\s*(?:<command-message>[\s\S]*?<\/command-message>\s*)?<command-name>([\s\S]*?)<\/command-name>[\s\S]*?(?:<command-args>([\s\S]*?)<\/command-args>\s*)?$/.exec(
      text,
    );
  return found === null ? undefined : [found[1], found[2]].filter((part) => part !== undefined && part !== '').join(' ');
}
