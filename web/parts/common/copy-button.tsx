import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import { useCopy } from './use-copy.ts';

/** How long the button confirms the copy. */
const CONFIRM_MS = 1500;

export function CopyButton({ text }: { readonly text: string }) {
  const [isDone, setDone] = useState(false);
  const copyText = useCopy();
  const copy = async () => {
    if (!(await copyText(text))) return;
    setDone(true);
    setTimeout(() => setDone(false), CONFIRM_MS);
  };
  return (
    <button type="button" className="copy-button" aria-label={isDone ? 'Copied' : 'Copy'} onClick={() => void copy()}>
      {isDone ? <Check size={13} aria-hidden="true" /> : <Copy size={13} aria-hidden="true" />}
      {isDone ? 'Copied' : 'Copy'}
    </button>
  );
}
