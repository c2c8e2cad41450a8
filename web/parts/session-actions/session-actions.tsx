import { Suspense, useState } from 'react';
import { useActions } from '../../base/actions/actions-context.ts';
import { lazily } from '../../base/browser/lazily.ts';
import { useApp } from '../../store/cockpit-context.ts';
import { useCapabilities } from '../common/use-capabilities.ts';
import { useInspectorBindings } from './use-inspector-bindings.ts';
import { useMuteBinding } from './use-mute-binding.ts';
import { useOrganizeBindings } from './use-organize-bindings.ts';
import { useSettingBindings } from './use-setting-bindings.ts';
import { useSteerBindings } from './use-steer-bindings.ts';

const HandoverDialog = lazily(() => import('../dialogs/handover-dialog.tsx'));
const SideQuestionDialog = lazily(() => import('../dialogs/side-question-dialog.tsx'));
const DeleteDialog = lazily(() => import('../dialogs/delete-dialog.tsx'));
const DetailsDialog = lazily(() => import('../dialogs/details-dialog.tsx'));
const DescribeDialog = lazily(async () => ({ default: (await import('../dialogs/describe-dialog.tsx')).DescribeDialog }));

/** Binds all actions of the open session, and shows the dialogs they need. */
export function SessionActions({ sessionId }: { readonly sessionId: string }) {
  const [dialog, setDialog] = useState<'none' | 'handover' | 'side-question' | 'describe' | 'details' | 'delete'>('none');
  const session = useApp((state) => state.sessions.get(sessionId));
  const canFork = useCapabilities(sessionId)?.fork === true;
  const close = () => setDialog('none');
  useActions({
    ...useSteerBindings(sessionId),
    ...useSettingBindings(sessionId),
    ...useInspectorBindings(sessionId),
    ...useOrganizeBindings(sessionId),
    'session.mute': useMuteBinding(sessionId),
    'session.handover': session && { run: () => setDialog('handover'), hint: 'starts with an empty context' },
    'session.side-question':
      session !== undefined && canFork ? { run: () => setDialog('side-question'), hint: 'answered in a copy; its work goes on' } : undefined,
    'session.describe': session && (() => setDialog('describe')),
    'session.details': session && { run: () => setDialog('details'), hint: 'processes, tools, servers, errors' },
    // What another program recorded is not ours to delete.
    'session.delete': session?.past === undefined && session !== undefined ? { run: () => setDialog('delete'), hint: 'asks first' } : undefined,
  });
  return (
    <Suspense>
      {dialog === 'handover' && <HandoverDialog sessionId={sessionId} onClose={close} />}
      {dialog === 'side-question' && <SideQuestionDialog sessionId={sessionId} onClose={close} />}
      {dialog === 'delete' && session !== undefined && <DeleteDialog session={session} onClose={close} />}
      {dialog === 'details' && session !== undefined && <DetailsDialog session={session} onClose={close} />}
      {dialog === 'describe' && session !== undefined && <DescribeDialog session={session} onClose={close} />}
    </Suspense>
  );
}
