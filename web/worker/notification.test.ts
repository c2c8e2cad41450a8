import { expect, test } from 'vitest';
import { deviceName, obstacle } from '../client/push-subscription.ts';
import { answerOf, notificationOf } from './notification.ts';

const message = { title: 'Tidy up', body: 'wants to run: npm test', path: 's/s1#e4', tag: 'waiting r/1', requestId: 'r/1' };

test('a request stays on screen until it is clicked and can be answered there; other notifications go away', () => {
  expect(notificationOf(message).options).toMatchObject({
    requireInteraction: true,
    actions: [{ action: 'allow' }, { action: 'deny' }],
    data: { path: 's/s1#e4', requestId: 'r/1' },
  });
  const { requestId: _, ...plain } = message;
  expect(notificationOf(plain).options).toMatchObject({ requireInteraction: false, actions: [], data: { path: 's/s1#e4' } });
});

test('only the two actions answer, and only a request; anything else opens the page', () => {
  const { data } = notificationOf(message).options;
  expect(answerOf('allow', data)).toEqual({ path: 'api/permissions/r%2F1', behavior: 'allow' });
  expect(answerOf('deny', data)).toEqual({ path: 'api/permissions/r%2F1', behavior: 'deny' });
  expect([answerOf('', data), answerOf('constructor', data), answerOf('allow', { path: 's/s1' })]).toEqual([undefined, undefined, undefined]);
});

test('a browser that can’t get notifications says why, and what to do', () => {
  const able = { isSecureContext: true, navigator: { serviceWorker: {} }, PushManager: {} };
  expect(obstacle({ ...able, isSecureContext: false }, 'default')).toContain('--tls-cert');
  expect(obstacle({ isSecureContext: true, navigator: {} }, undefined)).toContain('Add to Home Screen');
  expect(obstacle(able, 'denied')).toContain('Allow them in your browser’s site settings');
  expect([obstacle(able, 'default'), obstacle(able, 'granted')]).toEqual([undefined, undefined]);
});

test('browsers have readable names', () => {
  expect(deviceName('Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0 Mobile Safari/537.36')).toBe('Chrome on Android');
  expect(deviceName('Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile Safari/604.1')).toBe(
    'Safari on an iPhone',
  );
  expect(deviceName('curl')).toBe('A browser');
});
