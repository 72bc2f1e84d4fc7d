import type { ClientHealth, RegisteredClient } from '@candela/contract';

/** Whether a client works, at a glance. `secretless`: none of its secrets works any more. */
export type ClientStatus = 'disabled' | 'secretless' | 'unused' | 'failing' | 'mixed' | 'working' | 'idle';

type Registration = Pick<RegisteredClient, 'disabled' | 'token_endpoint_auth_method' | 'secrets'>;

/** So many tokens were issued today, by UTC. */
export const tokensToday = ({ days }: Pick<ClientHealth, 'days'>): number => {
  const today = days.at(-1);
  return today ? today.tokens + today.refreshes : 0;
};

/** @param now milliseconds, by the server. */
export const statusOf = (
  { disabled, token_endpoint_auth_method: method, secrets }: Registration,
  health: Pick<ClientHealth, 'days' | 'errorsToday' | 'lastTokenAt'>,
  now: number,
): ClientStatus => {
  if (disabled) return 'disabled';
  const hasEnded = ({ expiresAt }: Registration['secrets'][number]) =>
    expiresAt !== undefined && Date.parse(expiresAt) <= now;
  if (method.startsWith('client_secret') && secrets.every(hasEnded)) return 'secretless';
  const isUsed = tokensToday(health) > 0;
  if (health.errorsToday > 0) return isUsed ? 'mixed' : 'failing';
  if (health.lastTokenAt === undefined) return 'unused';
  return isUsed ? 'working' : 'idle';
};
