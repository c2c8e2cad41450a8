import { isAbsolute, join } from 'node:path';
import type { FileChange } from '../../protocol/event.ts';
import { emit, ownProperty, withoutKey } from '../formats/fold.ts';
import { patchOf } from '../formats/pi-format/diff.ts';
import type { PiToolResult } from '../formats/pi-format/message.ts';
import { observeResult } from '../formats/pi-format/tool-result.ts';
import { DENIED_PREFIX, isCreated } from './extension-protocol.ts';
import type { State, Step } from './state.ts';

export function toolCompleted(state: State, result: PiToolResult): Step {
  const change = result.isError ? undefined : changeOf(state, result);
  const observed = observeResult(result, change ? { change } : {});
  const isDenied = observed.isError && observed.output.startsWith(DENIED_PREFIX);
  return emit({ ...state, tools: withoutKey(state.tools, result.toolCallId), denials: state.denials + (isDenied ? 1 : 0) }, observed);
}

/** Our extension adds the patch of a new file. An overwritten file has none: Pi doesn't report the old content. */
function changeOf(state: State, { toolCallId, details }: PiToolResult): FileChange | undefined {
  const tool = ownProperty(state.tools, toolCallId);
  if (tool?.path === undefined) return undefined;
  const path = isAbsolute(tool.path) ? tool.path : join(state.cwd, tool.path);
  const patch = patchOf(details);
  return patch === undefined ? undefined : { kind: isCreated(details) ? 'create' : 'edit', path, patch };
}
