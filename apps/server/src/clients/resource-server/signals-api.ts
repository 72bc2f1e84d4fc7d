import type { ResourceServer } from './resource-server.service.ts';

/** The scopes of a receiver of signals (CAEP Interoperability Profile 1.0 section 2.7.2): all, or to read and to poll. */
export const SIGNALS_MANAGE = 'ssf.manage';
export const SIGNALS_READ = 'ssf.read';

/** CAEP Interoperability Profile 1.0 section 2.7.1: tokens of an hour at most. */
const TOKEN_SECONDS = 3_600;

/**
 * The API of signals, which every brand has without registering it. A receiver is any client: its stream has only what
 * concerns people who use it. A request for a token that names one of these scopes need not name the resource.
 */
export const signalsApiOf = ({ id, origin }: { id: string; origin: string }): ResourceServer => ({
  identifier: `${origin}/ssf`,
  brand: id,
  name: 'Signals',
  scopes: [{ name: SIGNALS_MANAGE }, { name: SIGNALS_READ }],
  access_token_format: 'opaque',
  access_token_ttl: TOKEN_SECONDS,
  access_token_signing_alg: 'ES256',
  holders: { [SIGNALS_MANAGE]: 'machine', [SIGNALS_READ]: 'machine' },
});
