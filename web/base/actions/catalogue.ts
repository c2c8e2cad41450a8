/** Where an action means something. Of two that hear the same key, the one further down in this list is meant. */
export const SCOPES = {
  everywhere: 'Everywhere',
  list: 'In a list',
  session: 'In a session',
  tiles: 'Side by side',
  request: 'What waits for you',
  writing: 'While you write',
} as const;
export type Scope = keyof typeof SCOPES;

export interface ActionFacts {
  readonly title: string;
  readonly scope: Scope;
  /** As `keyNameOf` writes them; a blank stands between keys that follow each other. */
  readonly keys?: readonly string[];
  /** How they are told, when that is not their list. */
  readonly keysText?: string;
  /** Only worth something to a hand that is already there: not in the palette. */
  readonly isByKeyOnly?: boolean;
  /** A key that is held down does it again. */
  readonly repeats?: boolean;
  /** A field hears these keys by itself while somebody types in it. */
  readonly isOfField?: boolean;
}

/** Everything that can be done by name or by key. Who binds an action says what it does; its keys are written here and nowhere else. */
export const ACTIONS = {
  'palette.open': { title: 'Find an action or a session', scope: 'everywhere', keys: ['Mod+k'], isByKeyOnly: true },
  'keys.show': { title: 'Keyboard shortcuts', scope: 'everywhere', keys: ['?'] },
  'session.new': { title: 'New session', scope: 'everywhere', keys: ['c'] },
  'go.deck': { title: 'Go to the deck', scope: 'everywhere', keys: ['g d'] },
  'go.inbox': { title: 'Go to the inbox', scope: 'everywhere', keys: ['g i'] },
  'go.sessions': { title: 'Go to all sessions', scope: 'everywhere', keys: ['g s'] },
  'go.tiles': { title: 'Go to sessions side by side', scope: 'everywhere', keys: ['g t'] },
  'go.search': { title: 'Search everything', scope: 'everywhere', keys: ['/', 'g f'] },
  'go.usage': { title: 'Go to usage', scope: 'everywhere', keys: ['g u'] },
  'go.settings': { title: 'Go to the settings…', scope: 'everywhere', keys: ['g ,'] },
  'look.theme': { title: 'Theme…', scope: 'everywhere' },
  'look.density': { title: 'Density…', scope: 'everywhere' },
  'look.text': { title: 'Text size…', scope: 'everywhere' },
  'connection.retry': { title: 'Connect now', scope: 'everywhere' },

  'list.next': { title: 'Next', scope: 'list', keys: ['j', 'ArrowDown'], isByKeyOnly: true, repeats: true },
  'list.previous': { title: 'Previous', scope: 'list', keys: ['k', 'ArrowUp'], isByKeyOnly: true, repeats: true },
  'list.open': { title: 'Open the chosen one', scope: 'list', keys: ['Enter'], isByKeyOnly: true },
  'list.star': { title: 'Star the chosen one', scope: 'list', keys: ['s'], isByKeyOnly: true },
  'list.leave': { title: 'Choose none', scope: 'list', keys: ['Escape'], isByKeyOnly: true },
  'list.words': { title: 'Write in the field of words', scope: 'list', keys: ['/'], isByKeyOnly: true },

  'session.write': { title: 'Write a message', scope: 'session', keys: ['/'] },
  'session.begin': { title: 'Beginning of the transcript', scope: 'session', keys: ['Home'] },
  'session.end': { title: 'Newest end of the transcript', scope: 'session', keys: ['End'] },
  'session.interrupt': { title: 'Interrupt the agent', scope: 'session', keys: ['Escape'], keysText: 'Esc Esc' },
  'session.star': { title: 'Star', scope: 'session', keys: ['s'] },
  'session.beside': { title: 'Open another session beside it…', scope: 'session', keys: ['b'] },
  'session.changes': { title: 'View its changes', scope: 'session', keys: ['v c'] },
  'session.files': { title: 'View its files', scope: 'session', keys: ['v f'] },
  'session.timeline': { title: 'View its timeline', scope: 'session', keys: ['v t'] },
  'session.raw': { title: 'View its raw lines', scope: 'session', keys: ['v r'] },
  'session.transcript': { title: 'View its transcript alone', scope: 'session', keys: ['v v'] },
  'session.model': { title: 'Model…', scope: 'session' },
  'session.mode': { title: 'Permissions…', scope: 'session' },
  'session.thinking': { title: 'Thinking…', scope: 'session' },
  'session.compact': { title: 'Compact the context', scope: 'session' },
  'session.fork': { title: 'Fork', scope: 'session' },
  'session.handover': { title: 'Hand over to a fresh session…', scope: 'session' },
  'session.sleep': { title: 'Sleep', scope: 'session' },
  'session.wake': { title: 'Wake', scope: 'session' },
  'session.stop': { title: 'Stop the agent', scope: 'session' },
  'session.takeover': { title: 'Take over from the other program', scope: 'session' },
  'session.describe': { title: 'Title, tags and note…', scope: 'session' },
  'session.archive': { title: 'Archive', scope: 'session' },
  'session.close': { title: 'Close to others', scope: 'session' },
  'session.mute': { title: 'Mute', scope: 'session' },
  'session.link': { title: 'Copy the link', scope: 'session' },
  'session.folder': { title: 'Copy the folder', scope: 'session' },
  'session.id': { title: 'Copy the session id', scope: 'session' },
  'session.export': { title: 'Export…', scope: 'session' },
  'session.search': { title: 'Search in this session', scope: 'session' },

  'tiles.next': { title: 'Next tile', scope: 'tiles', keys: [']'], isByKeyOnly: true, repeats: true },
  'tiles.previous': { title: 'Previous tile', scope: 'tiles', keys: ['['], isByKeyOnly: true, repeats: true },
  'tiles.later': { title: 'Move the tile on', scope: 'tiles', keys: ['}'] },
  'tiles.earlier': { title: 'Move the tile back', scope: 'tiles', keys: ['{'] },
  'tiles.wider': { title: 'Make the tile wider', scope: 'tiles', keys: ['>'], repeats: true },
  'tiles.narrower': { title: 'Make the tile narrower', scope: 'tiles', keys: ['<'], repeats: true },
  'tiles.taller': { title: 'Make the tile taller', scope: 'tiles', keys: ['+'], repeats: true },
  'tiles.shorter': { title: 'Make the tile shorter', scope: 'tiles', keys: ['-'], repeats: true },
  'tiles.even': { title: 'Make all tiles alike', scope: 'tiles', keys: ['='] },
  'tiles.columns': { title: 'Columns…', scope: 'tiles' },
  'tiles.add': { title: 'Add a session…', scope: 'tiles', keys: ['a'] },
  'tiles.remove': { title: 'Take the tile away', scope: 'tiles', keys: ['x'] },
  'tiles.alone': { title: 'Open it alone', scope: 'tiles', keys: ['o'] },

  'request.allow': { title: 'Allow it, once', scope: 'request', keys: ['y'], isByKeyOnly: true },
  'request.edit': { title: 'Change it first', scope: 'request', keys: ['e'], isByKeyOnly: true },
  'request.remember': { title: 'Allow it and remember', scope: 'request', keys: ['r'], isByKeyOnly: true },
  'request.deny': { title: 'Deny it, with a reason', scope: 'request', keys: ['n'], isByKeyOnly: true },
  'request.choose': {
    title: 'Choose an answer to a question',
    scope: 'request',
    keys: ['1', '2', '3', '4', '5', '6', '7', '8', '9'],
    keysText: '1 … 9',
    isByKeyOnly: true,
  },

  'writing.send': { title: 'Send', scope: 'writing', keys: ['Enter'], isByKeyOnly: true, isOfField: true },
  'writing.line': { title: 'A new line', scope: 'writing', keys: ['Shift+Enter'], isByKeyOnly: true, isOfField: true },
  'writing.steer': { title: 'Send it into the running turn', scope: 'writing', keys: ['Mod+Enter'], isByKeyOnly: true, isOfField: true },
  'writing.complete': {
    title: 'Commands of the agent, files of its folder',
    scope: 'writing',
    keys: ['/', '@'],
    isByKeyOnly: true,
    isOfField: true,
  },
  'writing.again': { title: 'What was sent before, at the start of a message', scope: 'writing', keys: ['ArrowUp'], isByKeyOnly: true, isOfField: true },
  'writing.move': {
    title: 'Move a waiting message',
    scope: 'writing',
    keys: ['Alt+ArrowUp', 'Alt+ArrowDown'],
    keysText: 'Alt ↑ ↓',
    isByKeyOnly: true,
    isOfField: true,
  },
} as const satisfies Readonly<Record<string, ActionFacts>>;

export type ActionId = keyof typeof ACTIONS;

export const factsOf = (id: ActionId): ActionFacts => ACTIONS[id];

/** All ids, in the order in which they are told. */
export const ACTION_IDS: readonly ActionId[] = Object.keys(ACTIONS).filter((id): id is ActionId => id in ACTIONS);
