import { Suspense, useEffect, useMemo, useState } from 'react';
import type { CheckpointList, TurnChanges } from '../../../../../src/protocol/api/checkpoints.ts';
import type { Event } from '../../../../../src/protocol/event.ts';
import { lazily } from '../../../../base/browser/lazily.ts';
import { clockText, countText } from '../../../../base/text/format.ts';
import { messageOf } from '../../../../base/text/message-of.ts';
import { type CheckpointApi, createCheckpointApi } from '../../../../client/http/checkpoint-api.ts';
import { useApp } from '../../../../store/cockpit-context.ts';
import { useInspector } from '../inspector-context.ts';
import { JumpLink } from '../jump-link.tsx';
import { TurnFiles } from './turn-files.tsx';
import './turns.css';

const RevertDialog = lazily(() => import('../../../../parts/dialogs/revert-dialog.tsx'));

const NEWS: ReadonlySet<Event['type']> = new Set(['checkpoint.made', 'checkpoint.skipped', 'checkpoint.enabled', 'checkpoint.removed', 'revert.done']);

/** What a person wants to go back to. */
export interface Wanted {
  readonly to: number;
  readonly paths?: readonly string[];
}

/** Every turn with the files that changed in it, including those that commands changed. */
export function TurnsView() {
  const { sessionId } = useInspector();
  const api = useMemo(() => createCheckpointApi(document.baseURI, sessionId), [sessionId]);
  const [list, setList] = useState<CheckpointList>();
  const [problem, setProblem] = useState('');
  const [wanted, setWanted] = useState<Wanted>();
  const news = useApp((state) => state.open.get(sessionId)?.transcript.events.findLast(({ type }) => NEWS.has(type))?.seq ?? 0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: reloads after a checkpoint or a revert
  useEffect(() => {
    api.list().then(setList, (error: unknown) => setProblem(messageOf(error)));
  }, [api, news]);
  return (
    <div className="turns">
      <div role="alert">{problem !== '' && <p className="form-problem">{problem}</p>}</div>
      {list === undefined && problem === '' && <p className="side-words">Loading…</p>}
      {list !== undefined && <Turns list={list} api={api} onWant={setWanted} />}
      {wanted !== undefined && (
        <Suspense>
          <RevertDialog sessionId={sessionId} {...wanted} onClose={() => setWanted(undefined)} />
        </Suspense>
      )}
    </div>
  );
}

interface TurnsProps {
  readonly list: CheckpointList;
  readonly api: CheckpointApi;
  readonly onWant: (wanted: Wanted) => void;
}

function Turns({ list, api, onWant }: TurnsProps) {
  const rows = [
    ...list.turns.map((turn) => ({ seq: turn.seq, row: <Turn key={turn.turnId} turn={turn} api={api} onWant={onWant} /> })),
    ...list.reverts
      .filter(({ files, refused }) => files + refused > 0)
      .map((revert) => ({ seq: revert.seq, row: <Reverted key={revert.commandId} revert={revert} onWant={onWant} /> })),
  ].sort((a, b) => b.seq - a.seq);
  return (
    <>
      {list.skipped !== undefined && <Off skipped={list.skipped} api={api} />}
      {rows.length === 0 && <p className="side-words">No turns yet.</p>}
      <ol className="turn-list">{rows.map(({ row }) => row)}</ol>
    </>
  );
}

function Off({ skipped, api }: { readonly skipped: NonNullable<CheckpointList['skipped']>; readonly api: CheckpointApi }) {
  const [problem, setProblem] = useState('');
  return (
    <div className="turns-off" role="status">
      <p>
        {skipped.off ? 'Checkpoints are off for this folder' : 'No checkpoint was made'}: {skipped.reason}.{problem !== '' && ` ${problem}`}
      </p>
      {skipped.off && (
        <button type="button" className="button" onClick={() => void api.enable().catch((error: unknown) => setProblem(messageOf(error)))}>
          Turn on
        </button>
      )}
    </div>
  );
}

function Turn({ turn, api, onWant }: { readonly turn: TurnChanges; readonly api: CheckpointApi; readonly onWant: (wanted: Wanted) => void }) {
  const { to } = turn;
  const count = turn.files.length + (turn.filesMore ?? 0);
  return (
    <li className="turn">
      <div className="turn-head">
        <JumpLink seq={turn.seq} className="turn-title" title="Show this turn in the transcript">
          {turn.text ?? 'Started by the agent'}
        </JumpLink>
        <span className="quiet turn-facts">
          {clockText(turn.at)} · {to === undefined ? 'no checkpoint' : count === 0 ? 'no files changed' : countText(count, 'file')}
          {turn.late && ' · late checkpoint'}
          {turn.shared && ' · shared folder'}
        </span>
        {to !== undefined && (
          <button type="button" className="button plain turn-revert" onClick={() => onWant({ to })} title="Restore files to how they were before this turn">
            Revert…
          </button>
        )}
      </div>
      {to !== undefined && count > 0 && <TurnFiles turn={turn} api={api} onRevert={(path) => onWant({ to, paths: [path] })} />}
    </li>
  );
}

function Reverted({ revert, onWant }: { readonly revert: CheckpointList['reverts'][number]; readonly onWant: (wanted: Wanted) => void }) {
  const { undo } = revert;
  return (
    <li className="turn">
      <div className="turn-head">
        <span className="turn-title">{countText(revert.files, 'file')} restored</span>
        <span className="quiet turn-facts">
          {clockText(revert.at)}
          {revert.refused > 0 && ` · ${revert.refused} left alone`}
        </span>
        {undo !== undefined && revert.files > 0 && (
          <button type="button" className="button plain turn-revert" onClick={() => onWant({ to: undo })}>
            Undo…
          </button>
        )}
      </div>
    </li>
  );
}
