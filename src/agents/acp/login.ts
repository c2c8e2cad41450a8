import type { Observation } from '../../protocol/observation.ts';
import { emit } from '../formats/fold.ts';
import type { RpcError } from '../formats/json-rpc.ts';
import { requestLine } from '../formats/json-rpc.ts';
import type { Verdict } from '../port/adapter.ts';
import { errorMessage } from './error-message.ts';
import { refused } from './open-session.ts';
import type { Purpose } from './request-id.ts';
import { idOf } from './request-id.ts';
import type { Login, State, Step } from './state.ts';

/** The protocol's code for "log in first". */
const AUTH_REQUIRED = -32_000;
/** Our id of the question how to log in: only one is ever open. */
export const LOGIN_REQUEST = 'login';
const QUESTION = 'How do you want to log in?';

export const needsLogin = (state: State, { code }: RpcError): boolean => code === AUTH_REQUIRED && state.logins.length > 0;

/** The agent opens no session before a login: a person chooses one of its ways. `line` is the request that it refused. */
export function askForLogin(state: State, error: RpcError, line: string): Step {
  const options = state.logins.map(({ name, description }) => ({ label: name, ...(description === '' ? {} : { description }) }));
  const asked: Observation = {
    type: 'permission.asked',
    agentRequestId: LOGIN_REQUEST,
    tool: 'login',
    kind: 'question',
    title: 'The agent wants you to log in',
    input: { questions: [{ question: QUESTION, header: 'Login', multiSelect: false, options }] },
  };
  const notice: Observation = {
    type: 'notice.shown',
    level: 'warning',
    text: `${errorMessage(error)}. Choose a login below, or log in with the agent's own command and start again.`,
  };
  return emit({ ...state, session: { phase: 'login', line } }, notice, asked);
}

/** What a person chose; undefined when it was none of the offered ways. */
function chosenLogin({ logins }: State, verdict: Verdict): Login | undefined {
  const answer = verdict.behavior === 'allow' ? verdict.answers?.[QUESTION] : undefined;
  const label = typeof answer === 'string' ? answer : answer?.[0];
  return logins.find(({ name }) => name === label);
}

/** The agent itself takes it from there: it may open a browser on the machine it runs on. Without a choice, the opening fails as the agent said. */
export function loginLines(state: State, verdict: Verdict): readonly string[] {
  const login = chosenLogin(state, verdict);
  return [requestLine(idOf({ for: 'login', name: login?.name ?? '' }), 'authenticate', { methodId: login?.id ?? '' })];
}

export function loggedIn(state: State): Step {
  if (state.session.phase !== 'login') return emit(state);
  const { line } = state.session;
  return { ...emit({ ...state, logins: [], session: { phase: 'opening' } }), replies: [line] };
}

export const loginFailed = (state: State, error: RpcError, { name }: Extract<Purpose, { for: 'login' }>): Step =>
  refused(
    state,
    name === '' ? 'The agent wants a login, and none was chosen. Log in with its own command, then start again.' : `${name} failed: ${errorMessage(error)}`,
  );
