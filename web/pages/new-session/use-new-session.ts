import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { ApiError } from '../../client/http/api.ts';
import { newId } from '../../client/new-id.ts';
import { machineOf } from '../../parts/common/machine-name.tsx';
import { useFormDraft } from '../../parts/common/use-form-draft.ts';
import { useApp, useCockpit } from '../../store/cockpit-context.ts';
import { defaultAgent, recentFolders } from '../../store/sessions/deck.ts';
import { createBody, type NewSessionForm, SavedForm } from './new-session-form.ts';

/** The key of the draft for a session that does not exist yet. */
const DRAFT = 'new';
const NOTHING: SavedForm = {};

export interface NewSession {
  readonly form: NewSessionForm;
  readonly hasFolder: boolean;
  readonly isComplete: boolean;
  readonly isSending: boolean;
  /** The server's refusal. */
  readonly problem: string;
  change(fields: Partial<NewSessionForm>): void;
  create(): Promise<void>;
  /** Closes and resets the form, except the message. */
  leave(): void;
}

/** The form of a new session. Starts with the last folder (or the first allowed one) and the last agent, and keeps what is typed until the session is created. */
export function useNewSession(onClose: () => void): NewSession {
  const cockpit = useCockpit();
  const navigate = useNavigate();
  // One id for the whole dialog: submitting twice, or again after a lost response, creates one session.
  const id = useRef(newId());
  const agent = useApp((state) => defaultAgent(state.sessions.values(), state.agents ?? []));
  const lastFolder = useApp(
    (state) =>
      recentFolders(
        [...state.sessions.values()].filter((session) => machineOf(state, session) === undefined),
        1,
      )[0] ?? '',
  );
  const firstRoot = useApp((state) => (state.folders?.path === undefined ? state.folders?.folders[0]?.path : undefined));
  const [folder, setFolder] = useState(lastFolder === '' ? undefined : lastFolder);
  const [saved, save] = useFormDraft('new-session', SavedForm, NOTHING);
  const [typed, setTyped] = useState<Pick<NewSessionForm, 'prompt' | 'env'>>({ prompt: cockpit.draftOf(DRAFT) });
  const [problem, setProblem] = useState('');
  const [isSending, setSending] = useState(false);
  useEffect(() => void cockpit.loadAgents(), [cockpit]);
  useEffect(() => {
    if (firstRoot !== undefined) setFolder((before) => before ?? firstRoot);
  }, [firstRoot]);
  const form: NewSessionForm = { ...(agent !== undefined && { agent }), ...(folder !== undefined && { cwd: folder }), ...saved, ...typed };
  const leave = () => {
    save(NOTHING);
    onClose();
  };
  const create = async () => {
    setSending(true);
    setProblem('');
    try {
      const session = await cockpit.createSession(createBody(form, id.current));
      cockpit.setDraft(DRAFT, '');
      leave();
      await navigate({ to: '/s/$sessionId', params: { sessionId: session.id } });
    } catch (error) {
      // A refused form may be changed, so it gets a new id. After a lost response the old id finds the session that was created.
      if (!(error instanceof ApiError && error.status === 0)) id.current = newId();
      setProblem(error instanceof Error ? error.message : String(error));
      setSending(false);
    }
  };
  const change = (fields: Partial<NewSessionForm>) => {
    const { prompt = typed.prompt, env = typed.env, ...rest } = fields;
    setTyped({ ...(prompt !== undefined && { prompt }), ...(env !== undefined && { env }) });
    if (Object.keys(rest).length > 0) save({ ...saved, ...rest });
    if (fields.prompt !== undefined) cockpit.setDraft(DRAFT, fields.prompt);
  };
  const isComplete = form.agent !== undefined && (form.cwd ?? '') !== '';
  return { form, hasFolder: form.cwd !== undefined, isComplete, isSending, problem, change, create, leave };
}
