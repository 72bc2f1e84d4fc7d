/** The purpose from which the keys that seal the secrets of authenticator apps are derived. */
export const totpSealing = 'authenticator apps';
