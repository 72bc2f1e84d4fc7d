const key = 'candela.farewell';

/** Why this tab leaves the account: the person has signed out, or the session was gone, with or without kept input. */
const farewells = ['signed-out', 'ended', 'ended-kept'] as const;
export type Farewell = (typeof farewells)[number];

/** Notes it for the sign-in page that comes next. */
export const noteFarewell = (farewell: Farewell): void => {
  try {
    sessionStorage.setItem(key, farewell);
  } catch {
    // Storage may be blocked: the sign-in page says nothing about it.
  }
};

/** What was noted; undefined where the person comes from elsewhere. */
export const readFarewell = (): Farewell | undefined => {
  try {
    const noted = sessionStorage.getItem(key);
    return farewells.find((farewell) => farewell === noted);
  } catch {
    return undefined;
  }
};

export const dropFarewell = (): void => {
  try {
    sessionStorage.removeItem(key);
  } catch {
    // Blocked storage holds none.
  }
};
