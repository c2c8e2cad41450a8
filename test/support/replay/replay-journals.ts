import { foldMove } from '../../../src/domain/panel/fold.ts';
import { moveOf } from '../../../src/domain/panel/move.ts';
import { resolvedRequest } from '../../../src/domain/permission/resolved.ts';
import type { Branch } from '../../../src/protocol/api/archive.ts';
import type { Track } from '../../../src/protocol/api/panel.ts';
import { Event } from '../../../src/protocol/event.ts';
import type { ClientFrame, Delta, ServerFrame, You } from '../../../src/protocol/frame.ts';
import type { WaitingPermission } from '../../../src/protocol/http.ts';
import type { Capabilities, Session } from '../../../src/protocol/session.ts';
import { SETTINGS_PAGES } from './sample-settings.ts';

export interface ReplaySession {
  readonly session: Session;
  readonly events: readonly Event[];
  readonly partial?: readonly Delta[];
}

interface Page {
  session: Session;
  events: Event[];
  partial: readonly Delta[];
}

/** Events in a snapshot. */
const WINDOW = 200;

/** The replayed journals, and the events added to them since. */
export class ReplayJournals {
  readonly pages = new Map<string, Page>();
  /** Who the page is signed in as. */
  you: You = { id: 'ada', name: 'Ada', role: 'owner' };
  /** The branches of past sessions that have more than one. */
  branches: readonly Branch[] = [];
  private readonly watchers = new Set<(frame: ServerFrame) => void>();
  private readonly receipts = new Map<string, ServerFrame>();

  constructor(sessions: readonly ReplaySession[]) {
    for (const { session, events, partial = [] } of sessions) this.pages.set(session.id, { session, events: [...events], partial });
  }

  watch(send: (frame: ServerFrame) => void): () => void {
    this.watchers.add(send);
    return () => this.watchers.delete(send);
  }

  tell(frame: ServerFrame): void {
    for (const watcher of this.watchers) watcher(frame);
  }

  /** Adds an event to a journal and sends it to all clients. */
  append(sessionId: string, body: Readonly<Record<string, unknown>>): Event {
    const page = this.page(sessionId);
    const event = Event.parse({ ...body, seq: page.events.length + 1, at: new Date().toISOString() });
    page.events.push(event);
    this.tell({ type: 'event', sessionId: page.session.id, seq: event.seq, event });
    const change = this.changeOf(page.session, event);
    if (change !== undefined) this.tell(change);
    const move = moveOf(event);
    if (move !== undefined) this.tell({ type: 'activity', sessionId: page.session.id, moves: [move] });
    return event;
  }

  answer(frame: ClientFrame): readonly ServerFrame[] {
    switch (frame.type) {
      case 'hello':
        return [{ type: 'welcome', v: 1, serverId: 'replay', you: this.you }];
      case 'subscribe':
        return frame.sessionId === '*' ? this.list() : [this.snapshot(frame.sessionId, frame.after)];
      case 'input':
        return [this.once(frame.commandId, () => this.accept(frame))];
      case 'permission':
        return [this.once(frame.commandId, () => this.resolve(frame))];
      case 'ping':
        return [{ type: 'pong' }];
      case 'unsubscribe':
      case 'interrupt':
        return [];
    }
  }

  http(url: URL): unknown {
    const sessionId = /^\/api\/sessions\/([^/]+)\/events$/.exec(url.pathname)?.[1];
    if (sessionId !== undefined) return { events: this.events(sessionId, url.searchParams) };
    if (url.pathname.endsWith('/proposals')) return { proposals: PROPOSALS };
    if (url.pathname === '/api/panel') return this.panel();
    if (url.pathname === '/api/projects') return { projects: [] };
    return url.pathname === '/api/agents' ? { agents: AGENTS } : SETTINGS_PAGES[url.pathname];
  }

  private panel(): unknown {
    const tracks = [...this.pages.values()].flatMap(({ session, events }) => {
      const moves = events.flatMap((event) => moveOf(event) ?? []);
      const track = moves.reduce<Track | undefined>(foldMove, undefined);
      return track === undefined ? [] : [{ sessionId: session.id, track }];
    });
    return { now: Date.now(), tracks };
  }

  page(sessionId: string): Page {
    const page = this.pages.get(sessionId);
    if (page === undefined) throw new Error(`no journal ${sessionId}`);
    return page;
  }

  private sessions(): Session[] {
    return [...this.pages.values()].map((page) => page.session);
  }

  private events(sessionId: string, query: URLSearchParams): readonly Event[] {
    const events = this.onBranch(this.page(sessionId), query.get('branch'));
    const limit = Number(query.get('limit') ?? WINDOW);
    const after = query.get('after');
    if (after !== null) return events.filter((event) => event.seq > Number(after)).slice(0, limit);
    return events.filter((event) => event.seq < Number(query.get('before'))).slice(-limit);
  }

  private onBranch({ session, events }: Page, branch: string | null): readonly Event[] {
    if ((session.past?.branches ?? 1) < 2) return events;
    const chosen = this.branches.find((each) => (branch === null ? each.active : String(each.branch) === branch));
    return chosen === undefined ? events : events.filter(({ seq }) => this.isOn(chosen, seq));
  }

