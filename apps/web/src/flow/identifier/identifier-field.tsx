import { type ChangeEvent, type RefObject, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocale } from '../../shell/language/use-locale.ts';
import { afterPress } from '../components/after-press.ts';
import { describedBy, Field, FieldAction } from '../components/field.tsx';
import { pinnedCountries } from './dial-code.ts';
import type { IdentifierDraft } from './draft.ts';
import styles from './identifier-field.module.css';
import type { PhoneBook } from './phone-book.ts';

interface IdentifierFieldProps {
  id: string;
  draft: IdentifierDraft;
  book: PhoneBook | undefined;
  error?: string | undefined;
  autoComplete: string;
  inputRef?: RefObject<HTMLInputElement | null>;
  onText: (text: string) => void;
  onCountry: (country: string) => void;
  /** Called when the kind is switched, which leads into the field; absent where only a single kind is wanted. */
  onKind?: (kind: IdentifierDraft['kind']) => void;
  /** Called at the first sign that somebody uses the field, so that the phone book can load. */
  onEnter: () => void;
  onBlur?: () => void;
}

const CountryPicker = ({ draft, book, onCountry, onEnter }: Omit<IdentifierFieldProps, 'id'>) => {
  const { t } = useTranslation();
  const locale = useLocale();
  const { pinned, others } = useMemo(() => {
    const names = new Intl.DisplayNames(locale, { type: 'region' });
    const named = (entry: { country: string; dial: string }) => ({
      ...entry,
      name: names.of(entry.country) ?? entry.country,
    });
    const collator = new Intl.Collator(locale);
    return {
      pinned: pinnedCountries.map(named),
      others: (book?.countries ?? []).map(named).sort((a, b) => collator.compare(a.name, b.name)),
    };
  }, [locale, book]);
  const isPinned = pinned.some(({ country }) => country === draft.country);
  const option = ({ country, dial, name }: { country: string; dial: string; name: string }) => (
    <option key={country} value={country}>{`${name} (+${dial})`}</option>
  );

  return (
    <span className={styles.country} onPointerEnter={onEnter}>
      <span className={styles.dial} aria-hidden="true">
        +{draft.dial}
      </span>
      <select
        className={styles.select}
        aria-label={t('identifier.country')}
        autoComplete="tel-country-code"
        value={draft.country}
        onFocus={onEnter}
        onChange={(event) => onCountry(event.target.value)}
      >
        <optgroup label={t('identifier.common')}>{pinned.map(option)}</optgroup>
        {others.length > 0 ? (
          <optgroup label={t('identifier.others')}>
            {others.filter((entry) => !pinned.some(({ country }) => country === entry.country)).map(option)}
          </optgroup>
        ) : (
          !isPinned && <option value={draft.country}>{`+${draft.dial}`}</option>
        )}
      </select>
    </span>
  );
};

/** A field for a phone or an e-mail. The typed or pasted text decides the kind. */
export const IdentifierField = (props: IdentifierFieldProps) => {
  const { id, draft, error, autoComplete, inputRef, onText, onKind, onEnter, onBlur } = props;
  const { t } = useTranslation();
  const isPhone = draft.kind === 'phone';
  return (
    <Field
      id={id}
      label={isPhone ? t('identifier.phone') : t('identifier.email')}
      labelAction={
        onKind && (
          <FieldAction
            onClick={() => {
              onKind(isPhone ? 'email' : 'phone');
              document.getElementById(id)?.focus();
            }}
          >
            {isPhone ? t('identifier.useEmail') : t('identifier.usePhone')}
          </FieldAction>
        )
      }
      error={error}
    >
      {isPhone && <CountryPicker {...props} />}
      <input
        // Both kinds share the element, so the caret stays when an @ turns a phone into an e-mail.
        key="identifier"
        ref={inputRef}
        id={id}
        name="identifier"
        type={isPhone ? 'tel' : 'email'}
        inputMode={isPhone ? 'tel' : 'email'}
        autoComplete={autoComplete}
        autoCapitalize="none"
        spellCheck={false}
        required
        className={isPhone ? styles.phone : undefined}
        value={draft.text}
        onChange={(event: ChangeEvent<HTMLInputElement>) => {
          onEnter();
          onText(event.target.value);
        }}
        // Not on focus, which the field may have from the start.
        onPointerDown={onEnter}
        onBlur={() => onBlur && afterPress(onBlur)}
        {...describedBy(id, undefined, error)}
      />
    </Field>
  );
};
