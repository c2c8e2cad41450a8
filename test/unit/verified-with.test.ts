import { expect, test } from 'vitest';
import { AGENTS, agentsWith, CONFIGURED } from '../../src/agents/index.ts';
import { AGENT_CLIS, executableOf } from '../support/agents/agent-clis.ts';
import { LIVE_AGENTS } from '../support/live-suite/agents.ts';

/** Programs that are only installed for tests outside the live suite. */
const NOT_IN_SUITE = new Set(['node 24.21.0', 'claude-code 2.1.120']);

const PINNED = AGENT_CLIS.filter(({ name, version }) => !NOT_IN_SUITE.has(`${name} ${version}`));
const RUN = Object.values(LIVE_AGENTS).flatMap((agents) => agents().map(({ id, version }) => ({ id, version })));

test('the live suite runs with every pinned agent, in exactly the pinned versions', () => {
  expect(RUN.map(({ id, version }) => `${id.replace(CONFIGURED.prefix, '')} ${version}`).toSorted()).toEqual(
    PINNED.map(({ name, version }) => `${name} ${version}`).toSorted(),
  );
});

test('[R239] an adapter is listed as verified with exactly the versions that the live suite runs with', () => {
  const configured = Object.fromEntries(
    PINNED.filter(({ name }) => RUN.some(({ id }) => id === `${CONFIGURED.prefix}${name}`)).map((cli) => [
      `${CONFIGURED.prefix}${cli.name}`,
      CONFIGURED.schema.parse({ title: cli.name, command: executableOf(cli) }),
    ]),
  );
  const own = new Set(AGENTS.map(({ id }) => id));
  for (const { id, verifiedWith, locate } of agentsWith(configured)) {
    // Every test uses our own program.
    if (own.has(id) && locate.builtin !== undefined) continue;
    expect({ id, versions: [...verifiedWith] }).toEqual({ id, versions: RUN.filter((one) => one.id === id).map(({ version }) => version) });
  }
});
