/** FAPI 2.0 Security Profile section 5.4.1: what signs there; the last is the newer name of the one before. */
export const fapiAlgorithms = ['PS256', 'ES256', 'EdDSA', 'Ed25519'] as const;

export const isFapiAlgorithm = (algorithm: unknown): boolean =>
  (fapiAlgorithms as readonly unknown[]).includes(algorithm);
