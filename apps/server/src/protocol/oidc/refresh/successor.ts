import { deriveKey, open, seal } from '../../../ground/seal.ts';

const keyOf = (predecessor: string) => deriveKey(predecessor, 'refresh token successor');

/** Encrypts a refresh token so that only who holds its predecessor's value can read it. */
export const sealFor = (predecessor: string, successor: string): string =>
  seal(keyOf(predecessor), successor);

/** Decrypts what `sealFor` encrypted. @throws Error where `predecessor` is another token. */
export const openWith = (predecessor: string, sealed: string): string => open(keyOf(predecessor), sealed);
