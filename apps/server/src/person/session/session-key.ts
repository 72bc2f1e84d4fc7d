import type { Expression } from 'kysely';

export interface SessionKey {
  brand: string;
  uid: string;
}

/** Sessions of one brand, as a statement names them. */
export interface SessionsOfBrand {
  brand: string | Expression<string>;
  uids: Expression<string[]>;
}
