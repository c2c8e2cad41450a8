/** `5-hour limit reached`, or `Close to the 5-hour limit`. Agents name their limits in their own ways: `five_hour`, `seven_day_opus`, `demo limit`. */
export function limitText(kind: string, isNear: boolean): string {
  const name = limitName(kind.replaceAll('_', ' '));
  return isNear ? `Close to the ${name}` : `${name.charAt(0).toUpperCase()}${name.slice(1)} reached`;
}

function limitName(kind: string): string {
  if (kind === 'unknown' || kind === '') return 'usage limit';
  const name = kind.replace(/^five hour/, '5-hour').replace(/^seven day/, 'weekly');
  return name.endsWith('limit') ? name : `${name} limit`;
}
