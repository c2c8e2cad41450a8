import { Fragment, useLayoutEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import type { ActionId } from '../../base/actions/action-list.ts';
import type { BoundAction } from '../../base/actions/actions.ts';
import { useRegistry } from '../../base/actions/actions-context.ts';
import { isMac } from '../../base/actions/is-mac.ts';
import { keyText } from '../../base/actions/key-names.ts';
import { missingText } from '../../base/text/missing-text.ts';
import { KeyHint } from '../../base/ui/key-hint.tsx';
import { useCapabilities } from '../../parts/common/use-capabilities.ts';
import { usePush } from '../../parts/session-actions/use-push.ts';

/** What people look for comes first, what is also a key or a control on the page comes last. Actions that are not listed come before the last group. */
const GROUPS: readonly (readonly ActionId[])[] = [
  ['session.rename', 'session.describe', 'session.star', 'session.unread', 'session.archive', 'session.close', 'session.mute'],
  ['session.fork', 'session.handover', 'session.compact'],
  ['session.interrupt', 'session.sleep', 'session.wake', 'session.stop', 'session.takeover'],
  ['session.details', 'session.link', 'session.share', 'session.export', 'session.search', 'session.folder', 'session.id'],
  ['session.model', 'session.mode', 'session.thinking'],
  ['session.changes', 'session.files', 'session.timeline', 'session.raw', 'session.transcript', 'session.beside'],
];
const LAST: ActionId = 'session.delete';

function groupsOf(actions: readonly BoundAction[]): readonly (readonly BoundAction[])[] {
  const byId = new Map(actions.map((action) => [action.id, action]));
  const grouped = GROUPS.map((ids) => ids.flatMap((id) => byId.get(id) ?? []));
  const others = actions.filter(({ id }) => id !== LAST && !GROUPS.some((ids) => ids.includes(id)));
  return [...grouped, others, actions.filter(({ id }) => id === LAST)].filter((group) => group.length > 0);
}

/** The choices of a session's menu. Loads what only some of them need, such as the notification settings. */
export default function SessionChoices({ sessionId }: { readonly sessionId: string }) {
  const registry = useRegistry();
  useStore(registry.changes);
  usePush();
  const list = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => list.current?.querySelector('button')?.focus(), []);
  const [opened, setOpened] = useState<ActionId>();
  const actions = registry.bound().filter(({ facts }) => facts.scope === 'session' && facts.isByKeyOnly !== true);
  return (
    <div ref={list}>
      {groupsOf(actions).map((group, at) => (
        <Fragment key={group[0]?.id}>
          {at > 0 && <hr />}
          {group.map((action) => (
            <ActionItem key={action.id} action={action} isOpen={opened === action.id} onOpen={() => setOpened(opened === action.id ? undefined : action.id)} />
          ))}
        </Fragment>
      ))}
      <MissingCapabilities sessionId={sessionId} />
    </div>
  );
}

interface ActionItemProps {
  readonly action: BoundAction;
  readonly isOpen: boolean;
  readonly onOpen: () => void;
}

/** An action with a choice shows its options right below. */
function ActionItem({ action: { facts, binding }, isOpen, onOpen }: ActionItemProps) {
  const { choices } = binding;
  const key = facts.keysText ?? facts.keys?.[0];
  const words = (
    <>
      {binding.title ?? facts.title} {binding.hint !== undefined && <span className="quiet">{binding.hint}</span>}
      {key !== undefined && <KeyHint>{facts.keysText ?? keyText(key, isMac())}</KeyHint>}
    </>
  );
  if (choices === undefined) {
    return (
      <button type="button" onClick={() => binding.run()}>
        {words}
      </button>
    );
  }
  return (
    <>
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={(event) => {
          // The menu closes with a choice, and this is not one yet.
          event.stopPropagation();
          onOpen();
        }}
      >
        {words}
      </button>
      {isOpen &&
        choices.map((choice) => (
          <button key={choice.title} type="button" className="menu-sub" aria-current={choice.isNow === true} onClick={choice.run}>
            {choice.title} {choice.hint !== undefined && <span className="quiet">{choice.hint}</span>}
          </button>
        ))}
    </>
  );
}

function MissingCapabilities({ sessionId }: { readonly sessionId: string }) {
  const can = useCapabilities(sessionId);
  const text = can === undefined ? '' : missingText(can);
  return text === '' ? null : <p className="menu-fact">{text}</p>;
}
