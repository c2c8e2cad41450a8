/** The demo agent's longer texts. */
export const THOUGHT = `What was I asked to do? To think, and to show it.

Thinking is shown separately from the answer: it is how an agent gets there, not what it says. It streams in as it happens, can be collapsed, and is saved like everything else.

That settles it. A short answer is enough.`;

export const PLAN = `1. Look at the session's folder
2. Add one line to \`demo-notes.md\`
3. Show the diff and stop`;

export const QUESTION = {
  question: 'Which signal should I set?',
  header: 'Signal',
  multiSelect: false,
  options: [
    { label: 'Green', description: 'Continue' },
    { label: 'Yellow', description: 'Continue, but slowly' },
    { label: 'Red', description: 'Stop here' },
  ],
};

export const LONG_TEXT = `## About signal boxes

A signal box is the place beside a railway from which one person safely routes many trains. The signaller does not drive; the signaller *sees*, and sets the way.

- Every lever is locked against the ones that would make it dangerous.
- Every train is written down in a book, by hand, with the time.
- A bell tells the next box that a train is coming, and waits for the answer.

\`\`\`ts
const line = openLine('up');
await line.ring('is line clear?');
if (await line.answered()) signal.set('green');
\`\`\`

| Bell | Meaning |
| --- | --- |
| 1 | call attention |
| 3-1 | a stopping train |
| 6 | obstruction, danger |

What happened in the night can be read in the morning, because the book was kept. Nothing is lost, and nothing lies.

`;
