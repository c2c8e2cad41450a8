import { clearScreenDown, cursorTo, type Interface, moveCursor } from 'node:readline';

/** What `attach` needs of a terminal. */
export interface TerminalOutput {
  readonly columns: number;
  readonly rows: number;
  write(text: string): unknown;
}

/** At most this often, so that fast text doesn't flicker. */
const DRAW_MS = 33;
/** A line of progress that would fill the screen is printed as it is. */
const ROWS_LEFT = 4;
export const PROMPT = 'message> ';

/** Output above the line that a person types in: whole lines scroll up, and the line in progress is part of the prompt. */
export interface OutputAbovePrompt {
  write(text: string): void;
  setPrompt(prompt: string): void;
  /** While something else uses the terminal, output is kept. */
  hold(isHeld: boolean): void;
  /** Prints what is left, and removes the prompt. */
  end(): void;
}

export function outputAbovePrompt(reader: Interface, output: NodeJS.WritableStream & TerminalOutput): OutputAbovePrompt {
  const state = { lines: '', inProgress: '', prompt: PROMPT, isHeld: false, isEnded: false };
  let timer: NodeJS.Timeout | undefined;
  const draw = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (state.isHeld || state.isEnded) return;
    clearBlock(reader, output);
    output.write(state.lines);
    state.lines = '';
    reader.setPrompt(`${state.inProgress === '' ? '' : `${state.inProgress}\n`}${state.prompt}`);
    reader.prompt(true);
  };
  const drawSoon = (): void => {
    timer ??= setTimeout(draw, DRAW_MS);
  };
  return {
    write: (text) => {
      const all = state.inProgress + text;
      const end = all.length > output.columns * Math.max(1, output.rows - ROWS_LEFT) ? all.length : all.lastIndexOf('\n') + 1;
      state.lines += all.slice(0, end);
      if (end > 0 && !state.lines.endsWith('\n')) state.lines += '\n';
      state.inProgress = all.slice(end);
      drawSoon();
    },
    setPrompt: (prompt) => {
      if (prompt === state.prompt) return;
      state.prompt = prompt;
      drawSoon();
    },
    hold: (isHeld) => {
      if (isHeld) draw();
      if (isHeld) clearBlock(reader, output);
      state.isHeld = isHeld;
      if (!isHeld) draw();
    },
    end: () => {
      clearTimeout(timer);
      if (state.isEnded) return;
      state.isEnded = true;
      clearBlock(reader, output);
      output.write(`${state.lines}${state.inProgress}${state.inProgress === '' ? '' : '\n'}`);
    },
  };
}

/** Removes the prompt and what is typed from the screen. The next prompt starts where it was. */
function clearBlock(reader: Interface, output: NodeJS.WritableStream): void {
  moveCursor(output, 0, -reader.getCursorPos().rows);
  cursorTo(output, 0);
  clearScreenDown(output);
  // Readline keeps the height of what it drew last, to go up by as much; it is gone now.
  Object.assign(reader, { prevRows: 0 });
}
