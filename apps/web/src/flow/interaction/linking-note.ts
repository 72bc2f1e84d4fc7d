const key = 'candela.linking';

/** A way in that the sign-in to the portal is to add. */
export interface LinkingNote {
  /** The id of the provider. */
  provider: string;
  /** When the person came from it, by the server's clock: a way in that is older is another one. */
  since: string;
}

/** Notes in this tab what the sign-in is to add. */
export const noteLinking = (note: LinkingNote): void => {
  try {
    sessionStorage.setItem(key, JSON.stringify(note));
  } catch {
    // Storage may be blocked: the page of the account does not say that the provider was added.
  }
};

export const forgetLinking = (): void => {
  try {
    sessionStorage.removeItem(key);
  } catch {
    // Blocked storage holds none.
  }
};

/** What the sign-in was to add; once for each note. */
export const takeLinking = (): LinkingNote | undefined => {
  try {
    const noted = sessionStorage.getItem(key);
    sessionStorage.removeItem(key);
    return noted === null ? undefined : JSON.parse(noted);
  } catch {
    // Blocked storage holds none, and a page of another release wrote another form.
    return undefined;
  }
};
