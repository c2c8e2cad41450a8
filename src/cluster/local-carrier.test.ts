import { beforeEach, describe } from 'vitest';
import { describeCarrier } from '../../test/support/cluster/carrier-contract.ts';
import { LocalExchange, openLocalCarrier } from './local-carrier.ts';

describe('in one process', () => {
  let exchange = new LocalExchange();
  beforeEach(() => {
    exchange = new LocalExchange();
  });
  describeCarrier(
    async () => openLocalCarrier(exchange),
    async () => exchange.wipe(),
  );
});
