import { type DemoRequest, DemoSetting, type Picture } from './wire.ts';

type Fields = Record<string, unknown>;
type Read = DemoRequest | { readonly wrong: string };

/** Reads one line of input, or explains why it isn't a valid request. */
export function readRequest(line: string): Read {
  try {
    return requestIn(record(JSON.parse(line)));
  } catch {
    return { wrong: 'a line of input was not JSON and was ignored' };
  }
}

function requestIn(fields: Fields): Read {
  const { type, id, text, request } = fields;
  if (type === 'input' && typeof id === 'string' && typeof text === 'string') {
    return { type, id, text, images: list(fields.images).flatMap(pictureIn), steer: fields.steer === true };
  }
  if (type === 'interrupt' && typeof request === 'string') return { type, request };
  if (type === 'answer' && typeof request === 'string') return answerIn(request, fields);
  if (type === 'set') return settingIn(fields);
  return { wrong: `the demo agent does not know this kind of input line (type ${JSON.stringify(type)})` };
}

function answerIn(request: string, fields: Fields): DemoRequest {
  if (fields.behavior !== 'allow') {
    return {
      type: 'answer',
      request,
      behavior: 'deny',
      message: typeof fields.message === 'string' ? fields.message : 'No.',
      interrupt: fields.interrupt === true,
    };
  }
  const mode = typeof fields.mode === 'string' ? { mode: fields.mode } : {};
  return { type: 'answer', request, behavior: 'allow', input: record(fields.input), grants: list(fields.grants).map(record), ...mode };
}

function settingIn({ command, setting, value }: Fields): Read {
  const name = DemoSetting.safeParse(setting);
  if (typeof command !== 'string' || typeof value !== 'string' || !name.success) return { wrong: 'a request for a setting was not understood and was ignored' };
  return { type: 'set', command, setting: name.data, value };
}

function pictureIn(read: unknown): readonly Picture[] {
  const { mediaType, base64 } = record(read);
  return typeof mediaType === 'string' && typeof base64 === 'string' ? [{ mediaType, base64 }] : [];
}

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const record = (value: unknown): Fields => (typeof value === 'object' && value !== null ? { ...value } : {});
