/** How this person last signed in here. It names neither the person nor the account. */
interface LastUsed {
  method?: 'code' | 'password';
  kind?: 'phone' | 'email';
  country?: string;
  dial?: string;
}

const key = 'candela.last-used';

export const readLastUsed = (): LastUsed => {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(key) ?? '{}');
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
};

export const writeLastUsed = (value: LastUsed): void => {
  try {
    localStorage.setItem(key, JSON.stringify({ ...readLastUsed(), ...value }));
  } catch {
    // Storage may be blocked: the defaults stand.
  }
};
