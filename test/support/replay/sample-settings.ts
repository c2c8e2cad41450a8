const DAY_MS = 24 * 60 * 60 * 1000;
const ago = (days: number): string => new Date(Date.now() - days * DAY_MS).toISOString();
const ada = { kind: 'person', id: 'ada', name: 'Ada', from: 'page 127.0.0.1' };
const everywhere = { kind: 'everywhere' };

/** The server's answers about rules, the audit and people, by path. */
export const SETTINGS_PAGES: Readonly<Record<string, unknown>> = {
  '/api/me': { id: 'ada', name: 'Ada', role: 'owner' },
  '/api/state': {},
  '/api/machine': { live: 2, maxLive: 5, memory: { usedBytes: 402_653_184 }, freeDiskBytes: 81_604_378_624 },
  '/api/continuation': { preferences: [{ scope: { kind: 'project', folder: '/home/ada/storefront' }, choice: 'on' }] },
  '/api/rules': {
    rules: [
      {
        id: 'a',
        behavior: 'allow',
        tool: 'Bash',
        command: 'npm test *',
        scope: { kind: 'project', folder: '/home/ada/storefront' },
        createdAt: ago(3),
        createdBy: ada,
        fromRequest: 'r1:q1',
        uses: 412,
        lastUsedAt: ago(0.01),
      },
      {
        id: 'b',
        behavior: 'deny',
        tool: '*',
        path: '**/.env*',
        scope: everywhere,
        createdAt: ago(20),
        createdBy: ada,
        note: 'Secrets stay here; ask for the name of the variable instead.',
        uses: 2,
        lastUsedAt: ago(6),
      },
      {
        id: 'c',
        behavior: 'allow',
        tool: 'WebFetch',
        host: '*.example.org',
        scope: { kind: 'session', sessionId: 'docs' },
        createdAt: ago(1),
        createdBy: ada,
        uses: 0,
      },
    ],
  },
  '/api/rules/test': {
    calls: 530,
    matched: 412,
    asked: 60,
    matchedAsked: 37,
    notUnderstood: 12,
    examples: [
      { sessionId: 'cache', seq: 4, at: ago(2), tool: 'Bash', words: 'rm -rf .cache/old', isRisky: true, outcome: 'allowed by Ada' },
      { sessionId: 'flaky', seq: 9, at: ago(1), tool: 'Bash', words: 'npm test -- --shard 1/4', isRisky: false },
    ],
  },
  '/api/audit': {
    entries: [
      {
        id: 3,
        at: ago(0.02),
        actor: ada,
        action: 'permission.resolved',
        sessionId: 'cache',
        seq: 4,
        requestId: 'r2:q1',
        words: 'denied rm -rf .cache: “keep the folder, only empty it”',
      },
      {
        id: 2,
        at: ago(0.5),
        actor: { kind: 'rule', id: 'a', name: 'npm test *' },
        action: 'permission.resolved',
        sessionId: 'flaky',
        seq: 9,
        words: 'allowed npm test -- --shard 1/4',
      },
      { id: 1, at: ago(3), actor: ada, action: 'rule.created', words: 'made the rule: allow npm test * in /home/ada/storefront' },
    ],
    nextCursor: 1,
  },
  '/api/tokens': {
    tokens: [
      { id: 'owner', name: 'owner', role: 'owner', lastUsedAt: ago(0) },
      { id: 't1', name: 'anna', role: 'driver', createdAt: ago(9), lastUsedAt: ago(0.2) },
      { id: 't2', name: 'screen-in-the-hall', role: 'viewer', createdAt: ago(30) },
    ],
  },
};
