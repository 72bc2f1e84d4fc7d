import type { Answer, UserAgent } from '../support/user-agent.ts';
import type { Returned } from './played-provider.ts';
import type { PlayedWorld } from './played-world.ts';

/** What a provider sends by itself: from another host, without cookies and without an origin. */
export const tell = (world: PlayedWorld, id: string, body: string, type: string): Promise<Answer> =>
  world.browser().request('POST', `/sign-in/${id}/events`, {
    raw: body,
    headers: { 'content-type': type, origin: '', 'sec-fetch-site': '', cookie: '' },
  });

/** A browser in which a person registered through a provider. */
export const registerThrough = async (
  world: PlayedWorld,
  id: string,
  visit: (to: URL) => Promise<Returned>,
): Promise<UserAgent> => {
  const came = await world.go(id, visit);
  await world.agree(came);
  return came.agent;
};

/** A browser that signs in by a code. */
export const signInByCode = async (world: PlayedWorld, identifier: string): Promise<UserAgent> => {
  const agent = world.browser();
  const { url } = await agent.navigate('/login');
  const uid = world.interactionOf(url);
  const code = await world.receiveCode(agent, identifier, 'login');
  const answer = await agent.post(`/interaction/${uid}/login`, { identifier, code });
  await agent.navigate(answer.json().returnTo);
  return agent;
};

export const isSignedIn = async (agent: UserAgent): Promise<boolean> =>
  (await agent.get('/api/account')).status === 200;

/** The notices that went to a contact. */
export const noticesTo = async (world: PlayedWorld, to: string): Promise<string[]> =>
  (await world.messages())
    .filter((message) => message.to === to && message.code === undefined)
    .map(({ purpose }) => purpose);
