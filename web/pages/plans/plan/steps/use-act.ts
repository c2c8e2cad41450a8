import { useState } from 'react';

export interface Act {
  readonly isBusy: boolean;
  /** Why the last one was refused. */
  readonly problem: string;
  /** Runs one at a time; resolves to whether it worked. */
  run(work: () => Promise<unknown>): Promise<boolean>;
}

/** Something a person asks of the server: busy while it runs, and the refusal if there is one. */
export function useAct(): Act {
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState('');
  const run = async (work: () => Promise<unknown>): Promise<boolean> => {
    setBusy(true);
    setProblem('');
    try {
      await work();
      return true;
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
      return false;
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, problem, run };
}
