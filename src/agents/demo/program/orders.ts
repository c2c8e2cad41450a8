import { type DemoOrder, DemoSetting, type Picture } from '../wire.ts';

type Fields = Record<string, unknown>;
type Read = DemoOrder | { readonly wrong: string };

/** Reads one line of input; says what is wrong with it when it is no order. */
export function readOrder(line: string): Read {
  try {
    return orderIn(record(JSON.parse(line)));
  } catch {
    return { wrong: 'a line of input was not JSON and was left out' };
  }
}

function orderIn(fields: Fields): Read {
  const { type, id, text, request } = fields;
  if (type === 'input' && typeof id === 'string' && typeof text === 'string') {
    return { type, id, text, images: list(fields.images).flatMap(pictureIn), steer: fields.steer === true };
  }
  if (type === 'interrupt' && typeof request === 'string') return { type, request };
  if (type === 'answer' && typeof request === 'string') return answerIn(request, fields);
  if (type === 'set') return wishIn(fields);
  return { wrong: `a line of input was no order that the demo agent knows (type ${JSON.stringify(type)})` };
}

function answerIn(request: string, fields: Fields): DemoOrder {
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

function wishIn({ command, setting, value }: Fields): Read {
  const name = DemoSetting.safeParse(setting);
  if (typeof command !== 'string' || typeof value !== 'string' || !name.success) return { wrong: 'a wish for a setting was not understood and was left out' };
  return { type: 'set', command, setting: name.data, value };
}

function pictureIn(read: unknown): readonly Picture[] {
  const { mediaType, base64 } = record(read);
  return typeof mediaType === 'string' && typeof base64 === 'string' ? [{ mediaType, base64 }] : [];
}

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const record = (value: unknown): Fields => (typeof value === 'object' && value !== null ? { ...value } : {});
