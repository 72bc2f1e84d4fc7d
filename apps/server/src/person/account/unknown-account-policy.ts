/**
 * When a person learns that an identifier has no account (the setting `UNKNOWN_ACCOUNT`):
 * - `after-code`: after the right code; for a wrong password a few times a day for each address;
 * - `reveal`: at once;
 * - `uniform`: after the right code alone.
 */
export type UnknownAccountPolicy = 'after-code' | 'reveal' | 'uniform';
