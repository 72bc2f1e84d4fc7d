/** The way of the last sign-in in this browser. It names neither the person nor the account. */
interface LastUsed {
  method: 'code' | 'password';
  kind: 'phone' | 'email';
  country?: string;
  dial?: string;
}

const cookie = 'sign_in_by';
const oneYearSeconds = 31_536_000;
const key = 'candela.last-used';

const readCookie = (): Partial<LastUsed> => {
  const pattern = new RegExp(`(?:^|; )${cookie}=(code|password)\\.(phone|email)(?:;|$)`);
  const [, method, kind] = pattern.exec(document.cookie) ?? [];
  return method ? ({ method, kind } as LastUsed) : {};
};

const readCountry = (): Partial<LastUsed> => {
  try {
    const { country, dial } = JSON.parse(localStorage.getItem(key) ?? '{}');
    return { country, dial };
  } catch {
    return {};
  }
};

export const readLastUsed = (): Partial<LastUsed> => ({ ...readCountry(), ...readCookie() });

/**
 * Keeps the way of the sign-in. The method and the kind are in a cookie, which survives a sign-out. The country says
 * something about the person: it is in the storage, which a sign-out clears.
 */
export const writeLastUsed = ({ method, kind, country, dial }: LastUsed): void => {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is asynchronous and absent from Firefox
  document.cookie = `${cookie}=${method}.${kind}; Path=/; Max-Age=${oneYearSeconds}; SameSite=Lax`;
  if (!country) return;
  try {
    localStorage.setItem(key, JSON.stringify({ country, dial }));
  } catch {
    // Storage may be blocked: the next sign-in starts with the defaults.
  }
};

/** Keeps the kind of the identifier, and the country of a phone: who registers has not chosen how to sign in. */
export const noteKind = ({
  kind,
  country,
  dial,
}: Pick<Required<LastUsed>, 'kind' | 'country' | 'dial'>): void =>
  writeLastUsed({
    method: readLastUsed().method ?? 'code',
    kind,
    ...(kind === 'phone' && { country, dial }),
  });
