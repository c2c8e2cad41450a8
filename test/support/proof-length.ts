/**
 * How many seeds or runs a randomized test gets: few in `npm test`, a multiple of it with `npm run prove -- <name>`, which sets the variable. docs/proofs.md
 * lists the long forms.
 */
export const proofCount = (short: number): number => short * Number(process.env.SIGNALBOX_PROOF_TIMES ?? 1);
