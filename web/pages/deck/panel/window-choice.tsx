import { WINDOWS_MS, type WindowMs } from '../../../../src/domain/panel/window.ts';

const [SHORT, HOUR, LONG] = WINDOWS_MS;
const CHOICES: readonly (readonly [window: WindowMs | undefined, words: string, title: string])[] = [
  [undefined, 'fit', 'As much time as what moves needs'],
  [SHORT, '15 min', 'The last 15 minutes'],
  [HOUR, '1 h', 'The last hour'],
  [LONG, '4 h', 'The last 4 hours'],
];

interface WindowChoiceProps {
  /** What the person chose; undefined for whatever fits. */
  readonly chosen: WindowMs | undefined;
  readonly onChoose: (window: WindowMs | undefined) => void;
}

/** How much time the panel shows. */
export function WindowChoice({ chosen, onChoose }: WindowChoiceProps) {
  return (
    <fieldset className="window-choice">
      <legend className="unseen">How much time the panel shows</legend>
      {CHOICES.map(([window, words, title]) => (
        <button key={words} type="button" aria-pressed={chosen === window} title={title} onClick={() => onChoose(window)}>
          {words}
        </button>
      ))}
    </fieldset>
  );
}
