/** A request of ours; `type` names the command. */
interface Request {
  readonly id: string;
  readonly type: string;
  readonly [more: string]: unknown;
}

export const requestLine = (request: Request): string => print(request);

/** The answer to a dialog. Pi does not answer in turn. */
export const answerLine = (id: string, answer: Readonly<Record<string, unknown>>): string => print({ type: 'extension_ui_response', id, ...answer });

/** One line of JSON, whatever a person pasted: newlines are escaped, and half a surrogate pair, which APIs refuse, becomes U+FFFD. */
export const print = (value: object): string =>
  JSON.stringify(value, (_key, part: unknown) => (typeof part === 'string' ? part.replace(/\p{Surrogate}/gu, '\uFFFD') : part));
