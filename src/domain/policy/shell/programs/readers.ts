import { each, type Grammar, type Program } from './program.ts';

/** Only reads the files it names. No option writes, or runs anything, so a glob may become one. */
const reads = (options: string, more: Partial<Grammar> = {}): Program => ({ options, args: ['path'], anyGlob: true, ...more });

/** The same, but with options that write, run programs, or read names of files from a file. */
const readsCarefully = (options: string, more: Partial<Grammar> = {}): Program => ({ options, args: ['path'], ...more });

/** Never reads its arguments as paths. */
const prints = (options: string, more: Partial<Grammar> = {}): Program => ({ options, args: ['text'], anyGlob: true, ...more });

const GREP: Program = reads(
  `-nilcwxvhoEGFPqHLIrRsaUzbT -# -A= -B= -C= -e=text -m= --line-number --ignore-case --no-ignore-case --files-with-matches --files-without-match --count --word-regexp --line-regexp
   --invert-match --only-matching --extended-regexp --basic-regexp --fixed-strings --perl-regexp --regexp=text --recursive --with-filename --no-filename --quiet --silent
   --no-messages --color[=] --colour[=] --context= --after-context= --before-context= --max-count= --include=text --exclude=text --exclude-dir=text --text --null --byte-offset
   --initial-tab --line-buffered --binary-files=`,
  { args: ['text', 'path'], replacesFirst: ['-e', '--regexp'] },
);

const CHECKSUM = reads('-btz --binary --text --tag --zero');

