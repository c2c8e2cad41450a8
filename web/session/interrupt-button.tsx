import { Square } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useApp, useCockpit } from '../app/cockpit-context.ts';
import { KeyHint } from '../ui/key-hint.tsx';
import { useShortcuts } from '../ui/use-shortcuts.ts';
import { abilityIn } from './use-capabilities.ts';

/** The second Esc must follow the first within this. */
const TWICE_MS = 2000;

export function InterruptButton({ sessionId }: { readonly sessionId: string }) {
  const cockpit = useCockpit();
  const canInterrupt = useApp((state) => {
    const status = state.sessions.get(sessionId)?.status;
    return (status === 'busy' || status === 'waiting') && abilityIn(state, sessionId, 'interrupt') !== false;
  });
  const [isArmed, setArmed] = useState(false);
  useEffect(() => {
    if (!isArmed) return;
    const timer = setTimeout(() => setArmed(false), TWICE_MS);
    return () => clearTimeout(timer);
  }, [isArmed]);
  const interrupt = () => {
    setArmed(false);
    cockpit.interrupt(sessionId);
  };
  useShortcuts(canInterrupt ? { Escape: () => (isArmed ? interrupt() : setArmed(true)) } : {});
  if (!canInterrupt) return null;
  return (
    <button type="button" className="button interrupt" onClick={interrupt}>
      <Square className="interrupt-sign" size={14} aria-hidden="true" />
      <span className="interrupt-word">{isArmed ? 'Esc again to interrupt' : 'Interrupt'}</span> <KeyHint>esc</KeyHint>
    </button>
  );
}
