import type { Actions, BoundAction } from '../../base/actions/actions.ts';
import { keyNameOf } from '../../base/actions/key-names.ts';
import { stepKeys } from './step-keys.ts';

/** Of keys that follow each other the next must come within this. */
const NEXT_MS = 1500;

/** Keys that the thing in focus has for itself. */
const OWN_KEYS = new Set(['Enter', ' ']);

/** Hears keys for the whole page, while nobody types and no layer lies on top. Returns how to end it. */
export function hearKeys(actions: Actions, page: Document): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const remember = (keys: string) => {
    clearTimeout(timer);
    if (actions.pending.getState().keys !== keys) actions.pending.setState({ keys });
    if (keys !== '') timer = setTimeout(() => actions.pending.setState({ keys: '' }), NEXT_MS);
  };
  const onKey = (event: KeyboardEvent) => {
    if (isModifier(event.key) || !isMeantForPage(event, page)) return;
    const bound = actions.bound().filter(({ facts }) => facts.isOfField !== true);
    const heard = stepKeys(
      actions.pending.getState().keys,
      keyNameOf(event),
      bound.flatMap(({ facts }) => facts.keys ?? []),
    );
    remember(heard.pending);
    if (heard.pending !== '') event.preventDefault();
    const found = heard.keys === undefined ? undefined : bound.find(({ facts }) => facts.keys?.includes(heard.keys ?? ''));
    if (found !== undefined) press(found, event);
  };
  page.addEventListener('keydown', onKey);
  return () => {
    clearTimeout(timer);
    page.removeEventListener('keydown', onKey);
  };
}

/** What a key opens does not get its letter, and a key that is held down does most things once. */
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
