import { isAbsolute, join } from 'node:path';
import type { FileChange } from '../../protocol/event.ts';
import { patchOf } from '../formats/pi-diff.ts';
import type { PiToolResult } from '../formats/pi-message.ts';
import { resultTold } from '../formats/pi-result.ts';
import { DENIED, isCreated } from './gate-words.ts';
import type { State, Step } from './state.ts';
import { lookUp, tell, without } from './state.ts';

export function toolCompleted(state: State, result: PiToolResult): Step {
  const change = result.isError ? undefined : changeOf(state, result);
  const told = resultTold(result, change ? { change } : {});
  const isDenied = told.isError && told.output.startsWith(DENIED);
  return tell({ ...state, tools: without(state.tools, result.toolCallId), denials: state.denials + (isDenied ? 1 : 0) }, told);
}

/** Our extension adds the patch of a new file. One that was there before and is written anew has none: Pi does not tell what it held. */
function changeOf(state: State, { toolCallId, details }: PiToolResult): FileChange | undefined {
  const tool = lookUp(state.tools, toolCallId);
  if (tool?.path === undefined) return undefined;
  const path = isAbsolute(tool.path) ? tool.path : join(state.cwd, tool.path);
  const patch = patchOf(details);
  return patch === undefined ? undefined : { kind: isCreated(details) ? 'create' : 'edit', path, patch };
}
