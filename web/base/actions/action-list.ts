/** Where an action works. If two use the same key, the one further down in this list wins. */
export const SCOPES = {
  everywhere: 'Everywhere',
  list: 'In a list',
  session: 'In a session',
  plans: 'Plans',
  tiles: 'Side by side',
  request: 'Requests',
  writing: 'While you type',
} as const;
export type Scope = keyof typeof SCOPES;

export interface ActionFacts {
  readonly title: string;
  readonly scope: Scope;
  /** As `keyNameOf` writes them; a space separates keys pressed one after the other. */
  readonly keys?: readonly string[];
  /** What the page shows instead of the list of keys. */
  readonly keysText?: string;
  /** Only useful from the keyboard: not in the palette. */
  readonly isByKeyOnly?: boolean;
  /** Holding the key down repeats it. */
  readonly repeats?: boolean;
  /** A text field handles these keys itself. */
  readonly isOfField?: boolean;
}

/** Every action with a name or a key. The component that binds an action decides what it does; keys are defined only here. */
export const ACTIONS = {
  'palette.open': { title: 'Find an action or a session', scope: 'everywhere', keys: ['Mod+k'], isByKeyOnly: true },
  'keys.show': { title: 'Keyboard shortcuts', scope: 'everywhere', keys: ['?'] },
  'session.new': { title: 'New session', scope: 'everywhere', keys: ['c'] },
  'go.deck': { title: 'Go to the deck', scope: 'everywhere', keys: ['g d'] },
  'go.inbox': { title: 'Go to the inbox', scope: 'everywhere', keys: ['g i'] },
  'go.sessions': { title: 'Go to all sessions', scope: 'everywhere', keys: ['g s'] },
  'go.tiles': { title: 'Go to sessions side by side', scope: 'everywhere', keys: ['g t'] },
  'go.waiting': { title: 'Go to the next session that needs you', scope: 'everywhere', keys: ['w'] },
  'go.search': { title: 'Search everything', scope: 'everywhere', keys: ['/', 'g f'] },
  'go.annotations': { title: 'Go to comments', scope: 'everywhere', keys: ['g c'] },
  'go.worktrees': { title: 'Go to worktrees', scope: 'everywhere', keys: ['g w'] },
  'go.plans': { title: 'Go to plans', scope: 'everywhere', keys: ['g p'] },
  'go.usage': { title: 'Go to usage', scope: 'everywhere', keys: ['g u'] },
  'go.settings': { title: 'Go to settings…', scope: 'everywhere', keys: ['g ,'] },
  'look.theme': { title: 'Theme…', scope: 'everywhere' },
  'look.density': { title: 'Density…', scope: 'everywhere' },
  'look.text': { title: 'Text size…', scope: 'everywhere' },
  'connection.retry': { title: 'Reconnect now', scope: 'everywhere' },

  'list.next': { title: 'Next', scope: 'list', keys: ['j', 'ArrowDown'], isByKeyOnly: true, repeats: true },
  'list.previous': { title: 'Previous', scope: 'list', keys: ['k', 'ArrowUp'], isByKeyOnly: true, repeats: true },
  'list.open': { title: 'Open', scope: 'list', keys: ['Enter'], isByKeyOnly: true },
  'list.star': { title: 'Star', scope: 'list', keys: ['s'], isByKeyOnly: true },
  'list.leave': { title: 'Clear selection', scope: 'list', keys: ['Escape'], isByKeyOnly: true },
  'list.words': { title: 'Focus the filter', scope: 'list', keys: ['/'], isByKeyOnly: true },

  'session.write': { title: 'Write a message', scope: 'session', keys: ['/'] },
  'session.begin': { title: 'Go to the start of the transcript', scope: 'session', keys: ['Home'] },
  'session.end': { title: 'Go to the end of the transcript', scope: 'session', keys: ['End'] },
  'session.list': { title: 'Show or hide the list of sessions', scope: 'session', keys: ['l'] },
  'session.next': { title: 'Next session', scope: 'session', keys: [']'] },
  'session.previous': { title: 'Previous session', scope: 'session', keys: ['['] },
  'session.comment': { title: 'Comment on the selection', scope: 'session', keys: ['c'], isByKeyOnly: true },
  'session.interrupt': { title: 'Interrupt the agent', scope: 'session', keys: ['Escape'], keysText: 'Esc Esc' },
  'session.star': { title: 'Star', scope: 'session', keys: ['s'] },
  'session.beside': { title: 'Open another session next to this one…', scope: 'session', keys: ['b'] },
  'session.changes': { title: 'Show changes', scope: 'session', keys: ['v c'] },
  'session.review': { title: 'Show review', scope: 'session', keys: ['v e'] },
  'session.finish': { title: 'Show finish: commit, push, pull request', scope: 'session', keys: ['v g'] },
  'session.files': { title: 'Show files', scope: 'session', keys: ['v f'] },
  'session.timeline': { title: 'Show timeline', scope: 'session', keys: ['v t'] },
  'session.raw': { title: 'Show raw lines', scope: 'session', keys: ['v r'] },
  'session.transcript': { title: 'Show only the transcript', scope: 'session', keys: ['v v'] },
  'session.model': { title: 'Model…', scope: 'session' },
  'session.mode': { title: 'Permissions…', scope: 'session' },
  'session.thinking': { title: 'Thinking…', scope: 'session' },
  'session.compact': { title: 'Compact the context', scope: 'session' },
  'session.fork': { title: 'Fork', scope: 'session' },
  'session.side-question': { title: 'Side question…', scope: 'session', keys: ['q'] },
  'session.handover': { title: 'New session with summary…', scope: 'session' },
  'session.resume-queue': { title: 'Resume the queue', scope: 'session' },
  'session.pause-queue': { title: 'Pause the queue', scope: 'session' },
  'session.sleep': { title: 'Sleep', scope: 'session' },
  'session.wake': { title: 'Wake', scope: 'session' },
  'session.stop': { title: 'Stop the agent', scope: 'session' },
  'session.takeover': { title: 'Take over from the other program', scope: 'session' },
  'session.rename': { title: 'Rename…', scope: 'session' },
  'session.describe': { title: 'Title, tags and note…', scope: 'session' },
  'session.unread': { title: 'Mark as unread', scope: 'session' },
  'session.archive': { title: 'Archive', scope: 'session' },
  'session.close': { title: 'Make private', scope: 'session' },
  'session.details': { title: 'Details…', scope: 'session' },
  'session.mute': { title: 'Mute', scope: 'session' },
  'session.link': { title: 'Copy the link', scope: 'session' },
  'session.share': { title: 'Share link (valid for a week)', scope: 'session' },
  'session.folder': { title: 'Copy the folder', scope: 'session' },
  'session.id': { title: 'Copy the session id', scope: 'session' },
  'session.export': { title: 'Export…', scope: 'session' },
  'session.search': { title: 'Search in this session', scope: 'session' },
  'session.delete': { title: 'Delete…', scope: 'session' },

  'plan.new': { title: 'New plan', scope: 'plans', keys: ['n'] },
  'plan.start': { title: 'Start the plan', scope: 'plans' },
  'plan.pause': { title: 'Pause the plan', scope: 'plans' },
  'plan.resume': { title: 'Resume the plan', scope: 'plans' },
  'plan.add': { title: 'Add a step', scope: 'plans', keys: ['a'] },
  'plan.generate': { title: 'Generate steps…', scope: 'plans' },
  'plan.settings': { title: 'Budget and defaults…', scope: 'plans' },
  'plan.graph': { title: 'Show the graph', scope: 'plans', keys: ['v g'] },
  'plan.list': { title: 'Show the list', scope: 'plans', keys: ['v l'] },
  'plan.board': { title: 'Show the board', scope: 'plans', keys: ['v b'] },

  'tiles.next': { title: 'Next tile', scope: 'tiles', keys: [']'], isByKeyOnly: true, repeats: true },
  'tiles.previous': { title: 'Previous tile', scope: 'tiles', keys: ['['], isByKeyOnly: true, repeats: true },
  'tiles.later': { title: 'Move tile forward', scope: 'tiles', keys: ['}'] },
  'tiles.earlier': { title: 'Move tile back', scope: 'tiles', keys: ['{'] },
  'tiles.wider': { title: 'Make tile wider', scope: 'tiles', keys: ['>'], repeats: true },
  'tiles.narrower': { title: 'Make tile narrower', scope: 'tiles', keys: ['<'], repeats: true },
  'tiles.taller': { title: 'Make tile taller', scope: 'tiles', keys: ['+'], repeats: true },
  'tiles.shorter': { title: 'Make tile shorter', scope: 'tiles', keys: ['-'], repeats: true },
  'tiles.even': { title: 'Equal sizes', scope: 'tiles', keys: ['='] },
  'tiles.columns': { title: 'Columns…', scope: 'tiles' },
  'tiles.add': { title: 'Add a session…', scope: 'tiles', keys: ['a'] },
  'tiles.remove': { title: 'Close tile', scope: 'tiles', keys: ['x'] },
  'tiles.alone': { title: 'Open full size', scope: 'tiles', keys: ['o'] },

  'request.allow': { title: 'Allow once', scope: 'request', keys: ['y'], isByKeyOnly: true },
  'request.edit': { title: 'Edit before allowing', scope: 'request', keys: ['e'], isByKeyOnly: true },
  'request.remember': { title: 'Allow and remember', scope: 'request', keys: ['r'], isByKeyOnly: true },
  'request.deny': { title: 'Deny with a reason', scope: 'request', keys: ['n'], isByKeyOnly: true },
  'request.choose': {
    title: 'Choose an answer',
    scope: 'request',
    keys: ['1', '2', '3', '4', '5', '6', '7', '8', '9'],
    keysText: '1 … 9',
    isByKeyOnly: true,
  },

  'writing.send': { title: 'Send', scope: 'writing', keys: ['Enter'], isByKeyOnly: true, isOfField: true },
  'writing.line': { title: 'New line', scope: 'writing', keys: ['Shift+Enter'], isByKeyOnly: true, isOfField: true },
  'writing.steer': { title: 'Send now, into the current turn', scope: 'writing', keys: ['Mod+Enter'], isByKeyOnly: true, isOfField: true },
  'writing.complete': {
    title: 'Insert an agent command or a file',
    scope: 'writing',
    keys: ['/', '@'],
    isByKeyOnly: true,
    isOfField: true,
  },
  'writing.again': { title: 'Previous message (cursor at the start)', scope: 'writing', keys: ['ArrowUp'], isByKeyOnly: true, isOfField: true },
  'writing.move': {
    title: 'Move a queued message',
    scope: 'writing',
    keys: ['Alt+ArrowUp', 'Alt+ArrowDown'],
    keysText: 'Alt ↑ ↓',
    isByKeyOnly: true,
    isOfField: true,
  },
} as const satisfies Readonly<Record<string, ActionFacts>>;

export type ActionId = keyof typeof ACTIONS;

export const factsOf = (id: ActionId): ActionFacts => ACTIONS[id];

/** All ids, in display order. */
export const ACTION_IDS: readonly ActionId[] = Object.keys(ACTIONS).filter((id): id is ActionId => id in ACTIONS);
