import type { Locale } from '@candela/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { describedBy, Field } from '../../../flow/components/field.tsx';
import section from '../../components/section.module.css';
import { Nothing } from '../../components/section.tsx';
import styles from './brand-words.module.css';
import { findWords, inForce, type Word } from './word.ts';

/** More than these are not looked through: a few letters more find the text. */
const MOST = 30;

interface WordListProps {
  words: readonly Word[];
  locale: Locale;
  chosen: string | undefined;
  onChoose: (key: string) => void;
}

/** Finds a text by its key or its words. */
export const WordList = ({ words, locale, chosen, onChoose }: WordListProps) => {
  const { t } = useTranslation('desk');
  const [looked, setLooked] = useState('');
  const found = findWords(words, looked);
  const hint = t('desk.words.findHint');
  return (
    <div className={styles.finder}>
      <Field id="find-word" label={t('desk.words.find')} hint={hint}>
        <input
          id="find-word"
          type="search"
          autoComplete="off"
          value={looked}
          onChange={({ target }) => setLooked(target.value)}
          {...describedBy('find-word', hint, undefined)}
        />
      </Field>
      <p className={styles.count} role="status">
        {found.length > 0 && t('desk.words.found', { count: found.length })}{' '}
        {found.length > MOST && t('desk.words.more')}
      </p>
      <div className={section.card}>
        {found.length === 0 && (
          <Nothing>{looked.trim() ? t('desk.words.nothing') : t('desk.words.none')}</Nothing>
        )}
        <ul className={styles.list}>
          {found.slice(0, MOST).map((word) => (
            <li key={word.key}>
              <button
                type="button"
                className={styles.choice}
                aria-pressed={word.key === chosen}
                onClick={() => onChoose(word.key)}
              >
                <code>{word.key}</code>
                <span lang={locale}>{inForce(word)}</span>
                {word.own !== undefined && <span className={styles.here}>{t('desk.words.here')}</span>}
              </button>
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
};
