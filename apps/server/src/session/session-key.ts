import { type Expression, sql } from 'kysely';

export interface SessionKey {
  brand: string;
  uid: string;
}

/** Sessions of one brand, as a statement names them. */
export interface SessionsOfBrand {
  brand: string | Expression<string>;
  uids: Expression<string[]>;
}

/** Sessions by brand: a statement for each of the few brands finds its sessions by an index. */
export const sessionsByBrand = (sessions: readonly SessionKey[]): SessionsOfBrand[] =>
  [...Map.groupBy(sessions, ({ brand }) => brand)].map(([brand, keys]) => ({
    brand,
    uids: sql`cast(${keys.map(({ uid }) => uid)} as text[])`,
  }));
