import { useEffect, useState } from 'react';
import { agoText } from '../../base/text/format.ts';
import { messageOf } from '../../base/text/message-of.ts';
import type { PastConversation } from '../../client/http/session-api.ts';
import { useCockpit } from '../../store/cockpit-context.ts';
import type { NewSessionForm } from './new-session-form.ts';

interface PastChoiceProps {
  readonly form: NewSessionForm;
  readonly onChange: (fields: Partial<NewSessionForm>) => void;
}

type Past = { readonly found: readonly PastConversation[] } | { readonly problem: string } | undefined;

/** The agent's past conversations in this folder, including those from a terminal. */
export function PastChoice({ form, onChange }: PastChoiceProps) {
  const [isOpen, setOpen] = useState(false);
  const past = usePast(isOpen ? form.agent : undefined, form.cwd);
  return (
    <details className="options" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Continue a past conversation</summary>
      {past === undefined && <p className="quiet">Loading…</p>}
      {past !== undefined && 'problem' in past && <p className="quiet">{past.problem}</p>}
      {past !== undefined && 'found' in past && past.found.length === 0 && <p className="quiet">No past conversations in this folder.</p>}
      {past !== undefined && 'found' in past && past.found.length > 0 && (
        <fieldset className="agent-choice past-choice">
          <legend>Conversation</legend>
          <PastCard title="Start a new conversation" facts="" isChosen={!form.resume} onChoose={() => onChange({ resume: '', fork: false })} />
          {past.found.map((one) => (
            <PastCard
              key={one.agentSessionId}
              title={one.title}
              facts={factsOf(one)}
              isChosen={form.resume === one.agentSessionId}
              onChoose={() => onChange({ resume: one.agentSessionId })}
            />
          ))}
          <label className="check">
            <input type="checkbox" checked={form.fork ?? false} disabled={!form.resume} onChange={(event) => onChange({ fork: event.target.checked })} />{' '}
            Continue in a copy, keep the original
          </label>
        </fieldset>
      )}
    </details>
  );
}

interface PastCardProps {
  readonly title: string;
  readonly facts: string;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}

const PastCard = ({ title, facts, isChosen, onChoose }: PastCardProps) => (
  <label className="agent-card">
    <input type="radio" name="past" checked={isChosen} onChange={onChoose} />
    <span className="agent-title">{title}</span>
    <span className="agent-state">{facts}</span>
  </label>
);

function usePast(agent: string | undefined, cwd: string | undefined): Past {
  const cockpit = useCockpit();
  const [past, setPast] = useState<Past>();
  useEffect(() => {
    if (agent === undefined || cwd === undefined || cwd === '') return;
    let isWanted = true;
    const show = (next: Past) => isWanted && setPast(next);
    cockpit.past(agent, cwd).then(
      (found) => show({ found }),
      (error: unknown) => show({ problem: messageOf(error) }),
    );
    return () => {
      isWanted = false;
    };
  }, [cockpit, agent, cwd]);
  return past;
}

const factsOf = ({ at, sessionId, driver }: PastConversation): string =>
  [agoText(Date.now() - Date.parse(at)), sessionId === undefined ? undefined : 'in Signalbox', driver === undefined ? undefined : 'open in another program']
    .filter((fact) => fact !== undefined)
    .join(' · ');
