import { Problems } from '../../src/problems/problems.ts';

/** For a test in which nothing should fail behind its back: what does is printed. */
export const printedProblems = (): Problems => new Problems({ info: () => {}, error: (facts, message) => console.error(message, facts) });
