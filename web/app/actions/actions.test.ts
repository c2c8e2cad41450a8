import { Window } from 'happy-dom';
import { expect, test } from 'vitest';
import { ACTION_IDS, factsOf, SCOPES } from '../../base/actions/action-list.ts';
import { openActions } from '../../base/actions/actions.ts';
import { keyNameOf, keyText } from '../../base/actions/key-names.ts';
import { listenForKeys, stepKeys } from './key-listener.ts';

test('[R252] no two actions of a scope have the same key, and none is the start of another', () => {
  for (const scope of Object.keys(SCOPES)) {
    const keys = ACTION_IDS.filter((id) => factsOf(id).scope === scope).flatMap((id) => factsOf(id).keys ?? []);
    expect([...new Set(keys)], scope).toEqual(keys);
    for (const key of keys)
      expect(
        keys.filter((other) => other.startsWith(`${key} `)),
        `${scope}: ${key}`,
      ).toEqual([]);
  }
});

test('a key that starts a sequence is never used alone', () => {
  const all = ACTION_IDS.flatMap((id) => factsOf(id).keys ?? []);
  const firsts = new Set(all.filter((keys) => keys.includes(' ')).map((keys) => keys.split(' ')[0] ?? ''));
  expect(all.filter((keys) => firsts.has(keys))).toEqual([]);
});

const named = [
  [{ key: 'k', ctrlKey: true }, 'Mod+k', 'Ctrl K'],
  [{ key: 'K', metaKey: true }, 'Mod+k', 'Ctrl K'],
  [{ key: '?', shiftKey: true }, '?', '?'],
  [{ key: 'Enter', shiftKey: true }, 'Shift+Enter', 'Shift ⏎'],
  [{ key: 'ArrowUp', altKey: true }, 'Alt+ArrowUp', 'Alt ↑'],
  [{ key: '+', shiftKey: true }, '+', '+'],
] as const;
for (const [press, name, text] of named) {
  test(`the key ${name} is shown as ${text}`, () => {
    expect(keyNameOf({ ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...press })).toBe(name);
    expect(keyText(name, false)).toBe(text);
  });
}

test('keys in sequence combine; a key that leads nowhere starts again', () => {
  const known = ['c', 'g d', 'g i'];
  expect(stepKeys('', 'g', known)).toEqual({ pending: 'g' });
  expect(stepKeys('g', 'i', known)).toEqual({ pending: '', keys: 'g i' });
  expect(stepKeys('g', 'c', known)).toEqual({ pending: '', keys: 'c' });
  expect(stepKeys('g', 'x', known)).toEqual({ pending: '' });
});

/** A page with a field, a button and the registry that handles its keys. */
function openPage() {
  const { document, KeyboardEvent } = new Window();
  document.body.innerHTML = '<button></button><input><dialog></dialog>';
  const actions = openActions();
  const runs: string[] = [];
  const stop = listenForKeys(actions, document as unknown as Document);
  const press = (key: string, more: object = {}, on = 'body') => {
    const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...more });
    document.querySelector(on)?.dispatchEvent(event);
    return event.defaultPrevented;
  };
  return { actions, runs, press, stop, dialog: document.querySelector('dialog') };
}

test('of two actions with the same key the more specific one runs, while it is bound', () => {
  const { actions, runs, press } = openPage();
  actions.bind(() => ({ 'go.search': () => runs.push('search') }));
  const leave = actions.bind(() => ({ 'session.write': () => runs.push('write') }));
  press('/');
  leave();
  press('/');
  expect(runs).toEqual(['write', 'search']);
});

test('of an action that is bound twice the last binding runs', () => {
  const { actions, runs, press } = openPage();
  actions.bind(() => ({ 'session.new': () => runs.push('first') }));
  actions.bind(() => ({ 'session.new': () => runs.push('last') }));
  press('c');
  expect(runs).toEqual(['last']);
});

test('keys do nothing while typing or while a dialog is open; shortcuts with a modifier work while typing', () => {
  const { actions, runs, press, dialog } = openPage();
  actions.bind(() => ({ 'session.new': () => runs.push('new'), 'palette.open': () => runs.push('palette') }));
  expect(press('c', {}, 'input')).toBe(false);
  expect(press('k', { ctrlKey: true }, 'input')).toBe(true);
  dialog?.setAttribute('open', '');
  press('c');
  expect(runs).toEqual(['palette']);
});

test('a focused button handles Enter itself', () => {
  const { actions, runs, press } = openPage();
  actions.bind(() => ({ 'list.open': () => runs.push('open') }));
  press('Enter', {}, 'button');
  press('Enter');
  expect(runs).toEqual(['open']);
});

test('holding a key runs an action once, but keeps moving through a list', () => {
  const { actions, runs, press } = openPage();
  actions.bind(() => ({ 'request.allow': () => runs.push('allow'), 'list.next': () => runs.push('next') }));
  for (const key of ['y', 'j']) {
    press(key);
    expect(press(key, { repeat: true })).toBe(true);
  }
  expect(runs).toEqual(['allow', 'next', 'next']);
});

test('after the first of two keys the registry says which key is pending', () => {
  const { actions, runs, press } = openPage();
  actions.bind(() => ({ 'go.inbox': () => runs.push('inbox') }));
  press('g');
  expect(actions.pending.getState().keys).toBe('g');
  press('i');
  expect(actions.pending.getState().keys).toBe('');
  expect(runs).toEqual(['inbox']);
});
