import type { ReactNode } from 'react';
import { gap } from '../../shell/language/format.ts';
import { useLocale } from '../../shell/language/use-locale.ts';
import styles from './checkbox.module.css';
import choice from './choice.module.css';

interface CheckboxProps {
  checked: boolean;
  invalid?: boolean;
  note?: string | undefined;
  /** The id of what tells this one from others with the same words. */
  describedBy?: string | undefined;
  onChange: () => void;
  children: ReactNode;
}

export const Checkbox = ({
  checked,
  invalid = false,
  note,
  describedBy,
  onChange,
  children,
}: CheckboxProps) => {
  const locale = useLocale();
  return (
    <label className={styles.row}>
      <input
        className={`${choice.box} ${styles.box}`}
        type="checkbox"
        checked={checked}
        onChange={onChange}
        aria-invalid={invalid || undefined}
        aria-describedby={describedBy}
      />
      <span>
        {children}
        {note && (
          <span className={styles.note}>
            {gap(locale)}
            {note}
          </span>
        )}
      </span>
    </label>
  );
};
