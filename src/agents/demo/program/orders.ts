import type { DemoOrder } from '../wire.ts';

/** Reads one line of input; says what is wrong with it when it is no order. */
export function readOrder(line: string): DemoOrder | { readonly wrong: string } {
  try {
    return orderIn(JSON.parse(line));
  } catch {
    return { wrong: 'a line of input was not JSON and was left out' };
  }
}

function orderIn(read: unknown): DemoOrder | { readonly wrong: string } {
  const fields = record(read);
  const { type, id, text, request, behavior } = fields;
  if (type === 'input' && typeof id === 'string' && typeof text === 'string') return { type, id, text };
  if (type === 'interrupt' && typeof request === 'string') return { type, request };
  if (type === 'answer' && typeof request === 'string') {
    if (behavior === 'allow') return { type, request, behavior, input: record(fields.input) };
    return { type, request, behavior: 'deny', message: typeof fields.message === 'string' ? fields.message : 'No.', interrupt: fields.interrupt === true };
  }
  return { wrong: `a line of input was no order that the demo agent knows (type ${JSON.stringify(type)})` };
}

const record = (value: unknown): Record<string, unknown> => (typeof value === 'object' && value !== null ? { ...value } : {});
