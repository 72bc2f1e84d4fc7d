import { useEffect, useRef, useState } from 'react';
import { useLocale } from '../../shell/language/use-locale.ts';
import {
  checkDraft,
  emptyDraft,
  type IdentifierDraft,
  withCountry,
  withIdentifier,
  withKind,
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

/** The draft after a change of the text. With `only`, the draft keeps that kind. */
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
 * The state of the identifier field. The phone book loads at the first use of the field. With `only`, the text
 * never changes the kind.
 */
export const useDraft = (from: IdentifierDraft | string | undefined, only?: IdentifierDraft['kind']) => {
  const locale = useLocale();
  const [draft, setDraft] = useState(() => ({
    ...initialDraft(locale, from),
    ...(only && { kind: only }),
  }));
  const [book, setBook] = useState<PhoneBook>();

  // A change of language keeps a country that the person picked, here or at an earlier sign-in.
  const home = useRef(readLastUsed().country ? undefined : locale);
  useEffect(() => {
    const before = home.current;
    if (!before) return;
    home.current = locale;
    setDraft((current) => withLocale(current, before, locale));
  }, [locale]);

  // A prefilled number with a country code that is not pinned needs the phone book.
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
    /** The identifier in the field; undefined while the input is no identifier. */
    current: 'identifier' in checked ? checked.identifier : undefined,
    setText: (text: string) => setDraft((current) => typed(current, text, book, only)),
    setCountry: (country: string) => {
      home.current = undefined;
      setDraft((current) => withCountry(current, country, book));
    },
    setKind: (kind: IdentifierDraft['kind']) => setDraft((current) => withKind(current, kind)),
    setIdentifier: (identifier: string) => setDraft((current) => withIdentifier(current, identifier, book)),
    /** Called when somebody begins to use the field. */
    prepare: () => {
      openPhoneBook().then(setBook, () => undefined);
    },
    /** The identifier to send, or its problem, checked with the phone book where it loads. */
    check: async () => {
      const loaded = draft.kind === 'phone' ? await openPhoneBook().catch(() => undefined) : undefined;
      return checkDraft(draft, loaded ?? book);
    },
    looksRight: 'identifier' in checked,
  };
};
