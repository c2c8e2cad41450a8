import { useStore } from 'zustand';
import { useRegistry } from '../../base/actions/actions-context.ts';

/** After the first of two keys: which keys can follow, and what they do. */
export function PendingKeys() {
  const actions = useRegistry();
  const pending = useStore(actions.pending, ({ keys }) => keys);
  if (pending === '') return null;
  const options = actions.bound().flatMap(({ id, facts }) => {
    const keys = facts.keys?.find((each) => each.startsWith(`${pending} `));
    return keys === undefined ? [] : [{ id, next: keys.slice(pending.length + 1), title: facts.title }];
  });
  return (
    <div className="pending-keys" role="status">
      <kbd>{pending}</kbd> then
      {options.map(({ id, next, title }) => (
        <span key={id}>
          <kbd>{next}</kbd> {title.replace(/^Go to (the )?/, '')}
        </span>
      ))}
    </div>
  );
}
