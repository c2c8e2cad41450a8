/** The demo agent's longer texts. */
export const THOUGHT = `First, what is asked? To think, and to be seen thinking.

Thinking is shown apart from the answer, because it is how an agent came to something, not what it says. It streams in while it happens, it can be folded away, and it is kept like everything else.

Now that this is clear, a short answer will do.`;

export const PLAN = `1. Look at the folder of this session
2. Add one line to \`demo-notes.md\`
3. Show the difference and stop`;

export const QUESTION = {
  question: 'Which signal shall I set?',
  header: 'Signal',
  multiSelect: false,
  options: [
    { label: 'Green', description: 'Go on' },
    { label: 'Yellow', description: 'Go on, but slowly' },
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
