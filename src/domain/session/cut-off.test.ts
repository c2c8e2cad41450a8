import { expect, test } from 'vitest';
import { ended, SessionScenario } from '../../../test/support/domain/session-scenario.ts';

const gone = (foundAtStart: boolean) => SessionScenario.working().exits({ code: null, memory: 'taken', ...(foundAtStart && { foundAtStart: true }) });

test('[R369] a turn whose agent was gone when the server started is remembered until the next message', () => {
  expect(gone(true).state.cutOff).toMatchObject({ isFoundAtStart: true });
  expect(gone(true).send('m2').state.cutOff).toBeUndefined();
});

test('a turn that was cut off while the server ran, stopped by a person, or finished before the end is not one of them', () => {
  expect(gone(false).state.cutOff).toMatchObject({ isFoundAtStart: false });
  expect(SessionScenario.working().asks({ type: 'session.stop' }).exits({ foundAtStart: true, memory: 'taken' }).state.cutOff).toBeUndefined();
  expect(SessionScenario.working().says(ended()).exits({ foundAtStart: true }).state.cutOff).toBeUndefined();
  // The agent never got the message, so it is sent again by itself.
  expect(SessionScenario.ready().send('m1').exits({ foundAtStart: true, memory: 'absent' }).state.cutOff).toBeUndefined();
});
