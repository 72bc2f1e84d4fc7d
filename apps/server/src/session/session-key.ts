export interface SessionKey {
  brand: string;
  uid: string;
}

/** The uids of sessions by brand: a statement for each of the few brands finds all of them by an index. */
export const uidsByBrand = (sessions: readonly SessionKey[]): [brand: string, uids: string[]][] =>
  [...Map.groupBy(sessions, ({ brand }) => brand)].map(([brand, keys]) => [
    brand,
    keys.map(({ uid }) => uid),
  ]);
