import { each, type Grammar, type Program } from './program.ts';

const DIFF = `-puswbaRzqW --patch --no-patch --raw --stat[=] --numstat --shortstat --summary --compact-summary --name-only --name-status --check --full-index --binary
  --text --ignore-all-space --ignore-space-change --ignore-space-at-eol --ignore-blank-lines --minimal --patience --histogram --diff-algorithm= --diff-filter=
  -U= --unified= --inter-hunk-context= --function-context --exit-code --quiet --color[=] --no-color --color-words[=text] --word-diff[=] --word-diff-regex=text
  --color-moved[=] --no-renames --find-renames[=] --find-copies[=] --abbrev[=] --no-abbrev --relative[=] -M[=] -C[=] -S=text -G=text --pickaxe-regex --pickaxe-all
  --no-ext-diff --no-textconv --src-prefix=text --dst-prefix=text --no-prefix`;

const LOG = `${DIFF} -# -n= -i -E -F -P -L=ref -g -c -m --oneline --graph --decorate[=] --no-decorate --all --branches[=] --tags[=] --remotes[=] --follow --reverse --first-parent
  --merges --no-merges --date= --abbrev-commit --no-abbrev-commit --pretty[=text] --format=text --max-count= --skip= --since=text --until=text --after=text --before=text
  --author=text --committer=text --grep=text --invert-grep --all-match --regexp-ignore-case --topo-order --date-order --author-date-order --parents --children
  --left-right --left-only --right-only --cherry-pick --cherry-mark --boundary --simplify-by-decoration --full-history --walk-reflogs --source --no-walk[=] --cc
  --show-linear-break[=] --relative-date --ancestry-path[=]`;

const REFS = `--list --sort= --contains[=] --no-contains[=] --merged[=] --no-merged[=] --points-at= --format=text --color[=] --no-color --column[=] --no-column --ignore-case -l -i`;

const read = (options: string): Grammar => ({ options, args: ['ref'] });

/** Where git refuses rather than overwrites what is not committed. */
const SWITCH: Grammar = {
  options: '-c= -tdq --create= --track[=] --no-track --detach --guess --no-guess --quiet --progress --no-progress',
  args: ['ref'],
  most: 2,
  why: '"git switch" can discard work with other options',
};

const STASH_PUSH = '-u -k -q -m=text --include-untracked --keep-index --no-keep-index --staged -S --message=text --quiet';

/** Applying a stash fails if it would overwrite anything; a stash that was not applied stays. */
const STASH_APPLY: Grammar = { options: '-q --index --quiet', args: [/^(stash@\{\d+\}|\d+)$/], most: 1 };

const PICK: Grammar = {
  options: '-n -x -s -m= --no-commit --signoff --mainline= --no-edit --ff --allow-empty --keep-redundant-commits --continue',
  args: ['ref'],
  why: 'stopping in the middle can discard work',
};

/**
 * What git reads, and what it changes without losing anything that is not committed. Any other subcommand can be an alias, a helper on the PATH, or run
 * programs by design.
 */
