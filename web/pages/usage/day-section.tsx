import { useMemo, useState } from 'react';
import type { UsageRow } from '../../../src/protocol/api/usage.ts';
import { DayPlot } from './day-plot.tsx';
import { dayText, unitText } from './number-text.ts';
import { everyDay, type Range } from './range.ts';
import { type Layer, layersOf, sum, type Unit } from './stack.ts';

interface DaySectionProps {
  readonly rows: readonly UsageRow[];
  readonly range: Range;
  readonly hasCost: boolean;
  /** The requested unit; without prices only tokens are shown. */
  readonly unit: Unit;
  readonly onUnit: (unit: Unit) => void;
}

/** Usage by day, stacked by model. The pointer or the slider chooses a day, whose numbers are shown below. */
export function DaySection({ rows, range, hasCost, unit: requested, onUnit }: DaySectionProps) {
  const [chosen, setChosen] = useState<number>();
  const unit = hasCost ? requested : 'tokens';
  const days = useMemo(() => {
    const known = rows.map(({ key }) => key);
    return everyDay(range, Date.now(), known);
  }, [range, rows]);
  const layers = useMemo(() => layersOf(days, rows, unit), [days, rows, unit]);
  const at = Math.min(chosen ?? days.length - 1, days.length - 1);
  return (
    <section className="usage-days" aria-label="By day">
      <header>
        <h2>By day</h2>
        <UnitPicker unit={unit} hasCost={hasCost} onChoose={onUnit} />
      </header>
      {layers.every(({ values }) => sum(values) === 0) ? (
        <p className="quiet">{`No ${unit === 'cost' ? 'cost' : 'token'} data in this period.`}</p>
      ) : (
        <>
          <DayPlot days={days} layers={layers} unit={unit} chosen={at} onChoose={setChosen} />
          <input
            type="range"
            className="day-slider"
            aria-label="Day"
            min={0}
            max={days.length - 1}
            value={at}
            aria-valuetext={dayLabel(days[at] ?? '', at, layers, unit)}
            onChange={(event) => setChosen(Number(event.target.value))}
          />
          <DayText day={days[at] ?? ''} at={at} layers={layers} unit={unit} />
        </>
      )}
    </section>
  );
}

function UnitPicker({ unit, hasCost, onChoose }: { readonly unit: Unit; readonly hasCost: boolean; readonly onChoose: (unit: Unit) => void }) {
  if (!hasCost) return <span className="quiet">tokens</span>;
  return (
    <fieldset className="segments">
      <legend className="unseen">Unit</legend>
      {(['cost', 'tokens'] as const).map((one) => (
        <label key={one}>
          <input type="radio" name="unit" value={one} checked={one === unit} onChange={() => onChoose(one)} />
          <span>{one === 'cost' ? 'Cost' : 'Tokens'}</span>
        </label>
      ))}
    </fieldset>
  );
}

interface DayTextProps {
  readonly day: string;
  readonly at: number;
  readonly layers: readonly Layer[];
  readonly unit: Unit;
}

/** The legend of the plot, with the numbers of the chosen day. */
function DayText({ day, at, layers, unit }: DayTextProps) {
  return (
    <div className="day-words">
      <p>
        <strong>{day === '' ? '' : dayText(day)}</strong> {unitText(dayTotal(layers, at), unit)}
      </p>
      <ul>
        {layers.map(({ name, values }, index) => (
          <li key={name}>
            <span className={`shade shade-${index}`} aria-hidden="true" />
            {name} <span className="quiet">{unitText(values[at] ?? 0, unit)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

const dayTotal = (layers: readonly Layer[], at: number): number => sum(layers.map(({ values }) => values[at] ?? 0));
const dayLabel = (day: string, at: number, layers: readonly Layer[], unit: Unit): string =>
  day === '' ? '' : `${dayText(day)}: ${unitText(dayTotal(layers, at), unit)}`;