  private isOn({ from, lastSeq }: Branch, seq: number): boolean {
    const parent = this.branches.find(({ branch }) => branch === from?.branch);
    if (from === undefined || parent === undefined) return seq <= lastSeq;
    return seq <= from.seq ? this.isOn(parent, seq) : seq > parent.lastSeq && seq <= lastSeq;
  }

  private snapshot(sessionId: string, after: number | undefined): ServerFrame {
    const { session, events, partial } = this.page(sessionId);
    const shown = after === undefined ? events.slice(-WINDOW) : events.slice(after);
    return {
      type: 'snapshot',
      sessionId: session.id,
      session,
      events: shown,
      firstSeq: shown[0]?.seq ?? events.length + 1,
      seq: events.length,
      partial: [...partial],
    };
  }

  /** The same command id gets the same answer and adds no second event. */
  private once(commandId: string, run: () => ServerFrame): ServerFrame {
    const known = this.receipts.get(commandId) ?? run();
    this.receipts.set(commandId, known);
    return known;
  }

  private accept(frame: Extract<ClientFrame, { type: 'input' }>): ServerFrame {
    if (frame.text.includes('refuse me')) {
      return { type: 'refused', commandId: frame.commandId, sessionId: frame.sessionId, code: 'queue-full', message: 'The queue of this session is full.' };
    }
    const event = this.append(frame.sessionId, { type: 'input.accepted', commandId: frame.commandId, text: frame.text, mode: 'queue' });
    return { type: 'ack', commandId: frame.commandId, sessionId: frame.sessionId, seq: event.seq, queued: true };
  }

  private resolve(frame: Extract<ClientFrame, { type: 'permission' }>): ServerFrame {
    const page = [...this.pages.values()].find(({ events }) => events.some((event) => 'requestId' in event && event.requestId === frame.requestId));
    if (page === undefined) return { type: 'refused', commandId: frame.commandId, code: 'not-found', message: 'There is no such request.' };
    const outcome = frame.behavior === 'allow' ? 'allowed' : 'denied';
    const actor = { kind: 'person', id: 'ada', name: 'Ada' };
    const event = this.append(page.session.id, {
      type: 'permission.resolved',
      requestId: frame.requestId,
      outcome,
      behavior: frame.behavior,
      actor,
      ...(frame.message ? { message: frame.message } : {}),
      ...(frame.updatedInput ? { updatedInput: frame.updatedInput } : {}),
      ...(frame.answers ? { answers: frame.answers } : {}),
    });
    page.session = { ...page.session, status: 'busy', waiting: 0 };
    this.tell({ type: 'status', sessionId: page.session.id, status: 'busy', session: page.session });
    return { type: 'ack', commandId: frame.commandId, sessionId: page.session.id, seq: event.seq };
  }

  private list(): readonly ServerFrame[] {
    return [
      { type: 'sessions', sessions: this.sessions() },
      { type: 'waiting', reset: true, added: this.waiting(), resolved: [] },
    ];
  }

  private changeOf(session: Session, event: Event): ServerFrame | undefined {
    if (event.type === 'permission.resolved') return { type: 'waiting', added: [], resolved: [resolvedRequest(event)] };
    if (event.type !== 'permission.requested') return undefined;
    return { type: 'waiting', added: this.waitingIn(session).filter(({ requestId }) => requestId === event.requestId), resolved: [] };
  }

  /** All pending requests. */
  waiting(): WaitingPermission[] {
    return this.sessions().flatMap((session) => this.waitingIn(session));
  }

  private waitingIn(session: Session): WaitingPermission[] {
    const { events } = this.page(session.id);
    const resolved = new Set(events.flatMap((event) => (event.type === 'permission.resolved' ? [event.requestId] : [])));
    return events.flatMap((event) => {
      if (event.type !== 'permission.requested' || resolved.has(event.requestId)) return [];
      const { type: _, agentRequestId: __, ...shown } = event;
      return [{ ...shown, sessionId: session.id, sessionTitle: session.title, agent: session.agent, cwd: session.cwd }];
    });
  }
}

const PROPOSALS = [
  { pattern: { tool: 'Bash', command: 'npm test -- --shard 2/4' }, words: 'Exactly this command' },
  { pattern: { tool: 'Bash', command: 'npm test *' }, words: 'npm test, with any further words' },
];

const capabilities: Capabilities = {
  streaming: true,
  permissions: true,
  resume: true,
  fork: false,
  interrupt: true,
  steer: false,
  images: false,
  thinking: true,
  cost: true,
  subagents: false,
  modes: ['default', 'acceptEdits', 'plan'],
  setModel: false,
  setThinking: false,
  forkAt: false,
  rewind: false,
  editInput: true,
  tools: 'bus',
};

const AGENTS = [
  { id: 'demo', title: 'Demo', icon: 'demo', available: true, version: '1', verifiedWith: ['1'], capabilities, sessions: 3 },
  {
    id: 'other',
    title: 'Another agent',
    icon: 'o',
    available: false,
    problem: 'Not found on PATH. Install it, or name it in OTHER_PATH, then start Signalbox again.',
    verifiedWith: [],
    capabilities,
    sessions: 0,
  },
];
