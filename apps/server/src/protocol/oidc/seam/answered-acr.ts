import type { KoaContextWithOIDC } from 'oidc-provider';

/** Sets the `acr` of what this request is given; the session keeps its own, from which the engine reads it otherwise. */
export const setAcr = (oidc: KoaContextWithOIDC['oidc'], acr: string | undefined): void => {
  Object.defineProperty(oidc, 'acr', { value: acr, configurable: true });
};