const COMMANDS: Readonly<Record<string, Grammar>> = {
  '': { options: '--version' },
  version: { options: '--build-options' },
  status: read(
    '-sbvz -u[=] --short --branch --long --verbose --porcelain[=] --untracked-files[=] --ignored[=] --show-stash --ahead-behind --no-ahead-behind --renames --no-renames --column[=]',
  ),
  diff: read(`${DIFF} --cached --staged --merge-base`),
  ...each('log show whatchanged', read(LOG)),
  reflog: { options: LOG },
  'reflog show': read(LOG),
  blame: read(
    '-bcelnpstw -L= -M[=] -C[=] --root --show-stats --score-debug --line-porcelain --porcelain --show-name --show-number --show-email --date= --abbrev=',
  ),
  annotate: read('-l -t -L='),
  grep: {
    options: `-nilcwvhoEGFPqHLIWrpa -# -A= -B= -C= -e=text -m= --line-number --ignore-case --files-with-matches --name-only --files-without-match --count --word-regexp
      --invert-match --only-matching --extended-regexp --fixed-strings --perl-regexp --cached --untracked --heading --break --column --color[=]
      --no-color --context= --after-context= --before-context= --show-function --function-context --max-depth= --max-count= --and --or --not --all-match --quiet --text`,
    args: ['text', 'ref'],
    replacesFirst: ['-e'],
  },
  branch: read(`${REFS} -arv --all --remotes --verbose --show-current --abbrev[=] --no-abbrev --no-track -q --quiet`),
  tag: read(`${REFS} -a -n[=] -m=text --annotate --message=text`),
  'ls-files': read(
    '-cdmosktuvzfi --cached --deleted --modified --others --ignored --stage --unmerged --killed --directory --exclude-standard --full-name --abbrev[=] --eol --deduplicate --error-unmatch --exclude=text -x=text',
  ),
  'ls-tree': read('-drtlz --name-only --name-status --long --full-name --full-tree --abbrev[=] --object-only --format=text'),
  'rev-parse': read(
    '-q --verify --short[=] --abbrev-ref[=] --show-toplevel --show-prefix --show-cdup --git-dir --git-common-dir --absolute-git-dir --is-inside-work-tree --is-inside-git-dir --is-bare-repository --symbolic --symbolic-full-name --all --branches[=] --tags[=] --remotes[=] --quiet',
  ),
  'rev-list': read(`${LOG} --count --objects --timestamp`),
  describe: read('--all --tags --contains --abbrev= --long --always --dirty[=] --broken[=] --match= --exclude= --first-parent --exact-match --candidates='),
  shortlog: read(
    '-nsec -w[=] --numbered --summary --email --group= --since=text --until=text --no-merges --merges --all --author=text --format=text --grep=text',
  ),
  'show-ref': read('-dsq --head --heads --tags --branches --dereference --hash[=] --verify --abbrev[=] --quiet'),
  'show-branch': read('-ar --all --remotes --current --topo-order --date-order --list --merge-base --independent --no-name --sha1-name --topics --color[=]'),
  'for-each-ref': read(`${REFS} --count= --omit-empty`),
  'cat-file': read('-tspe'),
  'name-rev': read('--tags --refs= --exclude= --all --name-only --no-undefined --always'),
  'merge-base': read('-a --all --octopus --independent --is-ancestor --fork-point'),
  'diff-tree': read(`${DIFF} -rtmcv --root --cc --no-commit-id --pretty[=text] --format=text --merge-base`),
  ...each('diff-index diff-files', read(`${DIFF} --cached -m -c --cc --merge-base`)),
  'count-objects': { options: '-vH --verbose --human-readable' },
  'range-diff': read(`${DIFF} --creation-factor= --no-dual-color --left-only --right-only`),
  cherry: read('-v --abbrev[=]'),
  'check-ignore': read('-qvn --quiet --verbose --non-matching --no-index'),
  'check-attr': read('-a --all --cached'),
  remote: { options: '-v --verbose' },
  'worktree list': { options: '-v --verbose --porcelain -z' },

  add: {
    options: '-Aunvpi --all --update --no-all --ignore-removal --dry-run --verbose --intent-to-add -N --renormalize --ignore-errors --chmod=',
    args: ['ref'],
  },
  commit: {
    options: `-asqvo -m=text --message=text --all --amend --no-edit --allow-empty --signoff --no-signoff --quiet --verbose --only --include -i --author=text --date=text
      --fixup= --squash= --dry-run --short --branch --porcelain --long --reset-author --allow-empty-message --no-status --status -u[=] --untracked-files[=] --no-gpg-sign`,
    args: ['ref'],
  },
  merge: {
    options:
      '-m=text -qvn --no-ff --ff --ff-only --no-edit --squash --no-squash --no-commit --commit --stat --no-stat --quiet --verbose --signoff --allow-unrelated-histories',
    args: ['ref'],
    why: 'stopping a merge can discard work',
  },
  rebase: {
    options:
      '-qv --autostash --no-autostash --quiet --verbose --stat --no-stat --signoff --keep-empty --no-keep-empty --rebase-merges[=] -r[=] --fork-point --no-fork-point',
    args: ['ref'],
    most: 1,
    why: 'it can run programs, drop commits, or discard work',
  },
  'cherry-pick': PICK,
  revert: PICK,
  fetch: {
    options: '-pqvta --prune --quiet --verbose --tags --no-tags --all --append --dry-run --progress --no-progress -j= --jobs= --atomic',
    args: ['remote', /^[\w][\w./-]*$/],
    why: 'only a rule that names the remote ("git fetch origin *") covers it',
  },
  pull: {
    options:
      '-qvrn --rebase[=true|false|merges] --no-rebase --ff-only --ff --no-ff --quiet --verbose --no-edit --autostash --no-autostash --stat --no-stat --tags --no-tags --prune -p',
    args: ['remote', /^[\w][\w./-]*$/],
    why: 'only a rule that names the remote ("git pull origin *") covers it',
  },

  switch: SWITCH,
  checkout: {
    options: '-b= -tdq --track[=] --no-track --detach --guess --no-guess --quiet --progress --no-progress',
    args: ['ref'],
    most: 1,
    // The argument alone can be a file as well as a branch: then its changes are gone.
    needs: ['-b', '-d', '--detach', '-'],
    why: '"git checkout" can discard work. "git switch" only changes branches',
  },
  restore: { options: '-Sq --staged --quiet', args: ['ref'], needs: ['-S', '--staged'], why: 'without --staged it discards work' },
  reset: { options: '-qN --quiet --mixed --intent-to-add', args: [/^HEAD$/, 'ref'], why: 'only unstaging ("git reset", "git reset HEAD file") loses nothing' },
  clean: { options: '-nxXdq -e=text --dry-run --exclude=text --quiet', args: ['ref'], needs: ['-n', '--dry-run'], why: 'without --dry-run it deletes files' },
  stash: { options: STASH_PUSH, why: 'dropping a stash discards work' },
  'stash push': read(STASH_PUSH),
  'stash list': { options: LOG },
  'stash show': read(`${DIFF} --include-untracked --only-untracked -u`),
  'stash apply': STASH_APPLY,
  'stash pop': STASH_APPLY,
};

export const GIT: Program = {
  globals: '-P --no-pager --no-optional-locks --literal-pathspecs',
  commands: COMMANDS,
};
