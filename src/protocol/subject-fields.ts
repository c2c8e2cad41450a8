import type { Subject } from './subject.ts';

type Input = Readonly<Record<string, unknown>>;

/** Which argument holds the command. Unset if that is ambiguous: then nobody can edit it. */
export function commandField(subject: Subject | undefined, input: Input): string | undefined {
  if (subject?.kind !== 'command') return undefined;
  const { field, command } = subject;
  if (field === undefined) return onlyField(input, command);
  return Object.hasOwn(input, field) && input[field] === command ? field : undefined;
}

/** The arguments that the subject of a call does not already show. If two arguments have the same value, both are listed. */
export function undescribedArguments(subject: Subject, input: Input): Input {
  const shown = shownFields(subject, input);
  return Object.fromEntries(Object.entries(input).filter(([name]) => !shown.includes(name)));
}

function shownFields(subject: Subject, input: Input): readonly (string | undefined)[] {
  switch (subject.kind) {
    case 'command':
      return [commandField(subject, input)];
    case 'read':
    case 'edit':
      return subject.paths.map((path) => onlyField(input, path));
    case 'web':
      return [subject.url, subject.query].map((value) => onlyField(input, value));
    case 'mcp':
    case 'other':
      return [];
  }
}

function onlyField(input: Input, value: string | undefined): string | undefined {
  const names = Object.keys(input).filter((name) => value !== undefined && input[name] === value);
  return names.length === 1 ? names[0] : undefined;
}
