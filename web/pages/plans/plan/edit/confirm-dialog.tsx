import { useNavigate } from '@tanstack/react-router';
import { Dialog } from '../../../../base/ui/dialog.tsx';
import { newId } from '../../../../client/new-id.ts';
import { usePlanPage } from '../steps/plan-context.ts';
import { useAct } from '../steps/use-act.ts';

const WORDS = {
  cancel: {
    title: 'Cancel the plan',
    text: 'Running agents are interrupted, and no more steps start. What is done stays, in its sessions and branches. A cancelled plan can’t be continued.',
  },
  delete: {
    title: 'Delete the plan',
    text: 'The plan goes, with its notes and decisions. Its sessions, worktrees and branches stay.',
  },
} as const;

/** Says what ends and what stays. */
export function ConfirmDialog({ what, onClose }: { readonly what: keyof typeof WORDS; readonly onClose: () => void }) {
  const { plan, api } = usePlanPage();
  const navigate = useNavigate();
  const { isBusy, problem, run } = useAct();
  const confirm = () =>
    run(async () => {
      if (what === 'cancel') return api.act(plan.id, 'cancel', newId());
      await api.remove(plan.id);
      await navigate({ to: '/plans' });
    }).then((isDone) => isDone && onClose());
  const { title, text } = WORDS[what];
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{text}</p>
      {problem !== '' && (
        <p className="form-problem" role="alert">
          {problem}
        </p>
      )}
      <footer className="dialog-foot">
        <button type="button" className="button primary" data-first disabled={isBusy} onClick={() => void confirm()}>
          {title}
        </button>
      </footer>
    </Dialog>
  );
}
