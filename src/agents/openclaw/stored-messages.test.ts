import { expect, test } from 'vitest';
import { notOpened } from './open-conversation.ts';
import { initial } from './state.ts';
import { fetched, observeStoredMessage } from './stored-messages.ts';

const row = (text: string, more: object = {}) => ({ role: 'assistant', content: [{ type: 'text', text }], __openclaw: { id: 'm1', ...more } });
const open = { ...initial(), key: 'k' };
const texts = (observations: readonly { readonly type: string }[]) => observations.flatMap((one) => ('text' in one ? [one.text] : []));

test('a truncated message is fetched and reported once, complete', () => {
  const first = observeStoredMessage(open, 'm1', row('beg', { truncated: true }));
  expect(first.observations).toEqual([]);
  expect(first.replies?.map((line) => JSON.parse(line))).toMatchObject([{ method: 'chat.message.get', params: { sessionKey: 'k', messageId: 'm1' } }]);
  expect(observeStoredMessage(first.state, 'm1', row('beg', { truncated: true }))).toMatchObject({ observations: [] });
  const whole = fetched(first.state, 'm1', { ok: true, message: row('beginning and end') });
  expect(texts(whole.observations)).toEqual(['beginning and end']);
  expect([whole.state.fetching, texts(fetched(whole.state, 'm1', { ok: true, message: row('again') }).observations)]).toEqual([[], []]);
});

test('when the complete text is not available, the truncated one is kept', () => {
  const { state } = observeStoredMessage(open, 'm1', row('beg', { truncated: true }));
  expect(texts(fetched(state, 'm1', undefined).observations)).toEqual(['beg']);
});

test('a conversation that could not be opened as requested has no key to send to', () => {
  expect(notOpened(open, 'model not allowed').state).toMatchObject({ key: null, closed: 'model not allowed' });
});
