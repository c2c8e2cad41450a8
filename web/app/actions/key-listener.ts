import type { Actions, BoundAction } from '../../base/actions/actions.ts';
import { keyNameOf } from '../../base/actions/key-names.ts';

/** The next key of a sequence must come within this time. */
const NEXT_MS = 1500;

/** Keys that a focused button or link handles itself. */
const OWN_KEYS = new Set(['Enter', ' ']);

/** Runs actions by key, unless the person is typing or a dialog is open. Returns a function that stops it. */
export function listenForKeys(actions: Actions, page: Document): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const remember = (keys: string) => {
    clearTimeout(timer);
    if (actions.pending.getState().keys !== keys) actions.pending.setState({ keys });
    if (keys !== '') timer = setTimeout(() => actions.pending.setState({ keys: '' }), NEXT_MS);
  };
  const onKey = (event: KeyboardEvent) => {
    if (isModifier(event.key) || !isMeantForPage(event, page)) return;
    const bound = actions.bound().filter(({ facts }) => facts.isOfField !== true);
    const step = stepKeys(
      actions.pending.getState().keys,
      keyNameOf(event),
      bound.flatMap(({ facts }) => facts.keys ?? []),
    );
    remember(step.pending);
    if (step.pending !== '') event.preventDefault();
    const found = step.keys === undefined ? undefined : bound.find(({ facts }) => facts.keys?.includes(step.keys ?? ''));
    if (found !== undefined) press(found, event);
  };
  page.addEventListener('keydown', onKey);
  return () => {
    clearTimeout(timer);
    page.removeEventListener('keydown', onKey);
  };
}

/** Prevents the default, so that a field opened by a key doesn't get its letter. Holding a key runs most actions once. */
function press({ facts, binding }: BoundAction, event: KeyboardEvent): void {
  event.preventDefault();
  if (!event.repeat || facts.repeats === true) binding.run(event);
}

const isModifier = (key: string): boolean => key === 'Shift' || key === 'Control' || key === 'Meta' || key === 'Alt';

const isElement = (target: EventTarget | null): target is Element => target !== null && 'closest' in target;

function isMeantForPage(event: KeyboardEvent, page: Document): boolean {
  if (event.defaultPrevented || event.isComposing || page.querySelector('dialog[open], :popover-open') !== null) return false;
  const { target } = event;
  if (!isElement(target)) return true;
  if ((event.key === 'Home' || event.key === 'End') && target.closest('.side') !== null) return false;
  if (OWN_KEYS.has(event.key) && target.closest('button, a, summary, [role="option"]') !== null) return false;
  return event.key === 'Escape' || event.ctrlKey || event.metaKey || !target.matches('input, textarea, select, [contenteditable]');
}

/** The keys of a sequence so far, and the complete sequence once it is known. */
export interface KeyStep {
  readonly pending: string;
  readonly keys?: string;
}

/** Adds a key. `known` are the sequences bound now. A key that leads nowhere starts a new sequence. */
export function stepKeys(pending: string, name: string, known: Iterable<string>): KeyStep {
  const all = [...known];
  const longer = pending === '' ? name : `${pending} ${name}`;
  if (all.includes(longer)) return { pending: '', keys: longer };
  if (all.some((keys) => keys.startsWith(`${longer} `))) return { pending: longer };
  return pending === '' ? { pending: '' } : stepKeys('', name, all);
}
