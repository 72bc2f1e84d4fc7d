/**
 * What the ids of stand-ins begin with: a link check plays over a copy of a registration, and a person of its own. No
 * registration may have such an id, and no list, count or record has them.
 */
export const STAND_IN = 'link-check.';

/** For how long a stand-in may be there, in seconds. A check takes seconds; what is older was left by one that was killed. */
export const STAND_IN_SECONDS = 300;

/** Whether an id is that of a stand-in, be it of the client or of its person: both have the same. */
export const isStandIn = (id: string): boolean => id.startsWith(STAND_IN);

/** Whether an event is about a stand-in. */
export const isOfStandIn = ({
  clientId = '',
  accountId = '',
}: {
  clientId?: string | undefined;
  accountId?: string | undefined;
}): boolean => isStandIn(clientId) || isStandIn(accountId);
