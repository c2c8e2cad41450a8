import { X } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';

interface DialogProps {
  readonly title: string;
  readonly className?: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** The browser's own modal: it traps focus and closes with Esc. The element with `data-first` gets the focus. */
export function Dialog({ title, className = 'dialog', onClose, children }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const dialog = ref.current;
    if (dialog?.open !== false) return;
    dialog.showModal();
    dialog.querySelector<HTMLElement>('[data-first]')?.focus();
  }, []);
  return (
    <dialog ref={ref} className={className} aria-label={title} onClose={onClose}>
      <header className="dialog-head">
        <h2>{title}</h2>
        <button type="button" className="icon-button" aria-label="Close" onClick={() => ref.current?.close()}>
          <X size={16} aria-hidden="true" />
        </button>
      </header>
      {children}
    </dialog>
  );
}
