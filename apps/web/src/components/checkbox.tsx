import type { ReactNode } from 'react';
import styles from './checkbox.module.css';

interface CheckboxProps {
  checked: boolean;
  invalid?: boolean;
  note?: string | undefined;
  onChange: () => void;
  children: ReactNode;
}

export const Checkbox = ({ checked, invalid = false, note, onChange, children }: CheckboxProps) => (
  <label className={styles.row}>
    <input
      className={styles.box}
      type="checkbox"
      checked={checked}
      onChange={onChange}
      aria-invalid={invalid || undefined}
    />
    <span>
      {children}
      {note && <span className={styles.note}> ({note})</span>}
    </span>
  </label>
);
