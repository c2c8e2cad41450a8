import { type ActionId, factsOf } from '../../base/actions/catalogue.ts';
import { isMac } from '../../base/actions/is-mac.ts';
import { keyText } from '../../base/actions/key-names.ts';

/** A name with the key that does the same, as the little box over a button says it. */
export function keyTitle(name: string, action: ActionId): string {
  const key = factsOf(action).keys?.[0];
  return key === undefined ? name : `${name} (${keyText(key, isMac())})`;
}
