import { useEffect, useRef, useState } from 'react';
import { useLocale } from '../i18n/use-locale.ts';
import {
  checkDraft,
  emptyDraft,
  type IdentifierDraft,
  withCountry,
  withIdentifier,
  withLocale,
  withText,
} from './draft.ts';
import { readLastUsed } from './last-used.ts';
import { openPhoneBook, type PhoneBook } from './phone-book.ts';

const initialDraft = (
  locale: Parameters<typeof emptyDraft>[0],
  from: IdentifierDraft | string | undefined,
): IdentifierDraft => {
  if (typeof from === 'object') return from;
  const { kind, country, dial } = readLastUsed();
  const draft = {
    ...emptyDraft(locale),
    ...(country && dial && { country, dial }),
    ...(kind && { kind }),
  };
  return from ? withIdentifier(draft, from, undefined) : draft;
};

/** What is typed or pasted, of the one kind that is wanted if it is one. */
const typed = (
  draft: IdentifierDraft,
  text: string,
  book: PhoneBook | undefined,
  only: IdentifierDraft['kind'] | undefined,
): IdentifierDraft => {
  if (only === 'email') return { ...draft, text };
  return { ...withText(draft, text, book), ...(only && { kind: only }) };
};

/**
 * The identifier field’s state; the phone book is loaded when the field is first entered. Where `only` one
 * kind is wanted, what is typed never changes it.
 */
export const useDraft = (from: IdentifierDraft | string | undefined, only?: IdentifierDraft['kind']) => {
  const locale = useLocale();
  const [draft, setDraft] = useState(() => ({
    ...initialDraft(locale, from),
    ...(only && { kind: only }),
  }));
  const [book, setBook] = useState<PhoneBook>();

  // A country that was picked, here or at an earlier sign-in, stays.
  const home = useRef(readLastUsed().country ? undefined : locale);
  useEffect(() => {
    const before = home.current;
    if (!before) return;
    home.current = locale;
    setDraft((current) => withLocale(current, before, locale));
  }, [locale]);

  // A number prefilled with a country code that is not pinned waits for the book.
  const needsBook = draft.kind === 'phone' && draft.text.startsWith('+');
  useEffect(() => {
    if (!book && needsBook) openPhoneBook().then(setBook, () => undefined);
  }, [book, needsBook]);
  useEffect(() => {
    if (book) setDraft((current) => typed(current, current.text, book, only));
  }, [book, only]);

  const checked = checkDraft(draft, book);
  return {
    draft,
    book,
    /** The identifier as far as it can be told now; undefined while it is not one. */
    current: 'identifier' in checked ? checked.identifier : undefined,
    setText: (text: string) => setDraft((current) => typed(current, text, book, only)),
    setCountry: (country: string) => {
      home.current = undefined;
      setDraft((current) => withCountry(current, country, book));
    },
    setKind: (kind: IdentifierDraft['kind']) => setDraft((current) => ({ ...current, kind })),
    setIdentifier: (identifier: string) => setDraft((current) => withIdentifier(current, identifier, book)),
    /** Called when the field is entered. */
    prepare: () => {
      openPhoneBook().then(setBook, () => undefined);
    },
    /** The identifier to send, checked as well as can be. */
    check: async () => {
      const loaded = draft.kind === 'phone' ? await openPhoneBook().catch(() => undefined) : undefined;
      return checkDraft(draft, loaded ?? book);
    },
    looksRight: 'identifier' in checked,
  };
};
