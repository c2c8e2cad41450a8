import { useEffect, useState } from 'react';
import type { SharedLink, WebhookShown } from '../../../../src/protocol/api/outside/outside.ts';
import { ConfirmButton } from '../../../base/ui/confirm-button.tsx';
import { createOutsideApi } from '../../../client/http/outside-api.ts';
import { Ago } from '../../../parts/common/ago.tsx';
import { CopyButton } from '../../../parts/common/copy-button.tsx';
import { useApp } from '../../../store/cockpit-context.ts';
import { useSettingsState } from '../settings-context.ts';
import { WebhookForm } from './webhook-form.tsx';

/** Programs that are told what happens, and links to single sessions. */
export function ConnectionsTab() {
  const isOwner = useSettingsState((state) => state.isOwner);
  const [api] = useState(() => createOutsideApi(document.baseURI));
  const [webhooks, setWebhooks] = useState<readonly WebhookShown[]>();
  const [shares, setShares] = useState<readonly SharedLink[]>();
  const [secret, setSecret] = useState<string>();
  const [problem, setProblem] = useState<string>();
  const attempt = async (work: () => Promise<unknown>): Promise<boolean> => {
    try {
      await work();
      setWebhooks(await api.webhooks());
      setShares(await api.shares());
      setProblem(undefined);
      return true;
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
      return false;
    }
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: loads once it is known that this person may
  useEffect(() => void (isOwner === true && attempt(async () => undefined)), [isOwner]);
  if (isOwner === false) return <p className="quiet">Only an owner of this server can see webhooks and links.</p>;
  if (webhooks === undefined || shares === undefined) return <Problem problem={problem} />;
  const add = (url: string, events: readonly string[]) => attempt(async () => setSecret((await api.addWebhook(url, events)).secret));
  return (
    <>
      <Problem problem={problem} />
      <section aria-label="Webhooks">
        <h2>Webhooks</h2>
        <p className="quiet">Send events to another program, signed as Standard Webhooks. Each arrives at least once, also after a restart.</p>
        {secret !== undefined && <NewWebhookSecret secret={secret} onDone={() => setSecret(undefined)} />}
        <WebhookForm add={add} />
        <ul className="token-list">
          {webhooks.map((webhook) => (
            <WebhookRow
              key={webhook.id}
              webhook={webhook}
              onRemove={() => void attempt(() => api.removeWebhook(webhook.id))}
              onResume={() => void attempt(() => api.resumeWebhook(webhook.id))}
            />
          ))}
        </ul>
      </section>
      <section aria-label="Links">
        <h2>Links</h2>
        <p className="quiet">
          {shares.length === 0
            ? 'No session is shared through a link. To share one, choose Share link in its menu.'
            : 'Anyone who has a link can read that session until it expires.'}
        </p>
        <ul className="token-list">
          {shares.map((share) => (
            <ShareRow key={share.id} share={share} onRevoke={() => void attempt(() => api.revokeShare(share.id))} />
          ))}
        </ul>
      </section>
    </>
  );
}

function Problem({ problem }: { readonly problem: string | undefined }) {
  return <div role="alert">{problem !== undefined && <p className="form-problem">{problem}</p>}</div>;
}

function NewWebhookSecret({ secret, onDone }: { readonly secret: string; readonly onDone: () => void }) {
  return (
    <div className="new-secret" role="status">
      <p>
        <strong>The secret of the new webhook, shown only once.</strong> The receiver needs it to check signatures:
      </p>
      <p className="secret-line">
        <code>{secret}</code>
        <CopyButton text={secret} />
      </p>
      <button type="button" className="button" onClick={onDone}>
        Done
      </button>
    </div>
  );
}

interface WebhookRowProps {
  readonly webhook: WebhookShown;
  readonly onRemove: () => void;
  readonly onResume: () => void;
}

const STATES = { working: 'working', failing: 'failing, trying again', parked: 'parked after three days of failures' } as const;

function WebhookRow({ webhook, onRemove, onResume }: WebhookRowProps) {
  const { url, events, state, problem, lastDeliveredAt } = webhook;
  return (
    <li className="token-row">
      <p>
        <strong>{url}</strong> <span className="quiet">{events.join(', ')}</span>
      </p>
      <p className="rule-facts">
        {STATES[state]}
        {' · '}
        {lastDeliveredAt === undefined ? 'nothing delivered yet' : 'last delivered '}
        {lastDeliveredAt !== undefined && <Ago at={lastDeliveredAt} />}
        {problem !== undefined && ` · ${problem}`}
      </p>
      {state !== 'working' && (
        <button type="button" className="button" onClick={onResume}>
          Try now
        </button>
      )}
      <ConfirmButton label="Remove" question="Events that were not delivered yet are not sent anymore." onConfirm={onRemove} />
    </li>
  );
}

function ShareRow({ share, onRevoke }: { readonly share: SharedLink; readonly onRevoke: () => void }) {
  const title = useApp((state) => state.sessions.get(share.sessionId)?.title);
  const address = new URL(share.url, document.baseURI).href;
  const until = new Date(share.expiresAt);
  return (
    <li className="token-row">
      <p>
        <strong>{title ?? share.sessionId}</strong> <CopyButton text={address} />
      </p>
      <p className="rule-facts">{until.getTime() < Date.now() ? 'expired' : `until ${until.toLocaleString()}`}</p>
      <ConfirmButton label="Revoke" question="The link stops working at once." onConfirm={onRevoke} />
    </li>
  );
}
