import { Square } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useActions, useKeysActive } from '../../base/actions/actions-context.ts';
import { KeyHint } from '../../base/ui/key-hint.tsx';
import { useApp, useCockpit } from '../../store/cockpit-context.ts';
import { capabilityIn } from '../common/use-capabilities.ts';

/** The second Esc must follow the first within this time. */
const TWICE_MS = 2000;

export function InterruptButton({ sessionId }: { readonly sessionId: string }) {
  const cockpit = useCockpit();
  const canInterrupt = useApp((state) => {
    const status = state.sessions.get(sessionId)?.status;
    return (status === 'busy' || status === 'waiting') && capabilityIn(state, sessionId, 'interrupt') !== false;
  });
  const areKeysActive = useKeysActive();
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
  // The key asks once for confirmation; the named action runs at once.
  useActions({ 'session.interrupt': canInterrupt ? (event) => (isArmed || event === undefined ? interrupt() : setArmed(true)) : undefined });
  if (!canInterrupt) return null;
  return (
    <button type="button" className="button interrupt" onClick={interrupt}>
      <Square className="interrupt-sign" size={14} aria-hidden="true" />
      <span className="interrupt-word">{isArmed ? 'Esc again to interrupt' : 'Interrupt'}</span>{' '}
      {areKeysActive && <KeyHint>{isArmed ? 'esc' : 'esc esc'}</KeyHint>}
    </button>
  );
}
