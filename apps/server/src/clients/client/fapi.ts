/** The signing algorithms of FAPI 2.0 Security Profile section 5.4.1. Ed25519 is the newer name of EdDSA. */
export const fapiAlgorithms = ['PS256', 'ES256', 'EdDSA', 'Ed25519'] as const;

export const isFapiAlgorithm = (algorithm: unknown): boolean =>
  (fapiAlgorithms as readonly unknown[]).includes(algorithm);
