import { Window } from 'happy-dom';
import { expect, test } from 'vitest';
import { copyBySelection } from './copy-text.ts';

/** A page whose `execCommand` succeeds or fails, and records what was selected and where. */
function pageOf(html: string, copies = true) {
  const page = new Window().document;
  page.body.innerHTML = html;
  const seen: unknown[] = [];
  const execCommand = () => {
    const field = page.querySelector('textarea');
    seen.push({ text: field?.value, place: field?.parentElement?.id, readOnly: field?.readOnly, chosen: field?.selectionEnd });
    return copies;
  };
  return { page: Object.assign(page, { execCommand }) as unknown as Document, seen };
}

test('without a clipboard API the text is selected in the topmost dialog, in a field that opens no keyboard', () => {
  const { page, seen } = pageOf('<dialog open id="below"></dialog><dialog id="closed"></dialog><dialog open id="above"><button>copy</button></dialog>');
  page.querySelector('button')?.focus();
  copyBySelection('some words', page);
  expect(seen).toEqual([{ text: 'some words', place: 'above', readOnly: true, chosen: 'some words'.length }]);
  expect([page.querySelector('textarea'), page.activeElement?.textContent]).toEqual([null, 'copy']);
});

test('if the browser copies nothing, an error says so and the field is removed', () => {
  const { page } = pageOf('', false);
  expect(() => copyBySelection('some words', page)).toThrow('the browser blocked it');
  expect(page.querySelector('textarea')).toBeNull();
});
