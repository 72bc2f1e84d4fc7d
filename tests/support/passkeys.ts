import type { Passkey, PasskeyAssertion, PasskeyRequestOptions } from '@candela/contract';
import {
  type AssertionCeremony,
  createSoftwareAuthenticator,
  type RegistrationCeremony,
  type SoftwareAuthenticator,
} from './software-authenticator.ts';
import type { Answer, UserAgent } from './user-agent.ts';

/** What a signed-in browser and an authenticator do with passkeys. */
export const addPasskey = async (
  agent: UserAgent,
  authenticator: SoftwareAuthenticator,
  ceremony: RegistrationCeremony & { name?: string } = {},
): Promise<Answer> => {
  const options = (await agent.post('/api/passkeys/options')).json();
  const { name, ...rest } = ceremony;
  const response = authenticator.create(options, rest);
  return agent.post('/api/passkeys', { response, ...(name !== undefined && { name }) });
};

/** A passkey of a signed-in person, on an authenticator of its own. */
export const givePasskey = async (
  agent: UserAgent,
  origin: string,
  options: { synced?: boolean; aaguid?: string } = {},
): Promise<{ authenticator: SoftwareAuthenticator; passkey: Passkey }> => {
  const authenticator = createSoftwareAuthenticator({ origin, ...options });
  const answer = await addPasskey(agent, authenticator);
  if (answer.status !== 201) throw new Error(`${answer.status} ${answer.body}`);
  return { authenticator, passkey: answer.json() };
};

/** What an authenticator answers to the options of a path: `/interaction/…/passkey/options`, `/api/step-up/options`. */
export const askPasskey = async (
  agent: UserAgent,
  authenticator: SoftwareAuthenticator,
  path: string,
  ceremony: AssertionCeremony = {},
  body?: object,
): Promise<PasskeyAssertion> => {
  const answer = await agent.post(path, body);
  if (answer.status !== 200) throw new Error(`${answer.status} ${answer.body}`);
  return authenticator.get(answer.json() as PasskeyRequestOptions, ceremony);
};

/** Answers an interaction by a passkey; the answer of the server is not followed. */
export const usePasskey = async (
  agent: UserAgent,
  uid: string,
  authenticator: SoftwareAuthenticator,
  ceremony: AssertionCeremony = {},
): Promise<Answer> => {
  const response = await askPasskey(agent, authenticator, `/interaction/${uid}/passkey/options`, ceremony);
  return agent.post(`/interaction/${uid}/passkey`, { response });
};
