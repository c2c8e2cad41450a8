import { Problems } from '../../src/problems/problems.ts';

/** For tests in which nothing should fail in the background. Problems are printed. */
export const problemsToConsole = (): Problems => new Problems({ info: () => {}, error: (facts, message) => console.error(message, facts) });