const NO_ARRAY_INDEX = /^[^$`[]*$/;

/** Programs that read files or the machine's state, or print their arguments; two that create what is missing. */
export const READERS: Readonly<Record<string, Program>> = {
  ls: reads(
    `-aAbBcCdfFgGhHiklLmnNopqQrRsStuUvxXZ1 -I=text -w= -T= --all --almost-all --author --block-size= --color[=] --classify[=] --directory --file-type --format= --full-time --group-directories-first
     --human-readable --si --hide=text --ignore=text --inode --size --sort= --time= --time-style=text --recursive --reverse --width= --no-group --numeric-uid-gid --dereference --literal --quote-name`,
  ),
  cat: reads('-nAbestvETu --number --number-nonblank --show-all --show-ends --show-tabs --show-nonprinting --squeeze-blank'),
  head: reads('-# -n= -c= -qvz --lines= --bytes= --quiet --silent --verbose'),
  tail: reads('-# -n= -c= -qvzfFr -s= --lines= --bytes= --follow[=] --retry --quiet --silent --verbose --pid= --sleep-interval='),
  wc: reads('-lwcmL --lines --words --bytes --chars --max-line-length --total='),
  ...each('grep egrep fgrep', GREP),
  rg: readsCarefully(
    `-nNilcwxvohHFPUqsSupa0. -A= -B= -C= -e=text -m= -g=text -t= -T= -d= -j= -r=text -M= --line-number --no-line-number --ignore-case --case-sensitive --smart-case --files-with-matches
     --files-without-match --count --count-matches --word-regexp --line-regexp --invert-match --only-matching --fixed-strings --pcre2 --multiline --multiline-dotall --quiet --pretty
     --regexp=text --glob=text --iglob=text --type= --type-not= --type-list --max-depth= --max-count= --max-columns= --max-filesize= --context= --after-context= --before-context= --hidden
     --no-hidden --no-ignore --no-ignore-vcs --unrestricted --heading --no-heading --color= --colors=text --column --no-column --vimgrep --json --files --stats --sort= --sortr= --text --trim --null
     --with-filename --no-filename --replace=text --passthru --crlf --no-messages --no-config --one-file-system --binary --glob-case-insensitive --threads= --path-separator=`,
    { args: ['text', 'path'], replacesFirst: ['-e', '--regexp', '--files', '--type-list'] },
  ),
  ug: readsCarefully('-nilcwvohRrFPQ -A= -B= -C= -e=text -g=text --line-number --ignore-case --count --word-regexp --color[=]', {
    args: ['text', 'path'],
    replacesFirst: ['-e'],
  }),
  ack: readsCarefully('-nilcwvohQ -A= -B= -C= --nocolor --nogroup --ignore-case', { args: ['text', 'path'] }),
  ag: readsCarefully('-nilcwvQ -A= -B= -C= -G=text --nocolor --nogroup --hidden --ignore-case', { args: ['text', 'path'] }),
  find: {
    style: 'words',
    options: `-name=text -iname=text -path=text -ipath=text -wholename=text -iwholename=text -regex=text -iregex=text -regextype= -type= -xtype= -maxdepth= -mindepth= -size=text -mtime=text -mmin=text
      -atime=text -amin=text -ctime=text -cmin=text -newer= -anewer= -cnewer= -newermt=text -empty -print -print0 -printf=text -ls -not -a -o -and -or -prune -depth -perm=text -user= -group= -nouser
      -nogroup -links=text -inum=text -executable -readable -writable -quit -xdev -mount -true -false -daystart -noleaf -ignore_readdir_race -H -P`,
    args: ['path'],
  },
  fd: readsCarefully(
    `-HIiasgFp0lu1qh -e= -t= -d= -E=text -c= -j= -S=text --hidden --no-ignore --no-ignore-vcs --ignore-case --case-sensitive --glob --fixed-strings --absolute-path --full-path --extension= --type=
     --max-depth= --min-depth= --exact-depth= --exclude=text --color= --max-results= --size=text --changed-within=text --changed-before=text --print0 --quiet --prune --strip-cwd-prefix --and=text`,
    { args: ['text', 'path'] },
  ),
  tree: readsCarefully(
    '-adfishDCnJXFpugrtvUNqQ -L= -I=text -P=text --dirsfirst --filesfirst --noreport --gitignore --prune --filelimit= --ignore-case --matchdirs --sort= --du --si --timefmt=text --inodes --device --charset=',
  ),
  stat: reads('-Lft -c=text --dereference --format=text --printf=text --terse --file-system'),
  file: readsCarefully('-bikhLNrs -F= --brief --mime --mime-type --mime-encoding --no-dereference --dereference --keep-going --extension --separator='),
  du: reads(
    '-sahckmbxlS0 -d= -t= --summarize --all --human-readable --si --total --max-depth= --bytes --apparent-size --one-file-system --exclude=text --time[=] --threshold=',
  ),
  df: reads(
    '-hHTaiklmP -t= -x= --human-readable --si --print-type --all --inodes --local --portability --total --type= --exclude-type= --output[=] --sync --no-sync',
  ),
  diff: reads(
    `-uqrNywbiBaEtTsZcenp -U= -C= -W= -x=text -I=text -F=text --unified[=] --context[=] --brief --recursive --new-file --side-by-side --width= --color[=] --ignore-case --ignore-all-space
     --ignore-space-change --ignore-blank-lines --ignore-trailing-space --strip-trailing-cr --text --exclude=text --minimal --suppress-common-lines --report-identical-files --no-dereference --label=text`,
  ),
  cmp: reads('-slb -n= -i= --quiet --silent --verbose --print-bytes --bytes= --ignore-initial='),
  comm: reads('-123iz --check-order --nocheck-order --output-delimiter=text --total --zero-terminated'),
  ...each(
    'realpath readlink',
    reads('-fempsnqLPz --canonicalize --canonicalize-existing --canonicalize-missing --relative-to= --relative-base= --no-symlinks --strip --zero --quiet'),
  ),
  ...each('basename dirname', prints('-az -s=text --multiple --suffix=text --zero')),
  ...each('which type', prints('-aptPf --all')),
  sort: readsCarefully(
    `-nrufbdghiMVRsczCm -k= -t=text --numeric-sort --reverse --unique --ignore-case --ignore-leading-blanks --dictionary-order --general-numeric-sort --human-numeric-sort --month-sort
     --version-sort --random-sort --stable --check[=] --merge --key= --field-separator=text --zero-terminated --sort=`,
  ),
  shuf: readsCarefully('-erz -n= -i= --echo --repeat --head-count= --input-range= --zero-terminated'),
  split: readsCarefully('-dex -l= -b= -C= -n= -a= --lines= --bytes= --line-bytes= --number= --suffix-length= --numeric-suffixes[=] --verbose'),
  // With a second file, these two write it.
  uniq: readsCarefully('-cdDuiz -f= -s= -w= --count --repeated --unique --ignore-case --skip-fields= --skip-chars= --check-chars= --zero-terminated', {
    most: 1,
  }),
  xxd: readsCarefully('-pubieaE -l= -s= -c= -g= -o=', { most: 1 }),
  cut: reads('-snz -d=text -f= -c= -b= --delimiter=text --fields= --characters= --bytes= --complement --only-delimited --output-delimiter=text'),
  tr: prints('-dscCt --delete --squeeze-repeats --complement --truncate-set1'),
  nl: reads('-p -b=text -w= -s=text -n= -v= -i= -h=text -f=text -l= -d=text'),
  ...each('tac rev', reads('-br -s=text --before --separator=text')),
  ...each('fold fmt expand unexpand', reads('-bsctu -# -w= -g= -t= -p=text --width= --spaces --bytes --tabs= --initial --first-only --all')),
  paste: reads('-sz -d=text --serial --delimiters=text'),
  join: reads('-iz -t=text -1= -2= -j= -o= -a= -v= -e=text --header --check-order --nocheck-order'),
  column: reads('-txneJrLR -s=text -c= -N=text -o=text -O= -H= --table --separator=text --output-separator=text --json --table-columns=text --fillrows'),
  od: reads('-abcdfhiloxvs -A= -t= -N= -j= -w[=] --address-radix= --format= --read-bytes= --skip-bytes= --width[=]'),
  hexdump: reads('-bcCdoxv -n= -s= -e=text'),
  // A filter can import modules from other folders.
  jq: reads(
    '-rcnsejaSMCR --raw-output --compact-output --null-input --slurp --exit-status --join-output --ascii-output --sort-keys --monochrome-output --color-output --raw-input --tab --indent= --seq',
    {
      args: [/^(?![\s\S]*\b(import|include|input_filename)\b)/, 'path'],
    },
  ),
  yq: readsCarefully('-rPMCNejs -o= -p= -I= --output-format= --input-format= --indent= --prettyPrint --no-colors --colors --exit-status --unwrapScalar', {
    args: [/^(?![\s\S]*(load|env|system|import|include|eval))/, 'path'],
  }),
  ...each('md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum sum', CHECKSUM),
  ...each('echo true false', { onlyText: true } satisfies Program),
  printf: prints('', { args: [NO_ARRAY_INDEX] }),
  test: {
    style: 'words',
    anyGlob: true,
    args: ['text'],
    options: '-f= -d= -e= -s= -r= -w= -x= -h= -L= -p= -S= -b= -c= -g= -u= -k= -O= -G= -N= -z=text -n=text -t= -a -o -eq -ne -lt -le -gt -ge -nt -ot -ef',
  },
  pwd: { options: '-LP' },
  // Another argument would set the clock.
  date: readsCarefully('-uR -I[=] -d=text -r= --utc --universal --iso-8601[=] --rfc-3339= --rfc-email --date=text --reference=', { args: [/^\+/], most: 1 }),
  seq: prints('-w -s=text -f=text --equal-width --separator=text --format=text'),
  sleep: prints(''),
  id: prints('-ugGnrzZ --user --group --groups --name --real'),
  ...each('whoami groups', prints('')),
  uname: prints('-asnrvmpio --all --kernel-name --nodename --kernel-release --kernel-version --machine --operating-system'),
  hostname: { options: '-fsiIdA --fqdn --short --ip-address --all-ip-addresses --domain' },
  nproc: prints('--all --ignore='),
  uptime: prints('-ps --pretty --since'),
  free: prints('-bkmghltwv -s= -c= --human --mega --giga --total --wide'),
  // The letter e as a plain argument prints the environment of processes, and with it secrets.
  ps: readsCarefully('-AaefFjlwyxTL -p= -u= -U= -C=text --forest --no-headers --headers --sort= --pid= --ppid= --user=', { args: [/^[auxwfjl]+$|^\d+$/] }),

  mkdir: reads('-pv -m= --parents --verbose --mode='),
  touch: reads('-acmh -d=text -t= -r= --no-create --date=text --reference= --time= --no-dereference'),
};
