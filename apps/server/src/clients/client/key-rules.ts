import * as z from 'zod/mini';
import { faultAt, type RegistrationFault } from './fault.ts';

const MOST_KEYS = 10;
/** An RSA key of 4096 bits with a chain of certificates has less. */
const MOST_CHARACTERS = 20_000;

/** Members of private and symmetric keys (RFC 7518 section 6). */
const SECRET_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'] as const;

const KeySet = z.looseObject({ keys: z.array(z.looseObject({ kty: z.string() })) });

/** What is wrong with the public keys of a client, beyond what the engine finds at their first use (RFC 7517). */
export const findKeyFaults = ({ jwks }: Readonly<Record<string, unknown>>): RegistrationFault[] => {
  if (jwks === undefined) return [];
  const refuse = (text: string) => [faultAt('jwks', 'keys_invalid', text)];
  const { data } = z.safeParse(KeySet, jwks);
  if (!data) return refuse('must be a set of public keys: {"keys": [...]}');
  if (data.keys.length > MOST_KEYS || JSON.stringify(jwks).length > MOST_CHARACTERS)
    return refuse(`must have at most ${MOST_KEYS} keys, of ${MOST_CHARACTERS} characters together`);
  if (data.keys.some((key) => SECRET_MEMBERS.some((member) => Object.hasOwn(key, member))))
    return refuse('must have public keys only: the private ones stay with the app');
  return [];
};
