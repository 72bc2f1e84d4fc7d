const key = 'candela.signing-in';

/** Notes that this tab shows the sign-in of the portal itself. */
export const noteSignIn = (): void => {
  try {
    sessionStorage.setItem(key, '1');
  } catch {
    // Storage may be blocked: nothing is offered after the sign-in.
  }
};

/** Whether this tab comes from a sign-in of the portal itself; true once for each. */
export const takeSignIn = (): boolean => {
  try {
    const noted = sessionStorage.getItem(key) !== null;
    sessionStorage.removeItem(key);
    return noted;
  } catch {
    return false;
  }
};
