import type { Engine } from '../../engine/engine.ts';
import type { Event } from '../../protocol/event.ts';
import type { AgentCommand } from '../../protocol/http.ts';
import type { SessionId } from '../../protocol/ids.ts';
import type { Session } from '../../protocol/session.ts';

/** How many events to search backward for the agent's commands before trying the start of the session. */
const PAGE = 500;
const PAGES = 6;
/** Other sessions to search when this one has no commands yet. */
const OTHERS = 3;

type Journal = Pick<Engine, 'events' | 'sessions'>;

/** The agent's slash commands, as last reported in this session or in others of the same agent and folder. */
export function knownCommands(engine: Journal, session: Session): readonly AgentCommand[] {
  const alike = engine
    .sessions()
    .filter(({ id, agent, cwd }) => id !== session.id && agent === session.agent && cwd === session.cwd)
    .sort((a, b) => (a.updatedAt < b.updatedAt ? 1 : -1))
    .slice(0, OTHERS);
  for (const { id } of [session, ...alike]) {
    const commands = lastReported(engine, id);
    if (commands !== undefined) return commands;
  }
  return [];
}

function lastReported(engine: Journal, id: SessionId): readonly AgentCommand[] | undefined {
  let before = Number.MAX_SAFE_INTEGER;
  for (let page = 0; page < PAGES; page += 1) {
    const events = engine.events(id, { before, limit: PAGE });
    const commands = commandsIn(events);
    if (commands !== undefined || events.length < PAGE) return commands;
    before = events[0]?.seq ?? 0;
  }
  return commandsIn(engine.events(id, { after: 0, limit: PAGE }));
}

function commandsIn(events: readonly Event[]): readonly AgentCommand[] | undefined {
  const started = events.findLast((event) => event.type === 'session.started' && event.commands.length > 0);
  return started?.type === 'session.started' ? started.commands : undefined;
}
