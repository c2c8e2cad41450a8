import { type KeyboardEvent, type ReactNode, useId, useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';

interface PopupMenuProps {
  /** The button's accessible name. */
  readonly label: string;
  readonly className: string;
  readonly trigger: ReactNode;
  readonly children: ReactNode;
}

/** Distance from the button and from the window's edges. */
const GAP_PX = 6;

/** A button with a popup list, closed by Esc, a choice or a click elsewhere. */
export function PopupMenu({ label, className, trigger, children }: PopupMenuProps) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(false);
  // Every message has one: the list is created on first use, just before the browser needs it.
  const [isCreated, setCreated] = useState(false);
  const createList = () => isCreated || flushSync(() => setCreated(true));
  useLayoutEffect(() => {
    const [anchor, shown] = [button.current, list.current];
    if (!isOpen || anchor === null || shown === null) return;
    choicesOf(shown)[0]?.focus();
    // Its content may load later and be larger.
    const observer = new ResizeObserver(() => place(anchor.getBoundingClientRect(), shown));
    place(anchor.getBoundingClientRect(), shown);
    observer.observe(shown);
    return () => observer.disconnect();
  }, [isOpen]);
  return (
    <>
      <button
        ref={button}
        type="button"
        className={className}
        aria-label={label}
        aria-haspopup="true"
        aria-expanded={isOpen}
        popoverTarget={id}
        onClick={createList}
      >
        {trigger}
      </button>
      {isCreated && (
        // biome-ignore lint/a11y/noStaticElementInteractions: the choices inside are buttons; this only follows them
        <div
          ref={list}
          id={id}
          popover="auto"
          className="menu-list popup"
          onToggle={(event) => setOpen(event.newState === 'open')}
          onClick={(event) => event.target instanceof Element && event.target.closest('button') !== null && list.current?.hidePopover()}
          onKeyDown={(event) => list.current !== null && step(event, list.current)}
        >
          {isOpen && children}
        </div>
      )}
    </>
  );
}

const choicesOf = (list: HTMLElement): readonly HTMLElement[] => [...list.querySelectorAll<HTMLElement>('button:not(:disabled), input')];

/** Below the button if there is room, otherwise above it; never outside the window. */
function place(anchor: DOMRect, list: HTMLElement): void {
  const { width, height } = list.getBoundingClientRect();
  const below = anchor.bottom + GAP_PX;
  const top = below + height <= innerHeight ? below : Math.max(GAP_PX, anchor.top - height - GAP_PX);
  const left = Math.max(GAP_PX, Math.min(anchor.left, innerWidth - width - GAP_PX));
  list.style.top = `${top}px`;
  list.style.left = `${left}px`;
}

function step(event: KeyboardEvent, list: HTMLElement): void {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
  event.preventDefault();
  const choices = choicesOf(list);
  const at = choices.findIndex((choice) => choice.matches(':focus'));
  choices[(at + (event.key === 'ArrowDown' ? 1 : -1) + choices.length) % choices.length]?.focus();
}
