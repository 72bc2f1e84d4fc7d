import type { RegisteredClient } from '@candela/contract';
import { useEffect, useRef, useState } from 'react';
import { type AuthorizationAnswer, awaitAnswer } from './answer-channel.ts';
import type { Step } from './course.ts';
import { send, type TrialAnswer } from './send.ts';
import {
  authorizationRequest,
  beginTrial,
  deviceAuthorizationRequest,
  introspectionRequest,
  logoutRequest,
  refreshRequest,
  revocationRequest,
  type Trial,
  tokenRequest,
  tokensIn,
  userinfoRequest,
} from './trial.ts';
import { addressOf, type TrialRequest } from './trial-request.ts';

/** What became of a step: its answer, the answer that a browser brought, or that none came. */
export type Outcome =
  | { kind: 'answer'; answer: TrialAnswer }
  | { kind: 'browser'; answer: AuthorizationAnswer }
  | { kind: 'unreachable' };

/** The steps whose request a window carries. */
const inWindow: ReadonlySet<Step> = new Set(['authorization', 'logout']);

const builders: Readonly<Record<Step, (client: RegisteredClient, trial: Trial) => TrialRequest | undefined>> =
  {
    authorization: (client, trial) => authorizationRequest(client, trial, location.origin),
    deviceAuthorization: deviceAuthorizationRequest,
    token: (client, trial) => tokenRequest(client, trial, location.origin),
    claims: () => undefined,
    userinfo: (_client, { tokens }) => tokens && userinfoRequest(tokens),
    refresh: (client, { tokens }) => (tokens?.refresh_token ? refreshRequest(client, tokens) : undefined),
    introspection: (client, { tokens }) => tokens && introspectionRequest(client, tokens),
    revocation: (client, { tokens }) => tokens && revocationRequest(client, tokens),
    logout: (_client, { tokens }) => tokens && logoutRequest(tokens),
  };

/** What an answer adds to the trial. */
const learn = (trial: Trial, step: Step, { status, body }: TrialAnswer): Trial => {
  if (status >= 400) return trial;
  const tokens = tokensIn(body);
  // RFC 6749 section 6: what an answer to a refresh leaves out stays as it was.
  if (tokens) return { ...trial, tokens: { ...trial.tokens, ...tokens } };
  if (step === 'deviceAuthorization' && typeof body === 'object' && body && 'device_code' in body)
    return { ...trial, deviceCode: String(body.device_code) };
  return trial;
};

/** One run of the protocol with a client. All of it is lost with the page. */
export const useTrial = (client: RegisteredClient, secret: string) => {
  const [trial, setTrial] = useState<Trial>();
  const [outcomes, setOutcomes] = useState<Partial<Record<Step, Outcome>>>({});
  const [busy, setBusy] = useState<Step>();
  const [blocked, setBlocked] = useState(false);
  const stopWaiting = useRef<() => void>(undefined);
  useEffect(() => () => stopWaiting.current?.(), []);

  const note = (step: Step, outcome: Outcome) => setOutcomes((known) => ({ ...known, [step]: outcome }));
  const secrets = { clientId: client.client_id, secret };

  const start = async () => {
    stopWaiting.current?.();
    setOutcomes({});
    setBusy(undefined);
    setBlocked(false);
    setTrial(await beginTrial());
  };

  const carry = (step: Step, request: TrialRequest, { state }: Trial) => {
    // Without `noopener` a page of this origin would reach this one; the channel is all that it needs.
    const opened = window.open(
      addressOf(request, location.origin, secrets),
      'candela-trial',
      'width=480,height=760',
    );
    setBlocked(opened === null);
    if (step === 'logout') return;
    setBusy(step);
    stopWaiting.current = awaitAnswer(state, (answer) => {
      setBusy(undefined);
      note(step, { kind: 'browser', answer });
      if (answer.code) setTrial((known) => known && { ...known, code: answer.code ?? '' });
    });
  };

  const take = async (step: Step) => {
    const request = trial && builders[step](client, trial);
    if (!request) return;
    if (inWindow.has(step)) return carry(step, request, trial);
    setBusy(step);
    try {
      const answer = await send(request, secrets);
      note(step, { kind: 'answer', answer });
      setTrial((known) => known && learn(known, step, answer));
    } catch {
      note(step, { kind: 'unreachable' });
    } finally {
      setBusy(undefined);
    }
  };

  return {
    trial,
    outcomes,
    busy,
    blocked,
    start,
    take,
    cancel: () => {
      stopWaiting.current?.();
      setBusy(undefined);
    },
    requestOf: (step: Step) => trial && builders[step](client, trial),
  };
};
