import type { PlanState } from '../../protocol/api/plan.ts';

const FORMAT = `Each operation is one of
{"op":"add","node":{"id":"short-slug","title":"…","prompt":"all that the step's agent needs to know","needs":["ids of steps before it"]}}
{"op":"insert_between","node":{…},"from":"id","to":"id"}   {"op":"add_sibling","node":{…},"of":"id"}
{"op":"remove","node":"id"}   {"op":"rewire","node":"id","needs":["id"]}   {"op":"edit","node":"id","set":{"prompt":"…"}}
Ids are lower-case letters, digits and "-". A node may also have "agent", "kind" ("work", "command": the prompt is a shell command, "gate": the prompt is a question to people), "verify":{"command":"…"} and "merge":"none".`;

/** What the agent is asked that makes steps out of a task. Steps that are there are named by id and summary, so that new ones can need them. */
export function generatePrompt({ nodes, head }: PlanState, task: string): string {
  const known = nodes.map(({ id, title, status, summary }) => `- ${id}: ${title} (${status})${summary === undefined ? '' : `: ${summary.slice(0, 500)}`}`);
  return [
    `Make a plan for this task. Don't do the task itself, and change no files.\n\n${task}`,
    head.goal === undefined ? undefined : `The goal of the plan “${head.title}”: ${head.goal}`,
    known.length === 0 ? undefined : `Steps that are there already:\n${known.join('\n')}`,
    'Split the task into steps. Each is done by a coding agent that knows only its own prompt and the summaries of the steps that it needs. Steps that don’t need each other run at the same time.',
    FORMAT,
    'Propose them with the tool propose_plan_change {"ops":[…],"why":"…"}. If you don’t have that tool, end your answer with one block:\n```signalbox-plan\n{"ops":[…],"why":"…"}\n```',
  ]
    .filter((part) => part !== undefined)
    .join('\n\n');
}
