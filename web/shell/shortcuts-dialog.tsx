import { Dialog } from '../ui/dialog.tsx';

const SHORTCUTS = [
  ['c', 'New session'],
  ['d', 'The deck'],
  ['a', 'All sessions'],
  ['i', 'Inbox'],
  ['u', 'Usage'],
  ['j / k, ↓ / ↑', 'Next, previous in a list'],
  ['Enter', 'Open it'],
  ['/', 'Search; in a session: write a message; in the list: filter'],
  ['s', 'Star the chosen session'],
  ['Ctrl Enter', 'Send it into the running turn'],
  ['Alt ↑ ↓', 'Move a waiting message'],
  ['y', 'Allow what waits, once'],
  ['e', 'Change it first'],
  ['r', 'Allow it and remember'],
  ['n', 'Deny it, with a reason'],
  ['1 … 9', 'Choose an answer to a question'],
  ['Esc Esc', 'Interrupt the agent'],
  ['/ or @', 'In a message: commands of the agent, files of its folder'],
  ['↑', 'At the start of a message: what was sent before'],
  ['Home, End', 'Beginning and newest end of the transcript'],
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
