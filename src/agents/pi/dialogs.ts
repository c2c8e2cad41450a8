import { isAbsolute, join } from 'node:path';
import * as z from 'zod/mini';
import type { Observation } from '../../protocol/observation.ts';
import type { Subject } from '../../protocol/subject.ts';
import { ASKS, GATE } from './gate-words.ts';
import type { LineKind } from './line.ts';
import { line } from './line.ts';
import type { State, Step } from './state.ts';
import { nothing, remember, tell } from './state.ts';
import { subjectOf } from './subject.ts';
import { unrecognised } from './unrecognised.ts';
import { Dialog, ExtensionError, GateQuestion, GateStatus } from './wire.ts';

export const DIALOG_LINES: Readonly<Record<string, LineKind>> = {
  extension_ui_request: line(Dialog, asked),
  extension_error: line(ExtensionError, (state, { extensionPath, error }) =>
    tell(state, { type: 'notice.shown', level: 'error', text: `An extension of Pi failed (${extensionPath ?? 'unnamed'}): ${error ?? 'no reason given'}` }),
  ),
};

function asked(state: State, dialog: Dialog): Step {
  switch (dialog.method) {
    case 'select':
      return gateAsked(state, dialog) ?? questionAsked(state, dialog, dialog.options ?? []);
    case 'confirm':
      return questionAsked(state, dialog, ['Yes', 'No']);
    case 'input':
    case 'editor':
      return questionAsked(state, dialog, []);
    case 'notify':
      return tell(state, { type: 'notice.shown', level: LEVELS[dialog.notifyType ?? 'info'] ?? 'info', text: dialog.message ?? '' });
    case 'setStatus':
      return dialog.statusKey === GATE ? gateTold(state, dialog) : nothing(state);
    // Decoration of a terminal.
    case 'setWidget':
    case 'setTitle':
    case 'set_editor_text':
      return nothing(state);
    default:
      return tell(state, unrecognised(JSON.stringify(dialog), `a dialog of an unknown kind: ${dialog.method}`));
  }
}

const LEVELS: Readonly<Record<string, 'info' | 'warning' | 'error' | undefined>> = { info: 'info', warning: 'warning', error: 'error' };

function gateTold(state: State, { statusText }: Dialog): Step {
  const parsed = z.safeParse(GateStatus, json(statusText ?? ''));
  if (!parsed.success) return nothing(state);
  const { mode, tools, version } = parsed.data;
  return nothing({ ...state, gate: { mode, tools: tools.slice(0, 100), ...(version === undefined ? {} : { version }) } });
}

/** Our own extension asks whether a call may run. */
function gateAsked(state: State, { id, title }: Dialog): Step | undefined {
  const parsed = title?.startsWith(ASKS) ? z.safeParse(GateQuestion, json(title.slice(ASKS.length))) : undefined;
  if (!parsed?.success) return undefined;
  const { toolCallId, tool, input } = parsed.data;
  return tell(waiting(state, id), {
    type: 'permission.asked',
    agentRequestId: `gate:${id}`,
    toolUseId: toolCallId,
    tool,
    input,
    kind: 'tool',
    subject: inFolder(subjectOf(tool, input), state.cwd),
  });
}

/** Models name files as they like; rules and people want to know which. */
function inFolder(subject: Subject, cwd: string): Subject {
  if (subject.kind !== 'edit' && subject.kind !== 'read') return subject;
  return { ...subject, paths: subject.paths.map((path) => (isAbsolute(path) ? path : join(cwd, path))) };
}

/** An extension of the person's own asks something. The id says in which form it wants the answer. */
function questionAsked(state: State, dialog: Dialog, options: readonly string[]): Step {
  const question = [dialog.title, dialog.method === 'confirm' ? dialog.message : undefined].filter((part) => part).join('\n') || 'An extension asks';
  const told: Observation = {
    type: 'permission.asked',
    agentRequestId: `${dialog.method}:${dialog.id}`,
    tool: dialog.method,
    input: { questions: [{ question, multiSelect: false, options: options.map((label) => ({ label })) }] },
    title: question,
    kind: 'question',
    subject: { kind: 'other' },
  };
  return tell(waiting(state, dialog.id), told);
}

const waiting = (state: State, id: string): State => ({ ...state, dialogs: remember(state.dialogs, id) });

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
