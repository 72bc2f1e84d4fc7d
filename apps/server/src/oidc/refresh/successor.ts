import { deriveKey, open, seal } from '../../seal.ts';

const keyOf = (predecessor: string) => deriveKey(predecessor, 'refresh token successor');

/** Encrypts a refresh token so that only who holds its predecessor's value can read it. */
export const sealFor = (predecessor: string, successor: string): string =>
  seal(keyOf(predecessor), successor);

/** @throws Error when `predecessor` is not the value it was sealed for. */
export const openWith = (predecessor: string, sealed: string): string => open(keyOf(predecessor), sealed);
