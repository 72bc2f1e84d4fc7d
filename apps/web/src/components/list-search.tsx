import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Field } from './field.tsx';
import styles from './list-search.module.css';

interface ListSearchProps {
  label: string;
  text: string;
  /** How many were found; undefined while nothing is searched. */
  found: number | undefined;
  onText: (text: string) => void;
}

/** A field that narrows a list down, and says what is left of it. */
export const ListSearch = ({ label, text, found, onText }: ListSearchProps) => {
  const { t } = useTranslation();
  const id = useId();
  return (
    <search className={styles.search}>
      <Field id={id} label={label}>
        <input
          id={id}
          type="search"
          autoComplete="off"
          spellCheck={false}
          value={text}
          onChange={(event) => onText(event.target.value)}
        />
      </Field>
      <p className={styles.found} role="status">
        {found !== undefined && (found > 0 ? t('list.found', { number: found }) : t('list.nothingFound'))}
      </p>
    </search>
  );
};
