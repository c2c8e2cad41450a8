import { closeSync, mkdirSync, openSync, utimesSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Words } from './words.ts';

export interface SampleRecordsPlan {
  /** The folder to use as a person's home. */
  readonly home: string;
  readonly seed: number;
  readonly sessions: number;
  /** The average size of each session except the longest. */
  readonly sessionBytes: number;
  /** The size of one session that is longer than the others. */
  readonly longestBytes?: number;
  /** A word that occurs only in the oldest line of the longest session. */
  readonly planted?: string;
}

export interface SampleRecords {
  readonly bytes: number;
  readonly words: Words;
  readonly files: readonly string[];
  /** The agent's own id of the longest session. */
  readonly longest: string;
}

const PROJECTS = 40;
const MINUTE = 60_000;
/** When the last session ended. */
const LATEST = Date.UTC(2026, 10, 1);

/** Writes records as Claude Code does. The same seed gives the same bytes. */
export function writeSampleRecords(plan: SampleRecordsPlan): SampleRecords {
  const words = new Words(plan.seed);
  const files: string[] = [];
  let bytes = 0;
  let longest = '';
  for (let index = 0; index < plan.sessions; index += 1) {
    const isLongest = index === 0 && plan.longestBytes !== undefined;
    const id = words.uuid();
    const project = `project-${words.between(0, PROJECTS)}`;
    const file = join(plan.home, '.claude/projects', `-home-dev-${project}`, `${id}.jsonl`);
    const minBytes = isLongest ? (plan.longestBytes ?? 0) : Math.round(plan.sessionBytes * (0.2 + words.between(0, 160) / 100));
    bytes += writeRecord(file, {
      id,
      cwd: `/home/dev/${project}`,
      words,
      minBytes,
      endsAt: LATEST - index * MINUTE,
      ...(isLongest && plan.planted !== undefined && { planted: plan.planted }),
    });
    files.push(file);
    if (isLongest) longest = id;
  }
  return { bytes, words, files, longest };
}

interface RecordPlan {
  readonly id: string;
  readonly cwd: string;
  readonly words: Words;
  readonly minBytes: number;
  readonly endsAt: number;
  readonly planted?: string;
}

function writeRecord(path: string, plan: RecordPlan): number {
  mkdirSync(dirname(path), { recursive: true });
  const file = openSync(path, 'w', 0o600);
  const record = new RecordWriter(plan);
  let bytes = 0;
  while (bytes < plan.minBytes) bytes += writeSync(file, record.turn());
  closeSync(file);
  utimesSync(path, plan.endsAt / 1000, plan.endsAt / 1000);
  return bytes;
}

/** Writes one record turn by turn: a prompt, thinking, a few calls with their results, an answer. */
class RecordWriter {
  #parent: string | null = null;
  #turn = 0;
  readonly #about: readonly string[];

  constructor(private readonly plan: RecordPlan) {
    this.#about = plan.words.topic(300);
  }

  turn(): string {
    const { words, planted } = this.plan;
    const lines: string[] = [];
    this.#turn += 1;
    const prompt = `${this.#turn === 1 && planted !== undefined ? `${planted} ` : ''}${words.text(words.between(40, 400), this.#about)}`;
    lines.push(this.#line('user', { role: 'user', content: prompt }));
    for (let call = words.between(1, 5); call > 0; call -= 1) lines.push(...this.#call());
    lines.push(this.#answer([{ type: 'text', text: words.text(words.between(200, 3000), this.#about) }]));
    return `${lines.join('\n')}\n`;
  }

  #call(): readonly string[] {
    const { words } = this.plan;
    const id = `toolu_${words.uuid().replaceAll('-', '')}`;
    const use =
      words.between(0, 2) === 0
        ? { name: 'Bash', input: { command: words.text(60, this.#about) } }
        : { name: 'Read', input: { file_path: `${this.plan.cwd}/${words.path()}` } };
    const thinking = this.#answer([{ type: 'thinking', thinking: words.text(words.between(100, 1500), this.#about), signature: '' }]);
    const called = this.#answer([{ type: 'tool_use', id, ...use }]);
    const output = words.code(words.between(200, 12_000), this.#about);
    const result = this.#line(
      'user',
      { role: 'user', content: [{ tool_use_id: id, type: 'tool_result', content: output, is_error: words.between(0, 20) === 0 }] },
      { toolUseResult: { stdout: '' } },
    );
    return [thinking, called, result];
  }

  #answer(content: readonly object[]): string {
    const usage = { input_tokens: 4, output_tokens: 300, cache_read_input_tokens: 20_000 + this.#turn * 500, cache_creation_input_tokens: 900 };
    return this.#line('assistant', {
      id: `msg_${this.plan.words.uuid()}`,
      type: 'message',
      role: 'assistant',
      model: 'claude-sonnet-4-5',
      content,
      stop_reason: null,
      usage,
    });
  }

  #line(type: string, message: object, more: object = {}): string {
    const { id, cwd, words, endsAt } = this.plan;
    const uuid = words.uuid();
    const timestamp = new Date(endsAt - 1_000_000 + this.#turn * 1000).toISOString();
    const line = {
      parentUuid: this.#parent,
      isSidechain: false,
      userType: 'external',
      cwd,
      sessionId: id,
      version: '2.1.197',
      gitBranch: 'main',
      type,
      message,
      uuid,
      timestamp,
      ...more,
    };
    this.#parent = uuid;
    return JSON.stringify(line);
  }
}
