const HIDDEN = '•••';
/** A flag or variable whose value is a secret by its name. */
const SECRET_NAME = /(token|secret|passw(or)?d|api[-_]?key|auth|credential|private[-_]?key|cookie)/i;
/** Values that are secrets wherever they stand: keys of known services, JSON web tokens, and passwords in addresses. */
const SECRET_VALUE = /^(sk-|ghp_|gho_|github_pat_|glpat-|xox[abps]-|AKIA|AIza|eyJ[\w-]+\.eyJ)/;
const PASSWORD_IN_ADDRESS = /(:\/\/[^/\s:@]*):[^@\s/]+@/g;

/** A command line that can be shown: argv can hold a secret that a person passed in a flag. */
export function maskArguments(argv: readonly string[]): readonly string[] {
  return argv.map((argument, at) => {
    const [name = '', ...rest] = argument.split('=');
    if (rest.length > 0 && SECRET_NAME.test(name)) return `${name}=${HIDDEN}`;
    const flag = argv[at - 1] ?? '';
    if (flag.startsWith('-') && !flag.includes('=') && !argument.startsWith('-') && SECRET_NAME.test(flag)) return HIDDEN;
    if (SECRET_VALUE.test(argument)) return HIDDEN;
    return argument.replace(PASSWORD_IN_ADDRESS, `$1:${HIDDEN}@`);
  });
}
