import { isAbsolute, join } from 'node:path';
import type { FileChange } from '../../protocol/event.ts';
import { contentOf, stampOf } from '../formats/pi-content.ts';
import { patchOf } from '../formats/pi-diff.ts';
import type { PiToolResult } from '../formats/pi-message.ts';
import { DENIED, isCreated } from './gate-words.ts';
import type { State, Step } from './state.ts';
import { lookUp, tell, without } from './state.ts';
import { itemOf } from './wire.ts';

export function toolCompleted(state: State, result: PiToolResult): Step {
  const { toolCallId, isError = false } = result;
  const { text, images } = contentOf(result.content);
  const change = isError ? undefined : changeOf(state, result);
  const isDenied = isError && text.startsWith(DENIED);
  return tell(
    { ...state, tools: without(state.tools, toolCallId), denials: state.denials + (isDenied ? 1 : 0) },
    {
      type: 'tool.completed',
      itemId: itemOf(`${toolCallId}:result`),
      parentItemId: itemOf(toolCallId),
      toolUseId: toolCallId,
      output: text,
      isError,
      ...(change ? { change } : {}),
      ...(images.length > 0 ? { rawImages: images } : {}),
      ...stampOf(result.timestamp),
    },
  );
}

/** Our extension adds the patch of a new file. One that was there before and is written anew has none: Pi does not tell what it held. */
function changeOf(state: State, { toolCallId, details }: PiToolResult): FileChange | undefined {
  const tool = lookUp(state.tools, toolCallId);
  if (tool?.path === undefined) return undefined;
  const path = isAbsolute(tool.path) ? tool.path : join(state.cwd, tool.path);
  const patch = patchOf(details);
  return patch === undefined ? undefined : { kind: isCreated(details) ? 'create' : 'edit', path, patch };
}
