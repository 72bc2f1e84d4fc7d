import type { ButtonHTMLAttributes } from 'react';
import styles from './button.module.css';

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  look?: 'primary' | 'secondary' | 'danger' | 'text';
  /** The action is under way: the button keeps its focus and its size, and ignores presses. */
  busy?: boolean;
}

export const Button = ({
  look = 'secondary',
  busy = false,
  type = 'button',
  onClick,
  className,
  children,
  ...rest
}: ButtonProps) => (
  <button
    {...rest}
    type={type}
    className={[styles.button, styles[look], className].filter(Boolean).join(' ')}
    aria-disabled={busy || rest['aria-disabled'] || undefined}
    aria-busy={busy || undefined}
    onClick={(event) => {
      // A press on a disabled submit button must not submit the form either.
      if (busy || rest['aria-disabled']) event.preventDefault();
      else onClick?.(event);
    }}
  >
    <span className={styles.label}>{children}</span>
    {busy && <span className={styles.spinner} aria-hidden="true" />}
  </button>
);
