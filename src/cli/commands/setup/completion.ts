import { type CliCommand, EXIT, UsageProblem } from '../../shared/command.ts';

export const completionCommand: CliCommand = {
  name: 'completion',
  summary: 'Print a completion script for bash, zsh or fish',
  help: `
Usage: signalbox completion bash|zsh|fish

Completes verbs, flags and session ids with their titles.

Examples:
  signalbox completion bash > ~/.local/share/bash-completion/completions/signalbox
  signalbox completion zsh > "\${fpath[1]}/_signalbox"
  signalbox completion fish > ~/.config/fish/completions/signalbox.fish
`,
  flags: {},
  run: async (deps, _given, [shell, ...more]) => {
    const script = SCRIPTS.get(shell ?? '');
    if (script === undefined || more.length > 0) throw new UsageProblem('use bash, zsh or fish');
    deps.stdout.write(script);
    return EXIT.ok;
  },
};

/** Each asks `signalbox complete`, which prints a word, a tab and what it means per line, or a line ":file". */
const SCRIPTS: ReadonlyMap<string, string> = new Map([
  [
    'bash',
    `_signalbox() {
  local line words=()
  COMPREPLY=()
  while IFS= read -r line; do
    if [ "$line" = ":file" ]; then COMPREPLY=($(compgen -f -- "\${COMP_WORDS[COMP_CWORD]}")); return; fi
    words+=("$line")
  done < <(signalbox complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  if [ "\${#words[@]}" -eq 1 ]; then COMPREPLY=("\${words[0]%%$'\\t'*}"); return; fi
  # Several: bash inserts what they have in common, and lists them with what they mean.
  for line in "\${words[@]}"; do COMPREPLY+=("\${line/$'\\t'/  }"); done
}
complete -o nosort -F _signalbox signalbox 2>/dev/null || complete -F _signalbox signalbox
`,
  ],
  [
    'zsh',
    `#compdef signalbox
_signalbox() {
  local line
  local -a described
  while IFS= read -r line; do
    if [[ "$line" == ":file" ]]; then _files; return; fi
    described+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
  done < <(signalbox complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)
  _describe -V 'signalbox' described
}
if [ "$funcstack[1]" = "_signalbox" ]; then _signalbox; else compdef _signalbox signalbox; fi
`,
  ],
  [
    'fish',
    `function __signalbox_complete
  set -l words (commandline -opc) (commandline -ct)
  set -l found (signalbox complete -- $words[2..-1] 2>/dev/null)
  if test "$found[1]" = ":file"
    __fish_complete_path (commandline -ct)
  else
    printf '%s\\n' $found
  end
end
complete -c signalbox -f -a '(__signalbox_complete)'
`,
  ],
]);
