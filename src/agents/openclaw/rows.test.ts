import { expect, test } from 'vitest';
import { notOpened } from './opening.ts';
import { fetched, rowTold } from './rows.ts';
import { initial } from './state.ts';

const row = (text: string, more: object = {}) => ({ role: 'assistant', content: [{ type: 'text', text }], __openclaw: { id: 'm1', ...more } });
const open = { ...initial(), key: 'k' };
const texts = (observations: readonly { readonly type: string }[]) => observations.flatMap((one) => ('text' in one ? [one.text] : []));

test('a message that was told cut is asked for, and told once, whole', () => {
  const first = rowTold(open, 'm1', row('beg', { truncated: true }));
  expect(first.observations).toEqual([]);
  expect(first.replies?.map((line) => JSON.parse(line))).toMatchObject([{ method: 'chat.message.get', params: { sessionKey: 'k', messageId: 'm1' } }]);
  expect(rowTold(first.state, 'm1', row('beg', { truncated: true }))).toMatchObject({ observations: [] });
  const whole = fetched(first.state, 'm1', { ok: true, message: row('beginning and end') });
  expect(texts(whole.observations)).toEqual(['beginning and end']);
  expect([whole.state.fetching, texts(fetched(whole.state, 'm1', { ok: true, message: row('again') }).observations)]).toEqual([[], []]);
});

test('where the whole cannot be had, what was told is kept', () => {
  const { state } = rowTold(open, 'm1', row('beg', { truncated: true }));
  expect(texts(fetched(state, 'm1', undefined).observations)).toEqual(['beg']);
});

test('a conversation that could not be opened as it was wished has no name to be spoken to', () => {
  expect(notOpened(open, 'model not allowed').state).toMatchObject({ key: null, closed: 'model not allowed' });
});
