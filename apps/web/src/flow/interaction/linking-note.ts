const key = 'candela.linking';

/** Notes in this tab that the sign-in to the portal adds a provider, by its id. */
export const noteLinking = (provider: string): void => {
  try {
    sessionStorage.setItem(key, provider);
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

/** The id of the provider that the sign-in was to add; once for each note. */
export const takeLinking = (): string | undefined => {
  try {
    const noted = sessionStorage.getItem(key) ?? undefined;
    sessionStorage.removeItem(key);
    return noted;
  } catch {
    return undefined;
  }
};
