import type { SendIntent } from '../port/adapter.ts';
import { answerLines } from './approvals.ts';
import { openclawModeOf } from './modes.ts';
import { inputIdOf, requestLine } from './request-id.ts';
import type { State } from './state.ts';

/** The lines for an intent. */
export function encode(intent: SendIntent, state: State): readonly string[] {
  const key = state.key ?? '';
  switch (intent.kind) {
    case 'input':
      return [inputLine(intent, key)];
    case 'interrupt':
      // Without a run id, everything that runs in the conversation is stopped; an open request is closed with it (2026.9.6).
      return [requestLine({ for: 'interrupt', requestId: intent.requestId }, 'chat.abort', { sessionKey: key })];
    case 'set': {
      const { kind: _, ...change } = intent;
      return [requestLine({ for: 'set', ...change }, 'sessions.patch', { key, ...patchOf(change) })];
    }
    case 'rewind':
      throw new Error('OpenClaw cannot restore files; its capabilities say so');
    case 'tool-answer':
      throw new Error('OpenClaw has no tools on the bus; its capabilities say so');
    case 'answer':
      return answerLines(intent, state);
  }
}

/** Inputs are sent only when no turn is shown. A run that exists anyway (a restarted Gateway resumes what its crash cut off) is stopped rather than queued behind. */
function inputLine({ commandId, text, images, steer }: Extract<SendIntent, { kind: 'input' }>, sessionKey: string): string {
  const inputId = inputIdOf(commandId);
  return requestLine({ for: 'input', inputId }, 'chat.send', {
    sessionKey,
    message: text,
    idempotencyKey: inputId,
    queueMode: steer ? 'steer' : 'interrupt',
    ...(images.length === 0 ? {} : { attachments: images.map(attached) }),
  });
}

const attached = ({ mediaType, base64 }: { readonly mediaType: string; readonly base64: string }, index: number) => ({
  type: 'image',
  mimeType: mediaType,
  fileName: `image-${index + 1}.${mediaType.split('/')[1] ?? 'png'}`,
  content: base64,
});

type SettingChange = Pick<Extract<SendIntent, { kind: 'set' }>, 'setting' | 'value'>;

function patchOf({ setting, value }: SettingChange): object {
  if (setting === 'model') return { model: value };
  return setting === 'mode' ? { permissionMode: openclawModeOf(value) } : { thinkingLevel: value };
}
