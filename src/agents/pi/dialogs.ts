import { isAbsolute, join } from 'node:path';
import * as z from 'zod/mini';
import type { Observation } from '../../protocol/observation.ts';
import type { Subject } from '../../protocol/subject.ts';
import type { Reader } from '../formats/fold.ts';
import { emit, emitNothing, readerFor, remember } from '../formats/fold.ts';
import { jsonObject } from '../formats/json-object.ts';
import { unrecognized } from '../formats/unrecognized.ts';
import { ASK_PREFIX, GATE, TOOL_PREFIX } from './extension-protocol.ts';
import type { State, Step } from './state.ts';
import { subjectOf } from './subject.ts';
import { Dialog, ExtensionError, GateQuestion, GateStatus } from './wire.ts';

export const DIALOG_LINES: Readonly<Record<string, Reader<State>>> = {
  extension_ui_request: readerFor(Dialog, asked),
  extension_error: readerFor(ExtensionError, (state, { extensionPath, error }) =>
    emit(state, { type: 'notice.shown', level: 'error', text: `A Pi extension failed (${extensionPath ?? 'unnamed'}): ${error ?? 'no reason given'}` }),
  ),
};

function asked(state: State, dialog: Dialog): Step {
  switch (dialog.method) {
    case 'select':
      return gateAsked(state, dialog) ?? questionAsked(state, dialog, dialog.options ?? []);
    case 'confirm':
      return questionAsked(state, dialog, ['Yes', 'No']);
    case 'input':
      return toolCalled(state, dialog) ?? questionAsked(state, dialog, []);
    case 'editor':
      return questionAsked(state, dialog, []);
    case 'notify':
      return emit(state, { type: 'notice.shown', level: LEVELS[dialog.notifyType ?? 'info'] ?? 'info', text: dialog.message ?? '' });
    case 'setStatus':
      return dialog.statusKey === GATE ? observeGateStatus(state, dialog) : emitNothing(state);
    // Terminal decoration.
    case 'setWidget':
    case 'setTitle':
    case 'set_editor_text':
      return emitNothing(state);
    default:
      return emit(state, unrecognized(JSON.stringify(dialog), `a dialog of an unknown kind: ${dialog.method}`));
  }
}

const LEVELS: Readonly<Record<string, 'info' | 'warning' | 'error' | undefined>> = { info: 'info', warning: 'warning', error: 'error' };

function observeGateStatus(state: State, { statusText }: Dialog): Step {
  const parsed = z.safeParse(GateStatus, jsonObject(statusText ?? ''));
  if (!parsed.success) return emitNothing(state);
  const { mode, tools, version } = parsed.data;
  return emitNothing({ ...state, gate: { mode, tools: tools.slice(0, 100), ...(version === undefined ? {} : { version }) } });
}

/** Our own extension asks whether a call may run. */
function gateAsked(state: State, { id, title }: Dialog): Step | undefined {
  const parsed = title?.startsWith(ASK_PREFIX) ? z.safeParse(GateQuestion, jsonObject(title.slice(ASK_PREFIX.length))) : undefined;
  if (!parsed?.success) return undefined;
  const { toolCallId, tool, input } = parsed.data;
  return emit(waiting(state, id), {
    type: 'permission.asked',
    agentRequestId: `gate:${id}`,
    toolUseId: toolCallId,
    tool,
    input,
    kind: 'tool',
    subject: inFolder(subjectOf(tool, input), state.cwd),
  });
}

/** Our own extension passes on a call of one of our tools. */
function toolCalled(state: State, { id, title }: Dialog): Step | undefined {
  const parsed = title?.startsWith(TOOL_PREFIX) ? z.safeParse(GateQuestion, jsonObject(title.slice(TOOL_PREFIX.length))) : undefined;
  if (!parsed?.success) return undefined;
  const { toolCallId, tool, input } = parsed.data;
  return emit(waiting(state, id), { type: 'tool.called', agentRequestId: id, toolUseId: toolCallId, tool, input });
}

/** Models use relative paths; rules and people need absolute ones. */
function inFolder(subject: Subject, cwd: string): Subject {
  if (subject.kind !== 'edit' && subject.kind !== 'read') return subject;
  return { ...subject, paths: subject.paths.map((path) => (isAbsolute(path) ? path : join(cwd, path))) };
}

/** An extension of the person's own asks something. The id says in which form it wants the answer. */
function questionAsked(state: State, dialog: Dialog, options: readonly string[]): Step {
  const question = [dialog.title, dialog.method === 'confirm' ? dialog.message : undefined].filter((part) => part).join('\n') || 'An extension has a question';
  const observed: Observation = {
    type: 'permission.asked',
    agentRequestId: `${dialog.method}:${dialog.id}`,
    tool: dialog.method,
    input: { questions: [{ question, multiSelect: false, options: options.map((label) => ({ label })) }] },
    title: question,
    kind: 'question',
    subject: { kind: 'other' },
  };
  return emit(waiting(state, dialog.id), observed);
}

const waiting = (state: State, id: string): State => ({ ...state, dialogs: remember(state.dialogs, id) });
