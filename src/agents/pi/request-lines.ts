import { jsonLine } from '../formats/json-object.ts';

/** A request of ours; `type` names the command. */
interface Request {
  readonly id: string;
  readonly type: string;
  readonly [more: string]: unknown;
}

export const requestLine = (request: Request): string => jsonLine(request);

/** The answer to a dialog. Pi sends no reply to it. */
export const answerLine = (id: string, answer: Readonly<Record<string, unknown>>): string => jsonLine({ type: 'extension_ui_response', id, ...answer });
