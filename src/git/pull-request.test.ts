import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { GH, hostStandIn } from '../../test/support/git/host-stand-in.ts';
import { gh } from './hosts/gh.ts';
import { glab } from './hosts/glab.ts';
import { compareUrl, hostFor, webRepository } from './pull-request.ts';

const folder = mkdtempSync(join(tmpdir(), 'signalbox-hosts-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const place = (env: Readonly<Record<string, string>>) => ({ cwd: folder, env: { HOME: folder, ...env } });
const URL = 'https://github.com/ada/one/pull/7';
const request = { title: '--help', body: '-x', base: 'main', head: '--upload-pack=x' };

test('the repository of a remote is found in every form of address, and folders have none', () => {
  for (const address of [
    'https://github.com/ada/one.git',
    'https://ada:secret@github.com/ada/one',
    'git@github.com:ada/one.git',
    'ssh://git@github.com:22/ada/one.git',
  ])
    expect(webRepository(address), address).toEqual({ host: 'github.com', path: 'ada/one' });
  expect(webRepository('https://gitlab.com/group/sub/one.git')).toEqual({ host: 'gitlab.com', path: 'group/sub/one' });
  for (const address of ['/srv/one.git', '../one.git', 'file:///srv/one.git']) expect(webRepository(address), address).toBeUndefined();
});

test('[R347] without gh or glab there is an address where a person can open the pull request', () => {
  const github = { host: 'github.com', path: 'ada/one' };
  expect(hostFor(github, { PATH: folder })).toBeUndefined();
  expect(compareUrl(github, 'a b', 'main')).toBe('https://github.com/ada/one/compare/main...a%20b?expand=1');
  expect(compareUrl({ host: 'gitlab.com', path: 'g/one' }, 'x')).toBe('https://gitlab.com/g/one/-/merge_requests/new?merge_request[source_branch]=x');
});

test('[R347] gh opens a pull request, finds one that is open already, and says what to do when it can’t', async () => {
  const { env, reply, asked } = hostStandIn(folder, 'gh');
  expect(hostFor({ host: 'github.com', path: 'ada/one' }, env)?.program).toBe('gh');
  reply({ 'pr create': GH.created(URL) });
  expect(await gh.create(place(env), request)).toEqual({ url: URL, number: 7, existed: false });
  // Texts of people are parts of one argument each, never options.
  expect(asked()).toEqual([['pr', 'create', '--title=--help', '--body=-x', '--head=--upload-pack=x', '--base=main']]);
  reply({ 'pr create': GH.exists(URL) });
  expect(await gh.create(place(env), request)).toEqual({ url: URL, number: 7, existed: true });
  reply({ 'pr create': GH.notSignedIn });
  expect(await gh.create(place(env), request)).toMatchObject({ words: expect.stringContaining('gh auth login'), isPassing: false });
  reply({ 'pr create': GH.rateLimit });
  expect(await gh.create(place(env), request)).toMatchObject({ words: expect.stringContaining('rate limit'), isPassing: true });
  reply({ 'pr create': GH.noPushAccess });
  expect(await gh.create(place(env), request)).toMatchObject({ words: expect.stringContaining('fork'), isPassing: false });
});

test('gh’s checks, comments and comments on lines are read, also of a closed pull request', async () => {
  const { env, reply } = hostStandIn(folder, 'gh');
  reply({
    'pr view': GH.view({
      state: 'CLOSED',
      statusCheckRollup: [
        GH.check('test', 'FAILURE'),
        GH.check('test', 'SUCCESS'),
        GH.check('lint', ''),
        { ...GH.status('deploy', 'ERROR'), targetUrl: 'javascript:alert(1)' },
      ],
      comments: [GH.comment('IC_1', 'bob', 'Nice')],
      reviews: [GH.comment('PRR_1', 'bob', ''), GH.comment('PRR_2', 'eve', 'Please change')],
    }),
    api: { out: [GH.lineComment(9, 'eve', 'a.txt', null, 'Why?')] },
  });
  expect(await gh.read(place(env), URL)).toEqual({
    state: 'closed',
    checks: [
      { name: 'CI / test', state: 'passed', url: expect.any(String) },
      { name: 'CI / lint', state: 'pending', url: expect.any(String) },
      { name: 'deploy', state: 'failed' },
    ],
    comments: [
      { id: 'IC_1', author: 'bob', text: 'Nice', url: expect.any(String) },
      { id: 'PRR_2', author: 'eve', text: 'Please change', url: expect.any(String) },
      { id: 'line-9', author: 'eve', text: 'Why?', path: 'a.txt', line: 3, url: expect.any(String) },
    ],
  });
  reply({ 'pr view': { out: 'not json' } });
  expect(await gh.read(place(env), URL)).toMatchObject({ words: expect.stringContaining('Update gh') });
});

test('glab opens a merge request and reads its jobs and notes', async () => {
  const { env, reply } = hostStandIn(folder, 'glab');
  const url = 'https://gitlab.com/g/sub/one/-/merge_requests/3';
  reply({
    'mr create': { out: `!3 Title (topic)\n ${url}\n` },
    'api --hostname=gitlab.com projects/g%2Fsub%2Fone/merge_requests/3': { out: { state: 'opened', draft: true, head_pipeline: { id: 5 } } },
    'api --hostname=gitlab.com projects/g%2Fsub%2Fone/merge_requests/3/notes': {
      out: [
        { id: 2, body: 'Here', system: false, author: { username: 'eve' }, position: { new_path: 'a.txt', new_line: 4 } },
        { id: 1, body: 'added 1 commit', system: true, author: { username: 'ada' } },
      ],
    },
    'api --hostname=gitlab.com projects/g%2Fsub%2Fone/pipelines/5/jobs': {
      out: [
        { name: 'test', status: 'failed' },
        { name: 'docs', status: 'failed', allow_failure: true },
      ],
    },
  });
  expect(await glab.create(place(env), request)).toEqual({ url, number: 3, existed: false });
  expect(await glab.read(place(env), url)).toEqual({
    state: 'draft',
    checks: [
      { name: 'test', state: 'failed' },
      { name: 'docs', state: 'skipped' },
    ],
    comments: [{ id: '2', author: 'eve', text: 'Here', path: 'a.txt', line: 4, url: `${url}#note_2` }],
  });
  reply({ 'mr create': { code: 1, err: 'failed to create merge request: 401 Unauthorized\n' } });
  expect(await glab.create(place(env), request)).toMatchObject({ words: expect.stringContaining('glab auth login') });
});
