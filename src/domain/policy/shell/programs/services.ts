import { each, type Grammar, type Program } from './program.ts';

const OUTPUT = '--json= --jq=text -q=text --template=text -t=text';
const LISTING = `${OUTPUT} -L= -s= -S=text -l= -A= -a= -B= -H= --limit= --state= --search=text --label= --author= --assignee= --base= --head= --draft --milestone=`;

/** A number, a branch or a name, never an address: that can be another repository. */
const ITEM = /^#?[\w][\w./-]*$/;

const one = (options = ''): Grammar => ({ options: `${OUTPUT} ${options}`, args: [ITEM], most: 1 });

const CONTAINERS: Readonly<Record<string, Grammar>> = {
  ps: { options: '-aqls -n= -f= --all --quiet --latest --size --no-trunc --last= --filter= --format=text' },
  images: { options: '-aq -f= --all --quiet --no-trunc --digests --filter= --format=text', args: ['path'] },
  logs: { options: '-ft -n= --follow --timestamps --tail= --since=text --until=text --details', args: ['path'] },
  inspect: { options: '-s -f=text --size --format=text --type=', args: ['path'] },
  ...each('version info', { options: '-f=text --format=text' }),
  stats: { options: '-a --all --no-stream --no-trunc --format=text', args: ['path'] },
  top: { args: [ITEM], most: 1 },
  port: { args: ['path'] },
  diff: { args: ['path'] },
  history: { options: '-qH --quiet --human --no-trunc --format=text', args: ['path'] },
  events: { options: '-f= --filter= --format=text --since=text --until=text' },
};

const SHOW: Grammar = { options: '-46cdsj --brief --json --color', args: [/^(show|list|dev|[a-z]+\d+)$/] };

/** Programs that talk to a service; only what they read. Options that name another server or repository are not listed. */
export const SERVICES: Readonly<Record<string, Program>> = {
  gh: {
    commands: {
      'pr view': one('-c --comments'),
      'pr list': { options: LISTING },
      'pr diff': one('--name-only --patch --color='),
      'pr checks': one('--watch --required --fail-fast -i= --interval='),
      'pr status': { options: `${OUTPUT} -c --conflict-status` },
      'issue view': one('-c --comments'),
      'issue list': { options: LISTING },
      'issue status': { options: OUTPUT },
      'run view': one('-v -j= -a= --log --log-failed --job= --attempt= --exit-status --verbose'),
      'run list': { options: `${LISTING} -b= -w= -u= -c= -e= --branch= --workflow= --user= --commit= --event= --status=` },
      'repo view': { options: `${OUTPUT} -b= --branch=` },
      'release view': one(),
      'release list': { options: `${LISTING} --exclude-drafts --exclude-pre-releases --order=` },
    },
  },
  docker: { commands: CONTAINERS },
  podman: { commands: CONTAINERS },
  pip: {
    commands: {
      list: { options: '-lev --local --editable --user --format= --verbose --not-required' },
      show: { options: '-fv --files --verbose', args: [/^[\w.-]+$/] },
      freeze: { options: '-l --local --user --all' },
      check: {},
    },
  },
  ip: { commands: each('addr a address link l route r', SHOW), globals: '-46cdsj --brief --json' },
};
