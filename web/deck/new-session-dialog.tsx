import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { useApp, useCockpit } from '../app/cockpit-context.ts';
import { newId } from '../app/start-cockpit.ts';
import { ApiError } from '../client/api.ts';
import { recentFolders } from '../store/deck.ts';
import { Dialog } from '../ui/dialog.tsx';
import { AgentChoice } from './agent-choice.tsx';
import { FolderField } from './folder-field.tsx';
import { createBody, type NewSessionForm } from './new-session-form.ts';
import { OptionFields } from './option-fields.tsx';

const DRAFT = 'new';

export function NewSessionDialog({ onClose }: { readonly onClose: () => void }) {
  const cockpit = useCockpit();
  const navigate = useNavigate();
  // One id for the whole dialog: pressing twice, or again after a lost answer, makes one session.
  const id = useRef(newId());
  const lastAgent = useApp((state) => state.agents?.find((agent) => agent.available)?.id);
  const lastFolder = useApp((state) => recentFolders(state.sessions.values(), 1)[0] ?? '');
  const [form, setForm] = useState<NewSessionForm>({ prompt: cockpit.draftOf(DRAFT), cwd: lastFolder });
  const [problem, setProblem] = useState('');
  const [isSending, setSending] = useState(false);
  const agent = form.agent ?? lastAgent;
  useEffect(() => void cockpit.loadAgents(), [cockpit]);
  const change = (fields: Partial<NewSessionForm>) => {
    setForm((before) => ({ ...before, ...fields }));
    if (fields.prompt !== undefined) cockpit.setDraft(DRAFT, fields.prompt);
  };
  const create = async (event?: FormEvent) => {
    event?.preventDefault();
    setSending(true);
    setProblem('');
    try {
      const session = await cockpit.createSession(createBody({ ...form, ...(agent === undefined ? {} : { agent }) }, id.current));
      cockpit.setDraft(DRAFT, '');
      onClose();
      await navigate({ to: '/s/$sessionId', params: { sessionId: session.id } });
    } catch (error) {
      // A refused form may be changed, so it gets a new id; after a lost answer the old one finds the session that was made.
      if (!(error instanceof ApiError && error.status === 0)) id.current = newId();
      setProblem(error instanceof Error ? error.message : String(error));
      setSending(false);
    }
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) void create();
  };
  return (
    <Dialog title="New session" onClose={onClose}>
      <form className="new-form" onSubmit={create} onKeyDown={onKey}>
        <AgentChoice chosen={agent} onChoose={(chosen) => change({ agent: chosen })} />
        <FolderField value={form.cwd ?? ''} onChange={(cwd) => change({ cwd })} />
        <label className="field">
          <span>First message</span>
          <textarea
            data-first={lastFolder === '' ? undefined : true}
            rows={4}
            value={form.prompt ?? ''}
            onChange={(event) => change({ prompt: event.target.value })}
            placeholder="What shall it do? May stay empty."
          />
        </label>
        <OptionFields form={form} onChange={change} />
        {problem !== '' && (
          <p className="form-problem" role="alert">
            {problem}
          </p>
        )}
        <footer className="dialog-foot">
          <button type="submit" className="button primary" disabled={isSending || agent === undefined || (form.cwd ?? '') === ''}>
            {isSending ? 'Starting…' : 'Start'}
          </button>
        </footer>
      </form>
    </Dialog>
  );
}
