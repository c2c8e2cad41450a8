import type { ServerResponse } from 'node:http';
import type { Gate } from './gate.ts';
import { writeJson } from './json.ts';

interface Controlled {
  readonly requests: readonly { readonly number: number }[];
  readonly gate: (name: string) => Gate;
}

/**
 * Controls for a model that runs in its own process:
 * GET /_requests?after=N · POST /_gate/NAME/release?count=N · POST /_gate/NAME/open · GET /_gate/NAME/arrived?count=N (answers once they have arrived)
 */
export async function answerControl(model: Controlled, method: string, url: URL, response: ServerResponse): Promise<void> {
  const [, resource, name = '', verb] = url.pathname.split('/');
  const count = Number(url.searchParams.get('count') ?? 1);
  const found = `${method} ${resource}${verb ? `/${verb}` : ''}`;
  if (found === 'GET _requests') {
    const after = Number(url.searchParams.get('after') ?? 0);
    return writeJson(response, 200, { requests: model.requests.filter((request) => request.number > after) });
  }
  const gate = model.gate(decodeURIComponent(name));
  if (found === 'POST _gate/release') gate.release(count);
  else if (found === 'POST _gate/open') gate.open();
  else if (found === 'GET _gate/arrived') await gate.arrived(count);
  else return writeJson(response, 404, { error: `no control ${found}` });
  writeJson(response, 200, { ok: true });
}
