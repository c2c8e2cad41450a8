import { useApp } from '../../store/cockpit-context.ts';

interface MachineChoiceProps {
  readonly chosen: string | undefined;
  readonly onChoose: (node: string | undefined) => void;
}

/** Where the session runs. Nothing to choose without a cluster. */
export function MachineChoice({ chosen, onChoose }: MachineChoiceProps) {
  const machines = useApp((state) => state.machines);
  const nodes = machines?.nodes ?? [];
  if (nodes.length < 2) return null;
  return (
    <label className="field">
      <span>Machine</span>
      <select value={chosen ?? ''} onChange={({ target }) => onChoose(target.value === '' ? undefined : target.value)}>
        {nodes.map(({ id, state, facts }) => {
          const name = facts?.hostname ?? id.slice(0, 8);
          if (state === 'here') return <option key={id} value="">{`${name} (this machine)`}</option>;
          const isReachable = state === 'reachable';
          return (
            <option key={id} value={id} disabled={!isReachable}>
              {isReachable ? `${name} · ${facts?.live ?? 0} of ${facts?.maxLive ?? 0} running` : `${name} (offline)`}
            </option>
          );
        })}
      </select>
    </label>
  );
}
