import type Provider from 'oidc-provider';
import { readJwtPart } from '../jwt/unverified-jwt.ts';

/**
 * Takes an id_token as a hint whichever of the issuer's algorithms signed it. The engine takes the one alone that the
 * client is registered with by now, and so none that the client got before it changed its algorithm.
 */
export const takeEarlierHints = (provider: Provider, algorithms: readonly string[]): void => {
  const { IdToken } = provider;
  const { validate } = IdToken;
  IdToken.validate = (jwt, client) => {
    const alg = algorithms.find((known) => known === readJwtPart(jwt, 0)?.alg);
    const asSigned = alg && Object.create(client, { idTokenSignedResponseAlg: { value: alg } });
    return validate.call(IdToken, jwt, asSigned ?? client);
  };
};
