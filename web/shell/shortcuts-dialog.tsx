import { Dialog } from '../ui/dialog.tsx';

const SHORTCUTS = [
  ['c', 'New session'],
  ['d', 'All sessions'],
  ['i', 'Inbox'],
  ['j / k', 'Next, previous session in a list'],
  ['Enter', 'Open it'],
  ['/', 'Write a message'],
  ['Ctrl Enter', 'Send it into the running turn'],
  ['Alt ↑ ↓', 'Move a waiting message'],
  ['y', 'Allow what waits'],
  ['n', 'Deny it, with a reason'],
  ['Esc Esc', 'Interrupt the agent'],
  ['End', 'Newest end of the transcript'],
  ['?', 'This list'],
] as const;

export function ShortcutsDialog({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <dl className="shortcuts">
        {SHORTCUTS.map(([keys, what]) => (
          <div key={keys}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
