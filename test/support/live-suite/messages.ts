import { expect } from 'vitest';
import type { Event } from '../../../src/protocol/event.ts';
import { answered, order, type Scenario, sendAndFollow } from './exchange.ts';

/** What every agent can do with only a model. */
export function messageScenarios(scenario: Scenario): void {
  scenario('answers with text', async ({ say }) => {
    const exchange = await say('@PLAIN trains');
    expect(await answered(exchange)).toMatchObject({ isError: false, interrupted: false });
    expect(read(await exchange.events())).toEqual([
      ['user.message', '@PLAIN trains'],
      ['assistant.text', 'Plain answer to: trains'],
    ]);
  });

  scenario('shows its thinking if it reports that it can, and none otherwise', async ({ say, can, expectClaimed }) => {
    const exchange = await say('@THINK about trains');
    await answered(exchange);
    const kinds = read(await exchange.events()).map(([kind]) => kind);
    expect(kinds).toEqual(can.thinking ? ['user.message', 'assistant.thinking', 'assistant.text'] : ['user.message', 'assistant.text']);
    await expectClaimed('thinking');
  });

  scenario('reports an error of the model as an error, and continues', async ({ agent, setup, say }) => {
    const exchange = await say('@ERROR400');
    const failed = await answered(exchange);
    expect(failed).toMatchObject({ isError: true, interrupted: false });
    expect(JSON.stringify(await exchange.events())).toContain(agent.errorWords);
    expect(await answered(await sendAndFollow(setup, exchange.id, '@PLAIN after the error'))).toMatchObject({ isError: false });
  });

  scenario('is interrupted mid-text and takes the next message', async ({ setup, say }) => {
    const exchange = await say('@SLOW halt 50');
    await setup.model.arrived('halt', 1);
    await setup.model.release('halt', 3);
    await setup.model.arrived('halt', 4);
    await exchange.event('turn.started');
    expect((await order(setup, exchange.id, 'interrupt')).status).toBe(202);
    expect(await answered(exchange)).toMatchObject({ interrupted: true });
    expect(await answered(await sendAndFollow(setup, exchange.id, '@PLAIN again'))).toMatchObject({ interrupted: false, isError: false });
  });

  scenario('answers a message that arrived during a turn next; until then the message stays in our queue', async ({ setup, say }) => {
    const exchange = await say('@UNTIL busy');
    await exchange.event('turn.started');
    const second = await sendAndFollow(setup, exchange.id, '@PLAIN second');
    expect((await setup.session(exchange.id)).queue.map(({ text, state }) => [text, state])).toContainEqual(['@PLAIN second', 'accepted']);
    expect((await exchange.events()).filter((event) => event.type === 'input.delivered')).toHaveLength(1);
    await setup.model.open('busy');
    await answered(second);
    expect(read(await exchange.events()).filter(([kind]) => kind === 'assistant.text')).toEqual([
      ['assistant.text', 'The gate busy is open.'],
      ['assistant.text', 'Plain answer to: second'],
    ]);
  });
}

/** What a person reads, in order. */
export const read = (events: readonly Event[]): readonly (readonly [string, string])[] =>
  events.flatMap((event) =>
    event.type === 'user.message' || event.type === 'assistant.text' || event.type === 'assistant.thinking' ? [[event.type, event.text] as const] : [],
  );
