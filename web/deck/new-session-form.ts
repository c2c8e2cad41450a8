import { CreateSessionBody } from '../../src/protocol/http.ts';

export interface NewSessionForm {
  readonly agent?: string;
  readonly cwd?: string;
  readonly prompt?: string;
  readonly permissionMode?: string;
  readonly model?: string;
}

/** What is left empty is not sent: the server and the agent have their own defaults. */
export function createBody(form: NewSessionForm, id: string): CreateSessionBody {
  const filled = Object.entries(form).filter(([, value]) => typeof value === 'string' && value.trim() !== '');
  return CreateSessionBody.parse({ ...Object.fromEntries(filled), id });
}
