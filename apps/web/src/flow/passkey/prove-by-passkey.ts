import type { PasskeyAssertion, PasskeyRequestOptions } from '@candela/contract';
import { ApiError } from '../../shell/api/client.ts';
import { bring } from '../../shell/bring.ts';
import type { Asking } from './ask-passkey.ts';

const loadCeremony = () => bring(() => import('./ask-passkey.ts'));

/** What the server asks, and what it does with the answer. */
export interface PasskeyProof<Result> {
  /** Undefined where nothing is to be asked any more. */
  options: () => Promise<PasskeyRequestOptions | undefined>;
  use: (response: PasskeyAssertion) => Promise<Result>;
}

/** Where nobody has the passkey any more, the server names its id. */
const isUnknown = ({ code, fields }: ApiError) =>
  code === 'passkey_rejected' && Object.values(fields).includes('not_found');

const proveOnce = async <Result>({ options, use }: PasskeyProof<Result>, asking: Asking) => {
  const { askPasskey, forgetPasskey } = await loadCeremony();
  const asked = await options();
  if (!asked) return undefined;
  const response = await askPasskey(asked, asking);
  if (!response) return undefined;
  try {
    return await use(response);
  } catch (error) {
    if (error instanceof ApiError && isUnknown(error)) forgetPasskey(asked.rpId, response.id);
    throw error;
  }
};

/**
 * Proves by a passkey. Where the question of the server is over, it is asked anew: the person uses the passkey again.
 * @returns undefined where the person gave up
 * @throws ApiError of the endpoints; passkey_rejected where the browser cannot use a passkey here
 */
export const proveByPasskey = async <Result>(
  proof: PasskeyProof<Result>,
  asking: Asking = 'dialog',
): Promise<Result | undefined> => {
  try {
    return await proveOnce(proof, asking);
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'challenge_expired') throw error;
    return proveOnce(proof, 'dialog');
  }
};

/** Ends a question that is open in a field. */
export const stopOffering = async (): Promise<void> => (await loadCeremony()).stopAsking();
