import { TEXT_CHARS } from './agent.ts';

/** Microseconds of CLOCK_MONOTONIC, the clock of the agent's stamps. */
export const nowUs = (): number => Number(process.hrtime.bigint() / 1000n);

/** The text that the client received of one session: how many deltas are in it, and how late each arrived. */
export class ReceivedText {
  deltas = 0;
  /** Text that started after the end of the known text, so something was lost. */
  gaps = 0;
  firstStampUs = 0;
  lastAtUs = 0;
  latenciesUs: number[] = [];
  private readonly known = new Map<string, number>();

  constructor(private readonly wantsLatencies: boolean) {}

  /** Adds text of an item at an offset; known text is skipped. */
  add(itemId: string, offset: number, text: string): void {
    const known = this.known.get(itemId) ?? 0;
    const end = offset + text.length;
    if (end <= known) return;
    if (offset > known) {
      this.gaps += 1;
      return;
    }
    this.known.set(itemId, end);
    this.lastAtUs = nowUs();
    if (this.firstStampUs === 0) this.firstStampUs = stampAt(text, 0);
    if (this.wantsLatencies) for (let at = known - offset; at < text.length; at += TEXT_CHARS) this.latenciesUs.push(this.lastAtUs - stampAt(text, at));
    this.deltas += (end - known) / TEXT_CHARS;
  }

  forget(itemId: string): void {
    this.known.delete(itemId);
  }
}

const stampAt = (text: string, at: number): number => Number(text.slice(at + 1, at + 17));
