import type { Engine } from '../../engine/engine.ts';
import type { WireStats } from '../ws/hub.ts';

type Kind = 'counter' | 'gauge';
type Sample = readonly [labels: string, value: number];

interface HttpCounts {
  count(method: string, status: number): void;
  samples(): readonly Sample[];
}

export function createHttpCounts(): HttpCounts {
  const counts = new Map<string, number>();
  return {
    count: (method, status) => {
      const labels = `{method="${method}",status="${status}"}`;
      counts.set(labels, (counts.get(labels) ?? 0) + 1);
    },
    samples: () => [...counts],
  };
}

/** The Prometheus text format: a few lines, so no dependency. */
export function metricsText(engine: Engine, http: HttpCounts, wire: WireStats): string {
  const stats = engine.stats();
  const one = (value: number): readonly Sample[] => [['', value]];
  const lines: readonly (readonly [string, Kind, string, readonly Sample[]])[] = [
    ['signalbox_sessions', 'gauge', 'Sessions known.', one(stats.sessions)],
    ['signalbox_live_agents', 'gauge', 'Agents running now.', one(stats.live)],
    ['signalbox_agents_memory_bytes', 'gauge', 'Resident memory of all agents and what they started.', one(engine.machine().memory.usedBytes)],
    ['signalbox_events_appended_total', 'counter', 'Durable events appended.', one(stats.eventsAppended)],
    ['signalbox_agent_lines_total', 'counter', 'Lines read from agents.', one(stats.linesRead)],
    ['signalbox_permissions_waiting', 'gauge', 'Requests that wait for a person.', one(engine.permissions().length)],
    ['signalbox_disk_low', 'gauge', '1 while the disk reserve is not whole.', one(stats.diskLow ? 1 : 0)],
    ['signalbox_ws_clients', 'gauge', 'Open WebSocket connections.', one(wire.clients)],
    ['signalbox_ws_frames_total', 'counter', 'Frames given to clients.', one(wire.framesSent)],
    ['signalbox_ws_held_back_total', 'counter', 'Times a slow client was held back.', one(wire.heldBack)],
    ['signalbox_ws_buffered_bytes', 'gauge', 'Bytes that wait for slow clients.', one(wire.bufferedBytes)],
    ['signalbox_http_requests_total', 'counter', 'HTTP requests answered.', http.samples()],
    ['process_resident_memory_bytes', 'gauge', 'Memory of the server process.', one(process.memoryUsage.rss())],
    ['process_cpu_seconds_total', 'counter', 'CPU time of the server process.', one(cpuSeconds())],
    ['process_uptime_seconds', 'gauge', 'Seconds since the server started.', one(process.uptime())],
  ];
  return lines.map(([name, kind, help, samples]) => family(name, kind, help, samples)).join('');
}

const family = (name: string, kind: Kind, help: string, samples: readonly Sample[]): string =>
  `# HELP ${name} ${help}\n# TYPE ${name} ${kind}\n${samples.map(([labels, value]) => `${name}${labels} ${value}\n`).join('')}`;

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}
