import { RANGES, type Range, rangeTitle } from './range.ts';

export function RangePicker({ range, onChoose }: { readonly range: Range; readonly onChoose: (range: Range) => void }) {
  return (
    <fieldset className="segments">
      <legend className="unseen">Period</legend>
      {RANGES.map((one) => (
        <label key={one}>
          <input type="radio" name="range" value={one} checked={one === range} onChange={() => onChoose(one)} />
          <span>{rangeTitle(one)}</span>
        </label>
      ))}
    </fieldset>
  );
}
