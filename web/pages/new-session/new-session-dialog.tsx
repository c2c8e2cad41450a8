import type { KeyboardEvent } from 'react';
import { Dialog } from '../../base/ui/dialog.tsx';
import { FolderField } from '../../parts/common/folder-field.tsx';
import { AgentChoice } from './agent-choice.tsx';
import { MachineChoice } from './machine-choice.tsx';
import { OptionFields } from './option-fields.tsx';
import { PastChoice } from './past-choice.tsx';
import { useNewSession } from './use-new-session.ts';
import { WorktreeChoice } from './worktree-choice.tsx';

export function NewSessionDialog({ onClose }: { readonly onClose: () => void }) {
  const { form, hasFolder, isComplete, isSending, problem, change, create, leave } = useNewSession(onClose);
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.metaKey || event.ctrlKey) && isComplete && !isSending) void create();
  };
  return (
    <Dialog title="New session" onClose={leave}>
      <form className="new-form" action={() => void create()} onKeyDown={onKey}>
        <MachineChoice chosen={form.node} onChoose={(node) => change({ node, cwd: '' })} />
        <AgentChoice chosen={form.agent} node={form.node} onChoose={(agent) => change({ agent })} />
        <FolderField value={form.cwd ?? ''} node={form.node} onChange={(cwd) => change({ cwd })} />
        <label className="field">
          <span>First message</span>
          <textarea
            data-first={hasFolder ? true : undefined}
            rows={4}
            value={form.prompt ?? ''}
            onChange={(event) => change({ prompt: event.target.value })}
            placeholder="What should it do? (optional)"
          />
        </label>
        {form.node === undefined && <WorktreeChoice form={form} onChange={change} />}
        {form.node === undefined && <PastChoice form={form} onChange={change} />}
        <OptionFields form={form} onChange={change} />
        {problem !== '' && (
          <p className="form-problem" role="alert">
            {problem}
          </p>
        )}
        <footer className="dialog-foot">
          <button type="submit" className="button primary" disabled={isSending || !isComplete}>
            {isSending ? 'Starting…' : 'Start'}
          </button>
        </footer>
      </form>
    </Dialog>
  );
}
